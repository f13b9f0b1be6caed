"""Endgames in plain Python: the fallback for ``kernel/endgame.c``, and its test.

It is plain negamax with alpha and beta, deeper and deeper, and gives the same spread wherever both
say that it is exact.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import TimeIsOver
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, take_tiles
from crossroom_engine.movegen.play import Play
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words.lexicon import Lexicon

MAX_SPREAD: Final = 10**12
"""Points that nobody ever makes."""

Step: TypeAlias = tuple[Spot, str, int] | None


class EndgameNode(NamedTuple):
    """A position; ``rack`` is of the player to move. After two passes it is the end."""

    board: Board
    rack: Tiles
    other: Tiles
    passes: int


class SearchValue(NamedTuple):
    """The value of a position to the player to move; exact if no guess could change it."""

    value: int
    line: tuple[Play | None, ...] = ()
    exact: bool = True


def solve_in_python(
    rules: Ruleset,
    lexicon: Lexicon,
    board: Board,
    rack: Tiles,
    other: Tiles,
    is_last_pass: bool,
    is_adjusted: bool,
    is_over: Callable[[], bool],
    most_plies: int,
    threshold: int | None,
) -> tuple[list[Step], int, int, bool, int]:
    """Solve an endgame: steps, spread, depth, whether it is exact, nodes."""
    search = _Search(rules, lexicon, is_adjusted, is_over)
    root = EndgameNode(board, rack, other, int(is_last_pass))
    found, depth = search.play_out(root), 0
    alpha, beta = (-MAX_SPREAD, MAX_SPREAD) if threshold is None else (threshold - 1, threshold + 1)
    try:
        while depth < most_plies and not found.exact:
            found = search.negamax(root, depth + 1, alpha, beta)
            depth += 1
    except TimeIsOver:
        pass
    steps: list[Step] = [one and (one.spot, one.text, one.points) for one in found.line]
    return [] if threshold is not None else steps, found.value, depth, found.exact, search.nodes


class _Search:
    def __init__(
        self, rules: Ruleset, lexicon: Lexicon, is_adjusted: bool, is_over: Callable[[], bool]
    ) -> None:
        self._rules, self._is_over, self.nodes = rules, is_over, 0
        self._plays = cache(PythonBackend(rules, lexicon).plays)
        self._total = rules.tiles.total_points if is_adjusted else lambda tiles: 0

    def negamax(self, node: EndgameNode, depth: int, alpha: int, beta: int) -> SearchValue:
        """Return the value of a position, if it lies between *alpha* and *beta*; else a bound."""
        if (end := self._end(node)) is not None:
            return SearchValue(end)
        if self._is_over():
            raise TimeIsOver
        self.nodes += 1
        if not depth:
            return self.play_out(node)
        best, exact = SearchValue(-MAX_SPREAD), True
        for play in (*self._by_looks(node), None):
            after = self._after(node, play)
            points = play.points if play else 0
            rest = self.negamax(after, depth - 1, points - beta, points - max(alpha, best.value))
            exact = exact and rest.exact
            if points - rest.value > best.value:
                best = SearchValue(points - rest.value, (play, *rest.line), rest.exact)
            if best.value >= beta:
                return best
        return best._replace(exact=exact)

    def play_out(self, node: EndgameNode) -> SearchValue:
        """Guess by letting both go on with what looks best."""
        line: list[Play | None] = []
        value, sign = 0, 1
        while (end := self._end(node)) is None:
            play = next(iter(self._by_looks(node)), None)
            line.append(play)
            value += sign * play.points if play else 0
            node, sign = self._after(node, play), -sign
        return SearchValue(value + sign * end, tuple(line), exact=False)

    def _by_looks(self, node: EndgameNode) -> list[Play]:
        """Return the plays, by points and what the end adjustment makes of the tiles left."""

        def looks(play: Play) -> int:
            left = self._total(take_tiles(play.tiles, node.rack))
            out = len(play.tiles) == len(node.rack)
            return play.points + 2 * (self._total(node.other) if out else -left)

        return sorted(self._plays(node.board, node.rack), key=looks, reverse=True)

    def _after(self, node: EndgameNode, play: Play | None) -> EndgameNode:
        """Return where a play or a pass leads, for the other player."""
        if play is None:
            return EndgameNode(node.board, node.other, node.rack, node.passes + 1)
        laid = place(self._rules, node.board, play.spot, play.text).laid
        left = take_tiles(play.tiles, node.rack)
        return EndgameNode(node.board.with_letters(dict(laid)), node.other, left, 0)

    def _end(self, node: EndgameNode) -> int | None:
        """Return what the end adjustment brings who would be to move, if this is the end."""
        if not node.other:
            return -2 * self._total(node.rack)
        if node.passes < 2:
            return None
        return self._total(node.other) - self._total(node.rack)
