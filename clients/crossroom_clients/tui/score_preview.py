"""Asking the server what the tiles that are laid would earn: seldom, and only the newest."""

import asyncio
from collections.abc import Callable
from typing import Final

from crossroom_clients.connection.connection import Connection, NotSent
from crossroom_clients.connection.json_codec import Noticed
from crossroom_clients.tui.placement import Laying
from crossroom_protocol.notices import Refused, Tried

PAUSE: Final = 0.15
"""Seconds without a change before the server is asked."""


class Trying:
    """One question at a time; whatever was asked before the tiles moved again is forgotten.

    Args:
        connection: The way to the server.
        laying: The tiles.
        answer: What to do with the answer; it is told None when there is none any more.
    """

    def __init__(
        self,
        connection: Connection,
        laying: Laying,
        answer: Callable[[Tried | Refused | None], None],
    ) -> None:
        self._connection, self._laying, self._answer = connection, laying, answer
        self._task: asyncio.Task[None] | None = None
        self._line = ""
        self._tried: Tried | None = None

    def begin(self) -> None:
        """The tiles have moved, or the connection is there again: ask, soon."""
        attempt = self._laying.attempt()
        self._line = attempt.line("try") if attempt is not None else ""
        self._answer(None)
        if self._line and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._ask())

    def hear(self, tried: Tried) -> None:
        """Keep an answer until it is known whether it is the one that counts."""
        self._tried = tried

    def stop(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self) -> None:
        while line := self._line:
            await asyncio.sleep(PAUSE)
            if self._line != line:
                continue
            try:
                done = await (await self._connection.send(line, typed=False))
            except NotSent:
                return
            if self._line == line:
                self._answer(self._result(done))
                return

    def _result(self, done: object) -> Tried | Refused | None:
        if isinstance(done, Noticed) and isinstance(done.notice, Refused):
            return done.notice
        return self._tried if done is not None else None
