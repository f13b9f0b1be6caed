"""The clock of a room's game: when it runs out, when it is stopped, when it runs again."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from crossroom_engine.core.events import Continued
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.moves import Adjourn, CallTime, Continue, OfficialMove
from crossroom_engine.core.units import MINUTE_MS
from crossroom_engine.game.timing import due_at
from crossroom_protocol.events.room import Moved
from crossroom_server.net.weakrefs import weak_callback
from crossroom_server.room.audience import Audience
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.mailbox import Job
from crossroom_server.room.timers import Timers
from crossroom_server.store.contract import Unavailable
from crossroom_server.table.state import Sources
from crossroom_server.table.table import apply_official

RETURN_GRACE_S: Final = 60.0
"""Seconds for which a stopped clock waits for missing players once one of them is back."""
NEGLIGIBLE_MS: Final = MINUTE_MS
"""Milliseconds without anybody that are not worth a log entry."""
_ACTIONS: Final[Mapping[str, OfficialMove]] = {"out of time": CallTime(), "grace over": Continue()}
"""The official move that each timer triggers."""


class ClockTasks:
    """Makes the official moves that the clock of one room calls for.

    Args:
        event_log: The table, and the way to change it.
        audience: The people present.
        sources: The time.
        post: Queues a job in the mailbox of the room.
    """

    def __init__(
        self,
        event_log: EventLog,
        audience: Audience,
        sources: Sources,
        post: Callable[[Job[None]], Awaitable[None]],
    ) -> None:
        self._log, self._audience, self._sources = event_log, audience, sources
        self._post, self._timers = post, Timers(weak_callback(self._on_timer))

    def __len__(self) -> int:
        return len(self._timers)

    def close(self) -> None:
        """Cancel the timers."""
        self._timers.close()

    def update(self) -> None:
        """Set the timers for the next deadlines of the game."""
        game = self._log.table.playing
        due = due_at(game) if game is not None else None
        left = (due - self._sources.now()) / 1000 if due is not None else None
        self._timers.set("out of time", left)
        if game is None or game.since is not None:
            self._timers.set("grace over", None)

    async def ring(self, action: OfficialMove) -> None:
        """Make the official move of a timer."""
        before = self._log.table
        await self.run(action)
        if self._log.table is before:  # the clocks of the loop and the room may drift apart
            self.update()

    async def run(self, action: OfficialMove, at: int | None = None) -> None:
        """Make an official move as of *at*, in ms since 1970 (None: now), if there is need.

        Raises:
            Refusal, Unavailable: it could not be done.
        """
        if self._log.table.playing is None:
            return
        sources = self._sources if at is None else replace(self._sources, now=lambda: at)
        if happenings := apply_official(self._log.table, action, sources):
            await self._log.commit(happenings)

    async def stop(self, at: int | None = None) -> None:
        """Stop the clock of the game as of *at*, in ms since 1970, if it can run out."""
        game = self._log.table.playing
        if game is not None and due_at(game) is not None:
            await self.run(Adjourn(), at)

    async def forgive_downtime(self, last: int | None) -> None:
        """Restart a turn whose time is only counted, if nobody was here for a while.

        *last* is the time of the newest entry, in ms since 1970.

        Raises:
            Unavailable: it could not be done.
        """
        game, now = self._log.table.playing, self._sources.now()
        if game is None or game.since is None or last is None or now - last <= NEGLIGIBLE_MS:
            return
        begun = Moved(self._log.table.games, None, (Continued(now),))
        await self._log.commit([begun])

    def excuse(self, jump: int) -> None:
        """Let nobody's clock run during a *jump* of the server's time, in ms.

        The room's time stands still until that is in the log.
        """
        game = self._log.table.playing
        if game is not None and game.since is not None:
            self._log.time.hold(jump)
            self._timers.set("time jumped", 0)

    async def _log_jump(self) -> None:
        before, game = self._log.time.now(), self._log.table.playing
        was_limited = game is not None and due_at(game) is not None
        if was_limited:
            await self.run(Adjourn("jump"))
        self._log.time.release()
        if was_limited:
            await self.run(Continue())
        else:
            await self.forgive_downtime(before)

    async def await_players(self) -> None:
        """Start a stopped clock when all players are back, or after a grace when some are."""
        game = self._log.table.playing
        if game is None or game.since is not None or game.adjourned:
            return
        wanted = self._log.table.people_playing
        missing = wanted - self._audience.members
        if missing != wanted and "grace over" not in self._timers:
            self._timers.set("grace over", RETURN_GRACE_S)
        if not missing:
            with contextlib.suppress(Unavailable):  # then the timer does it
                await self.run(Continue())

    async def _on_timer(self, name: str) -> None:
        if name == "time jumped":
            await self._post(self._log_jump)
        else:
            await self._post(partial(self.ring, _ACTIONS[name]))
