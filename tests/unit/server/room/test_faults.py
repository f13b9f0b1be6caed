"""A room when things go wrong: the store fails, somebody else writes, people vanish, it ends."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.moves import PassCommand
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.talk import SayCommand
from crossroom_protocol.events.room import Entry, Said
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room import bot_players
from crossroom_server.room.mailbox import CAPACITY, Mailbox
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.lease_contract import Taken
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Sources
from tests.support.room_driver import LISTS, Ear, Moody, Stage, gathered, has, playing

FULL = Unavailable("the disk is full")


def everything_heard(stage: Stage) -> list[str]:
    return [line for ear in stage.ears.values() for line in ear.heard]


async def log_of(stage: Stage) -> list[Entry]:
    return await stage.store.read("kitchen")


# The store fails.


@pytest.mark.parametrize("line", ["/pass", "/resign", "/exchange", "good luck"])
async def test_nobody_hears_of_what_was_not_stored(line: str) -> None:
    store = Moody()
    stage = await playing("ann", "bob", "watcher", store=store)
    before = await stage.table()
    store.troubles = [FULL]
    *told, answer = await stage.type("ann", line)
    assert answer.startswith("! INTERNAL ")
    assert answer.endswith(": nothing was done: the disk is full")
    assert everything_heard(stage) == [*told, answer, *told, *told]
    assert told[0] == "- nothing can be stored now: the disk is full"
    assert await stage.table() is before
    assert len(await log_of(stage)) == before.seq
    assert len(await stage.type("ann", line)) >= 1
    assert (await stage.table()).seq == before.seq + 1


@pytest.mark.parametrize("troubles", [[FULL], [None, FULL]], ids=["the code", "the event"])
async def test_a_new_name_that_was_not_stored_is_not_had(troubles: list[Exception | None]) -> None:
    store = Moody()
    stage = await gathered("ann", "bob", store=store)
    store.troubles = troubles
    assert (await stage.type("bob", "/name bea"))[-1].startswith("! INTERNAL name: nothing was")
    await stage.type("bob", "hello")
    assert stage.ears["ann"].heard[-1].endswith(" bob: hello")
    assert [chair.name for chair in (await stage.table()).chairs] == ["ann", "bob"]
    await stage.restart()
    assert (await stage.type("bob", "hello"))[-1].endswith(" bob: hello")


async def test_without_a_code_nobody_gets_a_name() -> None:
    store = Moody()
    stage = await gathered("ann", "watcher", store=store)
    store.troubles = [FULL]
    *_, answer = await stage.type("watcher", "/name bob")
    assert answer.startswith("! INTERNAL name: ")
    assert (await stage.type("watcher", "hello"))[-1].startswith("! NEED_NAME")
    assert (await stage.type("watcher", "/name bob"))[0].startswith("- you are bob")


async def test_who_gets_a_name_but_no_seat_watches() -> None:
    store = Moody()
    stage = await gathered("ann", store=store)
    store.troubles = [None, FULL]
    bob = await stage.come("bob")
    assert bob.heard[-1] == "- you are watching: the disk is full"
    assert (await stage.type("bob", "/sit"))[-1].endswith("bob takes seat 2")


async def test_a_game_that_is_over_is_over_though_no_seat_could_be_freed() -> None:
    store = Moody()
    stage = await playing("ann", "bob", store=store)
    await stage.type("ann", "/pass")
    await stage.go("bob")
    store.troubles = [None, FULL]
    heard = await stage.type("ann", "/resign")
    assert has(heard, "; bob wins")
    assert len((await stage.table()).chairs) == 2
    await stage.type("ann", "/ready")
    assert [chair.name for chair in (await stage.table()).chairs] == ["ann"]


@pytest.mark.parametrize("trouble", [FULL, ZeroDivisionError()])
async def test_who_leaves_is_gone_whatever_the_store_says(
    trouble: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store = Moody()
    stage = await gathered("ann", "bob", store=store)
    store.troubles = [trouble]
    await stage.go("bob")
    assert (await stage.room()).people == 1
    await stage.type("ann", "/ready")
    assert len((await stage.table()).chairs) == 1


async def test_a_room_that_cannot_be_read_is_opened_when_it_can(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Moody()
    stage = await gathered("ann", store=store)
    await stage.reopen()
    store.reading = FULL
    with pytest.raises(Refusal, match="the room kitchen cannot be opened: the disk is full"):
        await stage.room()
    with pytest.raises(Refusal, match="cannot be opened"):
        await stage.come_back("ann")
    store.reading = None
    assert (await stage.come_back("ann")).heard[-1].startswith("- you are live")


# Somebody else writes, or a fault of ours.


async def test_what_somebody_else_wrote_is_told_before_one_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stage = await playing("ann", "bob")
    seq = (await stage.table()).seq
    others = [Entry(seq + 1, stage.now, Said("zoe", "hi")), Entry(seq + 2, 0, Said("zoe", "ho"))]
    await stage.store.append("kitchen", seq, others)
    heard = await stage.type("ann", "/pass")
    assert heard[:2] == [f": #{seq + 1} zoe: hi", f": #{seq + 2} zoe: ho"]
    assert heard[2] == "! INTERNAL pass: a fault of the server; /state shows what holds"
    assert stage.ears["bob"].heard == heard[:2]
    assert f"the log of room kitchen ends at {seq + 2}, not at {seq}" in caplog.text
    assert f"#{seq + 3} ann passes" in (await stage.type("ann", "/pass"))[0]
    assert [entry.seq for entry in await log_of(stage)] == [*range(1, seq + 4)]


class Sabotaged:
    """Word lists, one of which is a fault of ours."""

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        if name == "boom":
            raise ZeroDivisionError
        return LISTS.get(name, digest)


async def test_a_fault_is_told_to_one_and_the_room_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stage = Stage([Ear("ann"), Ear("bob")], Sabotaged(), 1)
    await stage.arrive()
    stage.ears["bob"].take()
    before = await stage.table()
    (answer,) = await stage.type("ann", "/set lexicon boom")
    assert answer == "! INTERNAL set: a fault of the server; /state shows what holds"
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert stage.ears["bob"].heard == []
    assert await stage.table() is before
    assert (await stage.type("ann", "never mind"))[0].endswith("ann: never mind")


async def test_a_fault_while_the_log_cannot_be_read_does_not_end_the_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Moody()
    stage = Stage([Ear("ann")], Sabotaged(), 1, store)
    await stage.arrive()
    for trouble in (FULL, ZeroDivisionError()):
        store.reading = trouble
        assert (await stage.type("ann", "/set lexicon boom"))[0].startswith("! INTERNAL set: ")
    store.reading = None
    assert (await stage.type("ann", "hello"))[0].endswith("ann: hello")


async def test_a_fault_in_telling_one_reader_loses_no_entry(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await playing("ann", "bob")
    seq = (await stage.table()).seq
    monkeypatch.setattr(Ear, "send", _fails_once(Ear.send, monkeypatch))
    await stage.type("ann", "/pass")
    assert (await stage.table()).seq == len(await log_of(stage)) == seq + 1
    assert "bob passes" in (await stage.type("bob", "/pass"))[0]


def _fails_once(
    send: Callable[[Ear, Sequence[str]], None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Ear, Sequence[str]], None]:
    def failing(ear: Ear, frames: Sequence[str]) -> None:
        monkeypatch.setattr(Ear, "send", send)
        raise ZeroDivisionError

    return failing


# One thing after the other.


async def ask(stage: Stage, name: str, text: str) -> None:
    await (await stage.room()).ask(stage.ears[name], Request(SayCommand(text=text)))


async def test_what_is_asked_first_is_done_first() -> None:
    store = Moody()
    stage = await gathered("ann", "bob", store=store)
    store.open.clear()
    asking = [
        asyncio.create_task(ask(stage, "ann" if number % 2 else "bob", str(number)))
        for number in range(40)
    ]
    await asyncio.sleep(0)
    store.open.set()
    await asyncio.gather(*asking)
    said = [entry.what.text for entry in await log_of(stage) if isinstance(entry.what, Said)]
    assert said == [str(number) for number in range(40)]


async def test_who_vanishes_in_the_middle_of_a_move_has_made_it() -> None:
    store = Moody()
    stage = await playing("ann", "bob", store=store)
    room = await stage.room()
    store.open.clear()
    moving = asyncio.create_task(room.ask(stage.ears["ann"], Request(PassCommand())))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    moving.cancel()
    await asyncio.wait([moving])
    assert everything_heard(stage) == []
    store.open.set()
    heard = await stage.type("bob", "/pass")
    assert [line.split(";")[0] for line in heard[::2]] == ["* #7 ann passes", "* #8 bob passes"]


async def test_who_vanishes_in_the_queue_disturbs_nobody() -> None:
    store = Moody()
    stage = await gathered("ann", "bob", store=store)
    store.open.clear()
    asking = [asyncio.create_task(ask(stage, "ann", str(number))) for number in range(3)]
    await asyncio.sleep(0)
    asking[1].cancel()
    await asyncio.sleep(0)
    store.open.set()
    done = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(one) for one in done] == [type(None), asyncio.CancelledError, type(None)]
    assert (await stage.type("bob", "and me"))[0].endswith("bob: and me")


async def test_a_full_mailbox_lets_people_wait() -> None:
    done: list[int] = []
    gate = asyncio.Event()

    async def attempt(job: Callable[[], Awaitable[None]]) -> Refusal | None:
        await gate.wait()
        await job()
        return None

    async def note(number: int) -> None:
        done.append(number)

    mail = Mailbox(attempt)
    serving = asyncio.create_task(mail.serve())
    count = 2 * CAPACITY
    posting = [asyncio.create_task(mail.post(lambda n=n: note(n))) for n in range(count)]  # type: ignore[misc]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*posting)
    assert done == [*range(count)]
    mail.close()
    serving.cancel()


# The end.


async def test_when_a_room_closes_nobody_waits_for_ever() -> None:
    store = Moody()
    stage = await playing("ann", "bob", store=store, clock="600")
    room = await stage.room()
    store.open.clear()
    first = asyncio.create_task(ask(stage, "ann", "one"))
    await asyncio.sleep(0)
    closing = asyncio.create_task(stage.lobby.close())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    late = [
        asyncio.create_task(room.ask(stage.ears["ann"], Request(PassCommand()))) for _ in range(3)
    ]
    await asyncio.sleep(0)
    store.open.set()
    await asyncio.wait_for(closing, 30)
    await first
    for refused in await asyncio.gather(*late, return_exceptions=True):
        assert isinstance(refused, Refusal)
        assert refused.code == "SHUTTING_DOWN"
    with pytest.raises(Refusal) as after:
        await room.ask(stage.ears["ann"], Request(PassCommand()))
    assert after.value.code == "SHUTTING_DOWN"
    kinds = [entry.what.kind for entry in (await log_of(stage))[-2:]]
    assert kinds == ["said", "moved"]
    assert room.table.playing is not None
    assert room.table.playing.since is None


async def test_a_closed_room_does_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "PAUSE", 0.0)
    stage = await gathered("ann")
    for line in ("/set clock 60", "/set first-player seat", "/bot add", "/ready", "/pass"):
        await stage.type("ann", line)
    before = asyncio.all_tasks()
    await stage.lobby.close()
    length = len(await log_of(stage))
    await asyncio.sleep(0.05)
    assert len(await log_of(stage)) == length
    assert not {task for task in before if not task.done()} - {asyncio.current_task()}
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_room_whose_clock_cannot_be_stopped_does_not_keep_the_others_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = Moody()
    stage = await playing("ann", "bob", store=store, clock="60")
    attic = await stage.lobby.room("attic")
    store.troubles = [FULL]
    await stage.lobby.close()
    assert "kitchen: its clock could not be stopped: nothing was done" in caplog.text
    with pytest.raises(Refusal, match="server stops"):
        await attic.enter(Ear("eve"), None)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_no_room_opens_while_the_lobby_closes() -> None:
    lobby = Lobby(MemoryStore(), Sources(LISTS, Stage([], LISTS, 1).sources.random, lambda: 0))
    opening = asyncio.create_task(lobby.room("kitchen"))
    closing = asyncio.create_task(lobby.close())
    late = asyncio.create_task(lobby.room("attic"))
    room = await opening
    await closing
    with pytest.raises(Refusal, match="stopping"):
        await late
    with pytest.raises(Refusal, match="server stops"):
        await room.enter(Ear("eve"), None)


async def test_whoever_left_while_nothing_could_be_stored_is_not_ready_to_go_on() -> None:
    store = Moody()
    stage = await playing("ann", "bob", store=store)
    for name, line in ("ann", "/adjourn"), ("bob", "/agree"), ("bob", "/ready"):
        await stage.type(name, line)
    store.writing = FULL
    await stage.go("bob")
    store.writing = None
    assert has(await stage.type("ann", "/ready"), "waiting for bob")
    game = (await stage.table()).playing
    assert game is not None
    assert game.adjourned


# A room that is closed does nothing by itself any more.


async def with_a_bot(store: Moody) -> Stage:
    """A game in which it is the turn of somebody who is no bot."""
    stage = await gathered("ann", store=store)
    for line in "/set first-player seat", "/bot add", "/ready":
        await stage.type("ann", line)
    return stage


async def test_a_room_that_is_lost_while_a_move_is_stored_does_no_more() -> None:
    store = Moody()
    stage = await with_a_bot(store)
    before, room = asyncio.all_tasks(), await stage.room()
    store.open.clear()
    passing = asyncio.create_task(stage.type("ann", "/pass"))
    await asyncio.sleep(0.01)
    await stage.lobby.lose(room)
    store.open.set()
    await passing
    assert room.table.playing is not None
    assert room.table.playing.turn == 2
    assert asyncio.all_tasks() <= before


async def test_a_room_that_cannot_be_opened_does_no_more() -> None:
    store = Moody()
    stage = await with_a_bot(store)
    await stage.type("ann", "/pass")
    await stage.reopen()
    stage.now += 100_000
    before = asyncio.all_tasks()
    store.writing = Taken("kitchen", "another")
    with pytest.raises(Refusal, match="another"):
        await stage.room()
    assert asyncio.all_tasks() <= before
