"""Runs long computations in threads off the event loop, a bounded number at a time.

Each has a thread of its own, so one that never ends costs that thread and nothing else. It is told
to stop when its time is up, nobody waits for it any more, or the server closes. While more work is
there than may run at a time, all of it has less time, in proportion, what is under way included.
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
"""Seconds that work may overrun; waiting this long for a slot does not shorten it either."""

MIN_SHARE_S: Final = 0.25
"""Seconds that work has at least, however many others wait."""

IsOver: TypeAlias = Callable[[], bool]
"""Should the work stop? It asks at least every 50 ms."""

Work: TypeAlias = Callable[[IsOver], T]
"""Runs in a thread and touches no shared mutable state."""


class WorkTimeout(Exception):
    """There was no result in time."""


class WorkerPool:
    """The worker threads of one server.

    Args:
        slots: Computations at a time; None: one for each processor.
        metrics: Counts the work.
    """

    def __init__(self, slots: int | None = None, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._count = slots or os.cpu_count() or 1
        self._slots = asyncio.Semaphore(self._count)
        self._workers: set[_Worker[Any]] = set()
        self._sharers = 0

    async def run(self, work: Work[T], seconds: float, *, at_once: bool = False) -> T:
        """Run *work* in a thread, and return its result.

        *seconds* run from the start of the work, or its :meth:`share` of them while others wait;
        waiting for a slot longer than the grace is deducted, so this returns within the seconds and
        two graces. Cancelling it stops the work.

        With *at_once* it begins even if every slot is taken, and shares nothing.

        Raises:
            WorkTimeout: it did not stop within the grace, or got no slot.
        """
        self._metrics.thinking_jobs += 1
        self._sharers += not at_once
        self._share_out()
        try:
            return await self._run_in_slot(work, seconds, at_once)
        finally:
            self._metrics.thinking_jobs -= 1
            self._sharers -= not at_once
            self._share_out()

    def share(self, seconds: float) -> float:
        """Return how many of its *seconds* work has while as much is to be done as now."""
        if self._sharers <= self._count:
            return seconds
        return min(seconds, max(MIN_SHARE_S, seconds * self._count / self._sharers))

    def _share_out(self) -> None:
        for job in self._workers:
            if job.is_sharing:
                job.limit(self.share(job.seconds))

    async def _run_in_slot(self, work: Work[T], seconds: float, at_once: bool) -> T:
        loop = asyncio.get_running_loop()
        latest = loop.time() + seconds + STOP_GRACE_S
        if not at_once:
            try:
                async with asyncio.timeout_at(latest):
                    await self._slots.acquire()
            except TimeoutError:
                raise WorkTimeout("there was no place to think") from None
        job = _Worker(work, min(seconds, latest - loop.time()), loop, is_sharing=not at_once)
        self._workers.add(job)
        self._share_out()
        job.ended.add_done_callback(lambda _: self._workers.discard(job))
        if not at_once:
            job.given_up.add_done_callback(lambda _: self._slots.release())
        with self._metrics.thinking_time.timed():
            job.start()
            return await job.result()

    async def close(self) -> None:
        """Stop all work; wait for the threads to end, at most for the grace."""
        jobs = list(self._workers)
        for job in jobs:
            job.stop()
        if jobs:
            await asyncio.wait([job.ended for job in jobs], timeout=STOP_GRACE_S)


class _Worker(Generic[T]):
    """Work under way; ``ended`` when its thread has, ``given_up`` then or when the wait ends.

    It has at most ``seconds``, and shares them with others if it ``is_sharing``.
    """

    def __init__(
        self,
        work: Work[T],
        seconds: float,
        loop: asyncio.AbstractEventLoop,
        *,
        is_sharing: bool,
    ) -> None:
        self.ended: asyncio.Future[None] = loop.create_future()
        self.given_up: asyncio.Future[None] = loop.create_future()
        self.ended.add_done_callback(lambda _: self._end())
        self.seconds, self.is_sharing = seconds, is_sharing
        self._work, self._loop = work, loop
        self._begun = time.monotonic()
        self._until = self._begun + seconds
        self._stopped = False
        self._found: T
        self._error: BaseException | None = None
        # A daemon, so that one that is stuck does not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)

    def start(self) -> None:
        """Start the thread.

        Raises:
            RuntimeError: the system has no thread for it.
        """
        try:
            self._thread.start()
        except RuntimeError:
            _settle(self.ended)
            raise

    def limit(self, seconds: float) -> None:
        """Let it run for so many *seconds* from its beginning."""
        self._until = self._begun + min(seconds, self.seconds)

    def is_over(self) -> bool:
        """Should the work stop?"""
        return self._stopped or time.monotonic() >= self._until

    def stop(self) -> None:
        """Ask the work to stop; its slot is free when it has, or after the grace."""
        self._stopped = True
        self._loop.call_later(STOP_GRACE_S, self._give_up)

    async def result(self) -> T:
        """Wait for the result.

        Raises:
            WorkTimeout: there was none in time.
        """
        try:
            done, _ = await asyncio.wait([self.ended], timeout=self.seconds + STOP_GRACE_S)
        except asyncio.CancelledError:
            self.stop()
            raise
        if not done:
            self._stopped = True
            self._give_up()
            raise WorkTimeout(f"no answer within {self.seconds + STOP_GRACE_S:.1f} s")
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
