"""Leaves out of games: what tiles that were kept brought, as a table of worths.

Players who look no further than their own next play go by a table, and play. Whenever one keeps
some tiles, the gain that follows is noted: what the own next play brings, in points and in the
worth of what is kept after it, less what the play of the other in between brings. The table that
explains those gains best is what the next generation plays by, and so on: each generation sees one
play further. It is value iteration, with a linear model fitted by ridge regression (A. E. Hoerl and
R. W. Kennard, 1970).

All sums are whole numbers, so that neither the order of the games nor who played them matters.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final, TypeAlias

from crossroom_engine.analysis.selfplay import SelfPlayTurn
from crossroom_engine.core.tiles import Tile, Tiles, multiset
from crossroom_engine.movegen.leaves import Leaves

STAGE_TILES: Final = 7
"""Tiles in the bag that make a stage of the game; each has a usual gain of its own."""

StagedLeave: TypeAlias = tuple[int, Tiles]
"""The stage of the game, and the tiles that stayed in the rack."""

GainSums: TypeAlias = dict[StagedLeave, tuple[int, int]]
"""How often tiles were kept, and what followed in all, in thousandths of a point."""

TILE_RIDGE: Final = 10
PAIR_RIDGE: Final = 200
"""How many times a tile, or a pair, must have been kept for half of what it showed to be believed.

Pairs are many, and most are seldom kept. From 50 to 800 made no difference that could be measured.
"""

_Features: TypeAlias = list[tuple[int, int]]
"""Columns of the model that are not 0, in order, and their values."""


def add_gains(notes: GainSums, turns: Sequence[SelfPlayTurn], worth: Leaves, rack: int) -> None:
    """Add what a game of two shows to *notes*.

    Left out are the turns after which the bag may be empty before the own next play has been made:
    there the end adjustment rules, and not the leaves.

    Args:
        notes: What was seen so far.
        turns: Of the game, those of two players by turns.
        worth: The table that both went by.
        rack: Tiles on a full rack.
    """
    worths = [worth.value(turn.kept) for turn in turns]
    for at, turn in enumerate(turns[:-2]):
        if turn.bag <= 2 * rack:
            break
        own = 1000 * turns[at + 2].points + worths[at + 2]
        other = 1000 * turns[at + 1].points + worths[at + 1] - (worths[at - 1] if at else 0)
        key = turn.bag // STAGE_TILES, turn.kept
        count, total = notes.get(key, (0, 0))
        notes[key] = count + 1, total + own - other


def merge_gains(notes: GainSums, more: Mapping[StagedLeave, tuple[int, int]]) -> None:
    """Add *more* to *notes*."""
    for key, (count, total) in more.items():
        old_count, old_total = notes.get(key, (0, 0))
        notes[key] = old_count + count, old_total + total


def fit_leaves(
    name: str, tiles: Iterable[Tile], notes: Mapping[StagedLeave, tuple[int, int]]
) -> Leaves:
    """The table that explains best what was noted.

    Args:
        name: What to call it.
        tiles: Those to give a worth to; each pair of them gets one, too.
        notes: What was seen.
    """
    model = _Model(tiles, notes)
    for (stage, kept), (count, total) in sorted(notes.items()):
        model.add(stage, kept, count, total)
    worths = [round(worth) for worth in model.solve()]
    return Leaves(
        name,
        {tile: worths[column] for tile, column in model.tiles.items()},
        {pair: worths[column] for pair, column in model.pairs.items()},
    )


class _Model:
    """A gain is that of its stage, of each tile kept, and of each pair: the normal equations."""

    def __init__(self, tiles: Iterable[Tile], stages: Iterable[StagedLeave]) -> None:
        self._stages = {stage: at for at, stage in enumerate(sorted({s for s, _ in stages}))}
        start, singles = len(self._stages), multiset(tiles)
        self.tiles = {tile: start + at for at, tile in enumerate(singles)}
        start += len(singles)
        pairs = combinations_with_replacement(singles, 2)
        self.pairs = {pair: start + at for at, pair in enumerate(pairs)}
        self._size = start + len(self.pairs)
        self._rows = [[0] * self._size for _ in range(self._size)]  # from the diagonal on
        self._gains = [0] * self._size

    def _features(self, stage: int, kept: Tiles) -> _Features:
        values = {self._stages[stage]: 1}
        for tile in kept:
            values[self.tiles[tile]] = values.get(self.tiles[tile], 0) + 1
        for one, other in combinations(kept, 2):
            values[self.pairs[one, other]] = values.get(self.pairs[one, other], 0) + 1
        return sorted(values.items())

    def add(self, stage: int, kept: Tiles, count: int, total: int) -> None:
        features = self._features(stage, kept)
        for at, (column, value) in enumerate(features):
            self._gains[column] += value * total
            row = self._rows[column]
            for other, other_value in features[at:]:
                row[other] += count * value * other_value

    def solve(self) -> list[float]:
        """Elimination by C. F. Gauss; the matrix is symmetric, and needs no pivots."""
        rows = [[float(value) for value in row] for row in self._rows]
        worths = [float(gain) for gain in self._gains]
        first_pair = self._size - len(self.pairs)
        for column in range(len(self._stages), self._size):
            rows[column][column] += TILE_RIDGE if column < first_pair else PAIR_RIDGE
        for column, row in enumerate(rows):
            for other in range(column + 1, self._size):
                if row[other]:
                    share = row[other] / row[column]
                    below = rows[other]
                    pairs = zip(below[other:], row[other:], strict=True)
                    below[other:] = [old - share * value for old, value in pairs]
                    worths[other] -= share * worths[column]
        for column in reversed(range(self._size)):
            row = rows[column]
            known = sum(row[at] * worths[at] for at in range(column + 1, self._size))
            worths[column] = (worths[column] - known) / row[column]
        return worths
