"""Tiles laid on the board that are not played yet, and the rack they came from. No rules.

Whether they may lie there, and what they would earn, the server says; here is only where they lie,
and how that is written down to ask.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.tiles import BLANK, Letter, Tile
from crossroom_protocol.base.wording import split_squares
from crossroom_protocol.text.board_text import EMPTY_SQUARE

_OTHERS: Final = Random()


class Attempt(NamedTuple):
    """A play as it is written: ``/play AT WORD swap=SWAP``; ``swap`` is empty without one."""

    at: str
    word: str
    swap: str

    def line(self, command: str) -> str:
        """The line that says it under that *command*."""
        line = f"/{command} {self.at} {self.word}"
        return f"{line} swap={self.swap}" if self.swap else line


@dataclass
class TentativePlay:
    """The tiles of one person, on the board and in the rack.

    ``board`` are the rows of the server's view, square by square. ``rack`` is in the person's own
    order and holds all their tiles; those that lie on the board are in ``laid``, in the order in
    which they were laid. ``swapped`` are real letters put in the place of blanks.
    """

    board: list[list[str]] = field(default_factory=list)
    rack: list[Tile] = field(default_factory=list)
    laid: dict[Square, Letter] = field(default_factory=dict)
    swapped: dict[Square, Tile] = field(default_factory=dict)
    reclaimable: tuple[Square, ...] = ()
    cursor: Square = field(default_factory=lambda: Square(0, 0))
    across: bool = True
    _spelt: tuple[Square, str] | None = None
    """The square of the latest key, and the letters typed for it: CH takes two."""

    def update(
        self, rows: Sequence[str], rack: Iterable[Tile], reclaimable: Iterable[Square] = ()
    ) -> None:
        """Take over what the server shows; what no longer fits goes back to the rack."""
        board, rack = [split_squares(row) for row in rows], list(rack)
        if (
            board != self.board
            and self.board
            and any(not self._is_free(at, board) for at in self.laid)
        ):
            self.recall()
        self.board, self.reclaimable = board, tuple(reclaimable)
        if Counter(rack) != Counter(self.rack):
            self.rack = _in_old_order(rack, self.rack)
        if any(square not in self.reclaimable for square in self.swapped) or self._overdrawn():
            self.recall()

    def _is_free(self, square: Square, board: list[list[str]]) -> bool:
        return square.row < len(board) and board[square.row][square.col] == EMPTY_SQUARE

    def _overdrawn(self) -> bool:
        return bool(Counter(self.used) - Counter(self.rack) - Counter([BLANK] * len(self.swapped)))

    @property
    def used(self) -> list[Tile]:
        """The tiles of the rack that are not there any more."""
        return [letter.tile for letter in self.laid.values()] + list(self.swapped.values())

    @property
    def hand(self) -> list[tuple[Tile, bool]]:
        """The rack in its order, and a blank for each that was swapped; True: it is laid."""
        away = Counter(self.used)
        shown = []
        for tile in [*self.rack, *[BLANK] * len(self.swapped)]:
            shown.append((tile, away[tile] > 0))
            away[tile] -= 1
        return shown

    @property
    def left(self) -> list[Tile]:
        """The tiles that can be laid."""
        return [tile for tile, laid in self.hand if not laid]

    # Where the next tile goes.

    def at(self, square: Square) -> str:
        """Return the tile on a square, small if it is a blank; ``.`` if none."""
        if square in self.laid:
            letter, blank = self.laid[square]
            return letter.lower() if blank else letter
        return self.board[square.row][square.col]

    def holds(self, square: Square) -> bool:
        """Is *square* on the board?"""
        return 0 <= square.row < len(self.board) and 0 <= square.col < len(self.board[0])

    def move(self, rows: int, columns: int) -> None:
        """Move the cursor, as far as the board goes."""
        self._spelt = None
        to = Square(self.cursor.row + rows, self.cursor.col + columns)
        if self.holds(to):
            self.cursor = to

    def point(self, square: Square) -> None:
        """Put the cursor there; pointing at it once more turns it."""
        self._spelt = None
        if square == self.cursor:
            self.turn()
        elif self.holds(square):
            self.cursor = square

    def turn(self) -> None:
        """Let the word run the other way."""
        self._spelt = None
        self.across = not self.across

    def _step(self, square: Square, count: int = 1) -> Square:
        return Spot(square.row, square.col, self.across).square_at(count)

    def _next_free(self, square: Square) -> Square | None:
        while self.holds(square) and self.at(square) != EMPTY_SQUARE:
            square = self._step(square)
        return square if self.holds(square) else None

    # Laying and taking back.

    def type(self, symbol: str) -> bool:
        """Lay the tile that a key stands for, or a blank in its place; False if there is none."""
        letter = symbol.upper()
        if self._goes_on(letter) or self._swap(letter):
            return True
        left = self.left
        starting = {tile for tile in left if tile.startswith(letter)}
        if letter not in left and len(starting) != 1:
            return BLANK in left and self.lay(BLANK, letter)
        is_laid = self.lay(letter if letter in left else starting.pop())
        self._spelt = (next(reversed(self.laid)), letter) if is_laid else None
        return is_laid

    def _goes_on(self, letter: str) -> bool:
        """Is it one more letter of the tile that was just laid, or of a longer one in its place?"""
        if self._spelt is None or next(reversed(self.laid), None) != self._spelt[0]:
            return False
        square, spelt = self._spelt
        tile, longer = self.laid[square].letter, spelt + letter
        meant = {one for one in self.left if one.startswith(longer)}
        if tile == spelt and len(meant) == 1 and letter not in self.left:
            self.laid[square] = Letter(meant.pop())
        elif tile == spelt or not tile.startswith(longer):
            return False
        self._spelt = square, longer
        return True

    def lay(self, tile: Tile, letter: Tile | None = None) -> bool:
        """Lay *tile* on the next free square; a blank stands for *letter*."""
        square = self._next_free(self.cursor) if self.board else None
        if square is None or tile not in self.left or (tile == BLANK and letter is None):
            return False
        self._spelt = None
        self.laid[square] = Letter(letter or tile, blank=tile == BLANK)
        self.cursor = self._next_free(square) or square
        return True

    def _swap(self, letter: Tile) -> bool:
        """Put a real letter in the place of the blank under the cursor, where that is open."""
        square = self.cursor
        if square not in self.reclaimable or square in self.swapped or letter not in self.left:
            return False
        if self.at(square) != letter.lower():
            return False
        self.swapped[square] = letter
        self.cursor = self._next_free(square) or square
        return True

    def take_back(self) -> None:
        """Take back the tile that was laid last, and stand where it lay."""
        if self.laid:
            self.cursor, _ = self.laid.popitem()
        elif self.swapped:
            self.cursor, _ = self.swapped.popitem()
        else:
            self.cursor = to if self.holds(to := self._step(self.cursor, -1)) else self.cursor

    def lift(self, square: Square) -> bool:
        """Take one tile back; False if none of ours lies there."""
        mine = self.laid.pop(square, None) or self.swapped.pop(square, None)
        return mine is not None

    def recall(self) -> None:
        """Take all back."""
        if self.laid or self.swapped:
            self.cursor = next(iter({**self.swapped, **self.laid}))
        self.laid.clear()
        self.swapped.clear()

    def shuffle(self, random: Random = _OTHERS) -> None:
        """Show the rack in another order, if there is one."""
        if len(set(self.rack)) < 2:
            return
        before = list(self.rack)
        while self.rack == before:
            random.shuffle(self.rack)

    # How it is written.

    def attempt(self) -> Attempt | None:
        """The play as it lies; None if nothing is laid, or not in one line without a gap."""
        if not self.laid:
            return None
        lines = {across: self._line(across) for across in (self.across, not self.across)}
        found = [(across, line) for across, line in lines.items() if line is not None]
        if not found:
            return None
        # A single tile lies in two lines; the one that makes a word of it is meant.
        across, line = next((one for one in found if len(one[1]) > 1), found[0])
        spot = Spot(line[0].row, line[0].col, across)
        word = "".join(str(self.laid[square]) if square in self.laid else "." for square in line)
        return Attempt(str(spot), word, ",".join(map(str, self.swapped)))

    def _line(self, across: bool) -> list[Square] | None:
        """The unbroken run of tiles that all of ours lie in; None if there is no such."""
        first = next(iter(self.laid))
        spot = Spot(first.row, first.col, across)
        start = end = 0
        while (
            self.holds(spot.square_at(start - 1))
            and self.at(spot.square_at(start - 1)) != EMPTY_SQUARE
        ):
            start -= 1
        while (
            self.holds(spot.square_at(end + 1)) and self.at(spot.square_at(end + 1)) != EMPTY_SQUARE
        ):
            end += 1
        line = [spot.square_at(count) for count in range(start, end + 1)]
        return line if set(self.laid) <= set(line) else None


def _in_old_order(tiles: list[Tile], before: list[Tile]) -> list[Tile]:
    """*tiles*, those that were there *before* in the order they had; new ones behind."""
    fresh = Counter(tiles)
    kept = []
    for tile in before:
        if fresh[tile] > 0:
            kept.append(tile)
            fresh[tile] -= 1
    return [*kept, *fresh.elements()]
