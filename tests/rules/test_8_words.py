"""RULES 8: words. The builder of lists has its own tests (8.2), looking words up is the room's."""

from random import Random

import pytest

from crossroom_engine.core.errors import WrongLexicon
from crossroom_engine.core.events import Started
from crossroom_engine.core.moves import CallTime, Resign
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.game.game import replay
from crossroom_engine.game.referee import DecisionContext, decide, decide_official, start_game
from tests.support.game_driver import WORDS, GameDriver, kinds, word_list


def test_8_1_the_name_and_the_digest_are_in_the_first_event() -> None:
    rules = PRESETS["official"]
    lexicon = word_list(WORDS, rules.tiles)
    events = start_game(rules, ("ann", "bob"), DecisionContext(lexicon, Random(7), 0))
    assert isinstance(events[0], Started)
    assert (events[0].lexicon, events[0].digest) == (lexicon.name, lexicon.digest)
    game = replay(events)
    assert (game.lexicon, game.digest) == (lexicon.name, lexicon.digest)


def test_8_1_the_digest_is_of_the_words() -> None:
    tiles = PRESETS["official"].tiles
    assert word_list("CAT DOG", tiles).digest == word_list("DOG CAT", tiles).digest
    assert word_list("CAT DOG", tiles).digest != word_list("CAT DOGS", tiles).digest


def test_8_1_no_other_list_judges_the_game() -> None:
    table = GameDriver("official", ["CATIIII", "DOG"])
    table.play(0, "8H", "CAT")
    table.lexicon = word_list("DOG", table.rules.tiles)
    with pytest.raises(WrongLexicon, match=table.game.digest):
        table.challenge(1)
    table = GameDriver("race", ["CATIIII", "DOG"])
    table.lexicon = word_list("CAT", table.rules.tiles)
    with pytest.raises(WrongLexicon):
        table.play(0, "8H", "CAT")


def test_8_1_what_needs_no_words_goes_on_without_the_list() -> None:
    table = GameDriver("official", ["CATIIII", "DOG"])
    context = DecisionContext(word_list("DOG", table.rules.tiles), Random(7), table.now)
    assert decide_official(table.game, CallTime(), context) == ()
    assert kinds(decide(table.game, 0, Resign(), context)) == ["retired", "ended"]
