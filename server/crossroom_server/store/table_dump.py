"""The contract of a table dump: the rows of a store at one moment, whichever kind it is."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from crossroom_server.store.contract import Damaged

Row: TypeAlias = tuple[Any, ...]

CHUNK_ROWS: Final = 1000
"""Rows in memory at a time."""


class UnreadableTable(Damaged):
    """A table, or a part of it, cannot be read; the text says why."""


class DumpTable(NamedTuple):
    """A table of every kind of store, and the column by which its rows are ordered."""

    name: str
    columns: tuple[str, ...]
    order: str


TABLES: Final = (
    DumpTable("entries", ("id", "room", "seq", "entry"), "id"),
    DumpTable("codes", ("digest", "room", "member", "name", "registered", "since", "reader"), "id"),
    DumpTable("claims", ("key", "name", "digest", "since"), "key"),
    DumpTable("finished", ("id", "page", "room", "game"), "id"),
)
"""All tables to move; add every new table of a store here.

Left out are ``leases`` and ``nodes``, which mean nothing once nobody writes, and ``banned``, a
setting of the host: a server alone keeps it in a file beside its SQLite store. So are
``snapshots``, ``totals`` and ``ratings``: they follow from the others.
"""


class TableDump(Protocol):
    """The tables of one store. Reading may raise :exc:`UnreadableTable`."""

    def find_faults(self) -> Iterator[str]:
        """Yield the faults of the tables themselves, as far as the database knows."""

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""

    def rooms(self) -> list[str]:
        """Return the names of all rooms, in order."""

    def log(self, room: str) -> Iterator[tuple[int, bytes]]:
        """Yield the entries of a room as JSON, in order, each with its number."""

    def snapshots(self, room: str) -> Iterator[tuple[int, str]]:
        """Yield the snapshots of a room, each with the number of its entry."""

    def rows(self, table: DumpTable) -> Iterator[Row]:
        """Yield the rows of a table, in order."""

    def fill(self, table: DumpTable, rows: Iterable[Row]) -> None:
        """Add *rows* to an empty table; durable when the dump is closed."""
