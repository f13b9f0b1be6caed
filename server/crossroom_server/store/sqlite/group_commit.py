"""Writes to SQLite in a thread that commits together what arrived together."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import NamedTuple, TypeAlias

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.group_commit import OutageLog, settle_futures
from crossroom_server.store.sqlite.file import to_unavailable

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[sqlite3.Connection], object]
"""Statements without BEGIN and COMMIT. An exception undoes them, and goes to the caller."""


BatchCommit: TypeAlias = Callable[[sqlite3.Connection, Sequence[Work]], bool]
"""Does these works and makes them durable; or returns False, and has done nothing."""


class _WriteJob(NamedTuple):
    work: Work
    done: asyncio.Future[None]


class SqliteGroupCommit:
    """Group commit: what arrives while the disk is busy shares the next transaction.

    A job alone is committed at once. Each has a savepoint, so that one that is refused takes no
    other with it. When the disk fails, the whole group fails.

    Args:
        db: In autocommit mode (``isolation_level=None``); this thread's alone from now on.
        fence: Begins every transaction; an exception ends it, and goes to all callers.
        at_once: A shorter way for some groups, with the fence in it.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        fence: Work = lambda _: None,
        at_once: BatchCommit = lambda *_: False,
    ) -> None:
        self._db, self._fence, self._at_once = db, fence, at_once
        self._queue: SimpleQueue[_WriteJob | None] = SimpleQueue()
        self._closed, self._outage = False, OutageLog()
        self._gate = threading.Lock()  # so that nothing is queued behind the end
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work) -> None:
        """Return when *work* is durable. It is carried out even if this is cancelled.

        Raises:
            Unavailable: the database failed, or this is closed; nothing was done.
            Exception: whatever *work* raised; nothing was done.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._gate:
            if self._closed:
                raise Unavailable("the store is closed")
            self._queue.put(_WriteJob(work, done))
        await done

    def close(self) -> None:
        """Finish what is queued and end the thread. Blocks; harmless a second time."""
        with self._gate:
            if not self._closed:
                self._queue.put(None)
            self._closed = True
        self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            waiting = [self._queue.get()]
            waiting += [self._queue.get_nowait() for _ in range(self._queue.qsize())]
            going_on = waiting[-1] is not None
            if jobs := [job for job in waiting if job is not None]:
                self._commit(jobs)

    def _commit(self, jobs: list[_WriteJob]) -> None:
        failures: list[Exception | None]
        try:
            if self._at_once(self._db, [job.work for job in jobs]):
                failures = [None] * len(jobs)
            else:
                self._db.execute("BEGIN IMMEDIATE")
                self._fence(self._db)
                failures = [self._attempt(job.work) for job in jobs]
                self._db.execute("COMMIT")
            self._outage.update(None)
        except Exception as error:  # noqa: BLE001 - this thread must outlive any fault of the disk
            self._outage.update(error)
            with suppress(sqlite3.Error):  # after some errors SQLite has rolled back already
                self._db.execute("ROLLBACK")
            failures = [to_unavailable(error) for _ in jobs]
        settle_futures([job.done for job in jobs], failures)

    def _attempt(self, work: Work) -> Exception | None:
        failure: Exception | None = None
        self._db.execute("SAVEPOINT job")
        try:
            work(self._db)
        except Exception as error:  # whatever it is, it belongs to who asked, not to this thread
            if not self._db.in_transaction:
                raise  # as a full disk does, this has undone what the others did, too
            self._db.execute("ROLLBACK TO job")
            failure = error
        self._db.execute("RELEASE job")
        if isinstance(failure, sqlite3.Error):
            log.error("a write failed: %s", failure)
            return to_unavailable(failure)
        return failure
