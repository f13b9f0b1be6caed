"""What a room does while nothing can be stored: it says so, waits, tries again, and goes on."""

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
"""Seconds from one try to the next."""

STORE_IS_BACK: Final = Phrase("the server can store again; the game goes on")


class NotStored(Refusal):
    """What was asked is allowed, and was not done: the store is out of order, perhaps for now."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__("INTERNAL", gettext("nothing was done: {error}", error=error))


class Outage:
    """At most one outage at a time; ``since`` is when it began, in ms since 1970, or None.

    Args:
        chronicle: The log, which cannot be written then.
        audience: Who is told.
        clock: Is stopped, and runs again afterwards.
        sources: For the time.
        post: Has the room do a job, in its turn.
    """

    def __init__(
        self,
        chronicle: EventLog,
        audience: Audience,
        clock: ClockTasks,
        sources: Sources,
        post: Callable[[Job[None]], Awaitable[None]],
    ) -> None:
        self.since: int | None = None
        self._chronicle, self._audience = chronicle, audience
        self._clock, self._sources, self._post = clock, sources, post
        self._trying: asyncio.Task[None] | None = None
        self._is_closed = False

    def start(self, error: Unavailable) -> None:
        """The store has failed; all are told, if they do not know already."""
        if self.since is not None or self._is_closed:
            return
        self.since = self._sources.now()
        self._trying = asyncio.get_running_loop().create_task(self._try())
        if isinstance(error, Damaged | Superseded):
            hope = gettext(
                "nothing is lost that was told; only the person at the server can mend this"
            )
        else:
            hope = gettext("nothing is lost, and no clock runs; the server tries again by itself")
        self._audience.note(
            "store", gettext("nothing can be stored now: {error}", error=error), hope
        )

    async def recover(self) -> None:
        """If the store works again, go on; no time has passed meanwhile.

        Raises:
            Refusal, Conflict, LeaseLost: as carrying out anything does.
        """
        if self.since is None:
            return
        with suppress(Unavailable):
            await self._chronicle.store.check_writable()
            await self._clock.stop(at=self.since)
            self._end()
            self._audience.note("store", STORE_IS_BACK)
            await self._clock.await_players()

    def close(self) -> None:
        """Try no more, for good."""
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
