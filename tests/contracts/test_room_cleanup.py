"""Rooms in which nobody ever played: when they are forgotten, and who may come in meanwhile."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.units import DAY_MS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.room import LogEntry, RulesChanged, Said
from crossroom_server import app
from crossroom_server.identity.codes import code_digest
from crossroom_server.lobby import retention
from crossroom_server.lobby.lobby import record_use
from crossroom_server.lobby.retention import delete_vacant_rooms
from crossroom_server.store.contract import CodeOwner, Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import RoomDriver, any_contains, open_room, start_game
from tests.support.server import RawClient, new_lobby, run_server

LONG = 30 * DAY_MS


async def forget(driver: RoomDriver) -> int:
    """The look of a server that waits for thirty days."""
    return await delete_vacant_rooms(driver.lobby, driver.store, driver.now - LONG)


async def left(driver: RoomDriver, days: float = 31) -> RoomDriver:
    """All have gone so many days ago, and the room is not in memory any more."""
    for name in driver.clients:
        await driver.disconnect(name)
    await driver.lobby.unload_idle_rooms(0)
    driver.now += round(days * DAY_MS)
    return driver


async def test_a_room_in_which_nobody_ever_played_is_forgotten_with_all_that_was_set() -> None:
    driver = await open_room("ann", "bob")
    for line in ("hello", "/set slow 5", "/lock sesame", "/ban eve"):
        await driver.type("ann", line)
    assert await forget(await left(driver)) == 1
    assert driver.lobby.metrics.rooms_deleted == 1
    assert await driver.store.rooms() == []
    with pytest.raises(Refusal) as caught:
        await driver.reconnect("ann")
    assert caught.value.code == "BAD_TOKEN"
    await driver.join("eve")
    table = await driver.table()
    assert (table.permissions.lock, table.permissions.owner and table.permissions.owner.whom) == (
        None,
        "eve",
    )
    assert [chair.name for chair in table.seats] == ["eve"]


async def test_a_room_in_which_a_game_was_begun_is_never_forgotten() -> None:
    driver = await start_game("ann", "bob")
    before = await driver.store.read("kitchen")
    assert await forget(await left(driver, days=10_000)) == 0
    assert (await driver.store.read("kitchen"))[: len(before)] == before
    await driver.reconnect("ann")


async def test_a_room_is_kept_until_nothing_has_happened_for_long_enough() -> None:
    driver = await left(await open_room("ann"), days=20)
    await driver.reconnect("ann")
    await driver.type("ann", "is nobody here?")
    assert await forget(await left(driver, days=20)) == 0
    driver.now += 11 * DAY_MS
    assert await forget(driver) == 1


async def test_a_room_is_kept_while_somebody_comes_back_to_it_and_says_nothing() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/set players 2")
    await driver.join("bob")
    await driver.join("cat")
    await left(driver, days=20)
    (member,) = [one for one in driver.store._codes.values() if one.name == "cat"]
    digest = code_digest(driver.clients["cat"].code)
    await record_use(driver.store, digest, member, driver.now)
    driver.now += 11 * DAY_MS
    assert await forget(driver) == 0
    driver.now += 20 * DAY_MS
    assert await forget(driver) == 1


async def test_a_room_that_is_in_memory_is_not_touched() -> None:
    driver = await open_room("ann", "bob")
    driver.now += LONG + DAY_MS
    assert await forget(driver) == 0
    await driver.type("ann", "still here")
    assert len(await driver.store.read("kitchen")) == (await driver.table()).seq


class GatedStore(MemoryStore):
    """Forgets rooms when it is let to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.gate = asyncio.Event(), asyncio.Event()

    async def delete_vacant(self, room: str, before: int) -> bool:
        self.asked.set()
        await self.gate.wait()
        return await super().delete_vacant(room, before)


@pytest.mark.parametrize("name", ["ann", "bob"])
async def test_who_comes_in_while_a_room_is_forgotten_waits_for_what_comes_of_it(name: str) -> None:
    store = GatedStore()
    driver = await left(await open_room("ann", store=store))
    forgetting_it = asyncio.create_task(forget(driver))
    await store.asked.wait()
    coming = asyncio.create_task(driver.reconnect("ann") if name == "ann" else driver.join("bob"))
    await asyncio.sleep(0.01)
    assert not coming.done()
    store.gate.set()
    assert await forgetting_it == (name == "bob")  # a code that is used keeps its room
    await coming
    await driver.type(name, "hello")
    log = await store.read("kitchen")
    assert [entry.seq for entry in log] == list(range(1, (2 if name == "bob" else 4) + 1))
    await left(driver, days=0) if name == "bob" else await driver.disconnect("ann")
    await driver.reconnect(name)


