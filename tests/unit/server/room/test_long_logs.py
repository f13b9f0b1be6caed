"""Rooms where people talk for a year: what they have in memory, and what they read again."""

import asyncio
import gc
from pathlib import Path

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.room import event_log, log_replay
from crossroom_server.room.event_log import CACHED_ENTRIES
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.derived_contract import Snapshot
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.room_driver import (
    FakeClient,
    FlakyStore,
    RoomDriver,
    any_contains,
    open_room,
    start_game,
)
from tests.support.server import new_lobby


async def talk(driver: RoomDriver, times: int) -> None:
    for number in range(times):
        await driver.type("ann", f"line {number}")


async def entries_in_memory(at_most: int | None = None) -> int:
    """How many there are, as soon as the store's thread has let go of what it has read."""
    for _ in range(100):
        gc.collect()
        found = sum(isinstance(one, LogEntry) for one in gc.get_objects())
        if at_most is None or found <= at_most:
            break
        await asyncio.sleep(0.05)
    return found


async def test_a_room_has_the_newest_part_of_its_log_in_memory(tmp_path: Path) -> None:
    store, before = SqliteStore(tmp_path / "games.db"), await entries_in_memory()
    said = [LogEntry(n, n, Said("ann", f"line {n}")) for n in range(1, 2100)]
    await store.append("kitchen", 0, said)
    del said
    assert await entries_in_memory(before) <= before
    lobby = new_lobby(store)
    room, eve = await lobby.room("kitchen"), FakeClient("eve")
    await room.enter(eve, "eve")
    assert room.table.seq == 2100
    most = before + 2 * CACHED_ENTRIES + 1
    assert before + CACHED_ENTRIES <= await entries_in_memory(most) <= most
    assert [happened.seq for happened in await room.recall(3)] == [2098, 2099, 2100]
    assert [happened.seq for happened in await room.recall(9999)] == [*range(1, 2101)]
    assert await entries_in_memory(most) <= most
    await lobby.close()
    store.close()


async def test_people_who_talk_do_not_make_it_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "CACHED_ENTRIES", 10)
    driver = await open_room("ann", "bob")
    for _ in range(5):
        await talk(driver, 7)
        part = (await driver.room())._log
        entries = [*(part._older.entries if part._older else ()), *part._newer.entries]
        assert len(entries) <= 20
        assert entries[-1].seq == (await driver.table()).seq
        assert entries[0].seq == entries[-1].seq - len(entries) + 1


async def test_the_host_and_the_room_hear_any_part_again(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = await start_game("ann", "bob")
    await talk(driver, 20)
    room, seq = await driver.room(), (await driver.table()).seq
    whole = await room.recall(seq)
    assert len(whole) == seq
    told = {last: await driver.type("bob", f"/recall {last}") for last in range(1, seq + 5)}
    monkeypatch.setattr(event_log, "CACHED_ENTRIES", 4)
    monkeypatch.setattr(log_replay, "ENTRIES_PER_READ", 3)
    await driver.lobby.unload_idle_rooms(0)
    await driver.disconnect("ann")
    await driver.disconnect("bob")
    await driver.lobby.unload_idle_rooms(0)
    room = await driver.room()
    await driver.reconnect("ann")
    await driver.reconnect("bob")
    for last, lines in told.items():
        events = [one.event for one in await room.recall(last)]
        assert events == [one.event for one in whole][-last:]
        assert await driver.type("bob", f"/recall {last}") == lines


async def test_a_log_that_cannot_be_read_leaves_everything_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_log, "CACHED_ENTRIES", 4)
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store)
    await talk(driver, 20)
    ann, room = driver.clients["ann"], await driver.room()
    store.read_error = Unavailable("the disk is broken")
    with pytest.raises(Refusal, match="nothing was done: the disk is broken"):
        await driver.reconnect("ann", 2)
    assert ann.closed is None
    assert ann in room
    assert driver.clients["ann"] not in room
    store.read_error = None
    again = await driver.reconnect("ann", 2)
    assert any_contains(again.received, "line 0")
    assert ann.closed is not None


@pytest.mark.parametrize("do", ["/recall 200", "/resume"])
async def test_others_have_their_turn_while_somebody_reads_it_back(do: str) -> None:
    driver = await open_room("ann", "eve")
    await talk(driver, 200)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    other = asyncio.create_task(others())
    await asyncio.sleep(0)
    turns = 0
    if do == "/resume":
        await driver.disconnect("ann")
        turns = 0
        await driver.reconnect("ann", since=0)
    else:
        await driver.type("ann", do)
    other.cancel()
    assert turns >= 200 // log_replay.ENTRIES_AT_ONCE


class CountingStore(MemoryStore):
    """Counts the entries that are read."""

    entries_read = 0

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        found = await super().read(room, after, limit)
        self.entries_read += len(found)
        return found


@pytest.mark.parametrize("length", [300, 3000])
async def test_a_room_opens_without_its_whole_log(length: int) -> None:
    store = CountingStore()
    driver = await start_game("ann", "bob", store=store)
    await talk(driver, length)
    before = await driver.table()
    await driver.restart_server()
    store.entries_read = 0
    after = await driver.table()
    assert store.entries_read <= CACHED_ENTRIES
    assert (after.seq, after.playing, after.members) == (before.seq, before.playing, before.members)
    ann = await driver.reconnect("ann", since=before.seq - 1)
    assert any_contains(ann.received, f"line {length - 1}")


async def test_a_log_without_snapshots_is_read_whole_once() -> None:
    store = CountingStore()
    said = [LogEntry(n, n, Said("ann", f"line {n}")) for n in range(1, 1001)]
    await store.append("kitchen", 0, said)
    for most in (1000, 2 * CACHED_ENTRIES):
        store.entries_read = 0
        lobby = new_lobby(store)
        assert (await lobby.room("kitchen")).table.seq == 1000
        assert store.entries_read <= most
        await lobby.close()


@pytest.mark.parametrize("text", ["", "0.abc\n{}", "nonsense"])
async def test_a_snapshot_that_cannot_be_understood_is_not_missed(text: str) -> None:
    driver = await start_game("ann", "bob")
    await talk(driver, 5)
    before = await driver.table()
    await driver.store.snapshots.save("kitchen", Snapshot(before.seq - 1, text))
    await driver.restart_server()
    assert (await driver.table()).playing == before.playing
