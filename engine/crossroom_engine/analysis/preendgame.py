"""The turn of a game of two with one tile in the bag: whoever draws it begins the endgame.

Whichever tile it is, the endgame after a play can be solved. So candidates are followed up for
every tile that might be in the bag: first all of them at sight, then fewer and deeper. They are
ranked by the number of tiles with which the game is won; equals by the mean spread.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Final, Literal, NamedTuple, TypeAlias

from crossroom_engine.analysis import endgame
from crossroom_engine.analysis.position import Candidate, IsOver, Position, candidates
from crossroom_engine.analysis.win_probability import outlook_at_sight, win_share
from crossroom_engine.core.moves import Place
from crossroom_engine.core.tiles import Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.leaves import Leaves

MAX_CANDIDATES: Final = 24
"""Candidates that are followed up, unless told otherwise."""

StageGoal: TypeAlias = Literal["guess", "win", "spread"]
"""To guess; to find out whether the game is won; or by how much."""


class SearchStage(NamedTuple):
    """A stage of the search: how to look at the candidates that are best by then.

    Attributes:
        most: Number of candidates; for ``spread``, only those that win as often as the best.
        goal: The question about each endgame.
        plies: Turns to look ahead in each endgame.
        asks: How often each endgame may ask whether the time is over; None for no limit.
    """

    most: int
    goal: StageGoal
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
"""The stages in turn: what takes long is put off until the rest has had a look, too."""


class PreendgameEstimate(NamedTuple):
    """A way to use the turn, and what comes of it.

    Attributes:
        candidate: The way to use the turn.
        win: The share of the tiles in the bag with which the game is won, 0 to 1; those with which
            it is even count half.
        spread: Points ahead in the end, in the mean of the tiles.
        exact: Whether all this is certain, if both play as well as can be. Else it is an estimate,
            as it always is for a pass and an exchange.
    """

    candidate: Candidate
    win: float
    spread: float
    exact: bool


def applies(position: Position) -> bool:
    """Return whether two play with one tile in the bag, and endgames can be solved."""
    others = len(position.unseen) - 1
    return position.is_plain_duel and position.bag == 1 and position.others == (others,) != (0,)


def solve(
    position: Position, leaves: Leaves, is_over: IsOver, *, most: int = MAX_CANDIDATES
) -> list[PreendgameEstimate]:
    """Compare the ways to use the turn; return the best first.

    After a pass or an exchange, the tile in the bag stays a secret: then the other is supposed to
    take what looks best, and the endgame begins after that.

    Args:
        position: One where :func:`applies` says yes.
        leaves: The values of kept tiles, for the choice of the candidates.
        is_over: Asked every few ms with the kernel, else at every position. If there never was any
            time, the candidates come by their equity.
        most: Candidates at most.

    Raises:
        ValueError: it is no such position, or *most* is less than 1.
    """
    if not applies(position):
        raise ValueError("this is no game of two with one tile in the bag")
    ranked = [_CandidateCases(position, leaves, one) for one in candidates(position, leaves, most)]
    for number, stage in enumerate(SEARCH_STAGES, 1):
        while best := _next(ranked, stage, number):
            if not best.search(stage, is_over):
                return [one.estimate for one in ranked]
            best.stages = number
            ranked.sort(key=_CandidateCases.rank)
    return [one.estimate for one in ranked]


def _next(
    ranked: list["_CandidateCases"], stage: SearchStage, number: int
) -> "_CandidateCases | None":
    """Return the best that has not been through this stage."""
    for one in ranked[: stage.most]:
        is_tied = stage.goal != "spread" or one.estimate.win == ranked[0].estimate.win
        if one.stages < number and is_tied:
            return one
    return None


class _CandidateCases:
    """A candidate, with a case for each tile that may be in the bag; ``stages`` are completed."""

    def __init__(self, position: Position, leaves: Leaves, candidate: Candidate) -> None:
        self._position, self._leaves, self._candidate = position, leaves, candidate
        self._cases: list[_BagCase] = []
        self.stages = 0

    def search(self, stage: SearchStage, is_over: IsOver) -> bool:
        """Look at all cases; return False if there was no time for that."""
        self._cases = self._cases or list(self._split())
        for case in self._cases:
            if is_over():
                return False
            asked = count()

            def is_enough() -> bool:
                return is_over() or (stage.asks is not None and next(asked) >= stage.asks)  # noqa: B023

            case.search(stage, is_enough)
        return True

    @property
    def estimate(self) -> PreendgameEstimate:
        """The result so far."""
        if not self.stages:
            outlook = outlook_at_sight(self._position, self._candidate)
            return PreendgameEstimate(self._candidate, *outlook, exact=False)
        total = sum(case.weight for case in self._cases)
        win = sum(case.weight * case.win for case in self._cases) / total
        spread = sum(case.weight * case.spread for case in self._cases) / total
        is_exact = all(case.is_solved for case in self._cases)
        is_play = isinstance(self._candidate.move, Place)
        return PreendgameEstimate(self._candidate, win, spread, is_play and is_exact)

    def rank(self) -> tuple[bool, float, float]:
        """Return the key that sorts the best first, and those without a look last."""
        _, win, spread, _ = self.estimate
        return not self.stages, -win, -spread

    def _split(self) -> Iterator["_BagCase"]:
        is_play = isinstance(self._candidate.move, Place)
        for tile, weight in Counter(self._position.unseen).items():
            other = take_tiles((tile,), self._position.unseen)
            yield self._play(weight, tile, other) if is_play else self._wait(weight, tile, other)

    def _play(self, weight: int, tile: Tile, other: Tiles) -> "_BagCase":
        """Draw the tile, and let the other begin the endgame."""
        position, candidate = self._position, self._candidate
        scores = position.scores[1], position.scores[0] + candidate.points
        mine = multiset((*candidate.kept, tile))
        ending = _ending(position, candidate, other, mine, scores)
        return _BagCase(weight, scores[1] - scores[0], ending, sign=-1)

    def _wait(self, weight: int, tile: Tile, other: Tiles) -> "_BagCase":
        """Let the other take what looks best, and begin the endgame."""
        position, candidate = self._position, self._candidate
        rules, (first, second) = position.rules, position.scores
        bag: Tiles = (tile,)
        mine = position.rack
        if candidate.given:
            bag, mine = candidate.given, multiset((*candidate.kept, tile))
        scoreless = position.scoreless + 1
        if scoreless < rules.scoreless_turns(2):
            unseen, sizes, scores = multiset((*mine, *bag)), (len(mine),), (second, first)
            lexicon, board = position.lexicon, candidate.board
            there = Position(rules, lexicon, board, other, unseen, 1, sizes, scores, scoreless)
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
    """The rest of the game if a certain tile is in the bag.

    Args:
        weight: The number of unseen tiles of this kind.
        lead: Points that we are ahead by then.
        ending: The endgame; None if the game is taken to be over.
        sign: 1 if we begin the endgame, else -1.

    Attributes:
        win: 1, or 0, or 0.5 if the game is even.
        spread: Points that we are ahead in the end.
        is_solved: Whether both are certain.
    """

    def __init__(
        self, weight: int, lead: int, ending: Position | None = None, sign: int = 1
    ) -> None:
        self.weight, self._lead, self._ending, self._sign = weight, lead, ending, sign
        self.spread, self.win = lead, win_share(lead)
        self._is_decided = self.is_solved = ending is None

    def search(self, stage: SearchStage, is_over: IsOver) -> None:
        """Search the endgame as the stage says."""
        if self._ending is None or self.is_solved:
            return
        if stage.goal != "win":
            found = endgame.solve(self._ending, is_over, plies=stage.plies)
            self.spread = self._lead + self._sign * found.spread
            if not self._is_decided:
                self.win = win_share(self.spread)
            self.is_solved = found.exact
            self._is_decided = self._is_decided or found.exact
        elif not self._is_decided:
            threshold, plies = -self._sign * self._lead, stage.plies
            side, self._is_decided = endgame.compare(self._ending, threshold, is_over, plies=plies)
            self.win = win_share(self._sign * side)


def _ending(
    position: Position, latest: Candidate, rack: Tiles, unseen: Tiles, scores: tuple[int, int]
) -> Position:
    """Return the endgame after a play, for who has that rack."""
    rules, lexicon, sizes = position.rules, position.lexicon, (len(unseen),)
    return Position(rules, lexicon, latest.board, rack, unseen, 0, sizes, scores)
