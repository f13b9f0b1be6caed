"""One thread that writes to a SQLite database, and commits together what came in together."""

import asyncio
import logging
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import NamedTuple, TypeAlias

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.sqlite.file import to_unavailable

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[sqlite3.Connection], object]
"""Some statements, without BEGIN and COMMIT. What it raises undoes it and goes to who asked."""


BatchCommit: TypeAlias = Callable[[sqlite3.Connection, Sequence[Work]], bool]
"""Does all of these works and makes them durable, or says that it cannot, and has done nothing."""

_Answer: TypeAlias = tuple[asyncio.Future[None], Exception | None]


class _WriteJob(NamedTuple):
    work: Work
    done: asyncio.Future[None]


class SqliteGroupCommit:
    """Group commit: what arrives while the disk is busy shares the next transaction.

    With nothing else to do a job is committed at once; nobody waits for company. Each job has its
    own savepoint, so one that is refused takes no other with it. When the disk fails, the whole
    group fails.

    Args:
        db: In autocommit mode (``isolation_level=None``); this thread's alone from now on.
        fence: Begins every transaction; what it raises ends it, and goes to all who asked.
        at_once: A shorter way for some groups, which sees to the fence by itself.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        fence: Work = lambda _: None,
        at_once: BatchCommit = lambda *_: False,
    ) -> None:
        self._db, self._fence, self._at_once = db, fence, at_once
        self._queue: SimpleQueue[_WriteJob | None] = SimpleQueue()
        self._closed = self._failing = False
        self._gate = threading.Lock()  # so that nothing is queued behind the end
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work) -> None:
        """Return when *work* is durable. Cancelled or not, it is carried out.

        Raises:
            Unavailable: the database failed, or the writer is closed; nothing was done.
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
            self._note(None)
        except Exception as error:  # noqa: BLE001 - this thread must outlive any fault of the disk
            self._note(error)
            with suppress(sqlite3.Error):  # after some errors SQLite has rolled back already
                self._db.execute("ROLLBACK")
            failures = [to_unavailable(error) for _ in jobs]
        settle_futures([job.done for job in jobs], failures)

    def _note(self, error: Exception | None) -> None:
        """Log the first failure, and the end: there may be thousands of them on a full disk."""
        if error is not None and not self._failing:
            log.error("nothing can be stored: %s", error)
        if error is None and self._failing:
            log.warning("it can be stored again")
        self._failing = error is not None

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


def settle_futures(
    asked: Sequence[asyncio.Future[None]], failures: Sequence[Exception | None]
) -> None:
    """Tell all of a group at once, from another thread: the failure of each, None if it has none.

    To wake a loop costs more than to settle a future.
    """
    answers: defaultdict[asyncio.AbstractEventLoop, list[_Answer]] = defaultdict(list)
    for done, failure in zip(asked, failures, strict=True):
        answers[done.get_loop()].append((done, failure))
    for loop, some in answers.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, some)


def _settle(answers: Sequence[_Answer]) -> None:
    for done, failure in answers:
        if done.done():  # nobody waits any more
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)
