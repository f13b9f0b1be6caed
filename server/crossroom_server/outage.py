"""What a room does while nothing can be stored: it says so, waits, tries again, and goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from crossroom_engine.phrases import Phrase
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.speech import say
from crossroom_server.store import Damaged, Superseded, Unavailable

AGAIN: Final = 5.0
"""Seconds from one try to the next."""

OVER: Final = Phrase("the server can store again; the game goes on")


class NotStored(Refusal):
    """What was asked is allowed, and was not done: the store is out of order, perhaps for now."""

    def __init__(self, error: Unavailable) -> None:
        super().__init__("INTERNAL", say("nothing was done: {error}", error=error))


class Outage:
    """At most one outage at a time; ``since`` is when it began, in ms since 1970, or None.

    Args:
        retry: Looks whether it is over, and ends it if it is.
    """

    def __init__(self, retry: Callable[[], Awaitable[None]]) -> None:
        self.since: int | None = None
        self._retry = retry
        self._trying: asyncio.Task[None] | None = None
        self._is_closed = False

    def begin(self, error: Unavailable, now: int) -> tuple[str, ...]:
        """The store has failed at *now*; what to tell the room, nothing if it knows already."""
        if self.since is not None or self._is_closed:
            return ()
        self.since = now
        self._trying = asyncio.get_running_loop().create_task(self._try())
        if isinstance(error, Damaged | Superseded):
            hope = say("nothing is lost that was told; only the person at the server can mend this")
        else:
            hope = say("nothing is lost, and no clock runs; the server tries again by itself")
        return (say("nothing can be stored now: {error}", error=error), hope)

    def end(self) -> None:
        """It is over."""
        self.since = None
        if self._trying is not None:
            self._trying.cancel()

    def close(self) -> None:
        """Try no more, for good."""
        self._is_closed = True
        self.end()

    async def _try(self) -> None:
        while self.since is not None:
            await asyncio.sleep(AGAIN)
            with suppress(Refusal):
                await self._retry()
