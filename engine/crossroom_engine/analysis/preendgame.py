"""The turn of a game of two with one tile in the bag: whoever draws it begins the endgame.

Whichever tile it is, the endgame after a play can be solved. So candidates are followed up for
every tile that might be in the bag: first all of them at sight, then fewer and deeper. What counts
is with how many of the tiles the game is won; of equals, the mean spread.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final, Literal, NamedTuple, TypeAlias

from crossroom_engine.analysis import endgame
from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.analysis.win_probability import first_win_probability
from crossroom_engine.core.moves import Place
from crossroom_engine.core.tiles import Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.leaves import Leaves

MAX_CANDIDATES: Final = 24
"""Candidates that are followed up, unless told otherwise."""

StageGoal: TypeAlias = Literal["guess", "win", "spread"]


class SearchStage(NamedTuple):
    """How those candidates are looked at that are the best by then.

    Attributes:
        most: How many; for ``spread``, only those of them that win as often as the best.
        aim: To guess; to find out whether the game is won; or by how much.
        plies: Turns to look ahead in each endgame.
        asks: How often each endgame may ask whether the time is over; None for no limit.
    """

    most: int
    aim: StageGoal
    plies: int = endgame.MAX_PLIES
    asks: int | None = None


SEARCH_STAGES: Final = (
    SearchStage(1000, "guess", plies=0),
    SearchStage(12, "guess", plies=2, asks=10),
    SearchStage(10, "win", asks=8),
    SearchStage(6, "win", asks=60),
    SearchStage(4, "spread", asks=60),
    SearchStage(4, "win"),
    SearchStage(4, "spread"),
)
"""One after the other. What takes long is put off until the rest has had a look, too."""


class PreendgameEstimate(NamedTuple):
    """A way to use the turn, and what comes of it.

    Attributes:
        candidate: The way.
        win: The share of the tiles in the bag with which the game is won, 0 to 1; half of those
            with which it is even.
        spread: Points ahead in the end, in the mean of the tiles.
        exact: Is all this certain, if both go on as well as can be? Else it is an estimate, as it
            always is for a pass and an exchange.
    """

    candidate: Candidate
    win: float
    spread: float
    exact: bool


def applies(position: Position) -> bool:
    """Is it a game of two with one tile in the bag, whose endgames can be solved?"""
    rules = position.rules
    return (
        len(position.scores) == 2
        and position.bag == 1
        and position.others == (len(position.unseen) - 1,)
        and position.others[0] > 0
        and rules.target is None
        and rules.reclaim == "off"
    )


def solve(
    position: Position,
    leaves: Leaves,
    is_over: Callable[[], bool],
    *,
    most: int = MAX_CANDIDATES,
) -> list[PreendgameEstimate]:
    """Compare the ways to use the turn; the best first.

    After a pass or an exchange, the tile in the bag stays a secret: then the other is supposed to
    take what looks best, and the endgame begins after that.

    Args:
        position: One where :func:`applies` says yes.
        leaves: What kept tiles are worth, for the choice of the candidates.
        is_over: Is there no more time? Asked every few ms with the kernel, else at every position.
            If there never was any, the candidates come by their equity.
        most: How many candidates there are.

    Raises:
        ValueError: it is no such position, or *most* is less than 1.
    """
    if not applies(position):
        raise ValueError("this is no game of two with one tile in the bag")
    arms = [_CandidateCases(position, leaves, one) for one in candidates(position, leaves, most)]
    for number, look in enumerate(SEARCH_STAGES, 1):
        while arm := _next(arms, look, number):
            if not arm.follow_up(look, is_over):
                return [arm.option for arm in arms]
            arm.looks = number
            arms.sort(key=_CandidateCases.rank)
    return [arm.option for arm in arms]


def _next(
    arms: list["_CandidateCases"], look: SearchStage, number: int
) -> "_CandidateCases | None":
    """The best that had no such look."""
    for arm in arms[: look.most]:
        is_tied = look.aim != "spread" or arm.option.win == arms[0].option.win
        if arm.looks < number and is_tied:
            return arm
    return None


class _CandidateCases:
    """A candidate; ``looks`` were completed."""

    def __init__(self, position: Position, leaves: Leaves, candidate: Candidate) -> None:
        self._situation, self._leaves, self._candidate = position, leaves, candidate
        self._futures: list[_BagCase] = []
        self.looks = 0

    def follow_up(self, look: SearchStage, is_over: Callable[[], bool]) -> bool:
        """Look at all that may be to come; False if there was no time for that."""
        self._futures = self._futures or list(self._split())
        for future in self._futures:
            if is_over():
                return False
            asked = count()

            def is_enough() -> bool:
                return is_over() or (look.asks is not None and next(asked) >= look.asks)  # noqa: B023

            future.follow_up(look, is_enough)
        return True

    @property
    def option(self) -> PreendgameEstimate:
        """What is known by now."""
        if not self.looks:
            return self._guess()
        total = sum(future.weight for future in self._futures)
        win = sum(future.weight * future.win for future in self._futures) / total
        spread = sum(future.weight * future.spread for future in self._futures) / total
        is_exact = all(future.is_solved for future in self._futures)
        is_play = isinstance(self._candidate.move, Place)
        return PreendgameEstimate(self._candidate, win, spread, is_play and is_exact)

    def rank(self) -> tuple[bool, float, float]:
        """The best first; those behind that had no look."""
        _, win, spread, _ = self.option
        return not self.looks, -win, -spread

    def _guess(self) -> PreendgameEstimate:
        """At sight."""
        mine, other = self._situation.scores
        standings = [mine + self._candidate.equity / 1000, float(other)]
        unseen = len(self._situation.unseen)
        win = first_win_probability(self._situation.rules, standings, unseen, 1)
        return PreendgameEstimate(self._candidate, win, standings[0] - other, exact=False)

    def _split(self) -> Iterator["_BagCase"]:
        """One future for each kind of tile that may be in the bag."""
        is_play = isinstance(self._candidate.move, Place)
        for tile, weight in Counter(self._situation.unseen).items():
            other = take_tiles((tile,), self._situation.unseen)
            yield self._play(weight, tile, other) if is_play else self._wait(weight, tile, other)

    def _play(self, weight: int, tile: Tile, other: Tiles) -> "_BagCase":
        """We draw the tile, and the other begins the endgame."""
        position, candidate = self._situation, self._candidate
        scores = position.scores[1], position.scores[0] + candidate.points
        mine = multiset((*candidate.kept, tile))
        ending = _ending(position, candidate, other, mine, scores)
        return _BagCase(weight, scores[1] - scores[0], ending, sign=-1)

    def _wait(self, weight: int, tile: Tile, other: Tiles) -> "_BagCase":
        """The other takes what looks best, and we begin the endgame."""
        position, candidate = self._situation, self._candidate
        rules, (first, second) = position.rules, position.scores
        bag: Tiles = (tile,)
        mine = position.rack
        if candidate.given:
            bag, mine = candidate.given, multiset((*candidate.kept, tile))
        scoreless = position.scoreless + 1
        if scoreless < rules.scoreless_turns(2):
            unseen, sizes = multiset((*mine, *bag)), (len(mine),)
            there = Position(
                rules,
                position.lexicon,
                candidate.board,
                other,
                unseen,
                1,
                sizes,
                (second, first),
                scoreless,
            )
            reply = candidates(there, self._leaves, 1)[0]
            if isinstance(reply.move, Place):
                scores = first, second + reply.points
                ending = _ending(position, reply, mine, multiset((*reply.kept, *bag)), scores)
                return _BagCase(weight, scores[0] - scores[1], ending, sign=1)
        if rules.end_adjustment == "none":
            return _BagCase(weight, first - second)
        left = rules.tiles.total_points(other) - rules.tiles.total_points(mine)
        return _BagCase(weight, first - second + left)


class _BagCase:
    """What is to come if a certain tile is in the bag.

    Args:
        weight: How many of the unseen tiles are such.
        lead: Points that we are ahead by then.
        ending: The endgame; None if the game is taken to be over.
        sign: 1 if we begin the endgame, else -1.

    Attributes:
        win: 1, or 0, or 0.5 if the game is even.
        spread: Points that we are ahead in the end.
        is_solved: Are both certain?
    """

    def __init__(
        self, weight: int, lead: int, ending: Position | None = None, sign: int = 1
    ) -> None:
        self.weight, self._lead, self._ending, self._sign = weight, lead, ending, sign
        self.spread, self.win = lead, _win(lead)
        self._is_decided = self.is_solved = ending is None

    def follow_up(self, look: SearchStage, is_over: Callable[[], bool]) -> None:
        """Look at the endgame."""
        if self._ending is None or self.is_solved:
            return
        if look.aim != "win":
            found = endgame.solve(self._ending, is_over, plies=look.plies)
            self.spread = self._lead + self._sign * found.spread
            if not self._is_decided:
                self.win = _win(self.spread)
            self.is_solved = found.exact
            self._is_decided = self._is_decided or found.exact
        elif not self._is_decided:
            threshold = -self._sign * self._lead
            side, self._is_decided = endgame.compare(
                self._ending, threshold, is_over, plies=look.plies
            )
            self.win = _win(self._sign * side)


def _win(spread: int) -> float:
    return 0.5 if spread == 0 else float(spread > 0)


def _ending(
    position: Position, latest: Candidate, rack: Tiles, unseen: Tiles, scores: tuple[int, int]
) -> Position:
    """The endgame after a play, for who has that rack."""
    rules, lexicon, sizes = position.rules, position.lexicon, (len(unseen),)
    return Position(rules, lexicon, latest.board, rack, unseen, 0, sizes, scores)
