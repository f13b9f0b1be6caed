"""The store of a single server: one SQLite file, durable and fast."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry
from crossroom_server.store.contract import Account, CodeOwner, Damaged, Unavailable, check_sequence
from crossroom_server.store.sqlite.batch_append import AppendEntries, BatchAppend
from crossroom_server.store.sqlite.file import WRITE_PROBE, naming_errors, open_file, to_unavailable
from crossroom_server.store.sqlite.finished_table import FINISHED_JSON, refill_finished
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit
from crossroom_server.store.sqlite.room_cleanup import delete_vacant, scan_vacant

log = logging.getLogger(__name__)

T = TypeVar("T")

_LAST: Final = (1 << 63) - 1
"""The greatest number that SQLite knows."""
_MEMBER: Final = "room, member, name, registered, since"
_CLAIM: Final = "SELECT name, digest, since FROM claims WHERE key = ?"

# From name to next name by the index, then only the newest entry of each: the cost grows with the
# number of rooms, not with the length of their logs.
_ROOMS: Final = """
    WITH RECURSIVE names (room) AS (
        SELECT min(room) FROM entries
        UNION ALL
        SELECT (SELECT min(room) FROM entries WHERE room > names.room)
        FROM names WHERE names.room IS NOT NULL
    )
    SELECT room FROM names WHERE room IS NOT NULL
    ORDER BY (
        SELECT id FROM entries WHERE entries.room = names.room ORDER BY seq DESC LIMIT 1
    ) DESC
    LIMIT ?
