"""Hints and analyses at a table: who may ask, who hears what, and the room goes on meanwhile."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.game.views import view
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.records.check import check
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.events.room import HintTaken
from crossroom_protocol.notices import Style
from crossroom_server.room import analysis_jobs, worker_pool
from tests.support.fake_bots import best_play
from tests.support.room_driver import LISTS, Stage, playing
from tests.support.virtual_time import until


async def with_hints(*names: str, **settings: object) -> Stage:
    """People in a game with hints, in which the first is to move."""
    return await playing(*names, hints="on", **settings)  # type: ignore[arg-type]  # no store


async def ended(*names: str, **settings: object) -> Stage:
    """A game that was played by making good plays until somebody resigned."""
    stage = await with_hints(*names, **settings)
    for _ in range(6):
        game = (await stage.table()).playing
        assert game is not None
        line = best_play(view(game, game.on_turn), game.rules, LISTS.get("english"))
        await stage.type(game.players[game.on_turn].name, line or "/pass")
    for name in names[1:]:
        await stage.type(name, "/resign")
    assert (await stage.table()).playing is None
    for ear in stage.ears.values():
        ear.heard.clear()
    return stage


# Hints.


@pytest.mark.parametrize(
    ("people", "settings"),
    [
        (("ann", "bob"), {}),
        (("ann", "bob", "cat", "dan"), {}),
        (("ann", "bob", "cat"), {"preset": "race"}),
        (("ann", "bob"), {"preset": "tournament"}),
        (("ann", "bob"), {"rack": 9, "tiles": "english-short"}),
    ],
)
async def test_a_hint_is_a_play_that_can_be_made_as_it_stands(
    people: Sequence[str], settings: dict[str, object]
) -> None:
    stage = await with_hints(*people, **{**settings, "first-player": "seat"})
    for turn in range(8):
        who = people[turn % len(people)]
        told, first, *more = await stage.type(who, "/hint 4")
        assert told.endswith(f"{who} takes a hint")
        assert [line[:4] for line in (first, *more)] == [f"- {n}." for n in range(1, 5)]
        what, _, points = first[5:].partition(",")[0].partition(" for ")
        line = what if what.startswith(("exchange", "pass")) else f"play {what}"
        heard = await stage.type(who, f"/{line}")
        assert f"for {points}" in heard[0] if points else "! " not in heard[0]
    await stage.lobby.close()


async def test_everybody_hears_of_a_hint_and_nobody_else_hears_it() -> None:
    stage = await with_hints("ann", "bob", "watcher")
    lines = await stage.type("ann", "/hint")
    assert len(lines) == 4
    for other in ("bob", "watcher"):
        assert stage.ears[other].heard == lines[:1]
    assert isinstance((await stage.store.read("kitchen"))[-1].what, HintTaken)
    await stage.lobby.close()


async def test_a_hint_is_what_the_seat_knows() -> None:
    stage = await with_hints("ann", "bob")
    game = (await stage.table()).game
    assert game is not None
    situation = Position.of(view(game, 0), game.rules, LISTS.get("english"))
    found = candidates(situation, analysis_jobs._leaves(game.rules, LISTS.get("english")), 1000)
    # On an empty board, one of the places in which a word brings as much.
    best = list(dict.fromkeys((getattr(one.move, "text", one.move), one.equity) for one in found))
    lines = (await stage.type("ann", "/hint 10"))[1:]
    assert [line.rsplit(" ", 1)[1] for line in lines] == [
        f"{equity / 1000:.1f}" for _, equity in best[:10]
    ]
    await stage.lobby.close()


async def test_who_gets_no_hint() -> None:
    stage = await playing("ann", "bob")
    assert "! NO_HINTS" in (await stage.type("ann", "/hint"))[0]
    await stage.lobby.close()
    stage = await with_hints("ann", "bob", "cat", challenge="free")
    refused = {
        "cat": "! NOT_YOUR_TURN hint: it is ann's turn",
        "bob": "! NOT_YOUR_TURN hint: it is ann's turn",
    }
    for name, line in refused.items():
        assert (await stage.type(name, "/hint"))[0].startswith(line)
    await stage.come("dan")
    assert "! NEED_SEAT" in (await stage.type("dan", "/hint"))[0]
    assert "! BAD_ARGS" in (await stage.type("ann", "!hint"))[0]
    assert "! BAD_ARGS" in (await stage.type("ann", "/hint 0"))[0]
    for name in ("bob", "cat"):
        await stage.type(name, "/resign")
    assert "! GAME_OVER" in (await stage.type("ann", "/hint"))[0]
    log = await stage.store.read("kitchen")
    assert not any(isinstance(entry.what, HintTaken) for entry in log)
    await stage.lobby.close()


async def test_no_hint_during_the_wait_for_the_last_word() -> None:
    stage = await with_hints("ann", "bob", tiles="english-short", rack=9, scoreless_limit=99)
    while (game := (await stage.table()).playing) is not None and game.phase == "playing":
        name = game.players[game.on_turn].name
        line = best_play(view(game, game.on_turn), game.rules, LISTS.get("english"))
        await stage.type(name, line or "/pass")
    assert game is not None
    for name in ("ann", "bob"):
        assert "! WRONG_PHASE hint" in (await stage.type(name, "/hint"))[-1]
    await stage.lobby.close()


async def test_hints_survive_a_change_of_preset() -> None:
    stage = await playing("ann", "bob", hints="on", preset="race")
    assert (await stage.table()).rules.hints == "on"
    await stage.lobby.close()


async def test_the_room_goes_on_while_somebody_waits_for_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()

    def slow(situation: Position, leaves: Leaves, n: int) -> list[Candidate]:
        gate.wait(5)
        return candidates(situation, leaves, n)

    monkeypatch.setattr(analysis_jobs, "candidates", slow)
    stage = await with_hints("ann", "bob")
    asking = asyncio.create_task(stage.type("ann", "/hint"))
    await until(lambda: any(thread.name == "thinking" for thread in threading.enumerate()))
    await stage.type("bob", "take your time")
    assert any("take your time" in line for line in stage.ears["ann"].heard)
    assert not asking.done()
    gate.set()
    assert (await asking)[-1].startswith("- 3.")
    await stage.lobby.close()


async def test_who_has_left_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def slow(situation: Position, leaves: Leaves, n: int) -> list[Candidate]:
        gate.wait(5)
        return candidates(situation, leaves, n)

    monkeypatch.setattr(analysis_jobs, "candidates", slow)
    stage = await with_hints("ann", "bob")
    asking = asyncio.create_task(stage.type("ann", "/hint"))
    await until(lambda: any(thread.name == "thinking" for thread in threading.enumerate()))
    await stage.go("ann")
    gate.set()
    assert not [line for line in await asking if line.startswith("-")]
    await stage.lobby.close()


async def test_a_hint_that_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(analysis_jobs, "SECONDS", 0.01)
    monkeypatch.setattr(worker_pool, "GRACE", 0.05)
    monkeypatch.setattr(analysis_jobs, "candidates", lambda *_: gate.wait(5))
    stage = await with_hints("ann", "bob")
    lines = await stage.type("ann", "/hint")
    assert lines[-1].startswith("! SLOW_DOWN hint: too much to think about here and now")
    gate.set()
    await stage.lobby.close()


async def test_programs_can_tell_a_hint() -> None:
    stage = await with_hints("ann", "bob")
    stage.ears["ann"].style = Style("tags")
    _, *lines = await stage.type("ann", "/hint 2")
    assert [line.split()[0] for line in lines] == ["@about=hint"] * 2
    await stage.lobby.close()


# Analyses.


async def test_an_analysis_is_for_everybody_once_the_game_is_over() -> None:
    stage = await ended("ann", "bob")
    for name in ("ann", "bob"):
        head, *rows, ann, bob = await stage.type(name, "/analyze")
        assert head.split() == ["|", "turn", "player", "rack", "done", "best", "lost"]
        assert len(rows) == 6
        assert ann.startswith("| ann lost ")
        assert bob.startswith("| bob lost ")
    zoe = await stage.come("watcher")
    zoe.heard.clear()
    assert len(await stage.type("watcher", "/analyze")) == 9
    assert len(await stage.type("ann", "/analyze BOB")) == 5
    await stage.type("ann", "!analyze")
    assert len(zoe.take()) == 9 + 10
    await stage.lobby.close()


@pytest.mark.parametrize("line", ["/analyze", "/analyze 1", "/analyze ann", "/export analysis"])
async def test_no_analysis_while_a_game_is_played(line: str) -> None:
    stage = await playing("ann", "bob")
    assert "! GAME_ON" in (await stage.type("ann", line))[0]
    await stage.lobby.close()


async def test_no_analysis_before_the_first_game() -> None:
    stage = Stage([], LISTS, 1)
    await stage.come("ann")
    for line in ("/analyze", "/export analysis"):
        assert "! NO_GAME" in (await stage.type("ann", line))[0]
    await stage.lobby.close()


async def test_one_turn_and_what_could_have_been_done_instead() -> None:
    stage = await ended("ann", "bob")
    first, *instead = await stage.type("bob", "/analyze 2")
    assert first.startswith("- turn 2, bob with ")
    assert [line[:4] for line in instead] == [f"- {n}." for n in range(1, 6)]
    assert "! BAD_ARGS" in (await stage.type("bob", "/analyze 99"))[0]
    assert "ann, bob" in (await stage.type("bob", "/analyze zoe"))[0]
    await stage.lobby.close()


@pytest.mark.parametrize("preset", ["official", "race", "tournament"])
async def test_an_exported_analysis_is_a_sound_record_with_notes(preset: str) -> None:
    stage = await ended("ann", "bob", preset=preset)
    lines = await stage.type("ann", "/export analysis")
    record = read_gcg("".join(line[2:] + "\n" for line in lines))
    assert check(record, LISTS.get("english")).findings == ()
    noted = [entry for entry in record.entries if any("best" in note for note in entry.notes)]
    better = [n for e in record.entries for n in e.notes if n.startswith(("best ", "nothing "))]
    assert len(better) == 6
    assert noted
    await stage.lobby.close()


async def test_an_analysis_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_jobs, "SECONDS", 0.0)
    stage = await ended("ann", "bob")
    lines = await stage.type("ann", "/analyze")
    assert lines == ["! SLOW_DOWN analyze: too much to think about here and now: the time is up"]
    await stage.lobby.close()
