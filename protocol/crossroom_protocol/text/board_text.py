"""A board as drawn text, with its coordinates around it; and as words, for those who listen."""

from collections.abc import Iterator, Sequence
from typing import Final

from crossroom_engine.core.board import Layout
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_protocol.base.wording import split_squares

EMPTY_SQUARE: Final = "."
"""An empty square in a row of a view."""


def draw_board(board: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """One text for each row, from row 1, with a line of columns above and below.

    *board* is as in :attr:`crossroom_engine.game.views.View.board`: a capital is a tile, lower case
    a blank, ``[CH]`` a tile of several characters, ``.`` an empty square, which shows its premium.
    """
    rows = [
        [
            premium if tile == EMPTY_SQUARE else tile
            for tile, premium in zip(split_squares(row), drawn, strict=True)
        ]
        for row, drawn in zip(board, layout.rows, strict=True)
    ]
    widest = max(len(tile) for row in rows for tile in row)
    columns = _line("", [chr(ord("A") + column) for column in range(layout.width)], widest)
    return (
        columns,
        *(_line(str(number), row, widest) for number, row in enumerate(rows, 1)),
        columns,
    )


def words_on(board: Sequence[str]) -> Iterator[tuple[Spot, str]]:
    """Every word on a board with its place, those across first; blanks in lower case."""
    return ((spot, "".join(tiles)) for spot, tiles in runs_on(board))


def runs_on(board: Sequence[str]) -> Iterator[tuple[Spot, Sequence[str]]]:
    """The tiles of every word on a board with its place, those across first."""
    rows = [split_squares(row) for row in board]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for across, lines in ((True, rows), (False, columns)):
        for number, line in enumerate(lines):
            for start, tiles in _runs(line):
                yield Spot(number, start, True) if across else Spot(start, number, False), tiles


def blanks_on(board: Sequence[str]) -> Iterator[tuple[Square, str]]:
    """Every blank on a board, with the letter that it stands for."""
    for row, text in enumerate(board):
        for column, tile in enumerate(split_squares(text)):
            if tile != tile.upper():
                yield Square(row, column), tile.upper()


def _line(label: str, cells: Sequence[str], widest: int) -> str:
    return f"{label:>2} {' '.join(cell.ljust(widest) for cell in cells)}".rstrip()


def _runs(line: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """The unbroken runs of two tiles or more, each with the place of its first tile."""
    start = 0
    for end in range(len(line) + 1):
        if end == len(line) or line[end] == EMPTY_SQUARE:
            if end - start > 1:
                yield start, line[start:end]
            start = end + 1
