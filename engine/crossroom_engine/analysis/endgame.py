"""The end of a game of two, when the bag is empty: each can tell what the other has.

The game is a tree then, and is searched: negamax, deeper and deeper, in ``kernel/endgame.c``. What
wins the most points against somebody who looks as far is the best move; that it keeps a lead or not
follows from the points.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from crossroom_engine.analysis.position import Position
from crossroom_engine.core.board import Spot
from crossroom_engine.core.moves import Pass, Place
from crossroom_engine.movegen.backends import BACKEND, kernel

MAX_PLIES: Final = 38
"""Turns that an endgame can take, with passes: no more are ever looked ahead."""


class Solution(NamedTuple):
    """What an endgame comes to.

    Attributes:
        move: The best for whoever is to move, or so it seems.
        spread: Points that this player gains on the other until the end, the end adjustment
            included.
        line: How both go on, as far as it is known; the first is the move.
        depth: Turns that were looked ahead; none if there was no time, then both go on with what
            looks best.
        exact: Is it certain that neither can do better? Else the spread is a guess.
        nodes: Positions that were looked at.
    """

    move: Place | Pass
    spread: int
    line: tuple[Place | Pass, ...]
    depth: int
    exact: bool
    nodes: int


def applies(position: Position) -> bool:
    """Is it an endgame that can be solved?

    The game is one of two, and nothing is in the bag. There is no target to be reached, and blanks
    stay where they lie.
    """
    rules = position.rules
    return (
        len(position.scores) == 2
        and not position.bag
        and len(position.rack) > 0
        and position.others == (len(position.unseen),) != (0,)
        and rules.target is None
        and rules.reclaim == "off"
    )


def solve(position: Position, is_over: Callable[[], bool], *, plies: int = MAX_PLIES) -> Solution:
    """Find the best move of an endgame.

    Args:
        position: One where :func:`applies` says yes.
        is_over: Is there no more time? Asked every few ms with the kernel, else at every position.
            There always is a move, and it is no worse than what looks best at sight.
        plies: Turns to look ahead; with none, both go on with what looks best.

    Raises:
        ValueError: it is no endgame, or a number is out of its range.
    """
    steps, spread, depth, exact, nodes = _search(position, is_over, plies, None)
    line = tuple(Place(step[0], step[1]) if step else Pass() for step in steps)
    return Solution(line[0], spread, line, depth, exact, nodes)


def compare(
    position: Position, threshold: int, is_over: Callable[[], bool], *, plies: int = MAX_PLIES
) -> tuple[int, bool]:
    """Is the spread of an endgame more than *threshold*, less, or the same?

    That takes less time than :func:`solve`, and often much less.

    Returns:
        1, -1 or 0; and whether that is certain.
    """
    _, spread, _, exact, _ = _search(position, is_over, plies, threshold)
    return (spread > threshold) - (spread < threshold), exact


def _search(
    position: Position, is_over: Callable[[], bool], plies: int, threshold: int | None
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
    from crossroom_engine.analysis.endgame_python import (
        solve_in_python,  # a quick start does without
    )

    return solve_in_python(rules, position.lexicon, *asked)
