"""The one connection that writes to a PostgreSQL database, and its right to.

Every connection has an epoch of its own, and every write names it. Taking the next epoch waits for
a write that is under way, and bars all that come later from the connection before. So when a
connection is lost with a write on it, the next one knows for certain what became of that.
"""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Final

from crossroom_server.store import InUse, Superseded
from crossroom_server.store.place import Database
from crossroom_server.store.postgres_base import (
    ANSWER,
    PATIENCE,
    Connection,
    check_durable,
    connect,
    is_lost,
    migrate,
)
from crossroom_server.store.postgres_derived import derive

log = logging.getLogger(__name__)

KEY: Final = 0x786F6F6D
"""The advisory lock of a server that runs ("xoom" in ASCII)."""

_ROUND: Final = 0.1
"""Seconds from one try to the next."""

_TAKE_OVER: Final = """
    UPDATE crossroom.leases SET owner = $1, epoch = epoch + 1 WHERE room = '' RETURNING epoch
"""
_TAKE_AGAIN: Final = """
    UPDATE crossroom.leases SET epoch = epoch + 1 WHERE room = '' AND owner = $1 RETURNING epoch
"""
_END_OWN: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 0 AND objid = $1::bigint::oid AND pid = $2
"""


class Line:
    """The connection, made anew when it was lost. ``epoch`` is its number.

    ``doubts`` are what takes back writes whose answers were lost, and which were reported as not
    done: statements with their values. With the next connection they are not done indeed.
    """

    def __init__(self, database: Database) -> None:
        self.epoch = 0
        self.doubts: list[tuple[str, tuple[object, ...]]] = []
        self._database = database
        self._owner = secrets.token_hex(16)
        self._db: Connection | None = None
        self._process = 0

    async def open(self) -> None:
        """Become the one that may write.

        Raises:
            Unavailable: or one of its kinds.
            Exception: the database cannot be reached.
        """
        db = await _reached(self._database)
        try:
            async with asyncio.timeout(2 * ANSWER):
                await hold(db)
                await migrate(db)
                await check_durable(db)
                self.epoch = await db.fetchval(_TAKE_OVER, self._owner)
            await derive(db)
        except BaseException:
            db.terminate()
            raise
        self._keep(db)

    async def connection(self) -> Connection:
        """The connection, which may write.

        Raises:
            Superseded: another server may write now.
            Exception: the database cannot be reached.
        """
        if self._db is None or self._db.is_closed():
            await self._return()
        return self._db

    def drop(self) -> None:
        """The connection is of no use any more."""
        if self._db is not None:
            self._db.terminate()
            self._db = None

    async def close(self) -> None:
        """Let go of the connection, and of the lock with it."""
        if self._db is not None:
            with suppress(Exception):  # it is lost already
                await self._db.close(timeout=PATIENCE)
        self.drop()

    async def _return(self) -> None:
        db = await connect(self._database, writing=True)
        try:
            async with db.transaction():
                epoch = await db.fetchval(_TAKE_AGAIN, self._owner)
                if epoch is None:
                    raise Superseded("another server has taken over these games")
                for statement, values in self.doubts:
                    await db.execute(statement, *values)
            await check_durable(db)
            await self._lock_again(db)
        except BaseException:
            db.terminate()
            raise
        self.epoch = epoch
        self.doubts.clear()
        self._keep(db)

    async def _lock_again(self, db: Connection) -> None:
        """Take the lock, from the connection before if the database has not missed that yet.

        Without it nothing would be lost, but a second server, started by mistake, would take over.
        """
        if await db.fetchval("SELECT pg_try_advisory_lock($1)", KEY):
            return
        await db.execute(_END_OWN, KEY, self._process)
        if not await _locked(db):
            log.warning("the lock of the database is held by somebody else")

    def _keep(self, db: Connection) -> None:
        self._db, self._process = db, db.get_server_pid()


async def hold(db: Connection) -> None:
    """Take the lock of a server that runs, for as long as the connection lasts.

    Raises:
        InUse: one runs.
    """
    if not await _locked(db):
        raise InUse("a running server keeps its games there; stop it, or use another")


async def _reached(database: Database) -> Connection:
    """A connection to a database that may be just starting."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            return await connect(database, writing=True)
        except Exception as error:
            if not is_lost(error) or loop.time() > until:
                raise
        await asyncio.sleep(_ROUND)


async def _locked(db: Connection) -> bool:
    """Take the lock; a server that was killed holds it a little longer than it lives."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while not await db.fetchval("SELECT pg_try_advisory_lock($1)", KEY):
        if loop.time() > until:
            return False
        await asyncio.sleep(_ROUND)
    return True
