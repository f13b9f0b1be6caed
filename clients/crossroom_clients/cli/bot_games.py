"""Games of bots against each other, by the rules, through the referee."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from random import Random
from typing import Any, NamedTuple

from crossroom_engine.bots import Level
from crossroom_engine.core.events import Seat
from crossroom_engine.core.moves import Exchange, Move, Pass, Place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.game import Game, apply, replay
from crossroom_engine.game.referee import DecisionContext, decide, start_game
from crossroom_engine.game.views import view
from crossroom_engine.words.lexicon import Lexicon


class BotGame(NamedTuple):
    """A whole game: the scores, and the seconds that each turn took, by seat."""

    scores: tuple[int, ...]
    seconds: tuple[tuple[float, ...], ...]


def play_game(
    rules: Ruleset, lexica: Callable[[str], Lexicon], levels: Sequence[Level], seed: int
) -> BotGame:
    """Let bots play a game to its end.

    Equal seeds give each seat the same tiles as long as it draws as many of them. The clocks of the
    game stand still; each level keeps to its own budget.

    Args:
        rules: Of the game.
        lexica: Opens word lists by name.
        levels: Who sits where.
        seed: Of the bag and of the bots.
    """
    bag = TwoEndedBag(seed)
    context = DecisionContext(lexica(rules.lexicon), bag, now=0)
    dice = [Random(f"{seed} {seat}") for seat in range(len(levels))]
    seconds: tuple[list[float], ...] = tuple([] for _ in levels)
    game = replay(
        start_game(rules, tuple(f"{level.name} {at}" for at, level in enumerate(levels)), context)
    )
    while game.phase != "over":
        seat, move, taken = _next(game, levels, lexica, dice)
        if isinstance(move, Place | Exchange | Pass):
            seconds[seat].append(taken)
        bag.seat = seat
        game = reduce(apply, decide(game, seat, move, context), game)
    return BotGame(tuple(player.score for player in game.players), tuple(map(tuple, seconds)))


def _next(
    game: Game, levels: Sequence[Level], lexica: Callable[[str], Lexicon], dice: Sequence[Random]
) -> tuple[Seat, Move, float]:
    """Return the next move and its seat; those who are not on turn come first."""
    for seat in sorted(game.active, key=lambda seat: seat == game.on_turn):
        begun = time.monotonic()
        over = begun + levels[seat].budget_s
        move = levels[seat].choose(
            view(game, seat), game.rules, lexica, dice[seat], partial(_is_past, over)
        )
        if move is not None:
            return seat, move, time.monotonic() - begun
    raise RuntimeError("no bot has anything to do, and the game is not over")


def _is_past(moment: float) -> bool:
    return time.monotonic() > moment


class TwoEndedBag(Random):
    """Dice that keep a bag in order, and draw from it for each seat from its own end.

    So two games of one seed are as alike as they can be, whoever plays them. What comes back into
    the bag, at first all of it, is put anywhere.

    Attributes:
        seat: Who draws: those with even numbers from the front, the others from the back.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seat: Seat = 0
        self._order: list[Any] = []

    def sample(self, population: Iterable[Any], k: int, *, counts: object = None) -> list[Any]:
        """Draw *k* of *population*: what the bag holds now."""
        returned = Counter(population) - Counter(self._order)
        for tile in sorted(returned.elements()):
            self._order.insert(self.randrange(len(self._order) + 1), tile)
        if self.seat % 2 == 0:
            drawn, self._order = self._order[:k], self._order[k:]
        else:
            left = len(self._order) - k
            drawn, self._order = self._order[left:][::-1], self._order[:left]
        return drawn
