"""Which way to use the turn, by looking ahead: rollouts, and the statistics of the best arm.

All candidates are rolled out with the same tiles, so that luck is the same for all of them and few
iterations tell them apart. A candidate is dropped as soon as it can hardly be better than the
leader, by its differences to the leader in the same iterations; what remains gets all the time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from random import Random
from typing import Final, NamedTuple

from crossroom_engine.analysis.position import Candidate, Position
from crossroom_engine.analysis.rollouts import Outcome, roll_out
from crossroom_engine.analysis.selfplay_python import MAX_TURNS
from crossroom_engine.analysis.win_probability import first_win_probability
from crossroom_engine.core.errors import TimeIsOver
from crossroom_engine.movegen.backends import BACKEND
from crossroom_engine.movegen.leaves import Leaves

DEFAULT_PLIES: Final = 2
"""Turns to be played after a candidate, unless told otherwise."""

FULL_ROLLOUT_TILES: Final = 14
"""With no more tiles unseen than this, rollouts go on to the end of the game."""

MIN_ITERATIONS: Final = 30
"""Iterations before the first candidate may be dropped."""

DROP_STANDARD_ERRORS: Final = 2.5
"""Standard errors by which a candidate must be behind to be dropped."""

MIN_WIN_GAIN: Final = 0.003
"""What another candidate must promise beyond the leader to be worth more looking: of a win."""

WIN_PER_POINT: Final = 0.0002
"""Of a win: where all is won or lost, the spread decides."""

TURNS_PER_TIME_CHECK: Final = 80 if BACKEND == "c" else 1
"""Turns between two looks at the clock: about 30 ms."""


class Estimate(NamedTuple):
    """What the simulation says of a candidate.

    Attributes:
        candidate: The way to use the turn.
        win: The chance to win, 0 to 1; of two who share the first place each has won half.
        spread: Points ahead of the best of the others, in the mean.
        error: Standard error of what is ranked by, in wins.
        iterations: Rollouts of this candidate; with none, the rest is a guess at sight.
    """

    candidate: Candidate
    win: float
    spread: float
    error: float
    iterations: int


@dataclass
class _Arm:
    """A candidate, and what came of it, one number for each iteration."""

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
    is_over: Callable[[], bool],
    *,
    plies: int = DEFAULT_PLIES,
    most: int = 5000,
) -> list[Estimate]:
    """Compare candidates by rollouts; estimates of all of them, the best first.

    Candidates are ranked by the chance to win, and a little by the spread. A rollout that ends with
    the game is a win or not; otherwise its chance comes from :mod:`.win_probability`. Dropped
    candidates come last, the latest dropped first.

    Args:
        position: All that is known; the unseen tiles are dealt anew in each iteration.
        candidates: At least one; those of :func:`crossroom_engine.analysis.position.candidates`,
            say.
        leaves: What everybody goes by in the rollouts; None for points alone.
        random: Where the seeds of the rollouts come from. The same seeds, and the same answers of
            *is_over*, give the same estimates.
        is_over: Is there no more time? Asked about every 30 ms with the kernel, else before every
            turn; the engine does not look at the clock.
        plies: Turns to be played after the candidate. With 14 tiles unseen or fewer, the rollouts
            go on to the end of the game instead.
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
        self,
        position: Position,
        leaves: Leaves | None,
        turns: int,
        arms: list[_Arm],
    ) -> None:
        self._situation, self._leaves = position, leaves
        self._turns = turns
        self._length = min(turns, max(1, len(position.unseen)))
        self.arms, self._dropped = arms, list[_Arm]()

    def batch(self, done: int) -> int:
        """Iterations until the next comparison: more of them the more there were."""
        fit = TURNS_PER_TIME_CHECK // (self._length * len(self.arms))
        return max(1, min(fit, max(MIN_ITERATIONS, done // 4)))

    def run(self, seed: int, iterations: int, is_over: Callable[[], bool]) -> bool:
        """Roll all out; False, and nothing is noted, if there was no time for it."""
        at_once = max(1, TURNS_PER_TIME_CHECK // (self._length * iterations))
        found: list[tuple[Outcome, ...]] = []
        for at in range(0, len(self.arms), at_once):
            if is_over():
                return False
            some = [arm.candidate for arm in self.arms[at : at + at_once]]
            try:
                rows = roll_out(
                    self._situation, some, self._leaves, seed, iterations, self._turns, is_over
                )
            except TimeIsOver:
                return False
            found += zip(*rows, strict=True)
        for arm, outcomes in zip(self.arms, found, strict=True):
            for outcome in outcomes:
                arm.add(*self._judge(outcome))
        return True

    def _judge(self, outcome: Outcome) -> tuple[float, float]:
        """The chance to win, and the spread."""
        standings = [
            score + worth / 1000
            for score, worth in zip(outcome.scores, outcome.leave_values, strict=True)
        ]
        spread = standings[0] - max(standings[1:])
        if outcome.is_over:
            return (0.5 if spread == 0 else float(spread > 0)), spread
        moves = (self._turns + 1) % len(standings)
        rules, unseen = self._situation.rules, outcome.unseen
        return first_win_probability(rules, standings, unseen, moves), spread

    def drop(self) -> None:
        """Drop those that can hardly be better than the leader."""
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
        """Of all, the best first."""
        self.arms.sort(key=lambda arm: -arm.total)
        arms = [*self.arms, *sorted(self._dropped, key=lambda arm: (-len(arm.values), -arm.total))]
        return [arm.estimate if arm.values else self._guess(arm.candidate) for arm in arms]

    def _guess(self, candidate: Candidate) -> Estimate:
        """At sight."""
        mine, *others = self._situation.scores
        standings = [mine + candidate.equity / 1000, *others]
        unseen = len(self._situation.unseen)
        win = first_win_probability(self._situation.rules, standings, unseen, 1)
        return Estimate(candidate, win, standings[0] - max(others), inf, 0)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some numbers, and its standard error."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return mean, inf
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return mean, sqrt(variance / count)
