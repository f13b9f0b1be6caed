"""Hints and analyses at a table: who may ask, who hears what, and the room goes on meanwhile."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.game.views import view
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.events.room import HintTaken
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.room import analysis_jobs, worker_pool
from tests.support.fake_bots import best_play_line
from tests.support.room_driver import SHIPPED_LEXICA, RoomDriver, start_game
from tests.support.virtual_time import until


async def with_hints(*names: str, **settings: object) -> RoomDriver:
    """People in a game with hints, in which the first is to move."""
    return await start_game(*names, hints="on", **settings)  # type: ignore[arg-type]  # no store


async def ended(*names: str, **settings: object) -> RoomDriver:
    """A game that was played by making good plays until somebody resigned."""
    driver = await with_hints(*names, **settings)
    for _ in range(6):
        game = (await driver.table()).playing
        assert game is not None
        line = best_play_line(view(game, game.on_turn), game.rules, SHIPPED_LEXICA.get("english"))
        await driver.type(game.players[game.on_turn].name, line or "/pass")
    for name in names[1:]:
        await driver.type(name, "/resign yes")
    assert (await driver.table()).playing is None
    for client in driver.clients.values():
        client.received.clear()
    return driver


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
    driver = await with_hints(*people, **{**settings, "first-player": "seat"})
    for turn in range(8):
        who = people[turn % len(people)]
        told, first, *more = await driver.type(who, "/hint 4")
        assert told.endswith(f"{who} takes a hint")
        assert [line[:4] for line in (first, *more)] == [f"- {n}." for n in range(1, 5)]
        what, _, points = first[5:].partition(",")[0].partition(" for ")
        line = what if what.startswith(("exchange", "pass")) else f"play {what}"
        heard = await driver.type(who, f"/{line}")
        assert f" +{points} → " in heard[0] if points else "! " not in heard[0]
    await driver.lobby.close()


async def test_everybody_hears_of_a_hint_and_nobody_else_hears_it() -> None:
    driver = await with_hints("ann", "bob", "watcher")
    lines = await driver.type("ann", "/hint")
    assert len(lines) == 4
    for other in ("bob", "watcher"):
        assert driver.clients[other].received == lines[:1]
    assert isinstance((await driver.store.read("kitchen"))[-1].what, HintTaken)
    await driver.lobby.close()


async def test_a_hint_is_what_the_seat_knows() -> None:
    driver = await with_hints("ann", "bob")
    game = (await driver.table()).game
    assert game is not None
    position = Position.from_view(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
    found = candidates(
        position, analysis_jobs._leaves(game.rules, SHIPPED_LEXICA.get("english")), 1000
    )
    # On an empty board, one of the places in which a word brings as much.
    best = list(dict.fromkeys((getattr(one.move, "text", one.move), one.equity) for one in found))
    lines = (await driver.type("ann", "/hint 10"))[1:]
    assert [line.rsplit(" ", 1)[1] for line in lines] == [
        f"{equity / 1000:.1f}" for _, equity in best[:10]
    ]
    await driver.lobby.close()


async def test_who_gets_no_hint() -> None:
    driver = await start_game("ann", "bob")
    assert "! NO_HINTS" in (await driver.type("ann", "/hint"))[0]
    await driver.lobby.close()
    driver = await with_hints("ann", "bob", "cat", challenge="free")
    refused = {
        "cat": "! NOT_YOUR_TURN hint: it is ann's turn",
        "bob": "! NOT_YOUR_TURN hint: it is ann's turn",
    }
    for name, line in refused.items():
        assert (await driver.type(name, "/hint"))[0].startswith(line)
    await driver.join("dan")
    assert "! NEED_SEAT" in (await driver.type("dan", "/hint"))[0]
    assert "! BAD_ARGS" in (await driver.type("ann", "!hint"))[0]
    assert "! BAD_ARGS" in (await driver.type("ann", "/hint 0"))[0]
    for name in ("bob", "cat"):
        await driver.type(name, "/resign yes")
    assert "! GAME_OVER" in (await driver.type("ann", "/hint"))[0]
    log = await driver.store.read("kitchen")
    assert not any(isinstance(entry.what, HintTaken) for entry in log)
    await driver.lobby.close()


async def test_no_hint_during_the_wait_for_the_last_word() -> None:
    driver = await with_hints("ann", "bob", tiles="english-short", rack=9, scoreless_limit=99)
    while (game := (await driver.table()).playing) is not None and game.phase == "playing":
        name = game.players[game.on_turn].name
        line = best_play_line(view(game, game.on_turn), game.rules, SHIPPED_LEXICA.get("english"))
        await driver.type(name, line or "/pass")
    assert game is not None
    for name in ("ann", "bob"):
        assert "! WRONG_PHASE hint" in (await driver.type(name, "/hint"))[-1]
    await driver.lobby.close()


async def test_hints_survive_a_change_of_preset() -> None:
    driver = await start_game("ann", "bob", hints="on", preset="race")
    assert (await driver.table()).rules.hints == "on"
    await driver.lobby.close()


async def test_the_room_goes_on_while_somebody_waits_for_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = threading.Event()

    def slow(position: Position, leaves: Leaves, n: int) -> list[Candidate]:
        gate.wait(5)
        return candidates(position, leaves, n)

    monkeypatch.setattr(analysis_jobs, "candidates", slow)
    driver = await with_hints("ann", "bob")
    asking = asyncio.create_task(driver.type("ann", "/hint"))
    await until(lambda: any(thread.name == "thinking" for thread in threading.enumerate()))
    await driver.type("bob", "take your time")
    assert any("take your time" in line for line in driver.clients["ann"].received)
    assert not asking.done()
    gate.set()
    assert (await asking)[-1].startswith("- 3.")
    await driver.lobby.close()


async def test_who_has_left_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def slow(position: Position, leaves: Leaves, n: int) -> list[Candidate]:
        gate.wait(5)
        return candidates(position, leaves, n)

    monkeypatch.setattr(analysis_jobs, "candidates", slow)
    driver = await with_hints("ann", "bob")
    asking = asyncio.create_task(driver.type("ann", "/hint"))
    await until(lambda: any(thread.name == "thinking" for thread in threading.enumerate()))
    await driver.disconnect("ann")
    gate.set()
    assert not [line for line in await asking if line.startswith("-")]
    await driver.lobby.close()


async def test_a_hint_that_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(analysis_jobs, "JOB_TIMEOUT_S", 0.01)
    monkeypatch.setattr(worker_pool, "STOP_GRACE_S", 0.05)
    monkeypatch.setattr(analysis_jobs, "candidates", lambda *_: gate.wait(5))
    driver = await with_hints("ann", "bob")
    lines = await driver.type("ann", "/hint")
    assert lines[-1].startswith("! SLOW_DOWN hint: this would take too long here")
    gate.set()
    await driver.lobby.close()


async def test_programs_can_tell_a_hint() -> None:
    driver = await with_hints("ann", "bob")
    driver.clients["ann"].style = ReaderSettings("tags")
    _, *lines = await driver.type("ann", "/hint 2")
    assert [line.split()[0] for line in lines] == ["@about=hint"] * 2
    await driver.lobby.close()


# Analyses.


async def test_an_analysis_is_for_everybody_once_the_game_is_over() -> None:
    driver = await ended("ann", "bob")
    for name in ("ann", "bob"):
        head, *rows, ann, bob = await driver.type(name, "/analyze")
        assert head.split() == ["|", "turn", "player", "rack", "done", "best", "lost"]
        assert len(rows) == 6
        assert ann.startswith("| ann gave ")
        assert bob.startswith("| bob gave ")
    zoe = await driver.join("watcher")
    zoe.received.clear()
    assert len(await driver.type("watcher", "/analyze")) == 9
    assert len(await driver.type("ann", "/analyze BOB")) == 5
    await driver.type("ann", "!analyze")
    assert len(zoe.take_received()) == 9 + 10
    await driver.lobby.close()


@pytest.mark.parametrize("line", ["/analyze", "/analyze 1", "/analyze ann", "/export analysis"])
async def test_no_analysis_while_a_game_is_played(line: str) -> None:
    driver = await start_game("ann", "bob")
    assert "! GAME_ON" in (await driver.type("ann", line))[0]
    await driver.lobby.close()


async def test_no_analysis_before_the_first_game() -> None:
    driver = RoomDriver([], SHIPPED_LEXICA, 1)
    await driver.join("ann")
    for line in ("/analyze", "/export analysis"):
        assert "! NO_GAME" in (await driver.type("ann", line))[0]
    await driver.lobby.close()


async def test_one_turn_and_what_could_have_been_done_instead() -> None:
    driver = await ended("ann", "bob")
    first, *instead = await driver.type("bob", "/analyze 2")
    assert first.startswith("- turn 2, bob with ")
    assert [line[:4] for line in instead] == [f"- {n}." for n in range(1, 6)]
    assert "! BAD_ARGS" in (await driver.type("bob", "/analyze 99"))[0]
    assert "ann, bob" in (await driver.type("bob", "/analyze zoe"))[0]
    await driver.lobby.close()


@pytest.mark.parametrize("preset", ["official", "race", "tournament"])
async def test_an_exported_analysis_is_a_sound_record_with_notes(preset: str) -> None:
    driver = await ended("ann", "bob", preset=preset)
    lines = await driver.type("ann", "/export analysis")
    record = read_gcg("".join(line[2:] + "\n" for line in lines))
    assert check_record(record, SHIPPED_LEXICA.get("english")).findings == ()
    noted = [entry for entry in record.entries if any("best" in note for note in entry.notes)]
    better = [n for e in record.entries for n in e.notes if n.startswith(("best ", "nothing "))]
    assert len(better) == 6
    assert noted
    await driver.lobby.close()


async def test_an_analysis_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_jobs, "JOB_TIMEOUT_S", 0.0)
    driver = await ended("ann", "bob")
    lines = await driver.type("ann", "/analyze")
    assert lines == ["! SLOW_DOWN analyze: this would take too long here: the time is up"]
    await driver.lobby.close()
