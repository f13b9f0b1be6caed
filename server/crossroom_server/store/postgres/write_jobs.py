"""The kinds of writes to a PostgreSQL database; those of one kind share a statement."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.store.contract import Account, CodeOwner, Conflict, Superseded
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.store.postgres.leases import find_owner
from crossroom_server.store.postgres.schema import Connection
from crossroom_server.store.postgres.write_fence import WriteFence
from crossroom_server.store.rows import finished_row, owner_row

Outcomes: TypeAlias = list[Exception | None]
"""For each job why it was refused, or None."""
Compensation: TypeAlias = tuple[str, tuple[object, ...]]
"""A statement that undoes a write, with its values."""

_ACCOUNT: Final = "SELECT name, digest, since FROM crossroom.claims WHERE key = $1"
_STORED: Final = """
    SELECT entry FROM crossroom.entries WHERE room = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""
_UNREGISTER: Final = "DELETE FROM crossroom.claims WHERE key = $1 AND digest = $2"
_GIVE_BACK: Final = """
    UPDATE crossroom.claims SET (name, digest, since) = ($3, $4, $5) WHERE key = $1 AND digest = $2
"""


@dataclass(eq=False, kw_only=True)
class WriteJob(ABC):
    """A write; no two with the same ``key`` are in one statement.

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
    async def write(cls, db: Connection, fence: WriteFence, jobs: Sequence[Self]) -> Outcomes:
        """Do all *jobs* in one transaction, except those that are refused.

        Raises:
            Superseded: the epoch is over; nothing was done.
            Exception: the database failed, and did all of it or nothing.
        """

    def compensation(self, fence: WriteFence) -> Compensation | None:
        """Return the statement that undoes it; None: it does no harm."""
        return None


@dataclass(eq=False, kw_only=True)
class AppendJob(WriteJob):
    """Appends entries as JSON, numbered ``after + 1`` and on, to the log of the room ``key``.

    ``lease`` is the epoch of our lease when it is first sent; no other counts. It is refused with
    :exc:`Conflict` or :exc:`LeaseLost`.
    """

    after: int
    entries: list[str]
    over: Sequence[FinishedGame] = ()
    lease: int | None = None

    @classmethod
    async def write(cls, db: Connection, fence: WriteFence, jobs: Sequence[Self]) -> Outcomes:
        leases = [job._held(fence) for job in jobs]
        new = [
            (job.key, seq, entry)
            for job in jobs
            for seq, entry in enumerate(job.entries, job.after + 1)
        ]
        over = [finished_row(game) for job in jobs for game in job.over]
        values = (
            [job.key for job in jobs],
            [job.after for job in jobs],
            *(zip(*new, strict=True) if new else ((), (), ())),
            *(zip(*over, strict=True) if over else ((), (), (), ())),
            *fence.lease_values(*leases),
        )
        rows = _fenced(await db.fetch(fence.statements.append, fence.epoch, *values))
        found = {row["room"]: row for row in rows}
        return [await job._refusal(db, found[job.key]) for job in jobs]

    def _held(self, fence: WriteFence) -> int:
        if self.lease is None:
            self.lease = fence.lease(self.key)
        return self.lease

    async def _refusal(self, db: Connection, found: Any) -> Conflict | LeaseLost | None:
        if found["is_ours"] and found["last"] == self.after:
            return None
        if self.is_doubtful and self.entries:  # is it this that has been stored?
            rows = await db.fetch(_STORED, self.key, self.after, len(self.entries))
            if [row["entry"] for row in rows] == self.entries:
                return None
        if not found["is_ours"]:
            return LeaseLost(self.key, await find_owner(db, self.key) or "")
        return Conflict(self.key, self.after, found["last"])

    def compensation(self, fence: WriteFence) -> Compensation:
        """Delete the entries, if the room has been ours without a break.

        What another owner has read stays: that is what goes on there, although here it was reported
        as not done.
        """
        values = self.key, self.after, *fence.compensation_values(self._held(fence))
        return fence.statements.take_back, values


@dataclass(eq=False, kw_only=True)
class SaveCodeJob(WriteJob):
    """Stores the owner of the code with the digest ``key``."""

    owner: CodeOwner

    @classmethod
    async def write(cls, db: Connection, fence: WriteFence, jobs: Sequence[Self]) -> Outcomes:
        columns = zip(*((job.key, *owner_row(job.owner)) for job in jobs), strict=True)
        _fenced(await db.fetch(fence.statements.save_codes, fence.epoch, *columns))
        return [None] * len(jobs)


class SingleJob(WriteJob):
    """A job that is rare or long, and has a statement of its own."""

    @classmethod
    async def write(cls, db: Connection, fence: WriteFence, jobs: Sequence[Self]) -> Outcomes:
        for job in jobs:
            await job.write_one(db, fence)
        return [None] * len(jobs)

    @abstractmethod
    async def write_one(self, db: Connection, fence: WriteFence) -> None:
        """Do this job; see :meth:`write`. It is never refused."""


@dataclass(eq=False, kw_only=True)
class ResolveCodesJob(SingleJob):
    """Keeps some codes for good, and deletes others that were last used *before*."""

    key: str = ""
    kept: Sequence[str]
    gone: Sequence[str]
    before: int

    async def write_one(self, db: Connection, fence: WriteFence) -> None:
        values = fence.epoch, self.kept, self.gone, self.before
        _fenced(await db.fetch(fence.statements.resolve_codes, *values))


@dataclass(eq=False, kw_only=True)
class DeleteVacantJob(SingleJob):
    """Deletes the room ``key`` if it is vacant since *before*; finds nothing a second time."""

    before: int
    was_vacant: bool = False

    async def write_one(self, db: Connection, fence: WriteFence) -> None:
        values = self.key, self.before, *fence.lease_values(fence.lease(self.key))
        rows = _fenced(await db.fetch(fence.statements.delete_vacant, fence.epoch, *values))
        self.was_vacant = rows[0]["was_vacant"]


@dataclass(eq=False, kw_only=True)
class SaveAccountJob(SingleJob):
    """Stores an account under the ``key``, if there is none, or else *anew*.

    ``before`` is the account that was there.
    """

    account: Account
    anew: bool
    before: Account | None = None

    @property
    def taken(self) -> Account | None:
        """The account that is in the way, if there is one."""
        return None if self.anew or self.before == self.account else self.before

    async def write_one(self, db: Connection, fence: WriteFence) -> None:
        is_settled = False
        while not is_settled:  # another server may change the account in between
            row = await db.fetchrow(_ACCOUNT, self.key)
            found = Account(*row) if row else None
            if self.is_doubtful and found == self.account:
                return
            self.before = found
            if self.taken is not None:
                return
            new, before = self.account, found.digest if found else ""
            values = self.key, new.name, new.digest, new.since, before
            rows = _fenced(await db.fetch(fence.statements.save_account, fence.epoch, *values))
            is_settled = rows[0]["is_kept"]

    def compensation(self, fence: WriteFence) -> Compensation | None:
        if self.taken is not None:
            return None
        if (old := self.before) is None:
            return _UNREGISTER, (self.key, self.account.digest)
        return _GIVE_BACK, (self.key, self.account.digest, old.name, old.digest, old.since)


@dataclass(eq=False, kw_only=True)
class ProbeJob(SingleJob):
    """Writes nothing new, to see whether anything can be written."""

    key: str = ""

    async def write_one(self, db: Connection, fence: WriteFence) -> None:
        _fenced(await db.fetch(fence.statements.check, fence.epoch))


def _fenced(rows: list[Any]) -> list[Any]:
    """Return the rows that the fence let through.

    Raises:
        Superseded: there are none.
    """
    if not rows:
        raise Superseded("another server has taken over these games")
    return rows
