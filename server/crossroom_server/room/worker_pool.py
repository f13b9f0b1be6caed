"""Work that takes a while, off the event loop: threads of their own, and never too many at once.

Every thought has a thread for itself, so one that never ends costs its thread and nothing else. It
is told when to stop: its time is up, nobody waits for it any more, or the server closes.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Final, Generic, TypeAlias, TypeVar

from crossroom_server.monitoring.metrics import Metrics

T = TypeVar("T")

STOP_GRACE_S: Final = 2.0
"""Seconds a thought may go on when its time is up. As long may one wait without losing time."""

IsOver: TypeAlias = Callable[[], bool]
"""To be asked often, at least every 50 ms: should the thought come to its end?"""

Work: TypeAlias = Callable[[IsOver], T]
"""A thought: runs in a thread, and touches nothing that changes."""


class WorkTimeout(Exception):
    """There was no result in time."""


class WorkerPool:
    """All that thinks on one server.

    Args:
        places: How many thoughts may be under way at a time; None: one for each processor.
        metrics: Counts them.
    """

    def __init__(self, places: int | None = None, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._slots = asyncio.Semaphore(places or os.cpu_count() or 1)
        self._workers: set[_Worker[Any]] = set()

    async def run(self, work: Work[T], seconds: float, *, at_once: bool = False) -> T:
        """Run *work* in a thread, and return its result.

        *seconds* run from the start of the work; waiting for a slot longer than the grace is
        deducted, so this returns within the seconds and two graces. Cancelling it stops the work.

        Args:
            work: The thought.
            seconds: What it is given.
            at_once: Begin even if every place is taken.

        Raises:
            WorkTimeout: it did not stop within the grace, or got no place.
        """
        self._metrics.thinking_jobs += 1
        try:
            return await self._run_in_slot(work, seconds, at_once)
        finally:
            self._metrics.thinking_jobs -= 1

    async def _run_in_slot(self, work: Work[T], seconds: float, at_once: bool) -> T:
        loop = asyncio.get_running_loop()
        latest = loop.time() + seconds + STOP_GRACE_S
        if not at_once:
            try:
                async with asyncio.timeout_at(latest):
                    await self._slots.acquire()
            except TimeoutError:
                raise WorkTimeout("there was no place to think") from None
        thought = _Worker(work, min(seconds, latest - loop.time()), loop)
        self._workers.add(thought)
        thought.ended.add_done_callback(lambda _: self._workers.discard(thought))
        if not at_once:
            thought.given_up.add_done_callback(lambda _: self._slots.release())
        with self._metrics.thinking_time.timed():
            thought.start()
            return await thought.result()

    async def close(self) -> None:
        """Stop all thoughts; return when their threads have ended, or do not within the grace."""
        thoughts = list(self._workers)
        for thought in thoughts:
            thought.stop()
        if thoughts:
            await asyncio.wait([thought.ended for thought in thoughts], timeout=STOP_GRACE_S)


class _Worker(Generic[T]):
    """A thought under way.

    ``ended`` is done when its thread is; ``given_up`` is done then too, or when nobody waits for
    that any longer.
    """

    def __init__(self, work: Work[T], seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self.ended: asyncio.Future[None] = loop.create_future()
        self.given_up: asyncio.Future[None] = loop.create_future()
        self.ended.add_done_callback(lambda _: self._end())
        self._work, self._seconds, self._loop = work, seconds, loop
        self._until = time.monotonic() + seconds
        self._stopped = False
        self._found: T
        self._error: BaseException | None = None
        # A daemon, so that one that is stuck does not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)

    def start(self) -> None:
        """Begin.

        Raises:
            RuntimeError: the system has no thread for it.
        """
        try:
            self._thread.start()
        except RuntimeError:
            _settle(self.ended)
            raise

    def is_over(self) -> bool:
        """Should it come to its end?"""
        return self._stopped or time.monotonic() >= self._until

    def stop(self) -> None:
        """Let it come to its end; its place is free when it has, or after the grace."""
        self._stopped = True
        self._loop.call_later(STOP_GRACE_S, self._give_up)

    async def result(self) -> T:
        """Return its result, once it has one.

        Raises:
            WorkTimeout: nothing, in time.
        """
        try:
            done, _ = await asyncio.wait([self.ended], timeout=self._seconds + STOP_GRACE_S)
        except asyncio.CancelledError:
            self.stop()
            raise
        if not done:
            self._stopped = True
            self._give_up()
            raise WorkTimeout(f"no answer within {self._seconds + STOP_GRACE_S:.1f} s")
        match self._error:
            case None:
                return self._found
            case Exception() as error:
                raise error
            case error:
                raise RuntimeError("a thread was left in an unusual way") from error

    def _run(self) -> None:
        try:
            self._found = self._work(self.is_over)
        except BaseException as error:  # noqa: BLE001 - whatever it is, somebody waits for the end
            self._error = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            self._loop.call_soon_threadsafe(_settle, self.ended)

    def _end(self) -> None:
        if self._thread.is_alive():
            self._thread.join()  # it has told its end, and has but moments left
        self._give_up()

    def _give_up(self) -> None:
        _settle(self.given_up)


def _settle(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
