"""Is the event loop on time? And if not, what keeps it busy."""

import asyncio
import contextlib
import logging
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path
from types import FrameType
from typing import Final, Self

from crossroom_server.monitoring.metrics import Histogram

log = logging.getLogger(__name__)

HEARTBEAT_INTERVAL_S: Final = 0.2
"""Seconds between two beats."""
LATE_AFTER_S: Final = 0.5
"""Seconds without a beat after which it is said where the loop is."""
BEATS_KEPT: Final = 25
"""Beats that are remembered: 5 seconds of them."""
CALLS_LOGGED: Final = 4
"""Calls that are named, the innermost first."""


class LoopMonitor:
    """Beats in the event loop, inside ``async with``, and is felt from a thread beside it.

    asyncio names slow callbacks only in its debug mode, which slows everything down, and only
    afterwards; a thread that looks at the loop's stack sees where it is while it is there.

    Args:
        lag: Counts how late each beat is.
    """

    def __init__(self, lag: Histogram) -> None:
        self._lag = lag
        self._last = time.monotonic()
        self._lateness: deque[float] = deque(maxlen=BEATS_KEPT)
        self._ended = threading.Event()

    @property
    def max_lag(self) -> float:
        """Return the greatest lag of the last beats, in seconds."""
        return max(self._lateness, default=0.0)

    async def __aenter__(self) -> Self:
        self._last = time.monotonic()
        self._task = asyncio.create_task(self._beat(), name="pulse")
        loop = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, args=[loop], name="pulse", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, *failure: object) -> None:
        self._ended.set()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._thread.join)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            now = time.monotonic()
            late = max(0.0, now - self._last - HEARTBEAT_INTERVAL_S)
            self._last = now
            self._lag.observe(late)
            self._lateness.append(late)
            if late > LATE_AFTER_S:
                log.warning("the event loop was %(seconds).1f s late", {"seconds": late})

    def _watch(self, loop: int) -> None:
        told = 0.0
        while not self._ended.wait(HEARTBEAT_INTERVAL_S):
            last = self._last
            if time.monotonic() - last < HEARTBEAT_INTERVAL_S + LATE_AFTER_S or last == told:
                continue
            told = last
            if frame := sys._current_frames().get(loop):
                log.warning("the event loop is busy: %(where)s", {"where": _where(frame)})


def _where(frame: FrameType) -> str:
    """The innermost calls, without what they were called with: that could be secret."""
    calls = traceback.extract_stack(frame)[::-1][:CALLS_LOGGED]
    return " < ".join(f"{call.name} ({Path(call.filename).name}:{call.lineno})" for call in calls)
