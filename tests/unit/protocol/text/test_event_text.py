"""What people are told of each event: one line, complete, and without what they may not see."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, get_args

import pytest

from crossroom_engine.core.events import (
    Drew,
    DrewForFirst,
    Ended,
    EndReason,
    Event,
    Exchanged,
    Retired,
    Started,
    TurnBegan,
    Withdrawn,
)
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import HIDDEN, Tiles
from crossroom_engine.game.game import apply, replay
from crossroom_engine.game.views import view
from crossroom_protocol.events.room import (
    Agreed,
    HintTaken,
    Moved,
    Renamed,
    RoomEvent,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
    redact,
)
from crossroom_protocol.notices import RoomView, SeatView
from crossroom_protocol.text.event_text import event_line
from tests.support.event_scenarios import HORN, SCENARIOS, run_scenario
from tests.support.game_driver import GameDriver
from tests.support.room_views import room_view


def room(*names: str, ready: Sequence[str] = (), table: GameDriver | None = None) -> RoomView:
    seats = tuple(SeatView(name=name, ready=name in ready, here=True) for name in names)
    return room_view(table, seats=seats)


@pytest.mark.parametrize(
    ("event", "after", "line"),
    [
        (SeatTaken(0, "m", "ann"), room("ann"), "ann takes seat 1"),
        (
            SeatTaken(1, "m", "greedy-bot", "greedy"),
            room("ann", "greedy-bot"),
            "greedy-bot takes seat 2 (a bot, level greedy)",
        ),
        (SeatLeft(1, "bob"), room("ann"), "bob leaves seat 2"),
        (
            SeatLeft(0, "ann"),
            room("bob", "cat"),
            "ann leaves seat 1; the seats are now 1 bob, 2 cat",
        ),
        (Renamed(0, "ann", "anna"), room("anna"), "ann is now called anna"),
        (
            Agreed(0, "ann", True),
            room("ann", ready=["ann"]),
            "ann is ready; a game takes two: invite a friend, or /bot add",
        ),
        (
            Agreed(0, "ann", True),
            room("ann", "bob", "cat", ready=["ann"]),
            "ann is ready; waiting for bob and cat",
        ),
        (Agreed(0, "ann", True), room("ann", "bob", ready=["ann", "bob"]), "ann is ready"),
        (Agreed(0, "ann", False), room("ann", "bob"), "ann is not ready any more"),
        (
            RulesChanged("ann", "challenge", "five", PRESETS["official"]),
            room("ann", "bob"),
            "ann sets challenge to five; say /ready again if you agree",
        ),
        (
            RulesChanged("ann", "challenge", "five", PRESETS["official"]),
            room("ann"),
            "ann sets challenge to five",
        ),
        (Said("ann", "good luck"), room("ann"), "ann: good luck"),
        (Said("ann", "yawns", me=True), room("ann"), "* ann yawns"),
        (HintTaken(0, "ann"), room("ann", "bob"), "ann takes a hint"),
    ],
    ids=lambda part: part.kind if hasattr(part, "kind") else "",
)
def test_entries_about_people(event: RoomEvent, after: RoomView, line: str) -> None:
    assert event_line(event, after) == line


@pytest.mark.parametrize("name", SCENARIOS)
def test_moves(name: str) -> None:
    scene = SCENARIOS[name]
    table, events = run_scenario(scene)
    assert sentence(table, events, scene.by, scene.to) == scene.line


def test_every_kind_of_event_and_every_way_to_end_is_told_above() -> None:
    told = [event for scene in SCENARIOS.values() for event in run_scenario(scene)[1]]
    started = {Started, DrewForFirst}  # see below
    assert {type(event) for event in told} | started == set(get_args(Event))
    reasons = {event.why for event in told if isinstance(event, Ended)}
    assert reasons | {"challenge", "no_plays"} == set(get_args(EndReason))


def sentence(
    table: GameDriver,
    events: Sequence[Event],
    by: int | None,
    to: int | None,
    *,
    reader: bool = False,
) -> str:
    after = room().model_copy(update={"game": view(table.game, to)})
    return event_line(redact(Moved(1, by, tuple(events)), to), after, reader=reader)


@pytest.mark.parametrize("why", get_args(EndReason))
def test_every_reason_to_end_has_words(why: EndReason) -> None:
    table = GameDriver(racks=HORN[:2])
    table.game = apply(table.game, Ended(why, (0,), table.now))
    line = sentence(table, [Ended(why, (0,), table.now)], None, None)
    assert line.startswith("game over: ")
    assert len(line) > len("game over: .")


def test_the_start() -> None:
    rules = replace(PRESETS["official"], challenge="five", clock=1500)
    racks: list[Tiles] = [tuple("AEIQSUZ"), tuple("ABNRSV?")]
    events: list[Event] = [
        Started(rules, ("ann", "bob"), "tiny", "0", 0),
        DrewForFirst(((0, "A"), (1, "A"))),
        DrewForFirst(((0, "C"), (1, "?"))),
        *(Drew(seat, rack) for seat, rack in enumerate(racks)),
        TurnBegan(1, 1, 0),
    ]
    after = room("ann", "bob").model_copy(update={"game": view(replay(events), 1)})
    assert event_line(redact(Moved(3, None, tuple(events)), 1), after, reader=True) == (
        "game 3 begins: official rules but challenge five, clock 1500, lexicon tiny; "
        "drawn for the first turn: ann A, bob A; drawn for the first turn: ann C, bob blank; "
        "you draw A B N R S V blank; bob to move (turn 1), bag 86"
    )


def test_a_sealed_bag_is_told_in_short_and_its_seed_in_full() -> None:
    table, seal, seed = GameDriver(racks=HORN[:2]), "0123456789abcdef" * 4, "5eed" * 16
    started = Started(table.rules, ("ann", "bob"), "tiny", "0", 0, seal=seal, seed=seed)
    line = sentence(table, [started], None, 0)
    assert "; bag sealed: sha256 0123456789abcdef...; ann to move" in line
    assert seed not in line
    ended = Ended("out", (0,), table.now, seed=seed)
    table.game = apply(table.game, ended)
    assert f"ann wins; the bag's seed was {seed}; /ready" in sentence(table, [ended], None, 0)
    assert "the bag's seed is in /export json" in sentence(table, [ended], None, 0, reader=True)


def test_whoever_listens_hears_directions_and_blanks() -> None:
    table = GameDriver(racks=(HORN[0], "FARMCA?"))
    line = sentence(table, table.play(0, "H8", "HORN"), 0, None, reader=True)
    assert line.startswith("ann plays H8 down HORN for 14: ")
    line = sentence(table, table.exchange(1, "?A"), 1, 1, reader=True)
    assert line.startswith("bob exchanges blank A and draws ")


FACES: Final = "QZ"


@pytest.mark.parametrize(
    "event",
    [
        Drew(0, tuple(FACES)),
        Exchanged(0, tuple(FACES), tuple(FACES)),
        Withdrawn(0, 8, tuple(FACES)),
        Retired(0, "resigned", tuple(FACES)),
    ],
    ids=lambda event: event.kind,
)
@pytest.mark.parametrize("to", [1, None])
@pytest.mark.parametrize("reader", [False, True])
def test_nobody_else_hears_a_hidden_face(event: Event, to: int | None, reader: bool) -> None:
    table = GameDriver(racks=("HORN", "FARM", "PASTE"))
    line = sentence(table, [event], 0, to, reader=reader)
    assert not set(FACES) & set(line)
    assert HIDDEN not in line
