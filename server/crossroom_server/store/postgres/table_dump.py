"""Reads and writes the tables of a PostgreSQL store for commands, which have no loop."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

import asyncpg

from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.postgres.schema import (
    Connection,
    connect,
    naming_errors,
    to_unavailable,
    version,
)
from crossroom_server.store.postgres.write_fence import lock_database
from crossroom_server.store.table_dump import (
    CHUNK_ROWS,
    TABLES,
    DumpTable,
    Row,
    TableDump,
    UnreadableTable,
)


class PostgresDump(TableDump):
    """The tables of a database.

    Args:
        db: A connection within a transaction.
        runner: Of the loop that the connection lives in.
    """

    def __init__(self, db: Connection, runner: asyncio.Runner) -> None:
        self._db, self._runner = db, runner

    def find_faults(self) -> Iterator[str]:
        for table in TABLES:
            try:
                # every page is checked when it is read; of a former version there are fewer columns
                for _ in self._select(f"SELECT * FROM crossroom.{table.name}"):
                    pass
            except UnreadableTable as error:
                yield f"{table.name}: {error}"

    def count(self, table: str) -> int:
        ((count,),) = self._select(f"SELECT count(*) FROM crossroom.{table}")
        return int(count)

    def rooms(self) -> list[str]:
        query = "SELECT DISTINCT room FROM crossroom.entries ORDER BY room"
        return [room for (room,) in self._select(query)]

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        query = "SELECT seq, entry FROM crossroom.entries WHERE room = $1 ORDER BY seq"
        for seq, text in self._select(query, room):
            yield seq, text.encode()

    def snapshots(self, room: str) -> Iterator[tuple[int, str]]:
        query = "SELECT seq, state FROM crossroom.snapshots WHERE room = $1"
        return ((seq, text) for seq, text in self._select(query, room))

    def rows(self, table: DumpTable) -> Iterator[Row]:
        columns = ", ".join(table.columns)
        return self._select(f"SELECT {columns} FROM crossroom.{table.name} ORDER BY {table.order}")

    def fill(self, table: DumpTable, rows: Iterable[Row]) -> None:
        left = iter(rows)
        while chunk := list(islice(left, CHUNK_ROWS)):
            copying = self._db.copy_records_to_table(
                table.name, schema_name="crossroom", columns=table.columns, records=chunk
            )
            self._runner.run(copying)
        if "id" in table.columns:  # the next one comes behind
            name = f"crossroom.{table.name}"
            query = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
            self._runner.run(self._db.execute(query))

    def _select(self, query: str, *values: object) -> Iterator[Row]:
        within = self._db.transaction()  # what fails there takes nothing else with it
        self._runner.run(within.start())
        try:
            cursor = self._runner.run(_cursor(self._db, query, values))
            while rows := self._runner.run(cursor.fetch(CHUNK_ROWS)):
                yield from map(tuple, rows)
        except asyncpg.PostgresError as error:
            self._runner.run(within.rollback())
            raise UnreadableTable(str(to_unavailable(error))) from error
        self._runner.run(within.commit())


async def _cursor(db: Connection, query: str, values: Iterable[object]) -> Connection:
    return await db.cursor(query, *values)


@contextmanager
def postgres_dump(
    database: Database, *, alone: bool = False, writing: bool = False
) -> Iterator[PostgresDump]:
    """Open the database as it is now, whatever others write; *alone*: nobody may write.

    If *writing*, commit at the end of the block.

    Raises:
        Unavailable: or a subclass; the text begins with the database.
    """
    options = {} if writing else {"isolation": "repeatable_read", "readonly": True}
    with naming_errors(database), asyncio.Runner() as runner:
        try:
            db = runner.run(connect(database))
        except OSError as error:
            raise to_unavailable(error) from error
        try:
            if alone:
                runner.run(lock_database(db))
            transaction = db.transaction(**options)
            runner.run(transaction.start())
            if not runner.run(version(db)):
                raise Unavailable("nothing was ever stored in it")
            yield PostgresDump(db, runner)
            runner.run(transaction.commit())
        finally:
            db.terminate()  # what was not committed is not done
