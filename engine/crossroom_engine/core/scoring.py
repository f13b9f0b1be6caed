"""Points of one play: letter premiums, then word premiums, then the bonus. RULES 3."""

from collections.abc import Collection, Iterable

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import Ruleset


def score_play(rules: Ruleset, board: Board, words: Iterable[range], new: Collection[int]) -> int:
    """Return the points of all *words* and of the bingo bonus.

    Args:
        rules: Of the game.
        board: With the play on it.
        words: The squares of each word formed, as indices of ``board``, row by row from 0.
        new: The squares that the play covers.
    """
    bonus = rules.bingo if len(new) == rules.rack else 0
    return sum(_score_word(rules, board, word, new) for word in words) + bonus


def _score_word(rules: Ruleset, board: Board, word: range, new: Collection[int]) -> int:
    """Return the points of a word; premiums count on newly covered squares only."""
    premiums, points = rules.layout.premiums, rules.tiles.points
    total, factor = 0, 1
    letters = filter(None, board.squares[word.start : word.stop : word.step])
    for at, letter in zip(word, letters, strict=True):
        is_new = at in new
        total += points(letter.tile) * (premiums[at].letter if is_new else 1)
        factor *= premiums[at].word if is_new else 1
    return total * factor
