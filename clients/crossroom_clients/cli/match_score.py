"""The outcome of many games of two sides, in mirrored pairs."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple


class Mean(NamedTuple):
    """A mean and its standard error, which is None where fewer than two values are known."""

    mean: float
    error: float | None

    @property
    def doubt(self) -> str:
        """The error, written behind a ±."""
        return "?" if self.error is None else f"{self.error:.2f}"


class MatchScore:
    """Games counted as one side, the first, sees them.

    The two games of a pair are alike, so it is pairs that errors are reckoned from.
    """

    def __init__(self) -> None:
        self._pairs: list[tuple[int, int]] = []

    def add(self, there: int, back: int) -> None:
        """Count the two games of a pair: by how many points the first side won each."""
        self._pairs.append((there, back))

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * len(self._pairs)

    @property
    def results(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        spreads = [spread for pair in self._pairs for spread in pair]
        won = sum(spread > 0 for spread in spreads)
        lost = sum(spread < 0 for spread in spreads)
        return won, len(spreads) - won - lost, lost

    @property
    def win_percent(self) -> "Mean":
        """The share of games won, a draw being half of one, and the standard error, in percent."""
        return _mean(50 * (_won(there) + _won(back)) for there, back in self._pairs)

    @property
    def spread(self) -> "Mean":
        """Points more than the other side, and the standard error."""
        return _mean((there + back) / 2 for there, back in self._pairs)


def _won(spread: int) -> float:
    return 0.5 + (spread > 0) / 2 - (spread < 0) / 2


def _mean(values: Iterable[float]) -> Mean:
    known: Sequence[float] = list(values)
    mean = sum(known) / max(1, len(known))
    if len(known) < 2:
        return Mean(mean, None)
    squares = sum((value - mean) ** 2 for value in known)
    return Mean(mean, sqrt(squares / len(known) / (len(known) - 1)))
