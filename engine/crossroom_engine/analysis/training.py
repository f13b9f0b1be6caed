"""Train leaves: fit a table of values to what kept tiles brought in games.

Players who look no further than their own next play go by a table, and play. Whenever one keeps
some tiles, the gain that follows is noted: the points of the own next play and the value of what is
kept after it, less those of the other's play in between. The table that explains those gains best
is what the next generation plays by, so each generation sees one play further. It is value
iteration, with a linear model fitted by ridge regression (A. E. Hoerl and R. W. Kennard, 1970).

All sums are whole numbers, so that neither the order of the games nor who played them matters.
"""

from collections import Counter
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
"""The number of times that tiles were kept, and the sum of the gains, in 1/1000 of a point."""

TILE_RIDGE: Final = 10
PAIR_RIDGE: Final = 200
"""Times that a tile, or a pair, must have been kept for half of what it showed to be believed.

Pairs are many, and most are seldom kept. From 50 to 800 made no difference that could be measured.
"""

_Features: TypeAlias = list[tuple[int, int]]
"""Columns of the model that are not 0, in order, and their values."""


def add_gains(sums: GainSums, turns: Sequence[SelfPlayTurn], leaves: Leaves, rack: int) -> None:
    """Add the gains of a game of two to *sums*.

    Left out are turns after which the bag may be empty before the own next play: there the end
    adjustment rules, and not the leaves.

    Args:
        sums: The gains so far.
        turns: Those of the game, of the two players in turn.
        leaves: The table that both went by.
        rack: Tiles on a full rack.
    """
    values = [leaves.value(turn.kept) for turn in turns]
    for at, turn in enumerate(turns[:-2]):
        if turn.bag <= 2 * rack:
            break
        own = 1000 * turns[at + 2].points + values[at + 2]
        other = 1000 * turns[at + 1].points + values[at + 1] - (values[at - 1] if at else 0)
        key = turn.bag // STAGE_TILES, turn.kept
        count, total = sums.get(key, (0, 0))
        sums[key] = count + 1, total + own - other


def merge_gains(sums: GainSums, more: Mapping[StagedLeave, tuple[int, int]]) -> None:
    """Add *more* to *sums*."""
    for key, (count, total) in more.items():
        old_count, old_total = sums.get(key, (0, 0))
        sums[key] = old_count + count, old_total + total


def fit_leaves(
    name: str, tiles: Iterable[Tile], sums: Mapping[StagedLeave, tuple[int, int]]
) -> Leaves:
    """Fit a table, called *name*, that values each of *tiles*, and each pair of them."""
    model = _Model(tiles, sums)
    for (stage, kept), (count, total) in sorted(sums.items()):
        model.add(stage, kept, count, total)
    values = [round(value) for value in model.solve()]
    return Leaves(
        name,
        {tile: values[column] for tile, column in model.tiles.items()},
        {pair: values[column] for pair, column in model.pairs.items()},
    )


class _Model:
    """The normal equations: a gain is that of its stage, of each tile kept, and of each pair."""

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
        columns = [self._stages[stage], *(self.tiles[tile] for tile in kept)]
        columns += [self.pairs[pair] for pair in combinations(kept, 2)]
        return sorted(Counter(columns).items())

    def add(self, stage: int, kept: Tiles, count: int, total: int) -> None:
        features = self._features(stage, kept)
        for at, (column, value) in enumerate(features):
            self._gains[column] += value * total
            row = self._rows[column]
            for other, other_value in features[at:]:
                row[other] += count * value * other_value

    def solve(self) -> list[float]:
        """Eliminate as C. F. Gauss did; the matrix is symmetric, and needs no pivots."""
        rows = [[float(value) for value in row] for row in self._rows]
        solution = [float(gain) for gain in self._gains]
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
                    solution[other] -= share * solution[column]
        for column in reversed(range(self._size)):
            row = rows[column]
            known = sum(row[at] * solution[at] for at in range(column + 1, self._size))
            solution[column] = (solution[column] - known) / row[column]
        return solution
