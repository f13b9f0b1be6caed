"""The one connection of a server that writes to a PostgreSQL database.

Every connection has an epoch, and every write names it. Taking the next epoch waits for a write
that is under way, and bars later ones from the connection before. So when a connection is lost with
a write on it, the next one knows for certain what became of that.
"""

import asyncio
from contextlib import suppress

from crossroom_server.config.store_url import Database
from crossroom_server.store.postgres.finished_table import refill_finished
from crossroom_server.store.postgres.schema import (
    ANSWER_TIMEOUT_S,
    RECONNECT_TIMEOUT_S,
    Connection,
    check_durable,
    connect,
    is_lost,
    migrate,
)
from crossroom_server.store.postgres.write_fence import LOCK_RETRY_S, WriteFence


class WriteConnection:
    """The connection that writes, opened again when it was lost.

    ``compensations`` undo writes that were reported as not done because their answers were lost.
    They are carried out first on the next connection.

    Args:
        database: The database.
        fence: The right to write to it.
    """

    def __init__(self, database: Database, fence: WriteFence) -> None:
        self.fence = fence
        self.compensations: list[tuple[str, tuple[object, ...]]] = []
        self._database = database
        self._db: Connection | None = None
        self._process = 0

    async def open(self) -> None:
        """Become the one that may write.

        Raises:
            Unavailable: or a subclass.
            Exception: the database cannot be reached.
        """
        db = await _reached(self._database)
        try:
            async with asyncio.timeout(2 * ANSWER_TIMEOUT_S):
                await self.fence.lock(db)
                await migrate(db)
                await check_durable(db)
                await self.fence.begin_epoch(db)
            await refill_finished(db)
        except BaseException:
            db.terminate()
            raise
        self._keep(db)

    async def connection(self) -> Connection:
        """Return a connection that may write.

        Raises:
            Superseded: another server may write now.
            Exception: the database cannot be reached.
        """
        if self._db is None or self._db.is_closed():
            await self._return()
        return self._db

    def drop(self) -> None:
        """Give up the connection, which is of no use any more."""
        if self._db is not None:
            self._db.terminate()
            self._db = None

    async def close(self) -> None:
        """Close the connection, and release the lock with it."""
        if self._db is not None:
            with suppress(Exception):  # it is lost already
                await self._db.close(timeout=RECONNECT_TIMEOUT_S)
        self.drop()

    async def _return(self) -> None:
        db = await connect(self._database, writing=True)
        try:
            async with db.transaction():
                await self.fence.renew_epoch(db)
                # in the order of rooms, like all who lock several
                for statement, values in sorted(self.compensations, key=lambda it: str(it[1][0])):
                    await db.execute(statement, *values)
            await check_durable(db)
            await self.fence.lock_again(db, self._process)
        except BaseException:
            db.terminate()
            raise
        self.compensations.clear()
        self._keep(db)

    def _keep(self, db: Connection) -> None:
        self._db, self._process = db, db.get_server_pid()


async def _reached(database: Database) -> Connection:
    """Connect to a database that may be just starting."""
    loop = asyncio.get_running_loop()
    until = loop.time() + RECONNECT_TIMEOUT_S
    while True:
        try:
            return await connect(database, writing=True)
        except Exception as error:
            if not is_lost(error) or loop.time() > until:
                raise
        await asyncio.sleep(LOCK_RETRY_S)
