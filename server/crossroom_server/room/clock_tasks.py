"""What a room owes the clock of its game: look at it, stop it, let it run."""

import contextlib
from typing import Final

from crossroom_engine.core.events import Continued
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.moves import Adjourn, Continue, OfficialMove
from crossroom_engine.game.timing import due_at
from crossroom_protocol.events.room import Moved
from crossroom_server.room.audience import Audience
from crossroom_server.room.clock_timers import Alarms
from crossroom_server.room.event_log import Chronicle
from crossroom_server.room.inactivity import missing_players
from crossroom_server.store.contract import Unavailable
from crossroom_server.table.state import Sources
from crossroom_server.table.table import attend

BRIEF: Final = 60_000
"""Milliseconds without anybody that are not worth a line of the log."""


class Duties:
    """The duties of the server in the game of one room.

    Args:
        chronicle: The table, and the way to change it.
        audience: Who is there.
        alarms: Tell when a duty is due.
        sources: For the time.
    """

    def __init__(
        self, chronicle: Chronicle, audience: Audience, alarms: Alarms, sources: Sources
    ) -> None:
        self._chronicle, self._audience = chronicle, audience
        self._alarms, self._sources = alarms, sources

    async def attend(self, duty: OfficialMove, at: int | None = None) -> None:
        """Do a duty, as of the time *at*, in ms since 1970; None: now. There may be nothing to do.

        Raises:
            Refusal, Unavailable: it could not be done.
        """
        sources = self._sources if at is None else replace(self._sources, now=lambda: at)
        await self._chronicle.commit(attend(self._chronicle.table, duty, sources))
        # Also if nothing was due: the clock of the alarms and ours may drift apart.
        self._alarms.set(self._chronicle.table.playing, self._sources.now())

    async def adjourn(self, at: int | None = None) -> None:
        """Stop the clock of the game as of the time *at*, if it is one that can run out."""
        game = self._chronicle.table.playing
        if game is not None and due_at(game) is not None:
            await self.attend(Adjourn(), at)

    async def excuse(self, last: int | None) -> None:
        """Where time is only counted, let a turn begin anew if nobody was here for a while.

        *last* is when the newest entry was made, in ms since 1970.

        Raises:
            Unavailable: it could not be done.
        """
        game, now = self._chronicle.table.playing, self._sources.now()
        if game is None or game.since is None or last is None or now - last <= BRIEF:
            return
        begun = Moved(self._chronicle.table.games, None, (Continued(now),))
        await self._chronicle.commit([begun])

    async def await_players(self) -> None:
        """Let a stopped clock run when all players are back, or have been waited for."""
        game = self._chronicle.table.playing
        if game is None or game.since is not None or game.adjourned:
            return
        wanted = missing_players(self._chronicle.table, game)
        missing = wanted - self._audience.members
        if missing != wanted:
            self._alarms.lose_patience_later()
        if not missing:
            with contextlib.suppress(Unavailable):  # then patience does it
                await self.attend(Continue())
