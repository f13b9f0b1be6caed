"""Sealed games, played at random, with everything in them that draws tiles or puts them back."""

from functools import cache

from crossroom_engine.core.events import Event
from crossroom_engine.core.rules import Ruleset
from tests.support.tiny_ruleset import RULES
from tests.unit.engine.game.test_game_stateful import play_a_game

SEED = bytes(range(32)).hex()


@cache
def sealed_games() -> tuple[tuple[Event, ...], ...]:
    """Eighteen for each set of rules of the tiny ruleset, for two to four players."""
    return tuple(sealed_game(rules, seed) for rules in RULES.values() for seed in range(18))


def sealed_game(rules: Ruleset, seed: int) -> tuple[Event, ...]:
    return tuple(play_a_game(rules, 2 + seed % (rules.players - 1), seed, sealed=True).log)
