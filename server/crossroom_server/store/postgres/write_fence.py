"""The right to write to a PostgreSQL database: that of a server alone, or of a node beside others.

Both hold an advisory lock for as long as they are connected, a server alone for itself, nodes
together; so does ``crossroom migrate``, for itself. It is for mistakes: what keeps games whole is
the epoch, which every write names. A server that gets the lock for itself ends the epochs of all
nodes, and a node that gets it ends that of a server alone, for somebody who was cut off may still
believe that it may write.
"""

import asyncio
import logging
import secrets
from typing import Final, Protocol

from crossroom_server.store.contract import InUse, Superseded
from crossroom_server.store.postgres.schema import RECONNECT_TIMEOUT_S, Connection
from crossroom_server.store.postgres.statements import CLUSTER_WRITER, SOLE_WRITER, Statements

log = logging.getLogger(__name__)

RUNNING_LOCK: Final = 0x786F6F6D
"""The advisory lock of a server that runs ("xoom" in ASCII)."""
NODE_EXPIRY_S: Final = 3600.0
"""Seconds of silence after which a node may not come back."""

LOCK_RETRY_S: Final = 0.1
"""Seconds from one try to the next."""

_TAKE: Final = """
    WITH ended AS (DELETE FROM crossroom.nodes)
    UPDATE crossroom.leases SET owner = $1, epoch = epoch + 1 WHERE room = '' RETURNING epoch
"""
_TAKE_AGAIN: Final = """
    UPDATE crossroom.leases SET epoch = epoch + 1 WHERE room = '' AND owner = $1 RETURNING epoch
"""
_END_OWN: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 0 AND objid = $1::bigint::oid AND pid = $2
"""
_SHARERS: Final = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE datname = current_database() AND locktype = 'advisory' AND classid = 0
        AND objid = $1::bigint::oid AND granted AND mode = 'ShareLock'
"""
_JOIN: Final = """
    WITH ended AS (
        UPDATE crossroom.leases SET owner = '', epoch = epoch + 1 WHERE room = '' AND owner <> ''
    ), forgotten AS (
        DELETE FROM crossroom.nodes WHERE seen < clock_timestamp() - make_interval(secs => $2)
    )
    INSERT INTO crossroom.nodes (node, epoch, seen)
    VALUES ($1, nextval('crossroom.epochs'), clock_timestamp())
    ON CONFLICT (node) DO NOTHING
    RETURNING epoch
"""
_JOIN_AGAIN: Final = """
    UPDATE crossroom.nodes SET epoch = nextval('crossroom.epochs') WHERE node = $1 RETURNING epoch
"""


class WriteFence(Protocol):
    """Who writes, and how; ``epoch`` is the number of its connection."""

    epoch: int
    statements: Statements

    async def lock(self, db: Connection) -> None:
        """Take the lock, on the first connection.

        Raises:
            InUse: somebody else has it.
        """

    async def take(self, db: Connection) -> None:
        """Begin an epoch, on the first connection."""

    async def take_again(self, db: Connection) -> None:
        """Begin the next epoch, on another connection.

        Raises:
            Superseded: there is none for this writer any more.
        """

    async def hold_again(self, db: Connection, before: int) -> None:
        """Take the lock on that one; *before* is the process of the connection before it."""

    def lease(self, room: str) -> int:
        """The epoch of the lease by which it has the room; 0: it needs none, or has none."""

    def naming(self, *leases: int) -> tuple[list[int], ...]:
        """What an append of as many rooms names beside its own values."""

    def naming_to_take_back(self, lease: int) -> tuple[object, ...]:
        """What taking back an append names beside the room and the number."""


