"""What is written to a PostgreSQL database, and how: together what came in together."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import asyncpg

from crossroom_protocol.finished import Finished
from crossroom_server.store import Claim, Conflict, Member, Superseded, Unavailable
from crossroom_server.store.postgres_base import (
    ANSWER,
    PATIENCE,
    Connection,
    explained,
    is_lost,
)
from crossroom_server.store.postgres_derived import columns
from crossroom_server.store.postgres_line import Line
from crossroom_server.store.writer import answer

log = logging.getLogger(__name__)

TOGETHER: Final = 500
"""Most jobs in one statement."""
_AGAIN: Final = 0.1
"""Seconds from one try to the next while the database is away."""
_COLLISIONS: Final = 3
"""Times that somebody else's entry may get in between looking and writing."""


# Each of these is one statement, so that the database does it whole or not at all even if nobody is
# left to say what comes next. The lease is locked until the end of it: whoever takes the next epoch
# waits. A row for each room may stand beside that for all rooms one day; the entries know nothing
# of it.
_FENCE: Final = """
    WITH fence AS MATERIALIZED (
        SELECT epoch FROM crossroom.leases WHERE room = '' AND epoch = $1 FOR SHARE
    )
"""
_APPEND: Final = f"""{_FENCE}, asked AS MATERIALIZED (
        SELECT room, after, coalesce(
            (SELECT max(seq) FROM crossroom.entries WHERE entries.room = asked.room), 0
        ) AS last
        FROM unnest($2::text[], $3::integer[]) AS asked (room, after), fence
    ), stored AS (
        INSERT INTO crossroom.entries (room, seq, entry)
        SELECT new.room, new.seq, new.entry
        FROM unnest($4::text[], $5::integer[], $6::text[])
            WITH ORDINALITY AS new (room, seq, entry, place)
        JOIN asked ON asked.room = new.room AND asked.after = asked.last
        ORDER BY place
        RETURNING id, room, seq
    ), over AS (
        INSERT INTO crossroom.finished (id, room, page, game)
        SELECT stored.id, stored.room, over.page, over.game
        FROM unnest($7::text[], $8::integer[], $9::text[], $10::text[])
            AS over (room, seq, page, game)
        JOIN stored ON stored.room = over.room AND stored.seq = over.seq
    )
    SELECT room, last FROM asked
"""
_KEEP_CODES: Final = f"""{_FENCE}, kept AS (
        INSERT INTO crossroom.codes (digest, room, member, name, registered)
        SELECT new.*
        FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[]) AS new, fence
        ON CONFLICT (digest) DO UPDATE
        SET (id, room, member, name, registered) = (
            DEFAULT, excluded.room, excluded.member, excluded.name, excluded.registered
        )
    )
    SELECT 1 FROM fence
"""
_KEEP_CLAIM: Final = f"""{_FENCE}, kept AS (
        INSERT INTO crossroom.claims (key, name, digest, since)
        SELECT $2, $3, $4, $5 FROM fence
        ON CONFLICT (key) DO UPDATE
        SET (name, digest, since) = (excluded.name, excluded.digest, excluded.since)
    )
    SELECT 1 FROM fence
"""
_CLAIM: Final = "SELECT name, digest, since FROM crossroom.claims WHERE key = $1"
_CHECK: Final = (
    "UPDATE crossroom.leases SET owner = owner WHERE room = '' AND epoch = $1 RETURNING 1"
)
_STORED: Final = """
    SELECT entry FROM crossroom.entries WHERE room = $1 AND seq > $2 ORDER BY seq
"""
_TAKE_BACK: Final = """
    WITH gone AS (DELETE FROM crossroom.entries WHERE room = $1 AND seq > $2 RETURNING id)
    DELETE FROM crossroom.finished USING gone WHERE finished.id = gone.id
"""
_LET_GO: Final = "DELETE FROM crossroom.claims WHERE key = $1 AND digest = $2"
_GIVE_BACK: Final = """
    UPDATE crossroom.claims SET (name, digest, since) = ($3, $4, $5) WHERE key = $1 AND digest = $2
"""


