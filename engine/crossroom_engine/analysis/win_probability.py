"""The probability to win a game that is not over, from the scores and what is still to come.

It is a logistic function of the spread, whose scale grows with the square root of the tiles unseen:
the rest of the game is a sum of about so many plays. It was fitted by maximum likelihood to the
99,833 positions of 4,649 games of static self-play (``selfplay.play_match``, official rules, the
list "english"). On those, the tenths of probability were won as often as predicted, within 0.07,
most within 0.02.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from crossroom_engine.analysis.position import Candidate, Position
from crossroom_engine.core.rules import Ruleset

ODDS_SCALE_POINTS: Final = 6.2
"""Points of spread by which the odds grow e-fold, times the square root of the tiles unseen."""

EXTRA_UNSEEN_TILES: Final = 1.2
"""Tiles added to the unseen: even without any, the player to move is not quite sure."""

TEMPO_POINTS: Final = 20.0
"""Value of moving next."""

FULL_TEMPO_TILES: Final = 5
"""Unseen tiles below which that value is less, in proportion."""

POINTS_PER_TILE: Final = 8.0
"""Points that a tile brings, about, over all plays of a game."""


def win_probability(spread: float, unseen: float, is_next: bool = True) -> float:
    """Return the probability that one player wins against another, 0 to 1.

    Args:
        spread: Points of the player less those of the other, each with the value of the tiles kept
            after the latest turn.
        unseen: Tiles in the bag and on the other's rack.
        is_next: Whether the player moves before the other does.
    """
    tempo = TEMPO_POINTS * min(1.0, unseen / FULL_TEMPO_TILES)
    scale = ODDS_SCALE_POINTS * sqrt(unseen + EXTRA_UNSEEN_TILES)
    odds = (spread + (tempo if is_next else -tempo)) / scale
    return 1 / (1 + exp(-odds)) if odds > 0 else 1 - 1 / (1 + exp(odds))


def first_win_probability(
    rules: Ruleset, standings: Sequence[float], unseen: int, moves: int
) -> float:
    """Return the probability that the first of two to four players beats the best of the others.

    Where a target ends the game, no more tiles count as unseen than are about needed to reach it.

    Args:
        rules: The rules of the game.
        standings: The points of each player, with the value of the tiles kept.
        unseen: Tiles in the bag and on the racks of the others.
        moves: Who moves next, an index of *standings*.
    """
    players = len(standings)
    rival = max(range(1, players), key=standings.__getitem__)
    left = float(unseen)
    if rules.target is not None:
        needed = max(0.0, rules.target - max(standings)) * players / POINTS_PER_TILE
        left = min(left, needed)
    is_next = -moves % players < (rival - moves) % players
    return win_probability(standings[0] - standings[rival], left, is_next)


def outlook_at_sight(position: Position, candidate: Candidate) -> tuple[float, float]:
    """Guess by equity alone: return the probability to win with a candidate, and the spread."""
    mine, *others = position.scores
    standings = [mine + candidate.equity / 1000, *others]
    win = first_win_probability(position.rules, standings, len(position.unseen), 1)
    return win, standings[0] - max(others)


def win_share(spread: float) -> float:
    """Return 1 for a win, 0 for a loss, and 0.5 for a tie, by the final spread."""
    return 0.5 if spread == 0 else float(spread > 0)
