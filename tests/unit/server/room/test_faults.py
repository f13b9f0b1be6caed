"""A room when things go wrong: the store fails, somebody else writes, people vanish, it ends."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.moves import PassCommand
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.talk import SayCommand
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room import bot_players
from crossroom_server.room.mailbox import MAX_QUEUED_JOBS, Mailbox
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Sources
from tests.support.room_driver import (
    SHIPPED_LEXICA,
    FakeClient,
    FlakyStore,
    RoomDriver,
    any_contains,
    open_room,
    start_game,
)

FULL = Unavailable("the disk is full")


def everything_heard(driver: RoomDriver) -> list[str]:
    return [line for client in driver.clients.values() for line in client.received]


async def log_of(driver: RoomDriver) -> list[LogEntry]:
    return await driver.store.read("kitchen")


# The store fails.


@pytest.mark.parametrize("line", ["/pass", "/resign yes", "/exchange none", "good luck"])
async def test_nobody_hears_of_what_was_not_stored(line: str) -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", "watcher", store=store)
    before = await driver.table()
    store.failures = [FULL]
    *told, answer = await driver.type("ann", line)
    assert answer.startswith("! INTERNAL ")
    assert answer.endswith(": nothing was done: the disk is full")
    assert everything_heard(driver) == [*told, answer, *told, *told]
    assert told[0] == "- nothing can be stored now: the disk is full"
    assert await driver.table() is before
    assert len(await log_of(driver)) == before.seq
    assert len(await driver.type("ann", line)) >= 1
    assert (await driver.table()).seq == before.seq + 1


@pytest.mark.parametrize("troubles", [[FULL], [None, FULL]], ids=["the code", "the event"])
async def test_a_new_name_that_was_not_stored_is_not_had(troubles: list[Exception | None]) -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", store=store)
    store.failures = troubles
    assert (await driver.type("bob", "/name bea"))[-1].startswith("! INTERNAL name: nothing was")
    await driver.type("bob", "hello")
    assert driver.clients["ann"].received[-1].endswith(" bob: hello")
    assert [chair.name for chair in (await driver.table()).seats] == ["ann", "bob"]
    await driver.restart_and_resume()
    assert (await driver.type("bob", "hello"))[-1].endswith(" bob: hello")


async def test_without_a_code_nobody_gets_a_name() -> None:
    store = FlakyStore()
    driver = await open_room("ann", "watcher", store=store)
    store.failures = [FULL]
    *_, answer = await driver.type("watcher", "/name bob")
    assert answer.startswith("! INTERNAL name: ")
    assert (await driver.type("watcher", "hello"))[-1].startswith("! NEED_NAME")
    assert (await driver.type("watcher", "/name bob"))[0].startswith("- you are bob")


async def test_who_gets_a_name_but_no_seat_watches() -> None:
    store = FlakyStore()
    driver = await open_room("ann", store=store)
    store.failures = [None, FULL]
    bob = await driver.join("bob")
    assert bob.received[-1] == "- you are watching: the disk is full"
    assert (await driver.type("bob", "/sit"))[-1].endswith("bob takes seat 2")


async def test_a_game_that_is_over_is_over_though_no_seat_could_be_freed() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store)
    await driver.type("ann", "/pass")
    await driver.disconnect("bob")
    store.failures = [None, FULL]
    heard = await driver.type("ann", "/resign yes")
    assert any_contains(heard, "; bob wins")
    assert len((await driver.table()).seats) == 2
    await driver.type("ann", "/ready")
    assert [chair.name for chair in (await driver.table()).seats] == ["ann"]


@pytest.mark.parametrize("failure", [FULL, ZeroDivisionError()])
async def test_who_leaves_is_gone_whatever_the_store_says(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", store=store)
    store.failures = [failure]
    await driver.disconnect("bob")
    assert (await driver.room()).connection_count == 1
    await driver.type("ann", "/ready")
    assert len((await driver.table()).seats) == 1


async def test_a_room_that_cannot_be_read_is_opened_when_it_can(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FlakyStore()
    driver = await open_room("ann", store=store)
    await driver.restart_server()
    store.read_error = FULL
    with pytest.raises(Refusal, match="the room kitchen cannot be opened: the disk is full"):
        await driver.room()
    with pytest.raises(Refusal, match="cannot be opened"):
        await driver.reconnect("ann")
    store.read_error = None
    assert (await driver.reconnect("ann")).received[-1].startswith("- you are in kitchen again")


# Somebody else writes, or a fault of ours.


async def test_what_somebody_else_wrote_is_told_before_one_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    driver = await start_game("ann", "bob")
    seq = (await driver.table()).seq
    others = [
        LogEntry(seq + 1, driver.now, Said("zoe", "hi")),
        LogEntry(seq + 2, 0, Said("zoe", "ho")),
    ]
    await driver.store.append("kitchen", seq, others)
    heard = await driver.type("ann", "/pass")
    assert heard[:2] == [f": #{seq + 1} zoe: hi", f": #{seq + 2} zoe: ho"]
    assert heard[2] == "! INTERNAL pass: an internal error; /state shows where things stand"
    assert driver.clients["bob"].received == heard[:2]
    assert f"the log of room kitchen ends at {seq + 2}, not at {seq}" in caplog.text
    assert f"#{seq + 3} ann passes" in (await driver.type("ann", "/pass"))[0]
    assert [entry.seq for entry in await log_of(driver)] == [*range(1, seq + 4)]


class FailingLexica:
    """Word lists, one of which is a fault of ours."""

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        if name == "boom":
            raise ZeroDivisionError
        return SHIPPED_LEXICA.get(name, digest)


async def test_a_fault_is_told_to_one_and_the_room_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    driver = RoomDriver([FakeClient("ann"), FakeClient("bob")], FailingLexica(), 1)
    await driver.join_all()
    driver.clients["bob"].take_received()
    before = await driver.table()
    (answer,) = await driver.type("ann", "/set lexicon boom")
    assert answer == "! INTERNAL set: an internal error; /state shows where things stand"
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert driver.clients["bob"].received == []
    assert await driver.table() is before
    assert (await driver.type("ann", "never mind"))[0].endswith("ann: never mind")


async def test_a_fault_while_the_log_cannot_be_read_does_not_end_the_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FlakyStore()
    driver = RoomDriver([FakeClient("ann")], FailingLexica(), 1, store)
    await driver.join_all()
    for failure in (FULL, ZeroDivisionError()):
        store.read_error = failure
        assert (await driver.type("ann", "/set lexicon boom"))[0].startswith("! INTERNAL set: ")
    store.read_error = None
    assert (await driver.type("ann", "hello"))[0].endswith("ann: hello")


async def test_a_fault_in_telling_one_reader_loses_no_entry(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await start_game("ann", "bob")
    seq = (await driver.table()).seq
    monkeypatch.setattr(FakeClient, "send", _fails_once(FakeClient.send, monkeypatch))
    await driver.type("ann", "/pass")
    assert (await driver.table()).seq == len(await log_of(driver)) == seq + 1
    assert "bob passes" in (await driver.type("bob", "/pass"))[0]


def _fails_once(
    send: Callable[[FakeClient, Sequence[str]], None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[FakeClient, Sequence[str]], None]:
    def failing(client: FakeClient, frames: Sequence[str]) -> None:
        monkeypatch.setattr(FakeClient, "send", send)
        raise ZeroDivisionError

    return failing


# One thing after the other.


async def ask(driver: RoomDriver, name: str, text: str) -> None:
    await (await driver.room()).ask(driver.clients[name], Request(SayCommand(text=text)))


async def test_what_is_asked_first_is_done_first() -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", store=store)
    store.open.clear()
    asking = [
        asyncio.create_task(ask(driver, "ann" if number % 2 else "bob", str(number)))
        for number in range(40)
    ]
    await asyncio.sleep(0)
    store.open.set()
    await asyncio.gather(*asking)
    said = [entry.what.text for entry in await log_of(driver) if isinstance(entry.what, Said)]
    assert said == [str(number) for number in range(40)]


async def test_who_vanishes_in_the_middle_of_a_move_has_made_it() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store)
    room = await driver.room()
    store.open.clear()
    moving = asyncio.create_task(room.ask(driver.clients["ann"], Request(PassCommand())))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    moving.cancel()
    await asyncio.wait([moving])
    assert everything_heard(driver) == []
    store.open.set()
    heard = await driver.type("bob", "/pass")
    assert [line.split(";")[0] for line in heard[::2]] == ["* #7 ann passes", "* #8 bob passes"]


async def test_who_vanishes_in_the_queue_disturbs_nobody() -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", store=store)
    store.open.clear()
    asking = [asyncio.create_task(ask(driver, "ann", str(number))) for number in range(3)]
    await asyncio.sleep(0)
    asking[1].cancel()
    await asyncio.sleep(0)
    store.open.set()
    done = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(one) for one in done] == [type(None), asyncio.CancelledError, type(None)]
    assert (await driver.type("bob", "and me"))[0].endswith("bob: and me")


async def test_a_full_mailbox_lets_people_wait() -> None:
    done: list[int] = []
    gate = asyncio.Event()

    async def attempt(job: Callable[[], Awaitable[object]]) -> object:
        await gate.wait()
        return await job()

    async def note(number: int) -> None:
        done.append(number)

    mail = Mailbox()
    serving = asyncio.create_task(mail.serve(attempt))
    count = 2 * MAX_QUEUED_JOBS
    posting = [asyncio.create_task(mail.post(lambda n=n: note(n))) for n in range(count)]  # type: ignore[misc]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*posting)
    assert done == [*range(count)]
    mail.close()
    serving.cancel()


# The end.


async def test_when_a_room_closes_nobody_waits_for_ever() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock="600")
    room = await driver.room()
    store.open.clear()
    first = asyncio.create_task(ask(driver, "ann", "one"))
    await asyncio.sleep(0)
    closing = asyncio.create_task(driver.lobby.close())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    late = [
        asyncio.create_task(room.ask(driver.clients["ann"], Request(PassCommand())))
        for _ in range(3)
    ]
    await asyncio.sleep(0)
    store.open.set()
    await asyncio.wait_for(closing, 30)
    await first
    for refused in await asyncio.gather(*late, return_exceptions=True):
        assert isinstance(refused, Refusal)
        assert refused.code == "SHUTTING_DOWN"
    with pytest.raises(Refusal) as after:
        await room.ask(driver.clients["ann"], Request(PassCommand()))
    assert after.value.code == "SHUTTING_DOWN"
    kinds = [entry.what.kind for entry in (await log_of(driver))[-2:]]
    assert kinds == ["said", "moved"]
    assert room.table.playing is not None
    assert room.table.playing.since is None


async def test_a_closed_room_does_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "MOVE_DELAY_S", 0.0)
    driver = await open_room("ann")
    for line in ("/set clock 60", "/set first-player seat", "/bot add", "/ready", "/pass"):
        await driver.type("ann", line)
    before = asyncio.all_tasks()
    await driver.lobby.close()
    length = len(await log_of(driver))
    await asyncio.sleep(0.05)
    assert len(await log_of(driver)) == length
    assert not {task for task in before if not task.done()} - {asyncio.current_task()}
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_room_whose_clock_cannot_be_stopped_does_not_keep_the_others_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock="60")
    attic = await driver.lobby.room("attic")
    store.failures = [FULL]
    await driver.lobby.close()
    assert "kitchen: its clock could not be stopped: nothing was done" in caplog.text
    with pytest.raises(Refusal, match="server stops"):
        await attic.enter(FakeClient("eve"), None)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_no_room_opens_while_the_lobby_closes() -> None:
    lobby = Lobby(
        MemoryStore(),
        Sources(SHIPPED_LEXICA, RoomDriver([], SHIPPED_LEXICA, 1).sources.random, lambda: 0),
    )
    opening = asyncio.create_task(lobby.room("kitchen"))
    closing = asyncio.create_task(lobby.close())
    late = asyncio.create_task(lobby.room("attic"))
    room = await opening
    await closing
    with pytest.raises(Refusal, match="stopping"):
        await late
    with pytest.raises(Refusal, match="server stops"):
        await room.enter(FakeClient("eve"), None)


async def test_whoever_left_while_nothing_could_be_stored_is_not_ready_to_go_on() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store)
    for name, line in ("ann", "/adjourn"), ("bob", "/agree"), ("bob", "/ready"):
        await driver.type(name, line)
    store.write_error = FULL
    await driver.disconnect("bob")
    store.write_error = None
    assert any_contains(await driver.type("ann", "/ready"), "waiting for bob")
    game = (await driver.table()).playing
    assert game is not None
    assert game.adjourned


# A room that is closed does nothing by itself any more.


async def with_a_bot(store: FlakyStore) -> RoomDriver:
    """A game in which it is the turn of somebody who is no bot."""
    driver = await open_room("ann", store=store)
    for line in "/set first-player seat", "/bot add", "/ready":
        await driver.type("ann", line)
    return driver


async def test_a_room_that_is_lost_while_a_move_is_stored_does_no_more() -> None:
    store = FlakyStore()
    driver = await with_a_bot(store)
    before, room = asyncio.all_tasks(), await driver.room()
    store.open.clear()
    passing = asyncio.create_task(driver.type("ann", "/pass"))
    await asyncio.sleep(0.01)
    await driver.lobby.drop_lost(room)
    store.open.set()
    await passing
    assert room.table.playing is not None
    assert room.table.playing.turn == 2
    assert asyncio.all_tasks() <= before


async def test_a_room_that_cannot_be_opened_does_no_more() -> None:
    store = FlakyStore()
    driver = await with_a_bot(store)
    await driver.type("ann", "/pass")
    await driver.restart_server()
    driver.now += 100_000
    before = asyncio.all_tasks()
    store.write_error = LeaseLost("kitchen", "another")
    with pytest.raises(Refusal, match="another"):
        await driver.room()
    assert asyncio.all_tasks() <= before
