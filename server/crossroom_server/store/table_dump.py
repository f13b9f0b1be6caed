"""A store from below: the rows of its tables, as they are at one moment, whoever keeps them."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from crossroom_server.config.store_url import Database, Place, needing_driver
from crossroom_server.store.contract import Damaged
from crossroom_server.store.sqlite.file import snapshot

Row: TypeAlias = tuple[Any, ...]

CHUNK: Final = 1000
"""Rows that are under way at a time."""


class Unreadable(Damaged):
    """A table, or a part of it, cannot be read; as text: why."""


class Table(NamedTuple):
    """A table that every kind of store has, and the column by which its rows are ordered."""

    name: str
    columns: tuple[str, ...]
    order: str


TABLES: Final = (
    Table("entries", ("id", "room", "seq", "entry"), "id"),
    Table("codes", ("digest", "room", "member", "name", "registered", "since"), "id"),
    Table("claims", ("key", "name", "digest", "since"), "key"),
    Table("finished", ("id", "page", "room", "game"), "id"),
)
"""All that there is to move. A new table of a store comes in here.

Not to move are ``leases`` and ``nodes``, which say who may write now, and mean nothing once nobody
does; and ``banned``, which is a setting of the host: SQLite has no such table, for a server alone
keeps that in a file beside the games.
"""


class Shelf(Protocol):
    """The tables of one store.

    Reading may raise :exc:`Unreadable`.
    """

    def faults(self) -> Iterator[str]:
        """What is wrong with the tables themselves, as far as the database can tell."""

    def count(self, table: str) -> int:
        """How many rows a table has."""

    def rooms(self) -> list[str]:
        """The names of all rooms, in order."""

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        """The entries of a room as JSON, in order, each with its number."""

    def rows(self, table: Table) -> Iterator[Row]:
        """All rows of a table, in order."""

    def fill(self, table: Table, rows: Iterable[Row]) -> None:
        """Add *rows* to a table that is empty; durable when the shelf is left."""


class SqliteShelf:
    """That of a SQLite file.

    Args:
        db: Within a transaction, for one moment of it.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def faults(self) -> Iterator[str]:
        """See :meth:`Shelf.faults`."""
        try:
            for (line,) in self._db.execute("PRAGMA integrity_check(1000)"):
                if line != "ok":
                    yield " ".join(line.split())
            self._db.execute("SELECT digest, room, member, name FROM codes").fetchall()
        except sqlite3.Error as error:
            yield str(error)

    def count(self, table: str) -> int:
        """See :meth:`Shelf.count`."""
        ((count,),) = self._select(f"SELECT count(*) FROM {table}")
        return int(count)

    def rooms(self) -> list[str]:
        """See :meth:`Shelf.rooms`."""
        return [room for (room,) in self._select("SELECT DISTINCT room FROM entries ORDER BY room")]

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        """See :meth:`Shelf.log`."""
        # as bytes: text that is no longer UTF-8 is for the reader, not for the driver
        query = "SELECT seq, CAST(entry AS BLOB) FROM entries WHERE room = ? ORDER BY seq"
        return ((seq, text) for seq, text in self._select(query, room))

    def rows(self, table: Table) -> Iterator[Row]:
        """See :meth:`Shelf.rows`."""
        order = "rowid" if table.order == "id" else table.order
        columns = ", ".join(table.columns)
        return self._select(f"SELECT {columns} FROM {table.name} ORDER BY {order}")

    def fill(self, table: Table, rows: Iterable[Row]) -> None:
        """See :meth:`Shelf.fill`."""
        places = ", ".join("?" * len(table.columns))
        query = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})"
        self._db.executemany(query, rows)

    def _select(self, query: str, *values: object) -> Iterator[Row]:
        try:
            cursor = self._db.execute(query, values)
            while rows := cursor.fetchmany(CHUNK):
                yield from rows
        except sqlite3.Error as error:
            raise Unreadable(str(error)) from error


@contextmanager
def shelf(place: Place) -> Iterator[Shelf]:
    """A store as it is now; a server may go on writing to it.

    Raises:
        Unavailable: or one of its kinds.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with needing_driver():
            from crossroom_server.store.postgres.table_dump import postgres_snapshot
        with postgres_snapshot(place) as found:
            yield found
    else:
        with snapshot(place) as db:
            yield SqliteShelf(db)
