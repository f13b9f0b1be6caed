"""Bots: what they know, what makes a level, and how a level chooses a move.

A bot never sees a :class:`~crossroom_engine.game.game.Game`, only the view of its own seat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import TypeAlias

from crossroom_engine.analysis.position import IsOver, Position, TurnMove
from crossroom_engine.bots.avoided import decent_move
from crossroom_engine.core.moves import Accept, Challenge, Move
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_engine.movegen import leaves
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon


def never_over() -> bool:
    """Return False: there is time."""
    return False


@dataclass(frozen=True)
class BotKnowledge:
    """All that a bot may go by.

    Args:
        view: The game, as the bot's own seat sees it.
        rules: The rules of the game.
        lexicon: The room's word list, which challenges are judged by.
        vocabulary: The words that the bot knows. Of these it plays those that are in *lexicon*.
        random: Its dice; equal knowledge and equal dice make the same move, given the time.
        is_over: Whether the time is up. A bot that looks ahead asks often, and then moves with what
            it has found; others are done at once.
    """

    view: View
    rules: Ruleset
    lexicon: Lexicon
    vocabulary: Lexicon
    random: Random
    is_over: IsOver = never_over

    @cached_property
    def position(self) -> Position:
        """The position to think about on its turn."""
        return Position.from_view(self.view, self.rules, self.lexicon)

    @cached_property
    def leaves(self) -> Leaves:
        """The values of kept tiles; none, if nobody has found them out for this list."""
        return leaves.find_leaves(self.lexicon, self.rules.tiles)


Strategy: TypeAlias = Callable[[BotKnowledge], TurnMove]
"""A way to use a turn."""


@dataclass(frozen=True)
class Level:
    """A level of bots.

    Args:
        name: The name of the level.
        description: Its strength and its habits, for people.
        strategy: Its way to use a turn.
        vocabulary: The name of the word list it plays from, by the name of the tile set. With other
            tiles it knows the room's whole list.
        phony_recognition: The share of phonies that it recognises, 0 to 1, and then challenges. It
            never challenges a word that is in the room's list.
        budget_s: Seconds that a turn may take.
    """

    name: str
    description: str
    strategy: Strategy
    vocabulary: Mapping[str, str] = field(default_factory=dict)
    phony_recognition: float = 1.0
    budget_s: float = 0.1

    @property
    def is_quick(self) -> bool:
        """Whether it answers at once. Others look ahead as long as they may: a second or more."""
        return self.budget_s < 1

    def choose(
        self,
        view: View,
        rules: Ruleset,
        lexica: Callable[[str], Lexicon],
        random: Random,
        is_over: IsOver = never_over,
    ) -> Move | None:
        """Return the move that the seat of *view* makes now; None if it has nothing to do or say.

        To be asked after every event, whoever's turn it is: a bot may want to challenge, and after
        a challenge its own turn may still be to come. It never resigns.

        Args:
            view: The view of the bot's own seat.
            rules: The rules of the game.
            lexica: Opens a word list by name: that of the rules, and the bot's vocabulary.
            random: Its dice; equal views and equal dice make the same move, given the time.
            is_over: Whether the budget is spent. Asked by levels that look ahead; then they move.
        """
        words = self.vocabulary.get(rules.tiles.name, rules.lexicon)
        known = BotKnowledge(view, rules, lexica(rules.lexicon), lexica(words), random, is_over)
        if "challenge" in view.options and self._sees_phony(known):
            return Challenge()
        if "accept" in view.options:
            return Accept()
        if "place" not in view.options:
            return None
        return decent_move(known.position, known.leaves, self.strategy(known))

    def _sees_phony(self, known: BotKnowledge) -> bool:
        play = known.view.open_play
        if play is None or not self.phony_recognition:
            return False
        return any(map(self._recognises, known.lexicon.phonies(play.words)))

    def _recognises(self, phony: str) -> bool:
        """Return the same for the same word, for all bots of this level."""
        return Random(f"{self.name} {phony}").random() < self.phony_recognition
