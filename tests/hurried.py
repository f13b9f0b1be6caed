"""An event loop in which waiting takes no time: the clock jumps to whatever is due next."""

import asyncio
import functools
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec

P = ParamSpec("P")


class _Selector(selectors.SelectSelector):
    """Skips the time that it should wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.skipped += timeout
        return ready


class HurriedLoop(asyncio.SelectorEventLoop):
    """Not for threads: while one works, the clock would run away.

    With ``stands_still`` no time passes but that which is waited for.
    """

    def __init__(self, *, stands_still: bool = False) -> None:
        self._stands_still = stands_still
        self._hurried = _Selector()
        super().__init__(self._hurried)

    def time(self) -> float:
        return self._hurried.skipped + (0 if self._stands_still else super().time())


def hurried(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in a :class:`HurriedLoop`."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=HurriedLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run


def until(condition: Callable[[], bool], seconds: float = 5) -> Awaitable[None]:
    """Wait until something is so."""

    async def wait() -> None:
        async with asyncio.timeout(seconds):
            while True:
                if condition():
                    return
                await asyncio.sleep(0.005)

    return wait()
