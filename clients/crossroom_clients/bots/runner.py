"""A program at a table: asks its engine for a move in each of its turns."""

import sys
from collections.abc import Callable

from crossroom_clients.bots.engines import Engine, EngineFailed
from crossroom_clients.bots.table import BotTable
from crossroom_clients.bots.turn import CommandRefused, Turn
from crossroom_engine.analysis.position import TurnMove
from crossroom_engine.core.moves import Pass

CLOCK_SHARE = 1 / 20
"""The share of the time left that a turn may take."""
MARGIN_S = 0.5
"""Seconds of the time left that are kept for the way to the server."""


def warn(text: str) -> None:
    """Tell the owner of the program what went wrong, on standard error."""
    print(f"crossroom bot: {text}", file=sys.stderr, flush=True)


async def play_games(
    table: BotTable,
    engine: Engine,
    seconds: float,
    games: int | None = None,
    tell: Callable[[str], None] = warn,
) -> None:
    """Play at a table until the connection is over.

    An engine that has no move passes, and so does one whose move is refused.

    Args:
        table: Where the program sits.
        engine: Chooses its moves.
        seconds: For a turn at most.
        games: Stop after so many.
        tell: Called with what went wrong.
    """
    async for turn in table.turns(games):
        move = await _choose(engine, turn, seconds, tell)
        try:
            await turn.play(move)
        except CommandRefused as no:
            tell(f"turn {turn.number}: {no}")
            if no.code != "STALE_TURN":
                await _give_up(turn, tell)


async def _choose(
    engine: Engine, turn: Turn, seconds: float, tell: Callable[[str], None]
) -> TurnMove:
    if turn.seconds_left is not None:
        seconds = max(0.1, min(seconds, (turn.seconds_left - MARGIN_S) * CLOCK_SHARE))
    try:
        return await engine.choose(turn.position, seconds)
    except EngineFailed as failure:
        tell(f"turn {turn.number}: {failure}; the turn is passed")
        return Pass()


async def _give_up(turn: Turn, tell: Callable[[str], None]) -> None:
    try:
        await turn.play(Pass())
    except CommandRefused as no:
        tell(f"turn {turn.number}: {no}")