@dataclass(eq=False, kw_only=True)
class Job:
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
    async def write(
        cls, db: Connection, epoch: int, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """Do all *jobs*, in one transaction; why not, for those that are refused.

        Raises:
            Superseded: the epoch is over; nothing was done.
            Exception: the database failed, and did all of it or nothing.
        """
        raise NotImplementedError

    def taking_back(self) -> tuple[str, tuple[object, ...]] | None:
        """A statement that undoes it, with its values; None: nobody minds if it was done."""
        return None


@dataclass(eq=False, kw_only=True)
class Append(Job):
    """Entries as JSON, numbered ``after + 1`` and on, for the room ``key``."""

    after: int
    entries: list[str]
    over: Sequence[Finished] = ()

    @classmethod
    async def write(
        cls, db: Connection, epoch: int, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`Job.write`; refused with :exc:`Conflict`."""
        new = [
            (job.key, seq, entry)
            for job in jobs
            for seq, entry in enumerate(job.entries, job.after + 1)
        ]
        rooms, numbers, entries = zip(*new, strict=True) if new else ((), (), ())
        asked, after = [job.key for job in jobs], [job.after for job in jobs]
        over = [row for job in jobs for row in columns(job.over)]
        finished = zip(*over, strict=True) if over else ((), (), (), ())
        rows = await db.fetch(_APPEND, epoch, asked, after, rooms, numbers, entries, *finished)
        last = dict(_passed(rows))
        return [await job._refusal(db, last[job.key]) for job in jobs]

    async def _refusal(self, db: Connection, last: int) -> Conflict | None:
        if last == self.after:
            return None
        if self.is_doubtful and self.entries:  # is it this that has been stored?
            rows = await db.fetch(_STORED, self.key, self.after)
            if [row["entry"] for row in rows] == self.entries:
                return None
        return Conflict(self.key, self.after, last)

    def taking_back(self) -> tuple[str, tuple[object, ...]]:
        """See :meth:`Job.taking_back`."""
        return _TAKE_BACK, (self.key, self.after)


@dataclass(eq=False, kw_only=True)
class KeepCode(Job):
    """Whom the code with the digest ``key`` belongs to."""

    member: Member

    @classmethod
    async def write(
        cls, db: Connection, epoch: int, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`Job.write`; never refused."""
        rows = (
            (j.key, j.member.room, j.member.member, j.member.name, int(j.member.registered))
            for j in jobs
        )
        _passed(await db.fetch(_KEEP_CODES, epoch, *zip(*rows, strict=True)))
        return [None] * len(jobs)


@dataclass(eq=False, kw_only=True)
class KeepClaim(Job):
    """Whose the names with the ``key`` are: only if they are nobody's, or else *anew*.

    ``before`` is whose they were.
    """

    claim: Claim
    anew: bool
    before: Claim | None = None

    @property
    def taken(self) -> Claim | None:
        """Whose they are, if that is in the way."""
        return None if self.anew or self.before == self.claim else self.before

    @classmethod
    async def write(
        cls, db: Connection, epoch: int, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`Job.write`, but one by one, as they are rare; never refused."""
        for job in jobs:
            if not job.is_doubtful:
                row = await db.fetchrow(_CLAIM, job.key)
                job.before = Claim(*row) if row else None
            if job.taken is None:
                new = job.claim
                _passed(
                    await db.fetch(_KEEP_CLAIM, epoch, job.key, new.name, new.digest, new.since)
                )
        return [None] * len(jobs)

    def taking_back(self) -> tuple[str, tuple[object, ...]] | None:
        """See :meth:`Job.taking_back`."""
        if self.taken is not None:
            return None
        if (old := self.before) is None:
            return _LET_GO, (self.key, self.claim.digest)
        return _GIVE_BACK, (self.key, self.claim.digest, old.name, old.digest, old.since)


@dataclass(eq=False, kw_only=True)
class Check(Job):
    """Nothing, to see whether anything can be written."""

    key: str = ""

    @classmethod
    async def write(
        cls, db: Connection, epoch: int, jobs: Sequence[Self]
    ) -> list[Exception | None]:
        """See :meth:`Job.write`; never refused."""
        _passed(await db.fetch(_CHECK, epoch))
        return [None] * len(jobs)


def _passed(rows: list[Any]) -> list[Any]:
    """What the fence let through."""
    if not rows:
        raise Superseded("another server has taken over these games")
    return rows


class Writer:
    """Group commit: what arrives while the database is busy shares the next statement.

    With nothing else to do a job is committed at once; nobody waits for company. What was sent when
    the connection was lost is looked for on the next one, and sent again if it is not there, so a
    database that restarts within :data:`PATIENCE` is not noticed.

    Args:
        line: To write on; opened.
        loop: Runs :meth:`run`; all others may live in any loop.
    """

    def __init__(self, line: Line, loop: asyncio.AbstractEventLoop) -> None:
        self._line, self._loop = line, loop
        self._jobs: deque[Job] = deque()
        self._gate = threading.Lock()  # so that nothing is queued behind the end
        self._wake = asyncio.Event()
        self._closed = self._failing = self._in_doubt = False

    @property
    def is_unsure(self) -> bool:
        """May something be stored now that is taken back later?"""
        return self._in_doubt or bool(self._line.doubts)

    async def do(self, job: Job) -> None:
        """Return when *job* is durable. Cancelled or not, it is carried out.

        Raises:
            Unavailable: the database failed, or the writer is closed; nothing was done.
            Conflict: as :class:`Append` says.
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
            self._line.doubts += [
                undo
                for job, failure in zip(jobs, failures, strict=True)
                if job.is_doubtful
                and isinstance(failure, Unavailable)
                and (undo := job.taking_back()) is not None
            ]
            answer([job.done for job in jobs], failures)
        if self._line.doubts:
            rooms = ", ".join(str(values[0]) for _, values in self._line.doubts)
            log.error("the database is away; perhaps it has stored more than was told: %s", rooms)

    def _group(self) -> list[Job]:
        """Take the first job, and all of its kind that can be done with it."""
        kind, keys = type(self._jobs[0]), set[str]()
        group, rest = list[Job](), deque[Job]()
        with self._gate:
            for job in self._jobs:
                fits = type(job) is kind and job.key not in keys and len(group) < TOGETHER
                (group if fits else rest).append(job)
                keys.add(job.key)
            self._jobs = rest
        return group

    async def _write(self, jobs: Sequence[Job]) -> Sequence[Exception | None]:
        until, collisions = jobs[0].asked + PATIENCE, 0
        while True:
            try:
                async with asyncio.timeout(ANSWER):
                    db = await self._line.connection()
                    return await self._send(db, jobs)
            except asyncpg.UniqueViolationError as error:
                collisions += 1
                if collisions == _COLLISIONS:
                    return [explained(error)] * len(jobs)
            except Exception as error:  # noqa: BLE001 - this task must outlive any fault
                if not is_lost(error):
                    return await self._one_by_one(jobs, error)
                self._line.drop()
                if time.monotonic() > until:
                    return [explained(error)] * len(jobs)
                await asyncio.sleep(_AGAIN)

    async def _send(self, db: Connection, jobs: Sequence[Job]) -> list[Exception | None]:
        try:
            return await type(jobs[0]).write(db, self._line.epoch, jobs)
        except BaseException as error:
            if not isinstance(error, Exception) or is_lost(error):
                self._in_doubt = True
                for job in jobs:
                    job.is_doubtful = True
            raise

    async def _one_by_one(
        self, jobs: Sequence[Job], error: Exception
    ) -> Sequence[Exception | None]:
        """Let one that the database refuses take no other with it."""
        if len(jobs) == 1 or isinstance(error, Unavailable):
            return [explained(error)] * len(jobs)
        return [(await self._write([job]))[0] for job in jobs]

    def _note(self, failures: Sequence[Exception | None]) -> None:
        """Log the first failure, and the end: there may be thousands of them."""
        failed = [failure for failure in failures if isinstance(failure, Unavailable)]
        if failed and not self._failing:
            log.error("nothing can be stored: %s", failed[0])
        if not failed and self._failing:
            log.warning("it can be stored again")
        self._failing = bool(failed)
