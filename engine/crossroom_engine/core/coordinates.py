"""Squares of the board, and how they are written.

Rows and columns count from 0 in code. In text, ``8H`` is row 8, column H, for a word *across*, and
``H8`` the same square for a word *down*, as in GCG: the line that the word runs along comes first.
"""

import re
from typing import Final, NamedTuple, Self

from crossroom_engine.core.errors import BadText
from crossroom_engine.core.phrases import Phrase

MAX_BOARD_SIDE: Final = 21
"""Rows and columns of the largest board that there are coordinates and words for."""


class Square(NamedTuple):
    """A square of the board; row and column count from 0."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"{self.row + 1}{chr(ord('A') + self.col)}"


class Spot(NamedTuple):
    """The first square of a word, 0-based, and the direction of the word."""

    row: int
    col: int
    across: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``8H`` (across) or ``H8`` (down).

        Examples:
            >>> Spot.parse("8H")
            Spot(row=7, col=7, across=True)

        Raises:
            BadText: *text* has another form, or names a square that no board has.
        """
        match = re.fullmatch(r"([0-9]{1,2})([A-Za-z])|([A-Za-z])([0-9]{1,2})", text)
        if match is not None:
            number, letter = match[1] or match[4], match[2] or match[3]
            row, col = int(number) - 1, ord(letter.upper()) - ord("A")
            if 0 <= row < MAX_BOARD_SIDE and col < MAX_BOARD_SIDE:
                return cls(row, col, across=match[1] is not None)
        raise BadText(Phrase("{text!r} is not a square; write 8H (across) or H8 (down)", text=text))

    @property
    def square(self) -> Square:
        """The first square."""
        return Square(self.row, self.col)

    def square_at(self, count: int) -> Square:
        """Return the square *count* steps along the word."""
        if self.across:
            return Square(self.row, self.col + count)
        return Square(self.row + count, self.col)

    def __str__(self) -> str:
        row, col = str(self.row + 1), chr(ord("A") + self.col)
        return row + col if self.across else col + row
