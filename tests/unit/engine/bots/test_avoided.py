"""Words that no bot lays."""

from random import Random

import pytest

from crossroom_engine.bots import LEVELS
from crossroom_engine.bots.avoided import avoided_words
from crossroom_engine.core.moves import Place
from crossroom_engine.game.views import view
from crossroom_engine.words.lexicon import Lexicon
from tests.support.game_driver import GameDriver


def test_the_list_is_sorted_and_has_no_word_twice() -> None:
    words = avoided_words()
    assert len(words) > 80
    assert all(word.isascii() and word.isupper() for word in words)


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_lays_a_word_of_the_list(level: str) -> None:
    """GOOK is the best play, and OK the only other one."""
    table = GameDriver(racks=["GKOOIII", "AAAEEEE"], words="GOOK OK")
    words = Lexicon.from_words("english", ["GOOK", "OK"], table.rules.tiles)
    move = LEVELS[level].choose(view(table.game, 0), table.rules, lambda _: words, Random(1))
    assert not isinstance(move, Place) or move.text == "OK"
