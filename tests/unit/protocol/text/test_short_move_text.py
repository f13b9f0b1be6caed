"""Moves as people read them in a terminal of 80 columns."""

from typing import Final

import pytest

from crossroom_protocol.events.room import Moved, redact
from crossroom_protocol.text.short_move_text import COLUMNS, short_move_lines
from tests.support.event_scenarios import SCENARIOS, run_scenario
from tests.support.room_views import room_view

FRONT: Final = "#4 "
GOES_ON: Final = "; it goes on"
"""Within a clause."""


def lines_of(name: str) -> list[str]:
    scene = SCENARIOS[name]
    table, events = run_scenario(scene)
    room = room_view(table, scene.to)
    assert room.game is not None
    moved = redact(Moved(1, scene.by, tuple(events)), scene.to)
    assert isinstance(moved, Moved)
    return list(short_move_lines(4, moved, room.game))


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_line_fits_on_80_columns_with_its_mark(name: str) -> None:
    first, *others = lines_of(name)
    assert first.startswith(FRONT)
    for line in others:
        assert line.startswith("  ")
    for line in (first, *others):
        assert len(line) + len("* ") <= COLUMNS or "; " not in line.replace(GOES_ON, ""), line


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("a play, told to its player", ["#4 ann 8F HORN +14 → 14; bag 82; bob to move"]),
        (
            "a play, told to another",
            ["#4 ann 8F HORN +14 → 14; bag 82; bob to move; /challenge is open"],
        ),
        (
            "a play with a blank and all tiles",
            ["#4 ann 8F HOrN +62 → 62, bingo; bag 88; bob to move; /challenge is open"],
        ),
        (
            "resigning, two players",
            [
                "#4 bob resigns",
                "  game over: nobody else is in the game; ann is left with E I J N S T Y",
                "  bob is left with A A C F M R T",
                "  final scores ann 14, bob 0; ann wins",
            ],
        ),
    ],
)
def test_a_move_is_one_short_line_and_an_end_has_its_own(name: str, lines: list[str]) -> None:
    assert lines_of(name) == lines


def test_what_a_reader_learns_from_other_lines_is_not_repeated() -> None:
    for name in SCENARIOS:
        assert "you draw" not in " ".join(lines_of(name))
