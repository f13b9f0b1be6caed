"""Strategies: ways to use a turn, from looking at a few plays to looking ahead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from operator import attrgetter
from random import Random
from typing import Final

from crossroom_engine.analysis import endgame, preendgame
from crossroom_engine.analysis.position import IsOver, Position, TurnMove, best_turn, candidates
from crossroom_engine.analysis.simulation import simulate
from crossroom_engine.bots.brain import BotKnowledge
from crossroom_engine.core.moves import Exchange, Pass
from crossroom_engine.core.placement import place
from crossroom_engine.core.tiles import BLANK, multiset
from crossroom_engine.movegen import Play, best, plays
from crossroom_engine.movegen.leaves import Leaves

LOOK_AHEAD_CANDIDATES: Final = 24
"""Candidates that are worth looking ahead, the best by equity."""


ENDGAME_LOOKS: Final = 8
"""Times that a search of ``equity`` asks whether it is over: about 50 ms at most. It counts them,
and not the time, so that its games repeat exactly."""


@dataclass(frozen=True)
class LimitedSight:
    """The strategy of who takes the most points among the plays noticed by chance.

    Args:
        plays: The number of plays noticed.
        tiles: Plays that lay more tiles are noticed only if there are not enough others.
    """

    plays: int
    tiles: int = 9

    def __call__(self, known: BotKnowledge) -> TurnMove:
        """Choose a play, or for want of one an exchange, or a pass."""
        p = known.position
        found = plays(known.rules, p.board, p.rack, known.vocabulary, p.reclaimable)
        for play in self._ranked(known, found):
            placed = place(known.rules, p.board, play.spot, play.text, play.swaps)
            if not known.lexicon.phonies(placed.words):
                return play.move
        return _exchange(known)

    def _ranked(self, known: BotKnowledge, found: Sequence[Play]) -> Iterable[Play]:
        """Sort all plays as it would like to make them; dice decide between equals."""
        mixed = known.random.sample(found, len(found))
        mixed.sort(key=lambda play: len(play.tiles) > self.tiles)
        noticed = sorted(mixed[: self.plays], key=attrgetter("points"), reverse=True)
        return [*noticed, *mixed[len(noticed) :]]


def _exchange(known: BotKnowledge) -> TurnMove:
    """Exchange all but blanks, for want of a play; the dearest, if the bag cannot take all."""
    if "exchange" not in known.view.options:
        return Pass()
    unwanted = [tile for tile in known.view.rack if tile != BLANK]
    unwanted.sort(key=known.rules.tiles.points, reverse=True)
    given = multiset(unwanted[: known.view.bag])
    return Exchange(given) if given else Pass()


def most_points(known: BotKnowledge) -> TurnMove:
    """Choose the play with the most points, of the room's list."""
    p = known.position
    found = best(p.rules, p.board, p.rack, p.lexicon, reclaimable=p.reclaimable)
    return found[0].move if found else _exchange(known)


def equity(known: BotKnowledge) -> TurnMove:
    """Choose the most points together with the value of the kept tiles; solve short endgames."""
    p = known.position
    if endgame.applies(p):
        looks = count(1)
        return endgame.solve(p, lambda: known.is_over() or next(looks) > ENDGAME_LOOKS).move
    return candidates(p, known.leaves, 1)[0].move if p.reclaimable else best_turn(p, known.leaves)


def look_ahead(known: BotKnowledge) -> TurnMove:
    """Choose by playing on with tiles that may be there; near the end, by working it out."""
    return think(known.position, known.leaves, known.random, known.is_over)


def think(position: Position, leaves: Leaves, random: Random, is_over: IsOver) -> TurnMove:
    """Do as :func:`look_ahead` does, for a position without a game."""
    if endgame.applies(position):
        return endgame.solve(position, is_over).move
    if preendgame.applies(position):
        return preendgame.solve(position, leaves, is_over)[0].candidate.move
    found = candidates(position, leaves, LOOK_AHEAD_CANDIDATES)
    return simulate(position, found, leaves, random, is_over)[0].candidate.move
