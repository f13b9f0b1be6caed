"""The clock of a room: says when it is time to act, through the mailbox like anyone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from crossroom_engine.core.moves import CallTime, Continue, OfficialMove
from crossroom_engine.game.game import Game
from crossroom_engine.game.timing import due_at
from crossroom_protocol.base.refusals import Refusal

PATIENCE: Final = 60.0
"""Seconds that a stopped clock waits for missing players once one of them is back."""
AGAIN: Final = 5.0
"""Seconds before an alarm rings again that the room could not heed."""


class Alarms:
    """At most one alarm for the running clock, and one for the patience with missing players."""

    def __init__(self, attend: Callable[[OfficialMove], Awaitable[None]]) -> None:
        self._attend = attend
        self._timers: dict[OfficialMove, asyncio.TimerHandle] = {}
        self._ringing: set[asyncio.Task[None]] = set()

    def set(self, game: Game | None, now: int) -> None:
        """Set the alarm for what the clock of *game* asks next; *now* in ms since 1970."""
        due = due_at(game) if game is not None else None
        self._stop(CallTime())
        if due is not None:
            self._start(CallTime(), max(0, due - now) / 1000)
        if game is None or game.since is not None:
            self._stop(Continue())

    def lose_patience_later(self) -> None:
        """Let the clock run again in a while, whoever is missing."""
        if Continue() not in self._timers:
            self._start(Continue(), PATIENCE)

    def __len__(self) -> int:
        return len(self._timers) + len(self._ringing)

    def close(self) -> None:
        """Ring no more."""
        for duty in list(self._timers):
            self._stop(duty)
        for task in self._ringing:
            task.cancel()

    def _start(self, duty: OfficialMove, seconds: float) -> None:
        self._stop(duty)
        loop = asyncio.get_running_loop()
        self._timers[duty] = loop.call_later(seconds, self._ring, duty)

    def _stop(self, duty: OfficialMove) -> None:
        if (timer := self._timers.pop(duty, None)) is not None:
            timer.cancel()

    def _ring(self, duty: OfficialMove) -> None:
        del self._timers[duty]
        task = asyncio.get_running_loop().create_task(self._say(duty))
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)

    async def _say(self, duty: OfficialMove) -> None:
        try:
            await self._attend(duty)
        except Refusal:
            self._start(duty, AGAIN)
