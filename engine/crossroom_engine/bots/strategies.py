"""Ways of using a turn, from looking at a few plays to looking ahead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from crossroom_engine.analysis import endgame, preendgame
from crossroom_engine.analysis.position import TurnMove, candidates
from crossroom_engine.analysis.simulation import simulate
from crossroom_engine.bots.brain import BotKnowledge
from crossroom_engine.core.moves import Exchange, Pass
from crossroom_engine.core.placement import place
from crossroom_engine.core.tiles import BLANK, multiset
from crossroom_engine.movegen import Play, best, plays

LOOK_AHEAD_CANDIDATES: Final = 24
"""Ways to use a turn that are worth looking ahead, the best by equity."""


@dataclass(frozen=True)
class LimitedSight:
    """Take the most points among the plays that happen to catch the eye.

    Args:
        plays: How many are noticed.
        tiles: Plays that lay more tiles are noticed only when there are not enough others.
    """

    plays: int
    tiles: int = 9

    def __call__(self, known: BotKnowledge) -> TurnMove:
        """The play, or for want of one an exchange, or a pass."""
        position = known.position
        found = plays(
            known.rules,
            position.board,
            position.rack,
            known.vocabulary,
            position.reclaimable,
        )
        for play in self._ranked(known, found):
            placed = place(known.rules, position.board, play.spot, play.text, play.swaps)
            if not known.lexicon.phonies(placed.words):
                return play.move
        return _exchange(known)

    def _ranked(self, known: BotKnowledge, found: Sequence[Play]) -> Iterable[Play]:
        """All plays in the order in which it would like to make them; dice decide of equals."""
        mixed = known.random.sample(found, len(found))
        mixed.sort(key=lambda play: len(play.tiles) > self.tiles)
        noticed = sorted(mixed[: self.plays], key=attrgetter("points"), reverse=True)
        return [*noticed, *mixed[len(noticed) :]]


def _exchange(known: BotKnowledge) -> TurnMove:
    """For want of a play: all but blanks go back, the dearest first if the bag cannot take all."""
    if "exchange" not in known.view.options:
        return Pass()
    unwanted = [tile for tile in known.view.rack if tile != BLANK]
    unwanted.sort(key=known.rules.tiles.points, reverse=True)
    given = multiset(unwanted[: known.view.bag])
    return Exchange(given) if given else Pass()


def most_points(known: BotKnowledge) -> TurnMove:
    """The play with the most points, of the room's list."""
    position = known.position
    found = best(
        position.rules,
        position.board,
        position.rack,
        position.lexicon,
        reclaimable=position.reclaimable,
    )
    return found[0].move if found else _exchange(known)


def equity(known: BotKnowledge) -> TurnMove:
    """The most points, together with what the tiles are worth that stay in the rack."""
    return candidates(known.position, known.leaves, 1)[0].move


def look_ahead(known: BotKnowledge) -> TurnMove:
    """Play games on from here with tiles that may be there; near the end, work it out."""
    position = known.position
    if endgame.applies(position):
        return endgame.solve(position, known.is_over).move
    if preendgame.applies(position):
        return preendgame.solve(position, known.leaves, known.is_over)[0].candidate.move
    found = candidates(position, known.leaves, LOOK_AHEAD_CANDIDATES)
    return simulate(position, found, known.leaves, known.random, known.is_over)[0].candidate.move
