"""The board as pieces of text with the names of their looks. Pure; sizes are in columns and rows.

A square says by its text alone what it is: ``3W`` triples the word, ``2L`` doubles the letter,
small letters are blanks. Colour helps, and is not needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from crossroom_engine.core.board import Layout, Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.tiles import BLANK, Letter, Tile, TileSet
from crossroom_protocol.text.board_text import EMPTY_SQUARE

Piece: TypeAlias = tuple[str, str]
"""Text, and the name of its look."""


class SquareSize(NamedTuple):
    """Of one square."""

    columns: int
    rows: int


SIZES: Final = (SquareSize(2, 1), SquareSize(3, 1), SquareSize(4, 2), SquareSize(6, 3))
"""From the smallest; all but the first show what tiles are worth."""
MARGIN: Final = 3
"""Columns for the numbers of the rows."""


@dataclass(frozen=True)
class BoardScene:
    """All that is drawn of a board. ``rows`` are those of a view, square by square.

    ``laid`` are tentative tiles, ``fresh`` the squares of the latest play.
    """

    layout: Layout
    tiles: TileSet
    rows: Sequence[Sequence[str]]
    laid: Mapping[Square, Letter] = field(default_factory=dict)
    swapped: Mapping[Square, Tile] = field(default_factory=dict)
    fresh: frozenset[Square] = frozenset()
    cursor: Square | None = None
    across: bool = True


class Viewport(NamedTuple):
    """The part of a board that is shown: its first square, and how many rows and columns."""

    row: int
    column: int
    rows: int
    columns: int


def largest(layout: Layout, columns: int, rows: int) -> SquareSize:
    """The largest size at which a whole board goes into so many *columns* and *rows*.

    If none does, the smallest.
    """
    fitting = [
        size
        for size in SIZES
        if MARGIN + layout.width * size.columns <= columns and 1 + layout.height * size.rows <= rows
    ]
    return fitting[-1] if fitting else SIZES[0]


def viewport(
    layout: Layout, size: SquareSize, columns: int, rows: int, at: Square, last: Viewport
) -> Viewport:
    """Return the part that fits *columns* and *rows*: *last*, moved so that *at* is in it."""
    high = max(1, min(layout.height, (rows - 1) // size.rows))
    wide = max(1, min(layout.width, (columns - MARGIN) // size.columns))
    return Viewport(
        _slide(last.row, high, at.row, layout.height),
        _slide(last.column, wide, at.col, layout.width),
        high,
        wide,
    )


def _slide(first: int, shown: int, at: int, count: int) -> int:
    return max(at - shown + 1, min(first, at, count - shown), 0)


def draw(scene: BoardScene, size: SquareSize, part: Viewport) -> list[list[Piece]]:
    """Every line of the picture, the letters of the columns first."""
    columns = range(part.column, part.column + part.columns)
    indent = " " * (size.columns > 3)
    names = "".join(f"{indent}{chr(ord('A') + column)}".ljust(size.columns) for column in columns)
    lines: list[list[Piece]] = [[(" " * MARGIN, "label"), (names, "label")]]
    for row in range(part.row, part.row + part.rows):
        squares = [square_text(scene, Square(row, column), size) for column in columns]
        for height in range(size.rows):
            number = f"{row + 1:>2} " if height == (size.rows - 1) // 2 else " " * MARGIN
            line: list[Piece] = [(number, "label")]
            for texts, look in squares:
                line += _pieces(texts[height], look)
            lines.append(line)
    return lines


def _pieces(text: str, look: str) -> list[Piece]:
    """A tile's points look fainter than its letter."""
    letter = text.rstrip("0123456789 ")
    if not look.startswith(("tile", "fresh", "laid")) or not text.strip() or letter == text:
        return [(text, look)]
    return [(letter, look), (text[len(letter) :], f"{look}-points")]


def square_text(scene: BoardScene, square: Square, size: SquareSize) -> tuple[list[str], str]:
    """The text of a square, one for each of its rows, and its look."""
    letter, look = _tile(scene, square)
    if letter is not None:
        points = "" if letter.blank else str(scene.tiles.points(letter.letter))
        face = letter.letter.lower() if letter.blank else letter.letter
        texts = _face(face, points, size)
    else:
        premium = scene.layout.premium(square)
        here = square == scene.cursor
        arrow = "→" if scene.across else "↓"
        texts = _middle(arrow if here else _premium(premium, square == scene.layout.start), size)
        look = _premium_look(premium)
    return texts, "cursor" if square == scene.cursor else look


def _tile(scene: BoardScene, square: Square) -> tuple[Letter | None, str]:
    if square in scene.laid:
        return scene.laid[square], "laid"
    if square in scene.swapped:
        return Letter(scene.swapped[square]), "laid"
    text = scene.rows[square.row][square.col]
    if text == EMPTY_SQUARE:
        return None, ""
    letter = Letter(text.upper(), blank=text != text.upper())
    return letter, "fresh" if square in scene.fresh else "tile"


def _face(face: str, points: str, size: SquareSize) -> list[str]:
    if size.rows > 1:
        above = [""] * (size.rows - 2)
        texts = [*above, f" {face}", points.rjust(size.columns - (size.columns > 4))]
    else:
        texts = [face if size.columns < 3 else face + points]
    return [text[: size.columns].ljust(size.columns) for text in texts]


def _middle(text: str, size: SquareSize) -> list[str]:
    lines = [""] * size.rows
    lines[(size.rows - 1) // 2] = text if size.columns < 4 else f" {text}"
    return [line[: size.columns].ljust(size.columns) for line in lines]


def _premium(premium: Premium, is_start: bool) -> str:
    if is_start:
        return "**"
    if premium.word > 1:
        return f"{premium.word}W"
    return f"{premium.letter}L" if premium.letter > 1 else "·"


def _premium_look(premium: Premium) -> str:
    if premium.word > 1:
        return f"word{premium.word}"
    return f"letter{premium.letter}" if premium.letter > 1 else "empty"


def rack(hand: Sequence[tuple[Tile, bool]], tiles: TileSet) -> list[tuple[Piece, Piece]]:
    """Each tile of a rack as its letter and its points, three columns wide; laid ones are gone."""
    drawn: list[tuple[Piece, Piece]] = []
    for tile, is_laid in hand:
        look = "gone" if is_laid else "tile"
        points = "" if tile == BLANK else str(tiles.points(tile))
        shown = ("·" if is_laid else tile)[:3]
        drawn.append(
            ((f" {shown}".ljust(4), look), (("" if is_laid else points).rjust(3) + " ", look))
        )
    return drawn
