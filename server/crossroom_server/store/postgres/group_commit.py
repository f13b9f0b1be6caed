"""What is written to a PostgreSQL database, and how: together what came in together."""

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import asyncpg

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.store.contract import Account, CodeOwner, Conflict, Superseded, Unavailable
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.store.postgres.finished_table import finished_rows
from crossroom_server.store.postgres.leases import owner
from crossroom_server.store.postgres.schema import (
    ANSWER_TIMEOUT_S,
    RECONNECT_TIMEOUT_S,
    Connection,
    is_lost,
    to_unavailable,
)
from crossroom_server.store.postgres.write_connection import WriteConnection
from crossroom_server.store.postgres.write_fence import WriteFence
from crossroom_server.store.sqlite.group_commit import settle_futures

log = logging.getLogger(__name__)

MAX_JOBS_PER_STATEMENT: Final = 500
"""Most jobs in one statement."""
_RETRY_S: Final = 0.1
"""Seconds from one try to the next while the database is away."""
_MAX_COLLISIONS: Final = 3
"""Times that somebody else's entry may get in between looking and writing."""

_CLAIM: Final = "SELECT name, digest, since FROM crossroom.claims WHERE key = $1"
_STORED: Final = """
    SELECT entry FROM crossroom.entries WHERE room = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""
_LET_GO: Final = "DELETE FROM crossroom.claims WHERE key = $1 AND digest = $2"
_GIVE_BACK: Final = """
    UPDATE crossroom.claims SET (name, digest, since) = ($3, $4, $5) WHERE key = $1 AND digest = $2
"""


@dataclass(eq=False, kw_only=True)
class WriteJob(ABC):
    """Something to write; ``key`` is what no other of its kind in the same group may have.

    ``is_doubtful``: it was sent once, and no answer came.
    """

    key: str
    done: "asyncio.Future[None]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    asked: float = field(default_factory=time.monotonic)
    is_doubtful: bool = False

    @classmethod
    @abstractmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """Do all *jobs*, in one transaction; why not, for those that are refused.

        Raises:
            Superseded: the epoch is over; nothing was done.
            Exception: the database failed, and did all of it or nothing.
        """

    def compensation(self, right: WriteFence) -> tuple[str, tuple[object, ...]] | None:
        """A statement that undoes it, with its values; None: nobody minds if it was done."""
        return None


@dataclass(eq=False, kw_only=True)
class AppendJob(WriteJob):
    """Entries as JSON, numbered ``after + 1`` and on, for the room ``key``.

    ``lease``: the epoch by which the room is ours, from when it is sent first; no other counts.
    """

    after: int
    entries: list[str]
    over: Sequence[FinishedGame] = ()
    lease: int | None = None

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`; refused with :exc:`Conflict` or :exc:`LeaseLost`."""
        leases = [job._held(right) for job in jobs]
        new = [
            (job.key, seq, entry)
            for job in jobs
            for seq, entry in enumerate(job.entries, job.after + 1)
        ]
        rooms, numbers, entries = zip(*new, strict=True) if new else ((), (), ())
        asked, after = [job.key for job in jobs], [job.after for job in jobs]
        over = [row for job in jobs for row in finished_rows(job.over)]
        finished = zip(*over, strict=True) if over else ((), (), (), ())
        values = asked, after, rooms, numbers, entries, *finished, *right.naming(*leases)
        rows = _passed(await db.fetch(right.statements.append, right.epoch, *values))
        found = {row["room"]: row for row in rows}
        return [await job._refusal(db, found[job.key]) for job in jobs]

    def _held(self, right: WriteFence) -> int:
        if self.lease is None:
            self.lease = right.lease(self.key)
        return self.lease

    async def _refusal(self, db: Connection, found: Any) -> Conflict | LeaseLost | None:
        if found["is_ours"] and found["last"] == self.after:
            return None
        if self.is_doubtful and self.entries:  # is it this that has been stored?
            rows = await db.fetch(_STORED, self.key, self.after, len(self.entries))
            if [row["entry"] for row in rows] == self.entries:
                return None
        if not found["is_ours"]:
            return LeaseLost(self.key, await owner(db, self.key) or "")
        return Conflict(self.key, self.after, found["last"])

    def taking_back(self, right: WriteFence) -> tuple[str, tuple[object, ...]]:
        """See :meth:`WriteJob.taking_back`.

        While the room has been ours without a break: what another owner has read stays, for that
        is what goes on there, although here it was reported as not done.
        """
        values = self.key, self.after, *right.naming_to_take_back(self._held(right))
        return right.statements.take_back, values