async def test_a_code_that_was_found_in_time_is_good_for_the_new_room() -> None:
    driver = await left(await open_room("ann"))
    find_code = driver.store.find_code

    async def find_and_forget(digest: str) -> CodeOwner | None:
        found = await find_code(digest)
        await driver.store.delete_vacant("kitchen", driver.now - LONG)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver.store, "find_code", find_and_forget)
        await driver.reconnect("ann")
    assert [entry.seq for entry in await driver.store.read("kitchen")] == [1]
    await driver.disconnect("ann")
    await driver.reconnect("ann")
    assert [chair.name for chair in (await driver.table()).seats] == ["ann"]


async def test_who_comes_first_keeps_the_room() -> None:
    driver = await left(await open_room("ann"))
    found = await driver.store.scan_vacant("", 10, driver.now - LONG)
    assert found == {"kitchen": True}
    await driver.reconnect("ann")
    assert not await driver.lobby.delete_vacant("kitchen", driver.now - LONG)
    await left(driver, days=0)
    assert not await driver.lobby.delete_vacant("kitchen", driver.now - LONG)
    assert await driver.store.read("kitchen")


async def test_who_has_a_forgotten_room_open_all_the_same_stores_nothing_more() -> None:
    driver = await open_room("ann")
    driver.now += LONG + DAY_MS
    assert await driver.store.delete_vacant("kitchen", driver.now - LONG)
    assert any_contains(await driver.type("ann", "hello"), "! INTERNAL")
    assert await driver.store.read("kitchen") == []


async def test_many_rooms_are_looked_over_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "ROOMS_PER_BATCH", 2)
    store, lobby = MemoryStore(), new_lobby()
    for number in range(7):
        at = 5 if number % 3 else 10
        await store.append(f"room-{number}", 0, [LogEntry(1, at, Said("ann", "hello"))])
    lobby._store = store
    assert await delete_vacant_rooms(lobby, store, 10) == 4
    assert sorted(await store.rooms()) == ["room-0", "room-3", "room-6"]


async def test_games_that_wait_are_not_looked_for_in_a_log_that_is_gone() -> None:
    driver = await left(await open_room("ann", "bob"))
    assert await driver.lobby.unfinished_games.of("ann") == []
    asking = new_lobby(driver.store)
    assert await asking.unfinished_games.of("ann") == []
    assert await forget(driver) == 1
    again = await start_game("ann", "cat", store=driver.store)
    await again.lobby.close()
    for lobby in (driver.lobby, asking):
        (line,) = await lobby.unfinished_games.of("ann")
        assert line.on_turn == "ann"


# Many nodes.


async def test_a_node_forgets_no_room_that_another_has() -> None:
    async with FakeCluster() as cluster, AsyncExitStack() as inside:
        a, b = await cluster.start("a"), await cluster.start("b")
        store = cluster.database.store
        await store.append("kitchen", 0, [LogEntry(1, 1, Said("ann", "hello"))])
        room = await a.lobby.room("kitchen")
        inside.enter_context(room.pinned())
        assert await delete_vacant_rooms(b.lobby, store, 10) == 0
        assert cluster.database.owners == {"kitchen": "a"}
        await a.lobby.close_room("kitchen")
        assert await delete_vacant_rooms(b.lobby, store, 10) == 1
        assert cluster.database.owners == {}
        assert await store.rooms() == []


# The server.


@pytest.mark.parametrize("days", [0.0, 1e-6])
async def test_a_server_forgets_rooms_by_itself_unless_it_is_told_not_to(
    days: float, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(app, "CLEANUP_INTERVAL_S", 0.05)
    async with run_server(vacant=days, guests=0.0, rest_after=0.1) as server:
        ann = await RawClient.dial(server.line_port or 0)
        ann.say("join kitchen\n/name ann\n/lock\n/quit\n")
        await ann.hear_all()
        await ann.hang_up()
        await asyncio.sleep(0.5)
        eve = await RawClient.dial(server.line_port or 0)
        eve.say("join kitchen\n/name eve\n/quit\n")
        assert any_contains(await eve.hear_all(), "! NEED_KEY") == (days == 0)
        await eve.hang_up()
    told = "1 rooms in which no game was ever begun are forgotten"
    assert (told in caplog.messages) == (days > 0)


async def test_a_store_that_is_out_of_order_is_asked_again_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    await store.append("kitchen", 0, [LogEntry(1, 1, RulesChanged("a", "b", "c", PRESETS["race"]))])
    failures = [Unavailable("the disk of the server is full")]
    look_over = store.scan_vacant

    async def fails(behind: str, most: int, before: int) -> dict[str, bool]:
        if failures:
            raise failures.pop()
        return await look_over(behind, most, before)

    monkeypatch.setattr(store, "scan_vacant", fails)
    monkeypatch.setattr(app, "CLEANUP_INTERVAL_S", 0.02)
    monkeypatch.setattr(app, "MemoryStore", lambda: store)
    async with run_server():
        await asyncio.sleep(0.2)
        assert await store.rooms() == []
    assert "what nobody misses stays: the disk of the server is full" in caplog.messages