class SoleWriter:
    """The right of a server that has the database for itself."""

    statements = SOLE_WRITER

    def __init__(self) -> None:
        self.epoch = 0
        self._owner = secrets.token_hex(16)

    async def lock(self, db: Connection) -> None:
        """See :meth:`WriteFence.lock`."""
        await hold(db)

    async def take(self, db: Connection) -> None:
        """See :meth:`WriteFence.take`."""
        self.epoch = await db.fetchval(_TAKE, self._owner)

    async def take_again(self, db: Connection) -> None:
        """See :meth:`WriteFence.take_again`."""
        self.epoch = _going_on(await db.fetchval(_TAKE_AGAIN, self._owner))

    async def hold_again(self, db: Connection, before: int) -> None:
        """Take the lock, from the connection before if the database has not missed that yet.

        Without it nothing would be lost, but a second server, started by mistake, would take over.
        """
        if await db.fetchval("SELECT pg_try_advisory_lock($1)", RUNNING_LOCK):
            return
        await db.execute(_END_OWN, RUNNING_LOCK, before)
        if not await _locked(db):
            log.warning("the lock of the database is held by somebody else")

    def lease(self, room: str) -> int:
        """See :meth:`WriteFence.lease`."""
        return 0

    def naming(self, *leases: int) -> tuple[list[int], ...]:
        """See :meth:`WriteFence.naming`."""
        return ()

    def naming_to_take_back(self, lease: int) -> tuple[object, ...]:
        """See :meth:`WriteFence.naming_to_take_back`."""
        return ()


class ClusterWriter:
    """The right of a node beside others: to the rooms that it has.

    Args:
        node: Its name, which no other has, nor this one after its next start.

    """

    statements = CLUSTER_WRITER

    def __init__(self, node: str) -> None:
        self.epoch = 0
        self.node = node
        self._leases: dict[str, int] = {}

    async def lock(self, db: Connection) -> None:
        """See :meth:`WriteFence.lock`."""
        await hold(db, shared=True)

    async def take(self, db: Connection) -> None:
        """See :meth:`WriteFence.take`."""
        epoch = await db.fetchval(_JOIN, self.node, NODE_EXPIRY_S)
        if epoch is None:
            raise InUse(f"there is a node {self.node} already; every start needs a new name")
        self.epoch = epoch

    async def take_again(self, db: Connection) -> None:
        """See :meth:`WriteFence.take_again`."""
        self.epoch = _going_on(await db.fetchval(_JOIN_AGAIN, self.node))

    async def hold_again(self, db: Connection, before: int) -> None:
        """Take the lock; that of the connection before is not in the way."""
        await hold(db, shared=True)

    def lease(self, room: str) -> int:
        """See :meth:`WriteFence.lease`."""
        return self._leases.get(room, 0)

    def naming(self, *leases: int) -> tuple[list[int], ...]:
        """See :meth:`WriteFence.naming`."""
        return (list(leases),)

    def naming_to_take_back(self, lease: int) -> tuple[object, ...]:
        """See :meth:`WriteFence.naming_to_take_back`."""
        return self.node, lease

    def know(self, room: str, lease: int) -> None:
        """The room is ours, with a lease of this epoch; 0: not ours.

        The database has the last word: what is out of date here it refuses.
        """
        if lease:
            self._leases[room] = lease
        else:
            self._leases.pop(room, None)


async def hold(db: Connection, *, shared: bool = False) -> None:
    """Take the lock of a server that runs, for as long as the connection lasts.

    Raises:
        InUse: one runs, or if *shared*, one that does not share it.
    """
    if not await _locked(db, "_shared" if shared else ""):
        if shared:
            raise InUse("a running server keeps its games there; stop it, or give it a --bus, too")
        if nodes := await db.fetchval(_SHARERS, RUNNING_LOCK):
            raise InUse(
                f"nodes that run share these games, {nodes} of them; stop all, or be one more of "
                "them (--bus)"
            )
        raise InUse("a running server keeps its games there; stop it, or use another")


async def _locked(db: Connection, kind: str = "") -> bool:
    """Take the lock; a server that was killed holds it a little longer than it lives."""
    loop = asyncio.get_running_loop()
    until = loop.time() + RECONNECT_TIMEOUT_S
    while not await db.fetchval(f"SELECT pg_try_advisory_lock{kind}($1)", RUNNING_LOCK):
        if loop.time() > until:
            return False
        await asyncio.sleep(LOCK_RETRY_S)
    return True


def _going_on(epoch: int | None) -> int:
    if epoch is None:
        raise Superseded("another server has taken over these games")
    return epoch