@dataclass(eq=False, kw_only=True)
class SaveCodeJob(WriteJob):
    """Whom the code with the digest ``key`` belongs to."""

    member: CodeOwner

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`; never refused."""
        known = ((job.key, job.member) for job in jobs)
        rows = (
            (key, one.room, one.member, one.name, int(one.registered), one.since)
            for key, one in known
        )
        _passed(await db.fetch(right.statements.save_codes, right.epoch, *zip(*rows, strict=True)))
        return [None] * len(jobs)


@dataclass(eq=False, kw_only=True)
class ResolveCodesJob(WriteJob):
    """Some codes are kept for good; others are forgotten if they were last used *before*."""

    key: str = ""
    kept: Sequence[str]
    gone: Sequence[str]
    before: int

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`, but one by one, as they are rare; never refused."""
        for job in jobs:
            values = right.epoch, job.kept, job.gone, job.before
            _passed(await db.fetch(right.statements.resolve_codes, *values))
        return [None] * len(jobs)


@dataclass(eq=False, kw_only=True)
class DeleteVacantJob(WriteJob):
    """The room ``key`` is forgotten if it is vacant: nothing has happened there since *before*.

    One by one, so that none is long; done twice, it finds nothing the second time.
    """

    before: int
    was_vacant: bool = False

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`; never refused."""
        for job in jobs:
            values = job.key, job.before, *right.naming(right.lease(job.key))
            rows = _passed(await db.fetch(right.statements.delete_vacant, right.epoch, *values))
            job.was_vacant = rows[0]["was_vacant"]
        return [None] * len(jobs)


