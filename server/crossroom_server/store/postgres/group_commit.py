"""Writes to PostgreSQL in one task that sends together what arrived together."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Final

import asyncpg

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.group_commit import OutageLog, settle_futures
from crossroom_server.store.postgres.schema import (
    ANSWER_TIMEOUT_S,
    RECONNECT_TIMEOUT_S,
    Connection,
    is_lost,
    to_unavailable,
)
from crossroom_server.store.postgres.write_connection import WriteConnection
from crossroom_server.store.postgres.write_jobs import Outcomes, WriteJob

log = logging.getLogger(__name__)

MAX_JOBS_PER_STATEMENT: Final = 500
RETRY_INTERVAL_S: Final = 0.1
"""Between two tries while the database is away."""
MAX_COLLISIONS: Final = 3
"""Somebody else's entry may get in between looking and writing so many times."""


class PostgresGroupCommit:
    """Group commit: what arrives while the database is busy shares the next statement.

    A job alone is sent at once. After a lost connection, what was under way is looked for on the
    next one, and sent again if it is not there. So nobody notices a database that restarts within
    :data:`RECONNECT_TIMEOUT_S`.

    Args:
        connection: Opened.
        loop: The loop of :meth:`run`; callers may live in any loop.
    """

    def __init__(self, connection: WriteConnection, loop: asyncio.AbstractEventLoop) -> None:
        self._connection, self._loop = connection, loop
        self._jobs: deque[WriteJob] = deque()
        self._gate = threading.Lock()  # so that nothing is queued behind the end
        self._wake = asyncio.Event()
        self._closed = self._in_doubt = False
        self._outage = OutageLog()

    @property
    def is_unsure(self) -> bool:
        """Can something be stored now that will be taken back?"""
        return self._in_doubt or bool(self._connection.compensations)

    async def do(self, job: WriteJob) -> None:
        """Return when *job* is durable. It is carried out even if this is cancelled.

        Raises:
            Unavailable: the database failed, or this is closed; nothing was done.
            Conflict, LeaseLost: see :class:`AppendJob`.
        """
        with self._gate:
            if self._closed:
                raise Unavailable("the store is closed")
            self._jobs.append(job)
            self._loop.call_soon_threadsafe(self._wake.set)
        await job.done

    def close(self) -> None:
        """Let :meth:`run` end when the queue is empty; for any thread."""
        with self._gate:
            self._closed = True
            self._loop.call_soon_threadsafe(self._wake.set)

    async def run(self) -> None:
        """Write until it is closed."""
        while self._jobs or not self._closed:
            if not self._jobs:
                self._wake.clear()
                await self._wake.wait()
                continue
            jobs = self._group()
            failures = await self._write(jobs)
            self._in_doubt = False
            outages = [one for one in failures if isinstance(one, Unavailable)]
            self._outage.update(outages[0] if outages else None)
            self._connection.compensations += [
                undo
                for job, failure in zip(jobs, failures, strict=True)
                if job.is_doubtful
                and isinstance(failure, Unavailable)
                and (undo := job.compensation(self._connection.fence)) is not None
            ]
            settle_futures([job.done for job in jobs], failures)
        if self._connection.compensations:
            rooms = ", ".join(str(values[0]) for _, values in self._connection.compensations)
            log.error("the database is away; perhaps it has stored more than was told: %s", rooms)

    def _group(self) -> list[WriteJob]:
        """Take the first job, and all of its kind that can be done with it."""
        kind, keys = type(self._jobs[0]), set[str]()
        group, rest = list[WriteJob](), deque[WriteJob]()
        with self._gate:
            for job in self._jobs:
                fits = (
                    type(job) is kind
                    and job.key not in keys
                    and len(group) < MAX_JOBS_PER_STATEMENT
                )
                (group if fits else rest).append(job)
                keys.add(job.key)
            self._jobs = rest
        return group

    async def _write(self, jobs: Sequence[WriteJob]) -> Outcomes:
        until, collisions = jobs[0].asked + RECONNECT_TIMEOUT_S, 0
        while True:
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT_S):
                    db = await self._connection.connection()
                    return await self._send(db, jobs)
            except asyncpg.UniqueViolationError as error:
                collisions += 1
                if collisions == MAX_COLLISIONS:
                    return [to_unavailable(error)] * len(jobs)
            except Exception as error:  # noqa: BLE001 - this task must outlive any fault
                if not is_lost(error):
                    return await self._one_by_one(jobs, error)
                self._connection.drop()
                if time.monotonic() > until:
                    return [to_unavailable(error)] * len(jobs)
                await asyncio.sleep(RETRY_INTERVAL_S)

    async def _send(self, db: Connection, jobs: Sequence[WriteJob]) -> Outcomes:
        try:
            return await type(jobs[0]).write(db, self._connection.fence, jobs)
        except BaseException as error:
            if not isinstance(error, Exception) or is_lost(error):
                self._in_doubt = True
                for job in jobs:
                    job.is_doubtful = True
            raise

    async def _one_by_one(self, jobs: Sequence[WriteJob], error: Exception) -> Outcomes:
        """Send the jobs alone, so that one that is refused takes no other with it."""
        if len(jobs) == 1 or isinstance(error, Unavailable):
            return [to_unavailable(error)] * len(jobs)
        return [(await self._write([job]))[0] for job in jobs]
