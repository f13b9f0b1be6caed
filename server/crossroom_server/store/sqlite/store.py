"""The store of a single server: one SQLite file, durable and fast."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, TypeVar

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_server.store.contract import Account, CodeOwner, Store, Unavailable
from crossroom_server.store.rows import (
    OWNER_COLUMNS,
    code_owner,
    decode_finished,
    decode_log,
    encode_entries,
    owner_row,
)
from crossroom_server.store.sqlite.batch_append import AppendEntries, BatchAppend
from crossroom_server.store.sqlite.file import WRITE_PROBE, naming_errors, open_file, to_unavailable
from crossroom_server.store.sqlite.finished_table import refill_finished
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit
from crossroom_server.store.sqlite.people_table import SqlitePeople
from crossroom_server.store.sqlite.room_cleanup import SCAN_VACANT, delete_vacant
from crossroom_server.store.sqlite.snapshot_table import SqliteSnapshots
from crossroom_server.store.sqlite.standings_table import SqliteStandings

log = logging.getLogger(__name__)

T = TypeVar("T")

# As bytes: text that is no longer UTF-8 is for the reader, not for the driver.
_LOG: Final = """
    SELECT CAST(entry AS BLOB) FROM entries WHERE room = ? AND seq > ? ORDER BY seq LIMIT ?
"""
_ACCOUNT: Final = "SELECT name, digest, since FROM claims WHERE key = ?"

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


class SqliteStore(Store):
    """Keeps everything in one file.

    Write-ahead log, ``synchronous = FULL``: what has been acknowledged survives a power cut. Reads
    have a connection and a thread of their own, so that none delays a commit. Every transaction
    first checks that this process is still the one that may write. A file in use is copied by
    :mod:`crossroom_server.store.sqlite.backup`.

    Args:
        path: The file, made if it does not exist. SQLite keeps ``-wal`` and ``-shm`` beside it
            while it is open; ``-lock`` stays.

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
        self.snapshots = SqliteSnapshots(self._writer, self._select)
        self.standings = SqliteStandings(self._writer, self._select)
        self.people = SqlitePeople(self._writer, self._select)
        self._closed = False

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        texts = encode_entries(after, entries)
        await self._writer.do(AppendEntries(room, after, texts, over))

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        values = room, after, -1 if limit is None else limit
        return await self._read(
            lambda db: decode_log(room, after, (text for (text,) in db.execute(_LOG, values)))
        )

    async def rooms(self, limit: int = 100) -> list[str]:
        return [room for (room,) in await self._select(_ROOMS, (limit,))]

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        values = {"behind": behind, "most": most, "before": before}
        return {room: bool(vacant) for room, vacant in await self._select(SCAN_VACANT, values)}

    async def delete_vacant(self, room: str, before: int) -> bool:
        was_vacant: list[bool] = []
        await self._writer.do(lambda db: was_vacant.append(delete_vacant(db, room, before)))
        return was_vacant[0]

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        query = (
            f"INSERT OR REPLACE INTO codes (digest, {OWNER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        await self._writer.do(lambda db: db.execute(query, (digest, *owner_row(member))))

    async def find_code(self, digest: str) -> CodeOwner | None:
        rows = await self._select(f"SELECT {OWNER_COLUMNS} FROM codes WHERE digest = ?", (digest,))
        return code_owner(*rows[0]) if rows else None

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        query = f"SELECT digest, {OWNER_COLUMNS} FROM codes WHERE since > 0 AND since < ? LIMIT ?"
        rows = await self._select(query, (before, limit))
        return {digest: code_owner(*row) for digest, *row in rows}

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE codes SET since = 0 WHERE digest = ?", [(d,) for d in kept])
            query = "DELETE FROM codes WHERE digest = ? AND since > 0 AND since < ?"
            db.executemany(query, [(digest, before) for digest in gone])

        await self._writer.do(work)

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        query = "SELECT DISTINCT room FROM codes WHERE name = ? ORDER BY rowid DESC LIMIT ?"
        return [room for (room,) in await self._select(query, (name, limit))]

    async def finished(
        self, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, FinishedGame]]:
        query = "SELECT id, game FROM finished WHERE id > ? ORDER BY id LIMIT ?"
        rows = await self._select(query, (after, -1 if limit is None else limit))
        return list(zip((number for number, _ in rows), decode_finished(rows), strict=True))

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        query = "SELECT game FROM finished WHERE room = ? ORDER BY id DESC LIMIT ?"
        return decode_finished(await self._select(query, (room, last)))

    async def find_finished(self, page: str) -> FinishedGame | None:
        rows = await self._select("SELECT game FROM finished WHERE page = ?", (page,))
        return next(iter(decode_finished(rows[:1])), None)

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        taken: list[Account] = []

        def work(db: sqlite3.Connection) -> None:
            if not anew and (row := db.execute(_ACCOUNT, (key,)).fetchone()) is not None:
                taken.append(Account(*row))
            else:
                values = (key, claim.name, claim.digest, claim.since)
                db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", values)

        await self._writer.do(work)
        return taken[0] if taken else None

    async def find_account(self, key: str) -> Account | None:
        rows = await self._select(_ACCOUNT, (key,))
        return Account(*rows[0]) if rows else None

    async def check_writable(self) -> None:
        await self._select("PRAGMA user_version")
        await self._writer.do(lambda db: db.execute(WRITE_PROBE))

    def close(self) -> None:
        self._closed = True
        self._resources.close()

    async def _select(
        self, query: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> list[Any]:
        return await self._read(lambda db: db.execute(query, values).fetchall())

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reader, query, self._reading)
        except sqlite3.Error as error:
            log.error("a read failed: %s", error)
            raise to_unavailable(error) from error
