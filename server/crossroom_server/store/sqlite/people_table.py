"""What SQLite keeps of one person."""

import sqlite3
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry
from crossroom_server.store.derived_contract import STANDINGS_VERSION
from crossroom_server.store.people_contract import CODE_COLUMNS, People, StoredCode, stored_code
from crossroom_server.store.rows import finished_row
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit
from crossroom_server.store.sqlite.standings_table import reset_standings


class SqlitePeople(People):
    """Finds and forgets people in the file of the games.

    Args:
        writer: Writes.
        select: Runs a query with its values; returns the rows.
    """

    def __init__(
        self,
        writer: SqliteGroupCommit,
        select: Callable[[str, Sequence[object]], Awaitable[list[Any]]],
    ) -> None:
        self._writer, self._select = writer, select

    async def codes(self, names: Collection[str]) -> list[StoredCode]:
        places = ", ".join("?" * len(names))
        query = f"SELECT {CODE_COLUMNS} FROM codes WHERE name IN ({places}) ORDER BY room"
        return [stored_code(*row) for row in await self._select(query, tuple(names))]

    async def rewrite(
        self,
        room: str,
        entries: Sequence[LogEntry],
        games: Sequence[FinishedGame],
        names: Collection[str],
    ) -> None:
        texts = [(LOG_ENTRY.dump_json(one).decode(), room, one.seq) for one in entries]
        rows = [(text, page) for _, _, page, text in map(finished_row, games)]

        def work(db: sqlite3.Connection) -> None:
            db.execute("PRAGMA secure_delete = 1")  # what was there is overwritten with zeros
            db.executemany("UPDATE entries SET entry = ? WHERE room = ? AND seq = ?", texts)
            db.executemany("UPDATE finished SET game = ? WHERE page = ?", rows)
            db.execute("DELETE FROM snapshots WHERE room = ?", (room,))
            query = "DELETE FROM codes WHERE room = ? AND name = ?"
            db.executemany(query, [(room, name) for name in names])

        await self._writer.do(work)

    async def forget_account(self, key: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM claims WHERE key = ?", (key,))
            if db.execute("SELECT 1 FROM totals WHERE key = ?", (key,)).fetchone():
                reset_standings(db, STANDINGS_VERSION)

        await self._writer.do(work)
