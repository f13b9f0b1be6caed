"""Ask by itself for what was said before, and for who is there when that changes."""

import asyncio
from contextlib import suppress
from typing import Final

from crossroom_clients.connection.message import Message
from crossroom_clients.connection.reconnecting import Connection, NotSent
from crossroom_protocol.notices import AnyNotice, Note, Welcome, YourState

LOOK_DELAY_S: Final = 0.3
"""Seconds until it is asked who is there: people who come together are looked at together."""
STATE_COMMAND: Final = "/state"
RECALL_COMMAND: Final = "/recall 200"
"""The command that asks for the log on arrival."""


class Prefetcher:
    """Looks back once in every room; around once for all who come or go in a moment.

    No entry of the log tells who is there; the view that answers does.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._recalled: str | None = None
        self._recalling: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._is_asking = False

    def handle(self, notice: AnyNotice | None) -> None:
        """Look around, soon, if this tells that somebody came, went, or has a name now."""
        match notice:
            case Welcome():
                self._recalled = None
            case Note(about="people" | "watching" | "name"):
                if self._looking is not None:
                    self._looking.cancel()
                self._looking = asyncio.get_running_loop().create_task(self._look())

    def look_back(self, room: str) -> None:
        """Ask for the log of a *room* if it is another one than before."""
        if self._recalled != room:
            self._recalled = room
            self._recalling = asyncio.get_running_loop().create_task(self._recall())

    def awaits(self, heard: Message, notice: AnyNotice | None) -> bool:
        """Is this the answer, which nobody has asked for who reads?"""
        return self._is_asking and isinstance(notice, YourState) and heard.label is not None

    def stop(self) -> None:
        """Look no more."""
        for task in (self._recalling, self._looking):
            if task is not None:
                task.cancel()

    async def _recall(self) -> None:
        """Ask for the log; if nothing comes of it, then once more when there is a chance."""
        answered = None
        with suppress(NotSent):
            answered = await (await self._connection.send(RECALL_COMMAND, typed=False))
        if answered is None:
            self._recalled = None

    async def _look(self) -> None:
        await asyncio.sleep(LOOK_DELAY_S)
        self._is_asking = True
        try:
            with suppress(NotSent):
                await (await self._connection.send(STATE_COMMAND, typed=False))
        finally:
            self._is_asking = False
