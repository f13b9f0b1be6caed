"""Reads and writes the tables of a SQLite store row by row."""

import sqlite3
from collections.abc import Iterable, Iterator

from crossroom_server.store.table_dump import CHUNK_ROWS, DumpTable, Row, TableDump, UnreadableTable


class SqliteDump(TableDump):
    """The tables of a SQLite file.

    Args:
        db: A connection within a transaction.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def find_faults(self) -> Iterator[str]:
        try:
            for (line,) in self._db.execute("PRAGMA integrity_check(1000)"):
                if line != "ok":
                    yield " ".join(line.split())
            self._db.execute("SELECT digest, room, member, name FROM codes").fetchall()
        except sqlite3.Error as error:
            yield str(error)

    def count(self, table: str) -> int:
        ((count,),) = self._select(f"SELECT count(*) FROM {table}")
        return int(count)

    def rooms(self) -> list[str]:
        return [room for (room,) in self._select("SELECT DISTINCT room FROM entries ORDER BY room")]

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        # as bytes: text that is no longer UTF-8 is for the reader, not for the driver
        query = "SELECT seq, CAST(entry AS BLOB) FROM entries WHERE room = ? ORDER BY seq"
        return ((seq, text) for seq, text in self._select(query, room))

    def snapshots(self, room: str) -> Iterator[tuple[int, str]]:
        query = "SELECT seq, state FROM snapshots WHERE room = ?"
        return ((seq, text) for seq, text in self._select(query, room))

    def rows(self, table: DumpTable) -> Iterator[Row]:
        order = "rowid" if table.order == "id" else table.order
        columns = ", ".join(table.columns)
        return self._select(f"SELECT {columns} FROM {table.name} ORDER BY {order}")

    def fill(self, table: DumpTable, rows: Iterable[Row]) -> None:
        places = ", ".join("?" * len(table.columns))
        query = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})"
        self._db.executemany(query, rows)

    def _select(self, query: str, *values: object) -> Iterator[Row]:
        try:
            cursor = self._db.execute(query, values)
            while rows := cursor.fetchmany(CHUNK_ROWS):
                yield from rows
        except sqlite3.Error as error:
            raise UnreadableTable(str(error)) from error
