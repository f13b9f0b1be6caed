"""A store from below: the rows of its tables, as they are at one moment, whoever keeps them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from crossroom_server.store.contract import Damaged

Row: TypeAlias = tuple[Any, ...]

CHUNK_ROWS: Final = 1000
"""Rows that are under way at a time."""


class UnreadableTable(Damaged):
    """A table, or a part of it, cannot be read; as text: why."""


class DumpTable(NamedTuple):
    """A table that every kind of store has, and the column by which its rows are ordered."""

    name: str
    columns: tuple[str, ...]
    order: str


TABLES: Final = (
    DumpTable("entries", ("id", "room", "seq", "entry"), "id"),
    DumpTable("codes", ("digest", "room", "member", "name", "registered", "since"), "id"),
    DumpTable("claims", ("key", "name", "digest", "since"), "key"),
    DumpTable("finished", ("id", "page", "room", "game"), "id"),
)
"""All that there is to move. A new table of a store comes in here.

Not to move are ``leases`` and ``nodes``, which say who may write now, and mean nothing once nobody
does; and ``banned``, which is a setting of the host: SQLite has no such table, for a server alone
keeps that in a file beside the games.
"""


class TableDump(Protocol):
    """The tables of one store.

    Reading may raise :exc:`UnreadableTable`.
    """

    def find_faults(self) -> Iterator[str]:
        """What is wrong with the tables themselves, as far as the database can tell."""

    def count(self, table: str) -> int:
        """How many rows a table has."""

    def rooms(self) -> list[str]:
        """The names of all rooms, in order."""

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        """The entries of a room as JSON, in order, each with its number."""

    def rows(self, table: DumpTable) -> Iterator[Row]:
        """All rows of a table, in order."""

    def fill(self, table: DumpTable, rows: Iterable[Row]) -> None:
        """Add *rows* to a table that is empty; durable when the shelf is left."""
