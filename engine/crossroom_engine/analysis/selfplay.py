"""Games of two players who look no further than their own next play.

They serve to train leaves, to compare them, and to measure. The bag is shuffled once, and each seat
draws from its own end of it: two games of one seed, with the seats exchanged, are as alike as can
be.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from crossroom_engine.analysis.selfplay_python import (
    MAX_TURNS,
    MatchRules,
    SelfPlayGame,
    SelfPlayTurn,
)
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import multiset
from crossroom_engine.movegen.backends import BACKEND, kernel
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon

__all__ = [
    "Match", "PlayerLeaves", "SelfPlayTurn", "play_match", "play_match_in_python",
    "play_match_pairs",
]  # fmt: skip

PlayerLeaves: TypeAlias = tuple[Leaves | None, Leaves | None]
"""The leaves that each seat goes by; None for points alone."""


class Match(NamedTuple):
    """A whole game: the scores after the end adjustment, and the turns."""

    scores: tuple[int, int]
    turns: tuple[SelfPlayTurn, ...]


def play_match(
    rules: Ruleset, lexicon: Lexicon, seed: int, players: PlayerLeaves = (None, None)
) -> Match:
    """Play a game. The same seed, rules and words give the same game everywhere.

    A player takes the best play, as :func:`~crossroom_engine.movegen.best` has it. One who goes by
    leaves exchanges if the tiles kept are worth more than that, and goes by the end adjustment when
    the bag is empty. One who does not exchanges all it can if it has no play. Phonies, clocks and
    the rule about returning blanks do not come into it.

    Args:
        rules: The rules of the game; two players take part.
        lexicon: The words that both know.
        seed: 0 up to 2**64 - 1.
        players: The leaves of who begins, and of the other.

    Raises:
        ValueError: the bag has more than 1,000 tiles.
    """
    if BACKEND == "python":
        return play_match_in_python(rules, lexicon, seed, players)
    terms = MatchRules.from_rules(rules, 2)
    engine = kernel(rules, lexicon)
    first, second = map(engine.compile_leaves, players)
    scores, turns = engine.match(seed, rules.tiles.distribution, terms, first, second)
    return Match(scores, tuple(SelfPlayTurn(*turn[:-1], multiset(turn[-1])) for turn in turns))


def play_match_pairs(
    rules: Ruleset, lexicon: Lexicon, seed: int, players: PlayerLeaves
) -> Iterator[tuple[Match, Match]]:
    """Play games without end, two of each seed, the seats exchanged in the second."""
    while True:
        there = play_match(rules, lexicon, seed, players)
        yield there, play_match(rules, lexicon, seed, players[::-1])
        seed = (seed + 1) % 2**64


def play_match_in_python(
    rules: Ruleset, lexicon: Lexicon, seed: int, players: PlayerLeaves
) -> Match:
    """Do as :func:`play_match` does, without the kernel."""
    game = SelfPlayGame(rules, lexicon, players, rules.tiles.distribution, seed)
    for seat in (0, 1):
        game.fill_rack(seat, rules.rack)
    turns = [game.play_turn()]
    while not game.end_turn(turns[-1].laid > 0) and len(turns) < MAX_TURNS:
        turns.append(game.play_turn())
    game.settle()
    return Match((game.scores[0], game.scores[1]), tuple(turns))
