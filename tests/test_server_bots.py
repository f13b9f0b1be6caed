"""Bots at a table: they sit, play, challenge and accept; a brain that fails is replaced."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from crossroom_engine.board import Spot
from crossroom_engine.bots import LEVELS
from crossroom_engine.events import Event, Exchanged, Played
from crossroom_engine.game import Game
from crossroom_engine.gcg_read import read_gcg
from crossroom_engine.moves import Challenge, Exchange, Move, Pass, Place
from crossroom_engine.records import check
from crossroom_engine.views import View, view
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.room_events import Entry, Moved
from crossroom_server import bots, thinking
from crossroom_server.store import Unavailable
from crossroom_server.store.memory import MemoryStore
from crossroom_server.thinking import IsOver
from tests.brains import phony
from tests.hurried import until
from tests.stage import LISTS, Moody, Stage, gathered

Choose = Callable[[View], Any]


class Brain:
    """A level that chooses as a test wants; ``seen`` is what it was shown."""

    name, description = "brain", "does what a test wants"

    def __init__(self, choose: Choose, budget: float = 5.0) -> None:
        self._choose, self.budget = choose, budget
        self.seen: list[View] = []
        self.is_over: IsOver = lambda: False

    def choose(
        self, seen: View, rules: object, lexica: object, random: Random, is_over: IsOver
    ) -> Move | None:
        self.seen.append(seen)
        self.is_over = is_over
        move: Move | None = self._choose(seen)
        return move


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots do not pause for people."""
    for pause in ("PAUSE", "PAUSE_TO_CHALLENGE", "AGAIN"):
        monkeypatch.setattr(bots, pause, 0.01)


