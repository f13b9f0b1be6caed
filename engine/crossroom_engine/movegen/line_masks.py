"""The board as the Python move generator reads it: rows and columns alike, as lines of numbers.

A letter is its bit in the masks of the word list, ``1 << place in lexicon.letters``.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias, TypeVar

from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tile
from crossroom_engine.words.lexicon import Lexicon

NOWHERE: Final = -1
"""In place of a state of the word list: no word continues like this."""

_Flat: TypeAlias = tuple[int, ...]
_Grid: TypeAlias = Sequence[Sequence[int]]


class Line(NamedTuple):
    """A row or a column.

    From ``bits`` to ``cross_points``: a number for each square, and a 0 for the square beyond the
    edge, which is empty, and where no letter may be laid.
    """

    across: bool
    number: int
    """0-based number of the row or the column."""
    bits: _Flat
    """The letter on the square; 0 if there is none."""
    points: _Flat
    """Face value of the tile on the square."""
    letter_premiums: _Flat
    word_premiums: _Flat
    cross_masks: _Flat
    """The letters that form a word with the crossing tiles; all letters where there are none."""
    cross_points: _Flat
    """Face value of the crossing tiles; -1 where there are none."""
    anchors: _Flat
    """The empty squares of which a play covers at least one: those beside a tile, or the start."""

    def spot(self, at: int) -> Spot:
        """Return the spot of a word whose first letter is on square *at*, 0-based."""
        return Spot(self.number, at, True) if self.across else Spot(at, self.number, False)


_Entry = TypeVar("_Entry")


def board_lines(rules: Ruleset, board: Board, lexicon: Lexicon) -> Iterator[Line]:
    """Yield all rows, then all columns."""
    rows = _tiles(rules, board, lexicon)
    columns = tuple(map(_turned, rows))
    for across, along, athwart in ((True, rows, columns), (False, columns, rows)):
        crosses = _turned(_crosses(lexicon, *line) for line in zip(*athwart, strict=True))
        grids = (*along, *_premiums(rules.layout, across))
        for number, (checks, *flats) in enumerate(zip(crosses, *grids, strict=True)):
            masks, points = zip(*checks, strict=True)
            anchors = _anchors(flats[0], points) if board else _start(rules.layout, across, number)
            bits, lying, letters, words, masks, points = ((*f, 0) for f in (*flats, masks, points))
            yield Line(across, number, bits, lying, letters, words, masks, points, tuple(anchors))


def letter_bits(lexicon: Lexicon) -> dict[Tile, int]:
    """Return the bit of each letter of the word list."""
    return {tile: 1 << place for place, tile in enumerate(lexicon.letters)}


def next_state(lexicon: Lexicon, state: int, bit: int) -> int:
    """Return the state after one more letter, or :data:`NOWHERE`."""
    mask = lexicon.child_masks[state]
    if not mask & bit:
        return NOWHERE
    return lexicon.children[lexicon.bases[state] + (mask & (bit - 1)).bit_count()]


def walk(lexicon: Lexicon, state: int, bits: Iterable[int]) -> int:
    """Return the state after some more letters, or :data:`NOWHERE`."""
    for bit in bits:
        if state != NOWHERE:
            state = next_state(lexicon, state, bit)
    return state


def each_bit(mask: int) -> Iterator[int]:
    """Yield the bits of a mask, from the lowest."""
    while mask:
        yield (bit := mask & -mask)
        mask ^= bit


def _tiles(rules: Ruleset, board: Board, lexicon: Lexicon) -> tuple[_Grid, _Grid]:
    """Return bits and points of the tiles on the board, row by row."""
    bits, foreign = letter_bits(lexicon), 1 << len(lexicon.letters)
    grids = (
        [bits.get(letter.letter, foreign) if letter else 0 for letter in board.squares],
        [
            rules.tiles.points(letter.letter) if letter and not letter.blank else 0
            for letter in board.squares
        ],
    )
    starts = range(0, len(board.squares), board.width)
    lying, points = ([flat[at : at + board.width] for at in starts] for flat in grids)
    return lying, points


def _turned(grid: Iterable[Iterable[_Entry]]) -> list[tuple[_Entry, ...]]:
    """Swap rows and columns."""
    return list(zip(*grid, strict=True))


@cache
def _premiums(layout: Layout, across: bool) -> tuple[_Grid, _Grid]:
    """Return the factors of the squares, first of letters, then of words."""
    flat, width = layout.premiums, layout.width
    rows = [flat[at : at + width] for at in range(0, len(flat), width)]
    lines = rows if across else _turned(rows)
    return [[one.letter for one in line] for line in lines], [
        [one.word for one in line] for line in lines
    ]


def _start(layout: Layout, across: bool, number: int) -> Iterator[int]:
    line, at = layout.start if across else layout.start[::-1]
    if line == number:
        yield at


def _anchors(bits: Sequence[int], cross_points: Sequence[int]) -> Iterator[int]:
    for at, (lying, crossing) in enumerate(zip(bits, cross_points, strict=True)):
        if not lying and (crossing >= 0 or any(bits[max(0, at - 1) : at + 2])):
            yield at


def _crosses(
    lexicon: Lexicon, bits: Sequence[int], points: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield for each square of a line the letters that form a word, and the points around it."""
    every = (1 << len(lexicon.letters)) - 1
    for at, lying in enumerate(bits):
        first, last = at, at
        while first > 0 and bits[first - 1]:
            first -= 1
        while last + 1 < len(bits) and bits[last + 1]:
            last += 1
        if lying or first == last:
            yield every, -1
        else:
            mask = _fitting(lexicon, bits[first:at], bits[at + 1 : last + 1])
            yield mask, sum(points[first:at]) + sum(points[at + 1 : last + 1])


def _fitting(lexicon: Lexicon, before: Sequence[int], behind: Sequence[int]) -> int:
    """Return the letters that make one word of the tiles before and after them."""
    state = walk(lexicon, 0, before)
    if state == NOWHERE:
        return 0
    if not behind:
        return lexicon.accept_masks[state]
    *inner, final = behind
    return sum(
        bit
        for bit in each_bit(lexicon.child_masks[state])
        if (after := walk(lexicon, next_state(lexicon, state, bit), inner)) != NOWHERE
        and lexicon.accept_masks[after] & final
    )
