"""The right to write to a PostgreSQL database, of a single server or of a node of a cluster.

Both hold an advisory lock while they are connected: a single server alone, nodes together; so does
``crossroom migrate``, alone. The lock is for mistakes: what keeps games whole is the epoch, which
every write names. A single server that gets the lock ends the epochs of all nodes, and a node that
gets it ends that of a single server, which may have been cut off and not know it.
"""

import asyncio
import logging
import secrets
from abc import ABC, abstractmethod
from typing import Final

from crossroom_server.store.contract import InUse, Superseded
from crossroom_server.store.postgres.schema import RECONNECT_TIMEOUT_S, Connection
from crossroom_server.store.postgres.statements import CLUSTER_WRITER, SOLE_WRITER, Statements

log = logging.getLogger(__name__)

RUNNING_LOCK: Final = 0x786F6F6D
"""The advisory lock of a running server ("xoom" in ASCII)."""
NODE_EXPIRY_S: Final = 3600.0
"""Silence after which a node may not come back."""

LOCK_RETRY_S: Final = 0.1

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


class WriteFence(ABC):
    """The right to write; ``epoch`` is that of its connection."""

    statements: Statements

    def __init__(self) -> None:
        self.epoch = 0

    @abstractmethod
    async def lock(self, db: Connection) -> None:
        """Take the lock, on the first connection.

        Raises:
            InUse: somebody else has it.
        """

    @abstractmethod
    async def begin_epoch(self, db: Connection) -> None:
        """Begin an epoch, on the first connection."""

    @abstractmethod
    async def renew_epoch(self, db: Connection) -> None:
        """Begin the next epoch, on another connection.

        Raises:
            Superseded: this writer has none any more.
        """

    @abstractmethod
    async def lock_again(self, db: Connection, before: int) -> None:
        """Take the lock on that; *before* is the process of the connection before it."""

    def lease(self, room: str) -> int:
        """Return the epoch of our lease of the room; 0: none is needed, or we have none."""
        return 0

    def lease_values(self, *leases: int) -> tuple[list[int], ...]:
        """Return what an append to as many rooms adds to its values."""
        return ()

    def compensation_values(self, lease: int) -> tuple[object, ...]:
        """Return what a compensation adds to its values."""
        return ()


class SoleWriter(WriteFence):
    """The right of a server that has the database for itself."""

    statements = SOLE_WRITER

    def __init__(self) -> None:
        super().__init__()
        self._owner = secrets.token_hex(16)

    async def lock(self, db: Connection) -> None:
        await lock_database(db)

    async def begin_epoch(self, db: Connection) -> None:
        self.epoch = await db.fetchval(_TAKE, self._owner)

    async def renew_epoch(self, db: Connection) -> None:
        self.epoch = _valid(await db.fetchval(_TAKE_AGAIN, self._owner))

    async def lock_again(self, db: Connection, before: int) -> None:
        """Take the lock, from the connection before if the database has not missed that yet.

        Without it nothing would be lost, but a second server, started by mistake, would take over.
        """
        if await db.fetchval("SELECT pg_try_advisory_lock($1)", RUNNING_LOCK):
            return
        await db.execute(_END_OWN, RUNNING_LOCK, before)
        if not await _locked(db):
            log.warning("the lock of the database is held by somebody else")


class ClusterWriter(WriteFence):
    """The right of a node to the rooms that it has leased.

    Args:
        node: Its name; no other has it, nor this one after its next start.
    """

    statements = CLUSTER_WRITER

    def __init__(self, node: str) -> None:
        super().__init__()
        self.node = node
        self._leases: dict[str, int] = {}

    async def lock(self, db: Connection) -> None:
        await lock_database(db, shared=True)

    async def begin_epoch(self, db: Connection) -> None:
        epoch = await db.fetchval(_JOIN, self.node, NODE_EXPIRY_S)
        if epoch is None:
            raise InUse(f"there is a node {self.node} already; every start needs a new name")
        self.epoch = epoch

    async def renew_epoch(self, db: Connection) -> None:
        self.epoch = _valid(await db.fetchval(_JOIN_AGAIN, self.node))

    async def lock_again(self, db: Connection, before: int) -> None:
        await lock_database(db, shared=True)

    def lease(self, room: str) -> int:
        return self._leases.get(room, 0)

    def lease_values(self, *leases: int) -> tuple[list[int], ...]:
        return (list(leases),)

    def compensation_values(self, lease: int) -> tuple[object, ...]:
        return self.node, lease

    def set_lease(self, room: str, lease: int) -> None:
        """Set our lease of a room; 0: none. The database refuses what is out of date here."""
        if lease:
            self._leases[room] = lease
        else:
            self._leases.pop(room, None)


async def lock_database(db: Connection, *, shared: bool = False) -> None:
    """Take the lock of a running server for as long as the connection lasts.

    Raises:
        InUse: a server runs, or if *shared*, one that does not share it.
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


def _valid(epoch: int | None) -> int:
    if epoch is None:
        raise Superseded("another server has taken over these games")
    return epoch
