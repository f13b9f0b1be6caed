"""Asking the server what the tiles that are laid would earn: seldom, and only the newest."""

import asyncio
from collections.abc import Callable
from typing import Final

from crossroom_clients.connection.json_codec import NoticeMessage
from crossroom_clients.connection.reconnecting import Connection, NotSent
from crossroom_clients.tui.placement import TentativePlay
from crossroom_protocol.notices import Refused, Tried

ASK_DELAY_S: Final = 0.15
"""Seconds without a change before the server is asked."""


class ScorePreview:
    """One question at a time; whatever was asked before the tiles moved again is forgotten.

    Args:
        connection: The way to the server.
        tentative: The tiles.
        answer: What to do with the answer; it is told None when there is none any more.
    """

    def __init__(
        self,
        connection: Connection,
        tentative: TentativePlay,
        answer: Callable[[Tried | Refused | None], None],
    ) -> None:
        self._connection, self._tentative, self._answer = connection, tentative, answer
        self._task: asyncio.Task[None] | None = None
        self._line = ""
        self._tried: Tried | None = None

    def request(self) -> None:
        """The tiles have moved, or the connection is there again: ask, soon."""
        attempt = self._tentative.attempt()
        self._line = attempt.line("try") if attempt is not None else ""
        self._answer(None)
        if self._line and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._ask())

    def receive(self, tried: Tried) -> None:
        """Keep an answer until it is known whether it is the one that counts."""
        self._tried = tried

    def stop(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self) -> None:
        while line := self._line:
            await asyncio.sleep(ASK_DELAY_S)
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
        if isinstance(done, NoticeMessage) and isinstance(done.notice, Refused):
            return done.notice
        return self._tried if done is not None else None
