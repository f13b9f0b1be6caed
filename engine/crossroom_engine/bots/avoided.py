"""Words that bots never lay, whatever the word list has: ``data/avoided.txt``."""

from functools import cache
from pathlib import Path
from typing import Final

from crossroom_engine.analysis.position import Position, TurnMove, candidates
from crossroom_engine.core.moves import Pass, Place
from crossroom_engine.core.placement import place
from crossroom_engine.movegen.leaves import Leaves

ALTERNATIVES: Final = 50
"""Candidates among which another move is looked for."""
_FILE: Final = Path(__file__).parents[1] / "data" / "avoided.txt"


def decent_move(position: Position, leaves: Leaves, move: TurnMove) -> TurnMove:
    """Return *move*, or the best at sight, if that would form a word that bots avoid."""
    if _is_decent(position, move):
        return move
    others = (one.move for one in candidates(position, leaves, ALTERNATIVES))
    return next((other for other in others if _is_decent(position, other)), Pass())


def _is_decent(position: Position, move: TurnMove) -> bool:
    if not isinstance(move, Place):
        return True
    placed = place(position.rules, position.board, move.spot, move.text, move.swaps)
    return avoided_words().isdisjoint(placed.words)


@cache
def avoided_words() -> frozenset[str]:
    """Return the words, in capitals."""
    lines = _FILE.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
