"""The store at a place, whichever kind that is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crossroom_server.config.store_url import Database, StoreUrl, requiring_driver
from crossroom_server.store.contract import Store
from crossroom_server.store.sqlite.file import read_snapshot
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.store.sqlite.table_dump import SqliteDump
from crossroom_server.store.table_dump import TableDump

if TYPE_CHECKING:
    from crossroom_server.store.postgres.store import PostgresStore


def open_shared(database: Database, node: str) -> "PostgresStore":
    """The store of the nodes that share a database, as the one of that name has it.

    Raises:
        Unavailable: or one of its kinds; the text begins with the place.
        OSError: the driver of PostgreSQL is not installed.
    """
    with requiring_driver():
        from crossroom_server.store.postgres.store import PostgresStore
    return PostgresStore(database, node)


def open_store(place: StoreUrl) -> Store:
    """The store, brought to the newest version, for this process alone; made if there is none.

    Raises:
        Unavailable: or one of its kinds; the text begins with the place.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with requiring_driver():
            from crossroom_server.store.postgres.store import PostgresStore
        return PostgresStore(place)
    place.touch(mode=0o600)  # racks are in it
    return SqliteStore(place)


@contextmanager
def open_dump(place: StoreUrl) -> Iterator[TableDump]:
    """A store as it is now; a server may go on writing to it.

    Raises:
        Unavailable: or one of its kinds.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with requiring_driver():
            from crossroom_server.store.postgres.table_dump import postgres_snapshot
        with postgres_snapshot(place) as found:
            yield found
    else:
        with read_snapshot(place) as db:
            yield SqliteDump(db)
