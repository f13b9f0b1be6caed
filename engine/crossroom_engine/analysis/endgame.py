"""Endgames of two players: the bag is empty, so each can tell the other's rack.

The game is a tree then, which ``kernel/endgame.c`` searches by negamax, deeper and deeper. The best
move is the one that wins the most points against somebody who looks as far; whether it keeps a lead
follows from the points.
"""

from typing import Final, NamedTuple

from crossroom_engine.analysis.position import IsOver, Position
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.moves import Pass, Place
from crossroom_engine.movegen.backends import BACKEND, kernel

MAX_PLIES: Final = 38
"""Turns that an endgame can take, passes included: the search never goes deeper."""


class Solution(NamedTuple):
    """The result of a search.

    Attributes:
        move: The best for whoever is to move, or what seems so.
        spread: Points that this player gains on the other until the end, the end adjustment
            included.
        line: The play of both, as far as it is known; the first is the move.
        depth: Turns that were looked ahead; none if there was no time: then the line is what looks
            best at sight.
        exact: Whether it is certain that neither can do better. Else the spread is a guess.
        nodes: Positions that were looked at.
    """

    move: Place | Pass
    spread: int
    line: tuple[Place | Pass, ...]
    depth: int
    exact: bool
    nodes: int


def applies(position: Position) -> bool:
    """Return whether an endgame of two can be solved: an empty bag, no target, blanks that stay."""
    sizes = (len(position.unseen),)
    has_rack = bool(position.rack) and not position.bag
    return position.is_plain_duel and has_rack and position.others == sizes != (0,)


def solve(position: Position, is_over: IsOver, *, plies: int = MAX_PLIES) -> Solution:
    """Find the best move of an endgame; if time runs out, one no worse than what looks best.

    Args:
        position: One where :func:`applies` says yes.
        is_over: Asked every few ms with the kernel, else at every position.
        plies: Turns to look ahead; with none, both go on with what looks best.

    Raises:
        ValueError: it is no endgame, or a number is out of its range.
    """
    steps, spread, depth, exact, nodes = _search(position, is_over, plies, None)
    line = tuple(Place(step[0], step[1]) if step else Pass() for step in steps)
    return Solution(line[0], spread, line, depth, exact, nodes)


def compare(
    position: Position, threshold: int, is_over: IsOver, *, plies: int = MAX_PLIES
) -> tuple[int, bool]:
    """Compare the spread of an endgame with *threshold*, often much faster than :func:`solve`.

    Returns:
        1, -1 or 0 as the spread is more, less or the same; and whether that is certain.
    """
    _, spread, _, exact, _ = _search(position, is_over, plies, threshold)
    return (spread > threshold) - (spread < threshold), exact


def _search(
    position: Position, is_over: IsOver, plies: int, threshold: int | None
) -> tuple[list[tuple[Spot, str, int] | None], int, int, bool, int]:
    if not applies(position):
        raise ValueError("this is no endgame")
    rules = position.rules
    asked = (
        position.board,
        position.rack,
        position.unseen,
        position.scoreless + 1 >= rules.scoreless_turns(2),
        rules.end_adjustment != "none",
        is_over,
        plies,
        threshold,
    )
    if BACKEND == "c":
        return kernel(rules, position.lexicon).endgame(*asked)
    from crossroom_engine.analysis import endgame_python  # a quick start does without

    return endgame_python.solve_in_python(rules, position.lexicon, *asked)