"""


class SqliteStore:
    """Keeps the contract of :class:`~crossroom_server.store.contract.Store` in one file.

    Write-ahead log, ``synchronous = FULL``: what has been acknowledged survives a power cut. Reads
    have a connection and a thread of their own, so that none delays a commit. Every transaction
    begins with a look whether this process is still the one that may write. A file in use is copied
    by :mod:`crossroom_server.store.sqlite.backup`.

    Args:
        path: The file, which is made if it does not exist. Beside it SQLite keeps ``-wal`` and
            ``-shm`` while it is open; ``-lock`` stays.

    Raises:
        InUse: another process has it open.
        TooNew: a later version of this program has written it.
        Damaged: it is not a database.
        Unavailable: it cannot be opened, or is another program's.
    """

    def __init__(self, path: Path) -> None:
        with ExitStack() as stack:
            file = stack.enter_context(open_file(path))
            with naming_errors(path.resolve()):
                refill_finished(file.writer)
            self._reading = file.reader
            self._writer = SqliteGroupCommit(file.writer, file.check_owner, BatchAppend(file))
            stack.callback(self._writer.close)
            self._reader = ThreadPoolExecutor(1, thread_name_prefix="store reader")
            stack.callback(self._reader.shutdown)
            self._resources = stack.pop_all()
        self._closed = False

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        """See :meth:`crossroom_server.store.contract.Store.append`."""
        check_sequence(after, entries)
        texts = [LOG_ENTRY.dump_json(entry).decode() for entry in entries]
        await self._writer.do(AppendEntries(room, after, texts, over))

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """See :meth:`crossroom_server.store.contract.Store.read`."""
        return await self._read(lambda db: _log(db, room, after, limit))

    async def rooms(self, limit: int = 100) -> list[str]:
        """See :meth:`crossroom_server.store.contract.Store.rooms`."""
        return await self._read(lambda db: [room for (room,) in db.execute(_ROOMS, (limit,))])

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        """See :meth:`crossroom_server.store.contract.Store.scan_vacant`."""
        return await self._read(lambda db: scan_vacant(db, behind, most, before))

    async def delete_vacant(self, room: str, before: int) -> bool:
        """See :meth:`crossroom_server.store.contract.Store.delete_vacant`."""
        was_vacant: list[bool] = []
        await self._writer.do(lambda db: was_vacant.append(delete_vacant(db, room, before)))
        return was_vacant[0]

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        """See :meth:`crossroom_server.store.contract.Store.save_code`."""
        row = (digest, *_row(member))
        query = f"INSERT OR REPLACE INTO codes (digest, {_MEMBER}) VALUES (?, ?, ?, ?, ?, ?)"
        await self._writer.do(lambda db: db.execute(query, row))

    async def find_code(self, digest: str) -> CodeOwner | None:
        """See :meth:`crossroom_server.store.contract.Store.find_code`."""
        query = f"SELECT {_MEMBER} FROM codes WHERE digest = ?"
        row = await self._read(lambda db: db.execute(query, (digest,)).fetchone())
        return _member(*row) if row else None

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        """See :meth:`crossroom_server.store.contract.Store.expired_codes`."""
        query = f"SELECT digest, {_MEMBER} FROM codes WHERE since > 0 AND since < ? LIMIT ?"
        rows = await self._read(lambda db: db.execute(query, (before, limit)).fetchall())
        return {digest: _member(*row) for digest, *row in rows}

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        """See :meth:`crossroom_server.store.contract.Store.resolve_expired_codes`."""

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE codes SET since = 0 WHERE digest = ?", [(d,) for d in kept])
            query = "DELETE FROM codes WHERE digest = ? AND since > 0 AND since < ?"
            db.executemany(query, [(digest, before) for digest in gone])

        await self._writer.do(work)

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        """See :meth:`crossroom_server.store.contract.Store.rooms_of_name`."""
        query = "SELECT DISTINCT room FROM codes WHERE name = ? ORDER BY rowid DESC LIMIT ?"
        return await self._read(lambda db: [room for (room,) in db.execute(query, (name, limit))])

    async def finished(self, after: int = 0) -> list[tuple[int, FinishedGame]]:
        """See :meth:`crossroom_server.store.contract.Store.finished`."""
        query = "SELECT id, game FROM finished WHERE id > ? ORDER BY id"
        rows = await self._read(lambda db: db.execute(query, (after,)).fetchall())
        return [(number, FINISHED_JSON.validate_json(game)) for number, game in rows]

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        """See :meth:`crossroom_server.store.contract.Store.finished_in`."""
        query = "SELECT game FROM finished WHERE room = ? ORDER BY id DESC LIMIT ?"
        rows = await self._read(lambda db: db.execute(query, (room, last)).fetchall())
        return [FINISHED_JSON.validate_json(game) for (game,) in rows]

    async def find_finished(self, page: str) -> FinishedGame | None:
        """See :meth:`crossroom_server.store.contract.Store.find_finished`."""
        query = "SELECT game FROM finished WHERE page = ?"
        row = await self._read(lambda db: db.execute(query, (page,)).fetchone())
        return FINISHED_JSON.validate_json(row[0]) if row else None

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        """See :meth:`crossroom_server.store.contract.Store.save_account`."""
        taken: list[Account] = []

        def work(db: sqlite3.Connection) -> None:
            if not anew and (row := db.execute(_CLAIM, (key,)).fetchone()) is not None:
                taken.append(Account(*row))
            else:
                values = (key, claim.name, claim.digest, claim.since)
                db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", values)

        await self._writer.do(work)
        return taken[0] if taken else None

    async def find_account(self, key: str) -> Account | None:
        """See :meth:`crossroom_server.store.contract.Store.find_account`."""
        row = await self._read(lambda db: db.execute(_CLAIM, (key,)).fetchone())
        return Account(*row) if row else None

    async def check_writable(self) -> None:
        """See :meth:`crossroom_server.store.contract.Store.check_writable`."""
        await self._read(lambda db: db.execute("PRAGMA user_version").fetchone())
        await self._writer.do(lambda db: db.execute(WRITE_PROBE))

    def close(self) -> None:
        """See :meth:`crossroom_server.store.contract.Store.close`."""
        self._closed = True
        self._resources.close()

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reader, query, self._reading)
        except sqlite3.Error as error:
            log.error("a read failed: %s", error)
            raise to_unavailable(error) from error


def _row(member: CodeOwner) -> tuple[str, str, str, int, int]:
    return member.room, member.member, member.name, int(member.registered), member.since


def _member(room: str, member: str, name: str, registered: int, since: int) -> CodeOwner:
    return CodeOwner(room, member, name, bool(registered), since)


def _log(db: sqlite3.Connection, room: str, after: int, limit: int | None) -> list[LogEntry]:
    # as bytes: text that is no longer UTF-8 is for the check below, not for the driver
    query = """
        SELECT CAST(entry AS BLOB) FROM entries WHERE room = ? AND seq > ? ORDER BY seq LIMIT ?
    """
    rows = db.execute(query, (room, after, -1 if limit is None else limit)).fetchall()
    return [read_entry(room, seq, text) for seq, (text,) in enumerate(rows, after + 1)]


def read_entry(room: str, seq: int, text: bytes) -> LogEntry:
    """The entry that must stand at number *seq* in the log of *room*, from JSON.

    Raises:
        Damaged: it is another, or cannot be understood.
    """
    try:
        entry = LOG_ENTRY.validate_json(text)
    except ValidationError as error:
        # What is wrong, and where, but not what stands there: causes are logged, racks may not be.
        where = [f"{one['type']} at {'.'.join(map(str, one['loc']))}" for one in error.errors()]
        cause = ValueError("; ".join(where))
        raise Damaged(f"entry {seq} in the log of room {room} cannot be understood") from cause
    if entry.seq != seq:
        raise Damaged(f"entry {seq} is missing in the log of room {room}")
    return entry
