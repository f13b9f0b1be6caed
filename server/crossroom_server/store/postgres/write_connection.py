"""The one connection of a server that writes to a PostgreSQL database.

Every connection has an epoch of its own, and every write names it. Taking the next epoch waits for
a write that is under way, and bars all that come later from the connection before. So when a
connection is lost with a write on it, the next one knows for certain what became of that.
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
    """The connection, made anew when it was lost. By which ``right`` it writes, it says.

    ``doubts`` are what takes back writes whose answers were lost, and which were reported as not
    done: statements with their values. With the next connection they are not done indeed.
    """

    def __init__(self, database: Database, right: WriteFence) -> None:
        self.fence = right
        self.compensations: list[tuple[str, tuple[object, ...]]] = []
        self._database = database
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
            async with asyncio.timeout(2 * ANSWER_TIMEOUT_S):
                await self.fence.lock(db)
                await migrate(db)
                await check_durable(db)
                await self.fence.take(db)
            await refill_finished(db)
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
                await self._db.close(timeout=RECONNECT_TIMEOUT_S)
        self.drop()

    async def _return(self) -> None:
        db = await connect(self._database, writing=True)
        try:
            async with db.transaction():
                await self.fence.take_again(db)
                # in the order of rooms, like all who lock several
                for statement, values in sorted(
                    self.compensations, key=lambda doubt: str(doubt[1][0])
                ):
                    await db.execute(statement, *values)
            await check_durable(db)
            await self.fence.hold_again(db, self._process)
        except BaseException:
            db.terminate()
            raise
        self.compensations.clear()
        self._keep(db)

    def _keep(self, db: Connection) -> None:
        self._db, self._process = db, db.get_server_pid()


async def _reached(database: Database) -> Connection:
    """A connection to a database that may be just starting."""
    loop = asyncio.get_running_loop()
    until = loop.time() + RECONNECT_TIMEOUT_S
    while True:
        try:
            return await connect(database, writing=True)
        except Exception as error:
            if not is_lost(error) or loop.time() > until:
                raise
        await asyncio.sleep(LOCK_RETRY_S)
