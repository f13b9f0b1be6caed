"""How a bot decides: what it knows, what makes a level, and the move that follows.

A bot never sees a :class:`~crossroom_engine.game.game.Game`, only the view of its own seat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TypeAlias

from crossroom_engine.analysis.position import Position, TurnMove
from crossroom_engine.core.moves import Accept, Challenge, Move
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_engine.movegen import leaves
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon


def never_over() -> bool:
    """There is time."""
    return False


@dataclass(frozen=True)
class BotKnowledge:
    """All that a bot may go by.

    Args:
        view: The game, as the bot's own seat sees it.
        rules: Of the game.
        lexicon: The room's word list: what a challenge is judged by.
        vocabulary: The words that the bot knows. Of these it plays those that are in *lexicon*.
        random: Its dice; equal knowledge and equal dice make the same move, given the time.
        is_over: Is the time up? A bot that thinks for long asks often, and then moves with what it
            has found; others are done at once.
    """

    view: View
    rules: Ruleset
    lexicon: Lexicon
    vocabulary: Lexicon
    random: Random
    is_over: Callable[[], bool] = never_over

    @cached_property
    def position(self) -> Position:
        """What it has to think about on its turn."""
        return Position.from_view(self.view, self.rules, self.lexicon)

    @cached_property
    def leaves(self) -> Leaves:
        """What tiles are worth that it keeps; nothing, if nobody has found out for this list."""
        return leaves.find_leaves(self.lexicon, self.rules.tiles)


Strategy: TypeAlias = Callable[[BotKnowledge], TurnMove]
"""What a bot does with its turn."""


@dataclass(frozen=True)
class Level:
    """One kind of bot.

    Args:
        name: What people call it.
        description: Its strength and its habits, for people.
        strategy: How it uses its turn.
        vocabulary: The name of the word list it plays from, by the name of the tile set. With
            other tiles it knows the room's whole list.
        spots: The share of phonies that it recognises, 0 to 1, and then challenges. It never
            challenges a word that is in the room's list.
        budget: Seconds that a turn may take.
    """

    name: str
    description: str
    strategy: Strategy
    vocabulary: Mapping[str, str]
    phony_recognition: float
    budget_s: float = 0.1

    @property
    def is_quick(self) -> bool:
        """Does it answer at once? Others look ahead, for as long as they may: a second or more."""
        return self.budget_s < 1

    def choose(
        self,
        view: View,
        rules: Ruleset,
        lexica: Callable[[str], Lexicon],
        random: Random,
        is_over: Callable[[], bool] = never_over,
    ) -> Move | None:
        """The move that the seat of *view* makes now; None if it has nothing to do or say.

        To be asked after every event, on turn and off: a bot may want to challenge, and after a
        challenge its own turn may still be to come. It never resigns.

        Args:
            view: Of the bot's own seat.
            rules: Of the game.
            lexica: Opens a word list by name: that of the rules, and the bot's vocabulary.
            random: Its dice; equal views and equal dice make the same move, given the time.
            is_over: Is the budget spent? Asked by levels that look ahead; then a move follows.
        """
        words = self.vocabulary.get(rules.tiles.name, rules.lexicon)
        known = BotKnowledge(view, rules, lexica(rules.lexicon), lexica(words), random, is_over)
        if "challenge" in view.options and self._sees_phony(known):
            return Challenge()
        if "accept" in view.options:
            return Accept()
        return self.strategy(known) if "place" in view.options else None

    def _sees_phony(self, known: BotKnowledge) -> bool:
        play = known.view.open_play
        if play is None or not self.phony_recognition:
            return False
        return any(map(self._recognises, known.lexicon.phonies(play.words)))

    def _recognises(self, phony: str) -> bool:
        """The same word is always recognised, or never, by bots of the same level."""
        return Random(f"{self.name} {phony}").random() < self.phony_recognition
