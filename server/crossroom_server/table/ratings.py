"""Rates the strength of players from their games, of any number of players, ties included.

The model is Plackett-Luce with the update of Weng and Lin (`A Bayesian approximation method for
online ranking`, 2011), as implemented by :mod:`openskill`.
"""

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from crossroom_protocol.events.results import PlayerResult
from crossroom_server.table.player_totals import Skill

_MODEL: Final = PlackettLuce()


_NEW: Final = _MODEL.rating()
UNRATED: Final = Skill(_NEW.mu, _NEW.sigma)


def update_skills(skills: Sequence[Skill], players: Sequence[PlayerResult]) -> list[Skill]:
    """Return the skills of *players* after a game, from their *skills* before it.

    Winners come first, then the others by their points, last those who were out before the end.
    """
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    after = _MODEL.rate(teams, ranks=_ranks(players))
    return [
        Skill(rating.mu, rating.sigma, skill.games + 1, skill.won + player.won)
        for (rating,), skill, player in zip(after, skills, players, strict=True)
    ]


def _ranks(players: Sequence[PlayerResult]) -> list[float]:
    """Return a rank for each player; 0 is the best, and equal numbers are ties."""
    merits = [
        (True, True, 0) if p.won else (False, not p.left, 0 if p.left else p.score) for p in players
    ]
    order = sorted(set(merits), reverse=True)
    return [float(order.index(merit)) for merit in merits]
