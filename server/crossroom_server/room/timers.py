"""Named timers that ring once, and again a little later if the callback refuses."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from crossroom_protocol.base.refusals import Refusal

RETRY_S: Final = 5.0
"""Seconds before a timer rings again whose callback refused."""


class Timers:
    """At most one timer of each name.

    Args:
        ring: Called with the name when its time has come; a :exc:`Refusal` means: later.
    """

    def __init__(self, ring: Callable[[str], Awaitable[None]]) -> None:
        self._callback = ring
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ringing: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def set(self, name: str, seconds: float | None) -> None:
        """Set a timer to ring in so many *seconds* from now; None: never, nor once closed."""
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()
        if seconds is not None and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(max(0.0, seconds), self._ring, name)

    def __contains__(self, name: str) -> bool:
        return name in self._timers

    def __len__(self) -> int:
        return len(self._timers) + len(self._ringing)

    def close(self) -> None:
        """Cancel all timers and callbacks for good."""
        self._is_closed = True
        for name in list(self._timers):
            self.set(name, None)
        for task in self._ringing:
            task.cancel()

    def _ring(self, name: str) -> None:
        del self._timers[name]
        task = asyncio.get_running_loop().create_task(self._call(name))
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)

    async def _call(self, name: str) -> None:
        try:
            await self._callback(name)
        except Refusal:
            if name not in self._timers:
                self.set(name, RETRY_S)