@pytest.fixture
def think(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Brain]:
    def install(choose: Choose, budget: float = 5.0) -> Brain:
        brain = Brain(choose, budget)
        monkeypatch.setattr(bots, "LEVELS", {"brain": brain, **LEVELS})
        return brain

    return install


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The brain that stands in for one that fails, fails as well."""
    monkeypatch.setattr(bots, "FALLBACK", Brain(_raise))


async def table_with(
    *kinds: str,
    people: Sequence[str] = ("ann",),
    store: MemoryStore | None = None,
    **settings: Any,
) -> Stage:
    """People who begin, then bots of these levels, in a game."""
    stage = await gathered(*people, store=store)
    for setting, value in {"first-player": "seat", **settings}.items():
        await stage.type("ann", f"/set {setting} {value}")
    for kind in kinds:
        await stage.type("ann", f"/bot add {kind}")
    for name in people:
        await stage.type(name, "/ready")
    assert (await stage.table()).playing is not None
    return stage


def game_in(stage: Stage) -> Game:
    ((room, _),) = stage.lobby._rooms.values()
    assert room.table.game is not None
    return room.table.game


def record_in(stage: Stage) -> tuple[Event, ...]:
    ((room, _),) = stage.lobby._rooms.values()
    return room.table.record


async def turn(stage: Stage, number: int) -> None:
    """Wait until a turn has come."""
    await until(lambda: game_in(stage).turn == number)


async def test_a_bot_plays_when_it_is_its_turn() -> None:
    stage = await table_with("greedy")
    await stage.type("ann", "/pass")
    await turn(stage, 3)
    (played,) = (event for event in record_in(stage) if isinstance(event, Played))
    assert played.seat == 1
    assert all(word in LISTS.get("english") for word in played.words)
    await stage.lobby.close()


async def test_bots_play_a_whole_game_by_themselves() -> None:
    stage = await gathered("ann")
    await stage.type("ann", "/set tiles english-short")
    await stage.type("ann", "/watch")
    await stage.type("ann", "/bot add novice")
    await stage.type("ann", "/bot add greedy")
    await until(lambda: game_in(stage).phase == "over", seconds=60)
    lines = await stage.type("ann", "/export gcg")
    report = check(read_gcg("".join(line[2:] + "\n" for line in lines)), LISTS.get("english"))
    assert (report.findings, report.complete) == ((), True)
    await asyncio.sleep(0.05)
    assert (await stage.table()).games == 1
    await stage.lobby.close()


async def test_a_bot_challenges_what_is_no_word() -> None:
    stage = await table_with("greedy")
    game = game_in(stage)
    line = phony(view(game, 0), game.rules, LISTS.get("english"))
    assert line is not None
    await stage.type("ann", line)
    await until(lambda: any("challenges" in line for line in stage.ears["ann"].heard))
    await turn(stage, 3)
    assert game_in(stage).players[0].score == 0
    await stage.lobby.close()


async def test_a_bot_lets_the_last_play_stand() -> None:
    stage = await table_with("novice", tiles="english-short", rack=9, challenge="free")
    game = game_in(stage)
    while game.phase != "over":
        if game.phase == "playing" and game.on_turn == 0:
            line = phony(view(game, 0), game.rules, LISTS.get("english"))
            await stage.type("ann", line or "/pass")
        elif 0 in game.awaited:
            await stage.type("ann", "/accept")
        else:
            await asyncio.sleep(0.005)
        game = game_in(stage)
    assert game.ended is not None
    assert game.ended.why == "out"
    await stage.lobby.close()


async def test_a_bot_sees_what_its_seat_may_see(think: Callable[[Choose], Brain]) -> None:
    brain = think(lambda seen: Pass() if seen.on_turn == seen.seat else None)
    stage = await table_with("brain")
    await stage.type("ann", "/pass")
    await turn(stage, 3)
    for seen in brain.seen:
        assert seen.seat == 1
        assert seen.players[0].rack is None
        assert seen.rack == game_in(stage).players[1].rack
    await stage.lobby.close()


# Brains that fail.


def _raise(seen: View) -> Move:
    raise ZeroDivisionError


FOOLS: dict[str, Choose] = {
    "raises": _raise,
    "plays what it has not": lambda seen: Place(Spot.parse("8H"), "QZQZQZ"),
    "plays nowhere": lambda seen: Place(Spot(40, 40, across=True), "AT"),
    "exchanges what it has not": lambda seen: Exchange(("Q", "Q", "Q")),
    "says something else": lambda seen: "good evening",
    "says nothing": lambda seen: None,
}


@pytest.mark.parametrize("fool", FOOLS)
async def test_a_brain_that_fails_is_replaced_for_this_move(
    fool: str, think: Callable[[Choose], Brain], caplog: pytest.LogCaptureFixture
) -> None:
    brain = think(FOOLS[fool])
    stage = await table_with("brain")
    for number in (1, 3):
        await turn(stage, number)
        await stage.type("ann", "/pass")
    await turn(stage, 5)
    assert [event.seat for event in record_in(stage) if isinstance(event, Played)] == [1, 1]
    assert len(brain.seen) >= 2
    assert caplog.records
    await stage.lobby.close()


@pytest.mark.usefixtures("no_fallback")
@pytest.mark.parametrize("fool", FOOLS)
async def test_if_both_brains_fail_that_costs_the_seat_one_turn(
    fool: str, think: Callable[[Choose], Brain], caplog: pytest.LogCaptureFixture
) -> None:
    brain = think(FOOLS[fool])
    stage = await table_with("brain")
    for number in (1, 3, 5):
        await turn(stage, number)
        await stage.type("ann", "/pass")
    await until(lambda: game_in(stage).phase == "over")
    passed = [line for line in stage.ears["ann"].heard if "brain-bot passes" in line]
    assert len(passed) == 3
    assert len(brain.seen) >= 3
    assert "ZeroDivisionError" in caplog.text
    await stage.lobby.close()


@pytest.mark.usefixtures("no_fallback")
async def test_brains_that_fail_let_the_last_play_stand(
    think: Callable[[Choose], Brain], caplog: pytest.LogCaptureFixture
) -> None:
    think(_raise)
    stage = await table_with("brain", tiles="english-short", rack=9, scoreless_limit=99)
    game = game_in(stage)
    while game.phase != "over":
        if game.phase == "playing" and game.on_turn == 0:
            line = phony(view(game, 0), game.rules, LISTS.get("english"))
            await stage.type("ann", line or "/pass")
        await asyncio.sleep(0.005)
        game = game_in(stage)
    assert "brain-bot accepts" in " ".join(stage.ears["ann"].heard)
    await stage.lobby.close()


async def test_a_store_in_trouble_does_not_freeze_a_bot(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stage = await table_with("greedy")
    append, failures = MemoryStore.append, iter([Unavailable("the disk is full")] * 4)

    async def failing(self: MemoryStore, room: str, after: int, entries: Sequence[Entry]) -> None:
        what = entries[0].what
        if isinstance(what, Moved) and what.seat == 1 and (failure := next(failures, None)):
            raise failure
        await append(self, room, after, entries)

    monkeypatch.setattr(MemoryStore, "append", failing)
    await stage.type("ann", "/pass")
    await turn(stage, 3)
    assert next(failures, None) is None
    assert caplog.text.count("a bot's move was refused: nothing was done: the disk is full") == 4
    await stage.lobby.close()


async def test_a_brain_that_is_too_slow_is_replaced_for_this_move(
    think: Callable[..., Brain],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(thinking, "GRACE", 0.1)
    monkeypatch.setattr(bots, "FALLBACK", Brain(lambda seen: Exchange(seen.rack[:1])))
    gate = threading.Event()
    brain = think(lambda seen: gate.wait(5) and Pass(), budget=0.1)
    stage = await table_with("brain")
    stage.lobby._thinkers._places = asyncio.Semaphore(1)
    for number in (1, 3):
        await turn(stage, number)
        await stage.type("ann", "/pass")
    await turn(stage, 5)
    assert [event.seat for event in record_in(stage) if isinstance(event, Exchanged)] == [1, 1]
    assert len(brain.seen) == 2
    assert caplog.text.count("brain: a bot found no move: no answer within 0.2 s") == 2
    gate.set()
    await stage.lobby.close()
    assert not thoughts()


async def test_a_brain_hears_when_its_budget_is_used_up(think: Callable[..., Brain]) -> None:
    brain: Brain = think(lambda seen: patient(brain, Exchange(seen.rack[:1])), budget=0.1)
    stage = await table_with("brain")
    await stage.type("ann", "/pass")
    await turn(stage, 3)
    assert any("brain-bot exchanges 1 tile" in line for line in stage.ears["ann"].heard)
    await stage.lobby.close()


@pytest.mark.parametrize("what", ["resigns", "closes"])
async def test_a_brain_hears_when_nobody_waits_for_it_any_more(
    what: str, think: Callable[..., Brain]
) -> None:
    brain: Brain = think(lambda seen: patient(brain, Pass()), budget=60.0)
    stage = await table_with("brain", people=("ann", "bob"))
    for name in ("ann", "bob"):
        await stage.type(name, "/pass")
    await until(lambda: bool(brain.seen))
    assert thoughts()
    begun = time.monotonic()
    if what == "resigns":
        await stage.type("ann", "/resign")
        await stage.type("bob", "/resign")
        await until(lambda: not thoughts())
    await stage.lobby.close()
    assert not thoughts()
    assert time.monotonic() - begun < 0.5


async def test_the_pause_for_people_is_time_to_think(
    think: Callable[..., Brain], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(seen: View) -> Move:
        time.sleep(0.3)
        return Pass()

    monkeypatch.setattr(bots, "PAUSE", 0.4)
    think(slow)
    stage = await table_with("brain")
    await stage.type("ann", "/pass")
    begun = time.monotonic()
    await turn(stage, 3)
    assert 0.3 < time.monotonic() - begun < 0.65
    await stage.lobby.close()


def patient(brain: Brain, move: Move) -> Move:
    """Thinks for as long as it may."""
    while not brain.is_over():
        time.sleep(0.01)
    return move


def thoughts() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "thinking"]


# Late results.


async def test_a_move_for_a_game_that_has_gone_on_is_dropped(
    think: Callable[[Choose], Brain],
) -> None:
    gate, slow = threading.Event(), threading.Event()

    def choose(seen: View) -> Move | None:
        if seen.on_turn != seen.seat:
            return None
        if not slow.is_set():
            slow.set()
            gate.wait(5)
            return Exchange(seen.rack[:1])
        return Pass()

    think(choose)
    stage = await table_with("brain", people=("ann", "bob", "cat"))
    for name in ("ann", "bob", "cat"):
        await stage.type(name, "/pass")
    await asyncio.to_thread(slow.wait, 5)
    await stage.type("bob", "/resign")
    await turn(stage, 5)
    gate.set()
    await asyncio.sleep(0.05)
    heard = stage.ears["ann"].heard
    assert [line for line in heard if "brain-bot passes" in line]
    assert not [line for line in heard if "brain-bot exchanges" in line]
    await stage.lobby.close()


async def test_a_move_that_waits_while_the_game_goes_on_is_dropped(
    think: Callable[[Choose], Brain],
) -> None:
    store = Moody()
    think(lambda seen: Exchange(seen.rack[:1]) if seen.on_turn == seen.seat else None)
    stage = await table_with("brain", people=("ann", "bob", "cat"), store=store)
    for name in ("ann", "bob"):
        await stage.type(name, "/pass")
    bot = (await stage.table()).chairs[3].member
    store.open.clear()
    passing = asyncio.create_task(stage.type("cat", "/pass"))
    await asyncio.sleep(0.01)
    early = asyncio.create_task((await stage.room())._move_bot(bot, game_in(stage).version, Pass()))
    await asyncio.sleep(0.01)
    store.open.set()
    await asyncio.gather(passing, early)
    await turn(stage, 5)
    assert not [line for line in stage.ears["ann"].heard if "brain-bot passes" in line]
    await stage.lobby.close()


async def test_talk_does_not_make_a_bot_think_again(think: Callable[[Choose], Brain]) -> None:
    brain = think(lambda seen: None)
    stage = await table_with("brain", people=("ann", "bob"))
    game = game_in(stage)
    line = phony(view(game, 0), game.rules, LISTS.get("english"))
    assert line is not None
    await stage.type("ann", line)
    await until(lambda: bool(brain.seen))
    for _ in range(5):
        await stage.type("ann", "and?")
        await asyncio.sleep(0.02)
    assert len(brain.seen) == 1
    await stage.lobby.close()


# After a restart.


async def test_a_bot_on_turn_goes_on_when_somebody_comes() -> None:
    stage = await table_with("greedy")
    await stage.type("ann", "/pass")
    await stage.reopen()
    await stage.come_back("ann")
    await turn(stage, 3)
    await stage.lobby.close()


async def test_a_bot_does_not_start_the_clock_of_people_who_are_away() -> None:
    stage = await table_with("greedy", people=("ann", "bob"), clock=60)
    await stage.type("ann", "/pass")
    await stage.type("bob", "/pass")
    await stage.reopen()
    await stage.come_back("ann")
    await asyncio.sleep(0.1)
    assert (game_in(stage).turn, game_in(stage).since) == (3, None)
    await stage.come_back("bob")
    await turn(stage, 4)
    await stage.lobby.close()


async def test_a_bot_of_a_level_that_is_no_more_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = await table_with("greedy")
    await stage.type("ann", "/pass")
    await stage.reopen()
    monkeypatch.setattr(bots, "LEVELS", {"novice": LEVELS["novice"]})
    await stage.come_back("ann")
    await turn(stage, 3)
    await stage.lobby.close()


# Coming and going.


async def test_bots_have_names_of_their_own() -> None:
    stage = await gathered("ann")
    with pytest.raises(Refusal, match="could be taken for the server or a bot"):
        await stage.come("novice-bot")
    for _ in range(3):
        await stage.type("ann", "/bot add novice")
    names = [chair.name for chair in (await stage.table()).chairs]
    assert names == ["ann", "novice-bot", "novice-bot-2", "novice-bot-3"]
    assert (await stage.type("ann", "/bot add"))[0].startswith("! ROOM_FULL bot: ")
    assert "leaves seat 3" in (await stage.type("ann", "/bot remove Novice-Bot-2"))[0]
    (answer,) = await stage.type("ann", "/bot remove ann")
    assert answer == "! BAD_ARGS bot: no bot here is called 'ann'; /seats shows them"
    (answer,) = await stage.type("ann", "/bot add wizard")
    assert answer.startswith("! BAD_ARGS bot: there is no level 'wizard'; there are: novice, ")


async def test_in_a_game_bots_stay() -> None:
    stage = await table_with("greedy")
    (answer,) = await stage.type("ann", "/bot remove greedy-bot")
    assert answer.startswith("! GAME_ON bot: seats are kept until the game is over")
    await stage.lobby.close()


@pytest.mark.parametrize(
    ("people", "plays", "is_long"),
    [(("ann",), True, False), (("ann", "bob"), True, True), (("ann", "bob"), False, False)],
)
async def test_a_bot_leaves_people_time_to_challenge(
    people: Sequence[str], plays: bool, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "PAUSE_TO_CHALLENGE", 8.0)
    stage = await table_with("novice", people=people)
    game = game_in(stage)
    line = phony(view(game, 0), game.rules, LISTS.get("english"))
    assert line is not None
    await stage.type("ann", line if plays else "/pass")
    assert bots._pause(game_in(stage), await stage.table()) == (8.0 if is_long else 0.01)
    await stage.lobby.close()


async def test_who_has_resigned_needs_no_time_to_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAUSE_TO_CHALLENGE", 8.0)
    stage = await table_with("novice", people=("ann", "bob"))
    await stage.type("bob", "/resign")
    line = phony(view(game_in(stage), 0), game_in(stage).rules, LISTS.get("english"))
    assert line is not None
    await stage.type("ann", line)
    assert bots._pause(game_in(stage), await stage.table()) == 0.01
    await stage.lobby.close()


async def test_a_bot_challenges_without_waiting_for_people(
    monkeypatch: pytest.MonkeyPatch, think: Callable[[Choose], Brain]
) -> None:
    monkeypatch.setattr(bots, "PAUSE_TO_CHALLENGE", 60.0)
    think(lambda seen: Challenge() if "challenge" in seen.options else None)
    stage = await table_with("brain", people=("ann", "bob"))
    game = game_in(stage)
    line = phony(view(game, 0), game.rules, LISTS.get("english"))
    assert line is not None
    await stage.type("ann", line)
    await until(lambda: any("brain-bot challenges" in line for line in stage.ears["bob"].heard))
    await stage.lobby.close()
