"""How a bot decides: what it knows, what makes a level, and the move that follows.

A bot never sees a :class:`~crossroom_engine.game.Game`, only the view of its own seat.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from crossroom_engine.board import Board
from crossroom_engine.lexicon import Lexicon
from crossroom_engine.movegen import Play, plays
from crossroom_engine.moves import Accept, Challenge, Exchange, Move, Pass, Place
from crossroom_engine.placement import place
from crossroom_engine.rules import Ruleset
from crossroom_engine.tiles import BLANK, multiset
from crossroom_engine.views import View


@dataclass(frozen=True)
class Knowledge:
    """All that a bot may go by.

    Args:
        view: The game, as the bot's own seat sees it.
        rules: Of the game.
        lexicon: The room's word list: what a challenge is judged by.
        vocabulary: The words that the bot knows. Of these it plays those that are in *lexicon*.
        random: Its dice; equal knowledge and equal dice make the same move.
    """

    view: View
    rules: Ruleset
    lexicon: Lexicon
    vocabulary: Lexicon
    random: Random


Rank: TypeAlias = Callable[[Knowledge, Sequence[Play]], Iterable[Play]]
"""Puts all plays that a bot has found in the order in which it would like to make them."""


@dataclass(frozen=True)
class Level:
    """One kind of bot.

    Args:
        name: What people call it.
        description: Its strength and its habits, for people.
        rank: How it chooses its play.
        vocabulary: The name of the word list it knows, by the name of the tile set. With other
            tiles it knows the room's whole list.
        challenges: Does it challenge every play that is not in the room's list?
    """

    name: str
    description: str
    rank: Rank
    vocabulary: Mapping[str, str]
    challenges: bool

    def choose(
        self, view: View, rules: Ruleset, lexica: Callable[[str], Lexicon], random: Random
    ) -> Move | None:
        """The move that the seat of *view* makes now; None if it has nothing to do or say.

        To be asked after every event, on turn and off: a bot may want to challenge, and after a
        challenge its own turn may still be to come. It never resigns.

        Args:
            view: Of the bot's own seat.
            rules: Of the game.
            lexica: Opens a word list by name: that of the rules, and the bot's vocabulary.
            random: Its dice; equal views and equal dice make the same move.
        """
        words = self.vocabulary.get(rules.tiles.name, rules.lexicon)
        known = Knowledge(view, rules, lexica(rules.lexicon), lexica(words), random)
        if self.challenges and "challenge" in view.options and _is_phony_open(known):
            return Challenge()
        if "accept" in view.options:
            return Accept()
        if "place" not in view.options:
            return None
        return self._play(known) or _exchange(known)

    def _play(self, known: Knowledge) -> Place | None:
        """The play it likes best of those that the room's list allows."""
        view, rules = known.view, known.rules
        board = Board.read(view.board, rules.tiles)
        found = plays(rules, board, view.rack, known.vocabulary, view.reclaimable)
        for play in self.rank(known, found):
            placement = place(rules, board, play.spot, play.text, play.swaps)
            if _are_words(known, placement.words):
                return play.move
        return None


def _is_phony_open(known: Knowledge) -> bool:
    play = known.view.open_play
    return play is not None and not _are_words(known, play.words)


def _are_words(known: Knowledge, words: Sequence[str]) -> bool:
    return not known.lexicon.phonies(words)


def _exchange(known: Knowledge) -> Move:
    """For want of a play: all but blanks go back, the dearest first if the bag cannot take all."""
    if "exchange" not in known.view.options:
        return Pass()
    unwanted = [tile for tile in known.view.rack if tile != BLANK]
    unwanted.sort(key=known.rules.tiles.points, reverse=True)
    given = multiset(unwanted[: known.view.bag])
    return Exchange(given) if given else Pass()
