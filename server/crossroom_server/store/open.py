"""Opens the store of either kind that a URL names."""

import logging
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from crossroom_server.config.store_url import Database, StoreUrl, requiring_driver
from crossroom_server.store.contract import Store
from crossroom_server.store.sqlite.file import file_lock, naming_errors, read_snapshot
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.store.sqlite.table_dump import SqliteDump
from crossroom_server.store.table_dump import TableDump

if TYPE_CHECKING:
    from crossroom_server.store.postgres.store import PostgresStore

log = logging.getLogger(__name__)


def open_shared(database: Database, node: str) -> "PostgresStore":
    """Open the database that nodes share, as the node of that name.

    Raises:
        Unavailable: or a subclass; the text begins with the database.
        OSError: the driver of PostgreSQL is not installed.
    """
    with requiring_driver():
        from crossroom_server.store.postgres.store import PostgresStore
    return PostgresStore(database, node)


def open_store(place: StoreUrl) -> Store:
    """Open a store for this process alone, made or brought to the newest version if need be.

    Raises:
        Unavailable: or a subclass; the text begins with the file or database.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with requiring_driver():
            from crossroom_server.store.postgres.store import PostgresStore
        return PostgresStore(place)
    _tell_of_new_store(place)
    place.touch(mode=0o600)  # racks are in it
    with suppress(OSError):  # it is somebody else's, or this system knows no modes
        if stat.S_IMODE(place.stat().st_mode) & 0o077:
            place.chmod(0o600)
    return SqliteStore(place)


def _tell_of_new_store(place: Path) -> None:
    """Log that a store is begun, so that a lost file is not found out by its players."""
    if place.exists():
        return
    left = sorted(path.name for path in place.parent.glob(f"{place.name}?*"))
    if left:
        log.warning(
            "%s is gone, and a new store was begun; but %s beside it: was the file moved or lost?",
            place,
            f"{', '.join(left)} {'is' if len(left) == 1 else 'are'}",
        )
    else:
        log.info("a new store was begun: %s", place)


@contextmanager
def open_dump(place: StoreUrl, *, alone: bool = False) -> Iterator[TableDump]:
    """Open the tables of a store as they are now; a server may go on writing, unless *alone*.

    Raises:
        Unavailable: or a subclass.
        OSError: the driver of PostgreSQL is not installed.
    """
    if isinstance(place, Database):
        with requiring_driver():
            from crossroom_server.store.postgres.table_dump import postgres_dump
        with postgres_dump(place, alone=alone) as found:
            yield found
    else:
        lock = file_lock(place) if alone else nullcontext()
        with naming_errors(place), lock, read_snapshot(place) as db:
            yield SqliteDump(db)
