"""A table of a database into which nothing comes until it is let in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.contracts.postgres.store_access import until
from tests.support.postgres_server import PostgresServer

_HOLD = """
    CREATE FUNCTION crossroom.hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
        WHILE EXISTS (SELECT FROM held) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NEW;
    END'
"""
_WHERE = """
    CREATE TRIGGER hold BEFORE INSERT ON crossroom.{} FOR EACH ROW
    {} EXECUTE FUNCTION crossroom.hold()
"""
_HELD = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


class HeldStatements:
    """Statements that are under way for as long as a test wants."""

    def __init__(self, postgres: PostgresServer) -> None:
        self._postgres = postgres

    async def wait_until_reached(self) -> None:
        """Wait until a statement is held."""
        await until(lambda: self._postgres.sql("games", _HELD) != "0")

    async def wait_until_blocking(self) -> None:
        """Wait until another statement waits for the one that is held."""
        await until(lambda: self._postgres.sql("games", _WAITING) != "0")

    async def release(self) -> None:
        """Let all go on."""
        await asyncio.to_thread(self._postgres.sql, "games", "DELETE FROM held")


@asynccontextmanager
async def hold_inserts(
    postgres: PostgresServer, table: str, which: str = ""
) -> AsyncIterator[HeldStatements]:
    """Hold new rows of a table of `games`, all or those *which* a ``WHEN (...)`` tells."""
    held = HeldStatements(postgres)
    begin = "CREATE TABLE held ()", "INSERT INTO held DEFAULT VALUES"
    await asyncio.to_thread(postgres.sql, "games", *begin, _HOLD, _WHERE.format(table, which))
    try:
        yield held
    finally:
        await held.release()
        end = "DROP FUNCTION crossroom.hold CASCADE", "DROP TABLE held"
        await asyncio.to_thread(postgres.sql, "games", *end)