@dataclass(eq=False, kw_only=True)
class SaveAccountJob(WriteJob):
    """Whose the names with the ``key`` are: only if they are nobody's, or else *anew*.

    ``before`` is whose they were.
    """

    claim: Account
    anew: bool
    before: Account | None = None

    @property
    def taken(self) -> Account | None:
        """Whose they are, if that is in the way."""
        return None if self.anew or self.before == self.claim else self.before

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`, but one by one, as they are rare; never refused."""
        for job in jobs:
            while not await job._is_settled(db, right):
                pass
        return [None] * len(jobs)

    async def _is_settled(self, db: Connection, right: WriteFence) -> bool:
        """Try once; false if another server changed in between whose the names are."""
        row = await db.fetchrow(_CLAIM, self.key)
        found = Account(*row) if row else None
        if self.is_doubtful and found == self.claim:
            return True
        self.before = found
        if self.taken is not None:
            return True
        new, before = self.claim, found.digest if found else ""
        values = self.key, new.name, new.digest, new.since, before
        rows = _passed(await db.fetch(right.statements.save_account, right.epoch, *values))
        return bool(rows[0]["is_kept"])

    def taking_back(self, right: WriteFence) -> tuple[str, tuple[object, ...]] | None:
        """See :meth:`WriteJob.taking_back`."""
        if self.taken is not None:
            return None
        if (old := self.before) is None:
            return _LET_GO, (self.key, self.claim.digest)
        return _GIVE_BACK, (self.key, self.claim.digest, old.name, old.digest, old.since)


@dataclass(eq=False, kw_only=True)
class ProbeJob(WriteJob):
    """Nothing, to see whether anything can be written."""

    key: str = ""

    @classmethod
    async def write(
        cls, db: Connection, right: WriteFence, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`WriteJob.write`; never refused."""
        _passed(await db.fetch(right.statements.check, right.epoch))
        return [None] * len(jobs)


def _passed(rows: list[Any]) -> list[Any]:
    """What the fence let through."""
    if not rows:
        raise Superseded("another server has taken over these games")
    return rows


class PostgresGroupCommit:
    """Group commit: what arrives while the database is busy shares the next statement.

    With nothing else to do a job is committed at once; nobody waits for company. What was sent when
    the connection was lost is looked for on the next one, and sent again if it is not there, so a
    database that restarts within :data:`RECONNECT_TIMEOUT_S` is not noticed.

    Args:
        line: To write on; opened.
        loop: Runs :meth:`run`; all others may live in any loop.
    """

    def __init__(self, line: WriteConnection, loop: asyncio.AbstractEventLoop) -> None:
        self._line, self._loop = line, loop
        self._jobs: deque[WriteJob] = deque()
        self._gate = threading.Lock()  # so that nothing is queued behind the end
        self._wake = asyncio.Event()
        self._closed = self._failing = self._in_doubt = False

    @property
    def is_unsure(self) -> bool:
        """May something be stored now that is taken back later?"""
        return self._in_doubt or bool(self._line.compensations)

    async def do(self, job: WriteJob) -> None:
        """Return when *job* is durable. Cancelled or not, it is carried out.

        Raises:
            Unavailable: the database failed, or the writer is closed; nothing was done.
            Conflict, Taken: as :class:`AppendJob` says.
        """
        with self._gate:
            if self._closed:
                raise Unavailable("the store is closed")
            self._jobs.append(job)
            self._loop.call_soon_threadsafe(self._wake.set)
        await job.done

    def close(self) -> None:
        """Let :meth:`run` end when all is done that is queued. Any thread may ask for it."""
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
            self._note(failures)
            self._line.compensations += [
                undo
                for job, failure in zip(jobs, failures, strict=True)
                if job.is_doubtful
                and isinstance(failure, Unavailable)
                and (undo := job.compensation(self._line.fence)) is not None
            ]
            settle_futures([job.done for job in jobs], failures)
        if self._line.compensations:
            rooms = ", ".join(str(values[0]) for _, values in self._line.compensations)
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

    async def _write(self, jobs: Sequence[WriteJob]) -> Sequence[Exception | None]:
        until, collisions = jobs[0].asked + RECONNECT_TIMEOUT_S, 0
        while True:
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT_S):
                    db = await self._line.connection()
                    return await self._send(db, jobs)
            except asyncpg.UniqueViolationError as error:
                collisions += 1
                if collisions == _MAX_COLLISIONS:
                    return [to_unavailable(error)] * len(jobs)
            except Exception as error:  # noqa: BLE001 - this task must outlive any fault
                if not is_lost(error):
                    return await self._one_by_one(jobs, error)
                self._line.drop()
                if time.monotonic() > until:
                    return [to_unavailable(error)] * len(jobs)
                await asyncio.sleep(_RETRY_S)

    async def _send(self, db: Connection, jobs: Sequence[WriteJob]) -> list[Exception | None]:
        try:
            return await type(jobs[0]).write(db, self._line.fence, jobs)
        except BaseException as error:
            if not isinstance(error, Exception) or is_lost(error):
                self._in_doubt = True
                for job in jobs:
                    job.is_doubtful = True
            raise

    async def _one_by_one(
        self, jobs: Sequence[WriteJob], error: Exception
    ) -> Sequence[Exception | None]:
        """Let one that the database refuses take no other with it."""
        if len(jobs) == 1 or isinstance(error, Unavailable):
            return [to_unavailable(error)] * len(jobs)
        return [(await self._write([job]))[0] for job in jobs]

    def _note(self, failures: Sequence[Exception | None]) -> None:
        """Log the first failure, and the end: there may be thousands of them."""
        failed = [failure for failure in failures if isinstance(failure, Unavailable)]
        if failed and not self._failing:
            log.error("nothing can be stored: %s", failed[0])
        if not failed and self._failing:
            log.warning("it can be stored again")
        self._failing = bool(failed)
