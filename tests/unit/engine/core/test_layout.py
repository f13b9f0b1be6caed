"""Squares, coordinates and drawn layouts."""

from collections import Counter

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.board import Board, Layout, Premium
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.errors import BadText


@pytest.mark.parametrize(
    ("text", "spot"),
    [
        ("8H", Spot(7, 7, across=True)),
        ("h8", Spot(7, 7, across=False)),
        ("1A", Spot(0, 0, across=True)),
        ("U21", Spot(20, 20, across=False)),
    ],
)
def test_a_place_begins_with_the_line_that_the_word_runs_along(text: str, spot: Spot) -> None:
    assert Spot.parse(text) == spot
    assert str(spot) == text.upper()
    assert str(spot.square) == f"{spot.row + 1}{'ABCDEFGHIJKLMNOPQRSTU'[spot.col]}"


@pytest.mark.parametrize(
    "text", ["", "8", "H", "0A", "22A", "A22", "8V", "8HH", "8 H", "-8H", "٨H"]
)
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="8H"):
        Spot.parse(text)


def test_a_layout_is_read_as_it_is_drawn() -> None:
    layout = Layout.from_text("odd", "# three by two\n\n ='. \n *~^ \n")
    assert (layout.height, layout.width, layout.start) == (2, 3, Square(1, 0))
    squares = [Square(row, col) for row in range(2) for col in range(3)]
    assert [layout.premium(square) for square in squares] == [
        Premium(word=3),
        Premium(letter=2),
        Premium(),
        Premium(word=2),
        Premium(word=4),
        Premium(letter=4),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "one length"),
        ("*.\n.", "one length"),
        ("*.", "2 to 21"),
        ("*\n.", "2 to 21"),
        ("*" + "." * 21 + "\n" + "." * 22, "2 to 21"),
        ("*.\n" + "..\n" * 21, "2 to 21"),
        ("*x\n..", "no such square"),
        ("..\n..", "start square"),
        ("*.\n.*", "start square"),
    ],
)
def test_what_is_no_layout_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        Layout.from_text("odd", text)


def test_the_largest_layout() -> None:
    layout = Layout.from_text("large", "*" + "." * 20 + ("\n" + "." * 21) * 20)
    assert len(Board.empty(layout).squares) == 21 * 21


def test_off_the_board_nothing_lies() -> None:
    board = Board.empty(Layout.from_text("small", "*.\n.."))
    for square in (Square(-1, 0), Square(0, -1), Square(2, 0), Square(0, 2)):
        assert not board.holds(square)
        assert board[square] is None


@pytest.mark.parametrize(
    ("name", "side", "start", "squares"),
    [
        ("standard", 15, "8H", {"word": {3: 8, 2: 17}, "letter": {3: 12, 2: 24}}),
        ("super", 21, "11K", {"word": {4: 4, 3: 16, 2: 41}, "letter": {4: 8, 3: 20, 2: 36}}),
    ],
)
def test_the_boards_that_come_along(
    name: str, side: int, start: str, squares: dict[str, dict[int, int]]
) -> None:
    layout = data.layout(name)
    assert (layout.height, layout.width, str(layout.start)) == (side, side, start)
    premiums = [layout.premium(Square(row, col)) for row in range(side) for col in range(side)]
    for part, counts in squares.items():
        assert Counter(getattr(premium, part) for premium in premiums) == counts | {
            1: side * side - sum(counts.values())
        }
    turned = ["".join(column) for column in zip(*layout.rows, strict=True)]
    assert list(layout.rows) == turned == [row[::-1] for row in turned] == turned[::-1]


def test_the_middle_of_the_large_board_is_the_usual_one() -> None:
    middle = [row[3:-3] for row in data.layout("super").rows[3:-3]]
    assert middle == list(data.layout("standard").rows)


def test_every_board_is_tested() -> None:
    assert data.list_names("layouts", ".txt") == ("standard", "super")
