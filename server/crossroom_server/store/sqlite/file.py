"""Opens, locks and migrates the file under the SQLite store, and explains its errors."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crossroom_server.config.settings import COPIES
from crossroom_server.store.contract import Damaged, InUse, Superseded, TooNew, Unavailable
from crossroom_server.store.sqlite.replacing import keep_former

APPLICATION_ID: Final = 0x786F6F6D
"""Marks a SQLite file as ours ("xoom" in ASCII), so that no other program's is touched."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        # rowids grow with time: the newest entry of all has the greatest id
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY,
            room TEXT NOT NULL,
            seq INTEGER NOT NULL,
            entry TEXT NOT NULL,
            UNIQUE (room, seq)
        )
        """,
        """
        CREATE TABLE codes (
            digest TEXT PRIMARY KEY NOT NULL,
            room TEXT NOT NULL,
            member TEXT NOT NULL,
            name TEXT NOT NULL
        )
        """,
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    (
        # one row: the number of the process that may write, drawn at random when it opened the file
        "CREATE TABLE owners (owner INTEGER NOT NULL)",
        "INSERT INTO owners VALUES (0)",
        # what is written to see whether anything can be
        "CREATE TABLE fillers (filler BLOB NOT NULL)",
        "INSERT INTO fillers VALUES (x'')",
    ),
    (
        # whose games wait is asked by name, by people who are waiting, too
        "CREATE INDEX codes_by_name ON codes (name)",
    ),
    (
        # the id is that of the entry which ended the game; `derived` fills this table
        """
        CREATE TABLE finished (
            id INTEGER PRIMARY KEY,
            page TEXT NOT NULL,
            room TEXT NOT NULL,
            game TEXT NOT NULL
        )
        """,
        "CREATE INDEX finished_by_page ON finished (page)",
        "CREATE INDEX finished_by_room ON finished (room)",
        # beside the owner: by which version of `derived` that table was filled
        "ALTER TABLE owners ADD COLUMN derived INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE claims (
            key TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            digest TEXT NOT NULL,
            since INTEGER NOT NULL
        )
        """,
        "ALTER TABLE codes ADD COLUMN registered INTEGER NOT NULL DEFAULT 0",
    ),
    (
        # codes that may be forgotten one day, by when they were last used
        "ALTER TABLE codes ADD COLUMN since INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX codes_of_guests ON codes (since) WHERE since > 0",
    ),
    (
        # a room is forgotten with its codes
        "CREATE INDEX codes_by_room ON codes (room)",
    ),
    (
        # who listens is told so again when they return
        "ALTER TABLE codes ADD COLUMN reader INTEGER NOT NULL DEFAULT 0",
    ),
    (
        # tables as they were after some entry, whose id that is: rooms open without their whole log
        """
        CREATE TABLE snapshots (
            id INTEGER PRIMARY KEY,
            room TEXT NOT NULL,
            seq INTEGER NOT NULL,
            state TEXT NOT NULL
        )
        """,
        "CREATE INDEX snapshots_by_room ON snapshots (room, seq)",
        # the sums of players, by comparison key, in the finished games up to `counted`
        "CREATE TABLE totals (key TEXT PRIMARY KEY NOT NULL, totals TEXT NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE ratings (
            preset TEXT NOT NULL,
            key TEXT NOT NULL,
            name TEXT NOT NULL,
            rating INTEGER NOT NULL,
            games INTEGER NOT NULL,
            won INTEGER NOT NULL,
            PRIMARY KEY (preset, key)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX ratings_in_order ON ratings (preset, rating DESC, key)",
        "CREATE TABLE counted (version INTEGER NOT NULL, number INTEGER NOT NULL)",
        "INSERT INTO counted VALUES (0, 0)",
    ),
)
"""Item n (0-based) leads from version n to n + 1; the version is SQLite's ``user_version``.

Append to this list; never change what is in it: files that it has made exist.
"""

WRITE_PROBE: Final = (
    "UPDATE fillers SET filler = randomblob(16384)"  # the same would not be written
)
"""Writes more than almost any entry needs, so that a write that fits does not end an outage."""

_CAUSES: Final = {
    sqlite3.SQLITE_FULL: (Unavailable, "the disk of the server is full"),
    sqlite3.SQLITE_READONLY: (Unavailable, "the server may read what is stored, but not write"),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, "cannot be opened: is the folder there, and writable?"),
    sqlite3.SQLITE_PERM: (Unavailable, "the server may not use its store"),
    sqlite3.SQLITE_BUSY: (Unavailable, "another program is writing to the store"),
    sqlite3.SQLITE_IOERR: (Unavailable, "the disk of the server fails"),
    sqlite3.SQLITE_NOTADB: (Damaged, "this is not a store of games, or it is damaged"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "the store is damaged; a backup is needed"),
}


def to_unavailable(error: Exception) -> Unavailable:
    """Explain *error* in a sentence for people."""
    if isinstance(error, Unavailable):
        return error
    kind, prose = _CAUSES.get(_primary(error), (Unavailable, f"the store failed: {error}"))
    return kind(prose)


