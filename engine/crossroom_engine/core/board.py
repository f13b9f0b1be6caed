"""Layouts of premium squares, and boards with the tiles lying on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple, Self

from crossroom_engine.core.coordinates import MAX_BOARD_SIDE, Spot, Square
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.tiles import Letter, TileSet


class PlacedTile(NamedTuple):
    """A tile put on a square of the board."""

    square: Square
    letter: Letter


class Premium(NamedTuple):
    """The factors of a square, for the tile that first covers it."""

    letter: int = 1
    word: int = 1


PREMIUMS: Final[Mapping[str, Premium]] = {
    ".": Premium(),
    "'": Premium(letter=2),
    '"': Premium(letter=3),
    "^": Premium(letter=4),
    "-": Premium(word=2),
    "*": Premium(word=2),
    "=": Premium(word=3),
    "~": Premium(word=4),
}
"""The symbols of a drawn layout; ``*`` is the start square, which doubles a word, too."""


@dataclass(frozen=True)
class Layout:
    """A rectangle of premium squares, drawn one character to a square (see :data:`PREMIUMS`)."""

    name: str
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.rows or len({len(row) for row in self.rows}) != 1:
            raise BadText(f"layout {self.name!r}: all rows must be of one length")
        if not (2 <= len(self.rows) <= MAX_BOARD_SIDE and 2 <= len(self.rows[0]) <= MAX_BOARD_SIDE):
            raise BadText(f"layout {self.name!r}: 2 to {MAX_BOARD_SIDE} rows and columns, please")
        if unknown := set("".join(self.rows)) - PREMIUMS.keys():
            raise BadText(f"layout {self.name!r}: no such square {sorted(unknown)}")
        if "".join(self.rows).count("*") != 1:
            raise BadText(f"layout {self.name!r}: one * marks the start square")

    @classmethod
    def from_text(cls, name: str, text: str) -> Self:
        """Read a drawing; ``#`` starts a comment line.

        Raises:
            BadText: the drawing is no rectangle, or a symbol is unknown.
        """
        lines = (line.strip() for line in text.splitlines())
        return cls(name, tuple(line for line in lines if line and not line.startswith("#")))

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @cached_property
    def start(self) -> Square:
        """The square that the first play must cover."""
        row = next(number for number, row in enumerate(self.rows) if "*" in row)
        return Square(row, self.rows[row].index("*"))

    def premium(self, square: Square) -> Premium:
        """Return the premium of *square*."""
        return PREMIUMS[self.rows[square.row][square.col]]

    @cached_property
    def premiums(self) -> tuple[Premium, ...]:
        """The premiums of all squares, row by row."""
        return tuple(PREMIUMS[symbol] for row in self.rows for symbol in row)


@dataclass(frozen=True)
class Board:
    """The tiles on the board, row by row. Immutable: playing on it makes another board."""

    width: int
    squares: tuple[Letter | None, ...]

    @classmethod
    def empty(cls, layout: Layout) -> Self:
        """Return an empty board of the size of *layout*."""
        return cls(layout.width, (None,) * (layout.width * layout.height))

    @classmethod
    def from_rows(cls, rows: Sequence[str], tiles: TileSet) -> Self:
        """Read rows of text: ``A`` a tile, ``a`` a blank, ``.`` an empty square, ``[CH]`` one tile.

        Raises:
            BadText: a row names no such tile, or the rows are not all of one length.
        """
        try:
            grid = [tiles.parse_row(row) for row in rows]
        except IllegalMove as error:
            raise BadText(str(error)) from None
        if len({len(row) for row in grid}) != 1:
            raise BadText("all rows of a board must be of one length")
        return cls(len(grid[0]), tuple(chain.from_iterable(grid)))

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The text of each row, as :meth:`from_rows` reads it."""
        width, empty = self.width, "." * self.width
        rows = (self.squares[at : at + width] for at in range(0, len(self.squares), width))
        return tuple(
            "".join(["." if one is None else str(one) for one in row]) if any(row) else empty
            for row in rows
        )

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.squares) // self.width

    def holds(self, square: Square) -> bool:
        """Return whether *square* is on this board."""
        row, col = square
        return 0 <= col < self.width and 0 <= row * self.width < len(self.squares)

    def __getitem__(self, square: Square) -> Letter | None:
        """Return the tile on *square*; None if it is empty or off the board."""
        return self.squares[square.row * self.width + square.col] if self.holds(square) else None

    def __bool__(self) -> bool:
        return any(self.squares)

    def items(self) -> Iterator[tuple[Square, Letter]]:
        """Yield every square with a tile and that tile, row by row."""
        for index, letter in enumerate(self.squares):
            if letter is not None:
                yield Square(*divmod(index, self.width)), letter

    @property
    def tile_count(self) -> int:
        """The number of tiles that lie on it."""
        return len(self.squares) - self.squares.count(None)

    @property
    def blanks(self) -> tuple[Square, ...]:
        """The squares of blanks, row by row."""
        return tuple(square for square, letter in self.items() if letter.blank)

    def with_letters(self, new: Mapping[Square, Letter | None]) -> Self:
        """Return the board with some tiles put down or, with None, lifted.

        Raises:
            IndexError: a square is off the board.
        """
        squares = list(self.squares)
        for square, letter in new.items():
            if not self.holds(square):
                raise IndexError(f"{square} is off the board")
            squares[square.row * self.width + square.col] = letter
        return type(self)(self.width, tuple(squares))

    def run(self, spot: Spot) -> list[Square]:
        """Return the unbroken line of tiles through ``spot.square``, counted as occupied."""
        line = self.run_indexes(spot.row * self.width + spot.col, across=spot.across)
        return [Square(*divmod(at, self.width)) for at in line]

    def run_indexes(self, at: int, *, across: bool) -> range:
        """Return such a line as indexes of ``squares``, through the index *at*."""
        squares, width = self.squares, self.width
        first = last = at
        if across:
            step, low = 1, at - at % width
            high = low + width
        else:
            step, low, high = width, 0, len(squares)
        while first - step >= low and squares[first - step] is not None:
            first -= step
        while last + step < high and squares[last + step] is not None:
            last += step
        return range(first, last + 1, step)
