"""Runs the bots of a table: each sees what its seat may see and thinks off the event loop.

Their moves go through the room's mailbox like anyone's. A bot that fails or takes too long is
replaced for that move by the fallback level.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Final, TypeAlias

from crossroom_engine.bots import FALLBACK_LEVEL, LEVELS, Level
from crossroom_engine.core.moves import Accept, Challenge, Move, Pass
from crossroom_engine.game.game import Game
from crossroom_engine.game.views import View, view
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_server.identity import names
from crossroom_server.room.store_outage import NotStored
from crossroom_server.room.worker_pool import WorkerPool, WorkTimeout
from crossroom_server.table.state import Sources, Table

log = logging.getLogger(__name__)

MOVE_DELAY_S: Final = 0.7
"""Seconds before a bot moves, its thinking included: a person wants to see what happened."""
CHALLENGE_DELAY_S: Final = 8.0
"""Seconds before a bot moves while a person may still challenge the play of somebody else."""
HURRY: Final = 0.6
"""Share of its time below which people are told that a bot has less."""
RETRY_S: Final = 5.0
"""Seconds before a bot tries again what the room could not do."""

_DEFAULT_LEVEL: Final = next(iter(LEVELS.values()))

PostMove: TypeAlias = Callable[[str, int, Move], Awaitable[None]]
"""Makes a move for a member, unless the game has gone on from that version."""


def find_level(text: str) -> str:
    """Return the level of that name, or the first one for "".

    Raises:
        Refusal: ``BAD_ARGS``, listing the levels.
    """
    level = text.lower() or _DEFAULT_LEVEL.name
    if level not in LEVELS:
        raise Refusal(
            "BAD_ARGS",
            "there is no level {text!r}; there are: {levels}",
            text=text,
            levels=", ".join(LEVELS),
        )
    return level


def find_bot(table: Table, name: str) -> int:
    """Return the seat of the bot of that name, 0-based.

    Raises:
        Refusal: ``BAD_ARGS``, there is none.
    """
    key = names.comparison_key(name)
    for seat, seat_state in enumerate(table.seats):
        if seat_state.bot is not None and names.comparison_key(seat_state.name) == key:
            return seat
    raise Refusal("BAD_ARGS", "no bot here is called {name!r}; /seats shows them", name=name)


class BotPlayers:
    """The bots at one table; each considers the newest state of the game only.

    Args:
        post: Makes their moves.
        workers: The pool in which they choose them, shared by all tables.
        note: Tells the room something.
    """

    def __init__(
        self, post: PostMove, workers: WorkerPool, note: Callable[[str, str], None]
    ) -> None:
        self._post, self._workers, self._note = post, workers, note
        self._hurried_game = 0
        """Number of the last game in which people were told that a bot has less time."""
        self._thinking: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def update(self, table: Table, sources: Sources) -> None:
        """Have every bot that could act consider the game as it is now.

        While the clock is stopped they wait: a move would start it for people not yet back.
        """
        game = table.playing if table.playing and table.playing.since is not None else None
        if table.offer is not None and table.offer.what == "undo":
            game = None  # so that there is time to answer
        minds = {
            seat_state.member for seat_state in table.seats if seat_state.bot_level is not None
        }
        for member in list(self._thinking):
            if game is None or self._thinking[member][0] != game.version or member not in minds:
                self._thinking.pop(member)[1].cancel()
        if game is None:
            return
        for seat, seat_state in enumerate(table.seats):
            if seat_state.bot_level is not None and seat_state.member not in self._thinking:
                # The log may be older than the levels.
                level = LEVELS.get(seat_state.bot_level, _DEFAULT_LEVEL)
                think = self._think(seat_state.member, level, game, seat, table, sources)
                self._thinking[seat_state.member] = game.version, asyncio.create_task(think)

    def __len__(self) -> int:
        return sum(not task.done() for _, task in self._thinking.values())

    async def close(self) -> None:
        """Cancel all moves under way."""
        tasks = [task for _, task in self._thinking.values()]
        self._thinking.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(
        self, member: str, level: Level, game: Game, seat: int, table: Table, sources: Sources
    ) -> None:
        seen = view(game, seat)
        if set(seen.options) <= {"resign"}:
            return
        begun = asyncio.get_running_loop().time()
        self._tell_hurry(table, table.seats[seat].name, level)
        for brain, at_once in ((level, level.is_quick), (FALLBACK_LEVEL, True)):
            try:
                move = await self._choose_move(brain, seen, game, sources, at_once=at_once)
            except WorkTimeout as slow:
                log.warning(
                    "%(level)s: a bot found no move: %(why)s", {"level": brain.name, "why": slow}
                )
                continue
            except Exception:
                log.exception("%(level)s: a bot failed to find a move", {"level": brain.name})
                continue
            pause = MOVE_DELAY_S if isinstance(move, Challenge) else _move_delay(game, table)
            await asyncio.sleep(begun + pause - asyncio.get_running_loop().time())
            if move is None or await self._post_move(member, game.version, move):
                return
        if "accept" in seen.options or "pass" in seen.options:
            move = Accept() if "accept" in seen.options else Pass()
            while True:
                if await self._post_move(member, game.version, move):
                    return
                await asyncio.sleep(RETRY_S)

    def _tell_hurry(self, table: Table, name: str, level: Level) -> None:
        """Tell people once in a game if a bot has much less time than it should."""
        share = self._workers.share(level.budget_s)
        if level.is_quick or table.games == self._hurried_game or share > HURRY * level.budget_s:
            return
        self._hurried_game = table.games
        line = gettext(
            "many bots are thinking on this server: {name} takes {share:.1f} s for a move now, not "
            "{budget:g} s",
            name=name,
            share=share,
            budget=level.budget_s,
        )
        self._note("bots", line)

    async def _choose_move(
        self, level: Level, seen: View, game: Game, sources: Sources, *, at_once: bool
    ) -> Move | None:
        """Choose a move; None only where none is needed.

        Raises:
            WorkTimeout: there is none in time.
            ValueError: there is none, although one is needed. A bot may raise anything else too.
        """
        lexica = partial(_lexicon, game, sources)
        dice = Random(sources.random.getrandbits(64))
        move = await self._workers.run(
            lambda is_over: level.choose(seen, game.rules, lexica, dice, is_over),
            level.budget_s,
            at_once=at_once,
        )
        if move is None and "pass" in seen.options:
            raise ValueError("it has no move, and must move")
        return move

    async def _post_move(self, member: str, version: int, move: Move) -> bool:
        while True:
            try:
                await self._post(member, version, move)
            except NotStored:  # a good move stays one
                await asyncio.sleep(RETRY_S)
            except Refusal as refusal:
                log.warning("a bot's move was refused: %(why)s", {"why": refusal})
                return False
            else:
                return True


def _lexicon(game: Game, sources: Sources, name: str) -> Lexicon:
    """Return a list by name; that of the game is the one it began with."""
    return sources.lexica.get(name, game.digest if name == game.lexicon else None)


def _move_delay(game: Game, table: Table) -> float:
    """Return the seconds before a bot moves, so that people can follow, and may challenge."""
    play = game.open_play
    people = {seat for seat in game.active if table.seats[seat].bot_level is None}
    return CHALLENGE_DELAY_S if play is not None and people - {play.seat} else MOVE_DELAY_S
