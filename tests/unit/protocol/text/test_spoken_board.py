"""A board, told line by line and square by square to who listens."""

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.game.views import view
from crossroom_protocol.text.spoken_board import line_text, square_text
from tests.support.game_driver import GameDriver

BOARD = {"8G": "CaT", "H9": "XE", "8K": "S"}


@pytest.fixture
def table() -> GameDriver:
    return GameDriver("official", ["HORNITS", "FARMCAT"], board=BOARD)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "8",
            ["row 8: CaT from 8G; S from 8K", "free: triple word on 8A and 8O; double letter"],
        ),
        ("h", ["column H: aXE from 8H", "free: triple word on 1H and 15H; double letter"]),
        ("1", ["row 1 is empty", "free: triple word on 1A, 1H and 1O; double letter on 1D and 1L"]),
        ("10", ["row 10: E from 10H", "free: triple letter on 10B, 10F, 10J and 10N"]),
    ],
)
def test_a_row_or_a_column(table: GameDriver, line: str, told: list[str]) -> None:
    lines = line_text(table.game.rules, view(table.game, 0), line)
    assert len(lines) == len(told)
    for heard, start in zip(lines, told, strict=True):
        assert heard.startswith(start)


@pytest.mark.parametrize(
    ("square", "told"),
    [
        ("8G", "8G: C, 3 points; in CAT 8G across"),
        ("8H", "8H: A, a blank, no points; in CAT 8G across and AXE H8 down"),
        ("8K", "8K: S, 1 point"),
        ("1A", "1A is free, triple word"),
        ("8J", "8J is free; beside it T on 8I and S on 8K"),
    ],
)
def test_a_square(table: GameDriver, square: str, told: str) -> None:
    rules, seen = table.game.rules, view(table.game, 0)
    (heard,) = square_text(rules, seen, Spot.parse(square).square)
    assert heard == told


@pytest.mark.parametrize("line", ["0", "16", "P", "", "8H", "\N{SUPERSCRIPT TWO}", "?", "\xdf"])
def test_a_line_that_no_board_has(table: GameDriver, line: str) -> None:
    with pytest.raises(IndexError):
        line_text(table.game.rules, view(table.game, 0), line)


def test_a_square_in_a_word_with_a_tile_of_several_letters() -> None:
    tiles = data.tileset("spanish")
    table = GameDriver("official", ["", ""], board={"8G": "[CH]AT"}, tiles=tiles)
    (heard,) = square_text(table.game.rules, view(table.game, 0), Spot.parse("8I").square)
    assert heard.endswith("in CHAT 8G across")
    (heard,) = square_text(table.game.rules, view(table.game, 0), Spot.parse("8J").square)
    assert heard == "8J is free; beside it T on 8I"
