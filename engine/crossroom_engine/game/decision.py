"""A decision in the making: the events so far, and the game they lead to."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from random import Random

from crossroom_engine.core.dice import Chance, Dice
from crossroom_engine.core.errors import WrongLexicon
from crossroom_engine.core.events import Ended, Event
from crossroom_engine.game.game import Game, apply
from crossroom_engine.words.lexicon import Lexicon


@dataclass(frozen=True)
class DecisionContext:
    """All that a decision may consult besides the game.

    Args:
        lexicon: The word list.
        random: The source of draws of games whose bag is not sealed.
        now: The time, in milliseconds since 1970 (UTC).
    """

    lexicon: Lexicon
    random: Random
    now: int


class Decision:
    """The events so far, and the game they lead to."""

    def __init__(self, game: Game, context: DecisionContext, events: Iterable[Event] = ()) -> None:
        self.game, self.context = game, context
        self._events = list(events)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far."""
        return tuple(self._events)

    @property
    def lexicon(self) -> Lexicon:
        """The agreed word list (RULES 8.1)."""
        if self.context.lexicon.digest != self.game.digest:
            raise WrongLexicon(f"this game needs {self.game.lexicon}, {self.game.digest}")
        return self.context.lexicon

    def chance(self, what: str, number: int) -> Chance:
        """Return the source of draw *number* of a kind: the game's seed, if any (RULES 9.2)."""
        seed = self.game.seed
        return Dice(seed, f"{what} {number}") if seed else self.context.random

    def add(self, *events: Event) -> None:
        """Add events; the one that ends the game reveals its seed."""
        seed = self.game.seed
        told = [replace(e, seed=seed) if isinstance(e, Ended) else e for e in events]
        self._events += told
        self.game = reduce(apply, told, self.game)
