"""Moves everything in a store to one of another kind."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from typing import Final, NamedTuple

from crossroom_server.config.store_url import Database, StoreUrl
from crossroom_server.monitoring.process_stats import Storage
from crossroom_server.store.audit import OnProgress, audit
from crossroom_server.store.contract import Damaged, Unavailable
from crossroom_server.store.open import open_dump, open_store
from crossroom_server.store.sqlite.file import connect, file_lock, naming_errors
from crossroom_server.store.sqlite.table_dump import SqliteDump
from crossroom_server.store.table_dump import TABLES, Row, TableDump

ENTRIES_PER_S: Final = 5000
"""Entries that are played, copied and compared in a second, on a slow machine."""


class MigrationCounts(NamedTuple):
    """Counts of what was moved."""

    rooms: int
    entries: int
    codes: int


class MigrationCost(NamedTuple):
    """What it takes to move a store: counts, time, and space on the disk of a new file."""

    counts: MigrationCounts
    seconds: float
    needed_bytes: int | None
    free_bytes: int | None


def migration_cost(source: StoreUrl, target: StoreUrl) -> MigrationCost:
    """Return what it would take to move *source* to *target*; a server may run meanwhile.

    Raises:
        Unavailable: or a subclass.
        OSError: the driver of PostgreSQL is not installed.
    """
    with open_dump(source) as old:
        counts = MigrationCounts(len(old.rooms()), old.count("entries"), old.count("codes"))
    needed = free = None
    if not isinstance(target, Database):
        free = Storage(target.parent, target).free_bytes()
        if not isinstance(source, Database):
            needed = Storage(source.parent, source).store_bytes()
    return MigrationCost(counts, counts.entries / ENTRIES_PER_S, needed, free)


def migrate_store(source: StoreUrl, target: StoreUrl, on_progress: OnProgress) -> MigrationCounts:
    """Copy a store row by row, all of it or nothing.

    First the logs of *source* are played, and at the end every row is compared. *source* stays as
    it is, except that an older version is brought forward.

    Args:
        source: A store that no server has open.
        target: An empty store, or none yet.
        on_progress: Called with steps, three for each entry: played, copied, compared.

    Raises:
        Unavailable: or a subclass; *target* is as it was.
        OSError: the driver of PostgreSQL is not installed.
    """
    if not isinstance(source, Database) and not source.is_file():
        raise Unavailable(f"{source}: there is no such file")
    is_new = not isinstance(target, Database) and not target.exists()
    try:
        for place in (source, target):
            open_store(place).close()  # of the newest version then, and no server's
        with _fill(target) as new:
            if any(new.count(table.name) for table in TABLES):
                raise Unavailable("there are games in it already; name an empty store")
            with open_dump(source, alone=True) as old:
                return _copy(old, new, on_progress)
    except BaseException:
        if is_new and not isinstance(target, Database):
            for ending in ("", "-lock", "-wal", "-shm"):
                target.with_name(target.name + ending).unlink(missing_ok=True)
        raise


def _copy(old: TableDump, new: TableDump, on_progress: OnProgress) -> MigrationCounts:
    report = audit(old, lambda done, total: on_progress(done, 3 * total))
    if report.damages:
        raise Damaged(f"{report.damages[0]}; `crossroom verify` names all that is wrong")
    done, total = report.entries, 3 * report.entries

    def counted(rows: Iterable[Row]) -> Iterator[Row]:
        nonlocal done
        for row in rows:
            yield row
            done += 1
            on_progress(done, max(done, total))

    for table in TABLES:
        new.fill(table, counted(old.rows(table)))
    for table in TABLES:
        for one, other in zip_longest(counted(old.rows(table)), new.rows(table)):
            if one != other:
                raise Unavailable(f"what arrived in {table.name} is not what was sent")
    return MigrationCounts(report.rooms, report.entries, report.codes)


@contextmanager
def _fill(place: StoreUrl) -> Iterator[TableDump]:
    """Open a store to write in one transaction."""
    if isinstance(place, Database):
        from crossroom_server.store.postgres.table_dump import postgres_dump

        with postgres_dump(place, alone=True, writing=True) as found:
            yield found
        return
    with naming_errors(place), file_lock(place), closing(connect(place)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        yield SqliteDump(db)
        db.execute("COMMIT")
