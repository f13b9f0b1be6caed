"""Event loops for which no time passes but that which they wait, however busy the machine is."""

import asyncio
import functools
import selectors
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, ParamSpec

P = ParamSpec("P")

CLOCK_TICK_S: Final = 1e-9
"""Seconds for each look at the clock: what is asked for later is also due later."""


class _WaitCountingSelector(selectors.DefaultSelector):
    """Counts the seconds that it has waited."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        begun = time.monotonic()
        ready = super().select(timeout)
        waited = time.monotonic() - begun
        self.waited += waited if timeout is None else min(waited, timeout)
        return ready


class _WaitSkippingSelector(_WaitCountingSelector):
    """Skips the time that it should wait for."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.waited += timeout
        return ready


class BusyTolerantLoop(asyncio.SelectorEventLoop):
    """Its clock stands still while anything runs, or should run and the machine has no time for it.

    So nothing is late that only this loop does: of two timers the one that is due first comes
    first. It waits as long as any loop, hence what others do meanwhile has its time.
    """

    def __init__(self, selector: _WaitCountingSelector | None = None) -> None:
        self._waiting = selector or _WaitCountingSelector()
        super().__init__(self._waiting)

    def time(self) -> float:
        self._waiting.waited += CLOCK_TICK_S
        return self._waiting.waited


class AutojumpLoop(BusyTolerantLoop):
    """Waiting takes no time either: the clock jumps to whatever is due next.

    Not for threads: while one works, the clock would run away.
    """

    def __init__(self) -> None:
        super().__init__(_WaitSkippingSelector())


def autojump(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in a :class:`AutojumpLoop`."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=AutojumpLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run


def until(condition: Callable[[], bool], seconds: float = 30) -> Awaitable[None]:
    """Wait until something is so."""

    async def wait() -> None:
        async with asyncio.timeout(seconds):
            while True:
                if condition():
                    return
                await asyncio.sleep(0.005)

    return wait()
