"""The time of the server: the machine's, without its jumps.

A machine is suspended, a process stopped, a virtual machine paused, a clock set right. What players
have used must not depend on it, so time passes here as the processor counts it, and a jump is told
to whoever keeps a clock.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

log = logging.getLogger(__name__)

CHECK_INTERVAL_MS: Final = 250
"""Milliseconds between two looks for a jump."""
TOLERANCE_MS: Final = 2000
"""Milliseconds that a look may be late, or the machine's clock apart from ours."""


def wall_time() -> int:
    """Return the time of the machine, in ms since 1970; it may be set."""
    return time.time_ns() // 1_000_000


def monotonic_time() -> int:
    """Return the ms passed since some moment; no clock that is set changes it."""
    return time.monotonic_ns() // 1_000_000


class SteadyClock:
    """A clock that only jumps while :meth:`check` is called.

    Args:
        wall: The time of the machine, in ms since 1970.
        passed: The ms passed since some moment.
    """

    def __init__(
        self,
        wall: Callable[[], int] = wall_time,
        passed: Callable[[], int] = monotonic_time,
    ) -> None:
        self._wall, self._passed = wall, passed
        self._offset = wall() - passed()
        self._checked = passed()

    def now(self) -> int:
        """Return the time in ms since 1970."""
        return self._offset + self._passed()

    def check(self) -> int:
        """Take over the machine's time; return the ms that count for nobody, mostly 0.

        These are the time since the latest check, if it was due long ago (the process was stopped),
        and what the machine's clock was set forward by (below zero: back).
        """
        passed = self._passed()
        stopped = passed - self._checked - CHECK_INTERVAL_MS
        self._checked = passed
        jump = stopped if stopped > TOLERANCE_MS else 0
        step = self._wall() - self.now()
        if abs(step) > TOLERANCE_MS:
            self._offset += step
            jump += step
        return jump

    @contextlib.contextmanager
    def watched(self, tell: Callable[[int], None]) -> Iterator[None]:
        """Check regularly in the running event loop, and *tell* each jump, in ms.

        Those are told before anything is done with what arrived meanwhile: a callback of the loop
        runs before the tasks that it wakes.
        """
        self._checked = self._passed()
        self._schedule(tell)
        try:
            yield
        finally:
            self._timer.cancel()

    def _schedule(self, tell: Callable[[int], None]) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(CHECK_INTERVAL_MS / 1000, self._look, tell)

    def _look(self, tell: Callable[[int], None]) -> None:
        self._schedule(tell)
        if jump := self.check():
            log.warning(
                "the time jumped by %(seconds).1f s; no player is charged for it",
                {"seconds": jump / 1000},
            )
            tell(jump)