def _primary(error: Exception) -> int:
    """Return SQLite's primary result code; 0 if the error is not SQLite's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def connect(path: Path) -> sqlite3.Connection:
    """Connect to a SQLite file, without implicit transactions, for use by any one thread."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


@dataclass(frozen=True)
class OpenFile:
    """A file that this process may write: a connection for that, and one that only reads."""

    path: Path
    writer: sqlite3.Connection
    reader: sqlite3.Connection
    owner: int
    before: int
    identity: tuple[int, int]

    @property
    def is_in_place(self) -> bool:
        """Has the file still the name that it was opened by?"""
        return _identity(self.path) == self.identity

    def check_owner(self, db: sqlite3.Connection) -> None:
        """Check, within a transaction, that this process may still write, and to the same file.

        The lock beside the file should ensure that. But a lock can be deleted, some network disks
        have none, and a file can be replaced.

        Raises:
            Superseded: nothing may be written any more.
        """
        if not self.is_in_place:
            raise Superseded("the file of the games was moved or replaced; start the server again")
        (owner,) = db.execute("SELECT owner FROM owners").fetchone()
        if owner not in (self.owner, self.before):
            raise Superseded("another server has taken over these games")
        if owner != self.owner:  # the disk was full until now
            db.execute("UPDATE owners SET owner = ?", (self.owner,))


def _identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of the file that has this name now."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def open_file(path: Path) -> Iterator[OpenFile]:
    """Open the file for this process alone; whoever had it before can write no more.

    Raises:
        Unavailable: or a subclass; the text begins with *path*.
    """
    path = path.resolve()  # whatever name it was given, a file has one lock
    with naming_errors(path), file_lock(path), closing(connect(path)) as writer:
        if 0 < (version := file_version(writer)) < len(MIGRATIONS):
            keep_former(writer, path, version)
        _migrate(writer)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA synchronous = FULL")
        (before,) = writer.execute("SELECT owner FROM owners").fetchone()
        identity = _identity(path)
        if identity is None:
            raise Superseded("the file was moved just now")
        with closing(connect(path)) as reader:
            reader.execute("PRAGMA query_only = 1")
            file = OpenFile(path, writer, reader, secrets.randbits(63), before, identity)
            try:
                file.check_owner(writer)  # bars all who could write before
            except sqlite3.OperationalError as error:
                if _primary(error) != sqlite3.SQLITE_FULL:
                    raise  # on a full disk games can be read, and people told why they cannot go on
            yield file


@contextmanager
def read_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file to read it as it is now, whatever others write meanwhile.

    It takes no lock, so a server may have the file open, and its version may be an older one.

    Raises:
        Unavailable: or a subclass; the text begins with *path*.
    """
    path = path.resolve()
    with naming_errors(path):
        if not path.is_file():
            raise Unavailable("there is no such file")
        reading = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        with closing(reading) as db:
            db.execute("BEGIN")
            if not file_version(db):
                raise Unavailable("nothing was ever stored in it")
            yield db


@contextmanager
def naming_errors(path: Path) -> Iterator[None]:
    """Raise failures as :exc:`Unavailable`, or a subclass, with *path* in front.

    Those that name a place already stay as they are.
    """
    try:
        yield
    except (sqlite3.Error, Unavailable) as error:
        cause = to_unavailable(error)
        if cause.is_named:
            raise
        raise cause.named(path) from error


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Lock *path* for this process by an empty database beside it, which stays.

    SQLite's locks end with the process, however it dies, and exist on every system. Without the
    lock nothing would be lost, as an append names the entry it follows, but people in one room on
    two servers would not see each other.
    """
    beside = path.with_name(f"{path.name}-lock")
    with suppress(OSError):  # whoever may open it could keep us out; SQLite says what is wrong
        beside.touch(mode=0o600)
    with closing(connect(beside)) as lock:
        lock.execute("PRAGMA busy_timeout = 0")
        try:
            lock.execute("PRAGMA journal_mode = MEMORY")  # no file for what is never written
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if _primary(error) != sqlite3.SQLITE_BUSY:
                raise
            raise InUse("a running server has this file open; stop it, or use another") from None
        yield


def file_version(db: sqlite3.Connection) -> int:
    """Return how many :data:`MIGRATIONS` were applied; 0 if *db* is empty."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (version or tables):
        raise Unavailable("the file belongs to another program; use another")
    if version > len(MIGRATIONS):
        raise TooNew(
            f"a later crossroom has written this file (its version is {version}, the newest that "
            f"this one reads is {len(MIGRATIONS)}); update crossroom, use another file, or restore "
            f"the copy in {COPIES} that was made when the format changed"
        )
    return int(version)


def _migrate(db: sqlite3.Connection) -> None:
    """Bring *db* to the newest version, step by step, each whole or not at all."""
    version = file_version(db)
    for number, statements in enumerate(MIGRATIONS[version:], version + 1):
        db.execute("BEGIN IMMEDIATE")
        for statement in statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
