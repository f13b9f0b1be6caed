"""The store at a place, whichever kind that is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crossroom_server.config.store_url import Database, Place, needing_driver
from crossroom_server.store.contract import Store
from crossroom_server.store.sqlite.file import snapshot
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.store.sqlite.table_dump import SqliteShelf
from crossroom_server.store.table_dump import Shelf

if TYPE_CHECKING:
    from crossroom_server.store.postgres.store import PostgresStore


def open_shared(database: Database, node: str) -> "PostgresStore":
    """The store of the nodes that share a database, as the one of that name has it.

    Raises:
        Unavailable: or one of its kinds; the text begins with the place.
        OSError: the driver of PostgreSQL is not installed.
    """
    with needing_driver():
        from crossroom_server.store.postgres.store import PostgresStore
    return PostgresStore(database, node)


def open_store(place: Place) -> Store:
    """The store, brought to the newest version, for this process alone; made if there is none.

    Raises:
        Unavailable: or one of its kinds; the text begins with the place.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with needing_driver():
            from crossroom_server.store.postgres.store import PostgresStore
        return PostgresStore(place)
    place.touch(mode=0o600)  # racks are in it
    return SqliteStore(place)


@contextmanager
def snapshot_of(place: Place) -> Iterator[Shelf]:
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
