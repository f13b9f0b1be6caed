"""Runs jobs one after the other in a single task, so that a room needs no locks."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias, TypeVar

from crossroom_protocol.base.refusals import CODES, Refusal

MAX_QUEUED_JOBS: Final = 256
"""Length of the queue; posting to a full one waits."""

T = TypeVar("T")

Job: TypeAlias = Callable[[], Awaitable[T]]


class Mailbox:
    """A queue of jobs for one task."""

    def __init__(self) -> None:
        self._jobs: asyncio.Queue[tuple[Job[Any], asyncio.Future[Any]]] = asyncio.Queue(
            MAX_QUEUED_JOBS
        )
        self.is_closed = self._is_working = False
        self.idle_since = asyncio.get_running_loop().time()
        """Loop time at which the last job ended, in seconds."""

    def __len__(self) -> int:
        return self._jobs.qsize()

    @property
    def is_empty(self) -> bool:
        """Is no job under way, and none waits?"""
        return not self._is_working and self._jobs.empty()

    async def post(self, job: Job[T]) -> T:
        """Have *job* done and return its result. Cancelling the wait does not cancel the job.

        Raises:
            Refusal: it was refused, or the mailbox is closed.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self.is_closed:
            raise _closed()
        await self._jobs.put((job, done))
        if self.is_closed:  # it was, while this waited before a full queue, and others may still
            done.cancel()
            self._refuse_all()
            raise _closed()
        try:
            return await done
        finally:
            del done  # a refusal holds this frame in its traceback, and must not be held by it

    def close(self) -> None:
        """Do no job after the one under way, and refuse those that wait.

        They are refused now, as the one under way may wait for a database for long. After it
        :meth:`serve` returns.
        """
        if self.is_empty and not self.is_closed:  # it waits for a job, and must not for ever
            unheard = asyncio.get_running_loop().create_future()
            unheard.cancel()
            self._jobs.put_nowait((_nothing, unheard))
        self.is_closed = True
        if self._is_working:
            self._refuse_all()

    async def serve(self, run: Callable[[Job[object]], Awaitable[object]]) -> None:
        """Do the jobs until closed or cancelled; refuse those that are left.

        Args:
            run: Does a job and never raises; returns its result or its refusal.
        """
        done: asyncio.Future[Any] | None = None
        try:
            while not self.is_closed:
                job, done = await self._jobs.get()
                if self.is_closed:
                    break
                self._is_working = True
                _settle(done, await run(job))
                del job  # it holds whoever asked for it, and the next may be long in coming
                done = None
                self._is_working = False
                self.idle_since = asyncio.get_running_loop().time()
                if not self._jobs.empty():
                    await asyncio.sleep(0)  # a room with much to do leaves the others their turn
        finally:
            self.is_closed = True
            if done is not None:
                _settle(done, _closed())
            self._refuse_all()

    def _refuse_all(self) -> None:
        while not self._jobs.empty():
            _settle(self._jobs.get_nowait()[1], _closed())


async def _nothing() -> None:
    """Do nothing, but wake :meth:`Mailbox.serve`."""


def _settle(done: asyncio.Future[Any], outcome: object) -> None:
    """Deliver *outcome*, unless the wait was cancelled."""
    if done.done():
        return
    if isinstance(outcome, Refusal):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)


def _closed() -> Refusal:
    return Refusal("SHUTTING_DOWN", CODES["SHUTTING_DOWN"])
