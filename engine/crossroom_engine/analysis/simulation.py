"""Choose between candidates by looking ahead: rollouts, and the statistics of the best arm.

All candidates are rolled out with the same tiles, so that luck is the same for all of them and few
iterations tell them apart. A candidate is dropped as soon as it can hardly be better than the
leader, by its differences to the leader in the same iterations; the rest gets all the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from random import Random
from typing import Final, NamedTuple

from crossroom_engine.analysis.position import Candidate, IsOver, Position
from crossroom_engine.analysis.rollouts import Outcome, roll_out
from crossroom_engine.analysis.selfplay_python import MAX_TURNS
from crossroom_engine.analysis.win_probability import (
    first_win_probability,
    outlook_at_sight,
    win_share,
)
from crossroom_engine.core.errors import TimeIsOver
from crossroom_engine.movegen.backends import BACKEND
from crossroom_engine.movegen.leaves import Leaves

DEFAULT_PLIES: Final = 2
"""Turns to play after a candidate, unless told otherwise."""

FULL_ROLLOUT_TILES: Final = 14
"""Unseen tiles up to which rollouts go on to the end of the game."""

MIN_ITERATIONS: Final = 30
"""Iterations before the first candidate may be dropped."""

DROP_STANDARD_ERRORS: Final = 2.5
"""Standard errors by which a candidate must be behind to be dropped."""

MIN_WIN_GAIN: Final = 0.003
"""Wins that a candidate must promise beyond the leader to be worth more iterations."""

WIN_PER_POINT: Final = 0.0002
"""Wins that a point of spread counts: it decides where all is won or lost."""

TURNS_PER_TIME_CHECK: Final = 80 if BACKEND == "c" else 1
"""Turns between two looks at the clock: about 30 ms."""


class Estimate(NamedTuple):
    """The result of the simulation for a candidate.

    Attributes:
        candidate: The way to use the turn.
        win: The probability to win, 0 to 1; two who share the first place have won half each.
        spread: Mean points ahead of the best of the others.
        error: Standard error of the value that is ranked by, in wins.
        iterations: Rollouts of this candidate; with none, the rest is a guess at sight.
    """

    candidate: Candidate
    win: float
    spread: float
    error: float
    iterations: int


@dataclass
class _Arm:
    """A candidate, and its results, one number for each iteration."""

    candidate: Candidate
    wins: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    total: float = 0.0

    def add(self, win: float, spread: float) -> None:
        value = win + WIN_PER_POINT * spread
        self.wins.append(win)
        self.spreads.append(spread)
        self.values.append(value)
        self.total += value

    @property
    def estimate(self) -> Estimate:
        count = len(self.values)
        _, error = _mean(self.values)
        win, spread = sum(self.wins) / count, sum(self.spreads) / count
        return Estimate(self.candidate, win, spread, error, count)


def simulate(
    position: Position,
    candidates: Sequence[Candidate],
    leaves: Leaves | None,
    random: Random,
    is_over: IsOver,
    *,
    plies: int = DEFAULT_PLIES,
    most: int = 5000,
) -> list[Estimate]:
    """Compare candidates by rollouts; return estimates of all of them, the best first.

    Candidates are ranked by the probability to win, and a little by the spread. A rollout that ends
    with the game is a win or not; otherwise :mod:`.win_probability` judges it. Dropped candidates
    come last, the latest dropped first.

    Args:
        position: The position; its unseen tiles are dealt anew in each iteration.
        candidates: At least one, such as those of :func:`.position.candidates`.
        leaves: The leaves that everybody goes by in the rollouts; None for points alone.
        random: The source of the rollouts' seeds. The same seeds, and the same answers of
            *is_over*, give the same estimates.
        is_over: Asked about every 30 ms with the kernel, else before every turn.
        plies: Turns to play after the candidate. With 14 tiles unseen or fewer, the rollouts go on
            to the end of the game instead.
        most: Iterations at most.

    Raises:
        ValueError: there is no candidate, or one that the position has no tiles for.
    """
    if not candidates:
        raise ValueError("there is nothing to choose from")
    turns = plies if len(position.unseen) > FULL_ROLLOUT_TILES else MAX_TURNS
    race = _Race(position, leaves, turns, [_Arm(one) for one in candidates])
    seed, done = random.getrandbits(64), 0
    while len(race.arms) > 1 and done < most:
        batch = min(race.batch(done), most - done)
        if not race.run((seed + done) % 2**64, batch, is_over):
            break
        done += batch
        if done >= MIN_ITERATIONS:
            race.drop()
    return race.estimates()


class _Race:
    """The candidates that are left, best first once they were compared, and those dropped."""

    def __init__(
        self, position: Position, leaves: Leaves | None, turns: int, arms: list[_Arm]
    ) -> None:
        self._position, self._leaves, self._turns = position, leaves, turns
        self._length = min(turns, max(1, len(position.unseen)))
        self.arms, self._dropped = arms, list[_Arm]()

    def batch(self, done: int) -> int:
        """Return the iterations until the next comparison: the more the more there were."""
        fit = TURNS_PER_TIME_CHECK // (self._length * len(self.arms))
        return max(1, min(fit, max(MIN_ITERATIONS, done // 4)))

    def run(self, seed: int, iterations: int, is_over: IsOver) -> bool:
        """Roll all out; return False, and note nothing, if there was no time for it."""
        at_once = max(1, TURNS_PER_TIME_CHECK // (self._length * iterations))
        found: list[tuple[Outcome, ...]] = []
        for at in range(0, len(self.arms), at_once):
            if is_over():
                return False
            some = [arm.candidate for arm in self.arms[at : at + at_once]]
            try:
                rows = roll_out(
                    self._position, some, self._leaves, seed, iterations, self._turns, is_over
                )
            except TimeIsOver:
                return False
            found += zip(*rows, strict=True)
        for arm, outcomes in zip(self.arms, found, strict=True):
            for outcome in outcomes:
                arm.add(*self._judge(outcome))
        return True

    def _judge(self, outcome: Outcome) -> tuple[float, float]:
        """Return the probability to win, and the spread."""
        pairs = zip(outcome.scores, outcome.leave_values, strict=True)
        standings = [score + value / 1000 for score, value in pairs]
        spread = standings[0] - max(standings[1:])
        if outcome.is_over:
            return win_share(spread), spread
        moves = (self._turns + 1) % len(standings)
        rules = self._position.rules
        return first_win_probability(rules, standings, outcome.unseen, moves), spread

    def drop(self) -> None:
        """Drop the candidates that can hardly be better than the leader."""
        self.arms.sort(key=lambda arm: -arm.total)
        leader, left = self.arms[0], self.arms[:1]
        for arm in self.arms[1:]:
            pairs = zip(arm.values, leader.values, strict=True)
            mean, error = _mean([one - other for one, other in pairs])
            if mean + DROP_STANDARD_ERRORS * error > MIN_WIN_GAIN:
                left.append(arm)
            else:
                self._dropped.append(arm)
        self.arms = left

    def estimates(self) -> list[Estimate]:
        """Return estimates of all candidates, the best first."""
        self.arms.sort(key=lambda arm: -arm.total)
        arms = [*self.arms, *sorted(self._dropped, key=lambda arm: (-len(arm.values), -arm.total))]
        return [arm.estimate if arm.values else self._guess(arm.candidate) for arm in arms]

    def _guess(self, candidate: Candidate) -> Estimate:
        return Estimate(candidate, *outlook_at_sight(self._position, candidate), inf, 0)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some numbers, and its standard error."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, inf
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return mean, sqrt(variance / count)
