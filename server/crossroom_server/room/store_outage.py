"""Handles a store failure in a room: announces it, stops the clock, retries, resumes."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_server.room.audience import Audience
from crossroom_server.room.clock_tasks import ClockTasks
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.mailbox import Job
from crossroom_server.store.contract import Damaged, Superseded, Unavailable
from crossroom_server.table.state import Sources

RETRY_S: Final = 5.0
"""Seconds between two retries."""

STORE_IS_BACK: Final = Phrase("the server can store again; the game goes on")


class NotStored(Refusal):
    """Refuses a request that is allowed, but could not be stored."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__("INTERNAL", gettext("nothing was done: {error}", error=error))


class Outage:
    """At most one outage at a time; ``since`` is when it began, in ms since 1970, or None.

    Args:
        event_log: The log, which cannot be written then.
        audience: Hears of it.
        clock: Is stopped meanwhile.
        sources: The time.
        post: Queues a job in the mailbox of the room.
    """

    def __init__(
        self,
        event_log: EventLog,
        audience: Audience,
        clock: ClockTasks,
        sources: Sources,
        post: Callable[[Job[None]], Awaitable[None]],
    ) -> None:
        self.since: int | None = None
        self._log, self._audience = event_log, audience
        self._clock, self._sources, self._post = clock, sources, post
        self._trying: asyncio.Task[None] | None = None
        self._is_closed = False

    def start(self, error: Unavailable) -> None:
        """Begin an outage and announce it, unless there is one already."""
        if self.since is not None or self._is_closed:
            return
        self.since = self._sources.now()
        self._trying = asyncio.get_running_loop().create_task(self._try())
        if isinstance(error, Damaged | Superseded):
            hope = gettext("nothing players have seen is lost; only the host can repair this")
        else:
            hope = gettext("nothing is lost, and no clock runs; the server tries again by itself")
        self._audience.note(
            "store", gettext("nothing can be stored now: {error}", error=error), hope
        )

    async def recover(self) -> None:
        """Resume if the store works again, charging no time for the outage.

        Raises:
            Refusal, Conflict, LeaseLost: as carrying out anything does.
        """
        if self.since is None:
            return
        with suppress(Unavailable):
            await self._log.store.check_writable()
            await self._clock.stop(at=self.since)
            self._end()
            self._audience.note("store", STORE_IS_BACK)
            await self._clock.await_players()

    def close(self) -> None:
        """Stop retrying for good."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        self.since = None
        if self._trying is not None:
            self._trying.cancel()

    async def _try(self) -> None:
        while self.since is not None:
            await asyncio.sleep(RETRY_S)
            with suppress(Refusal):
                await self._post(self.recover)
