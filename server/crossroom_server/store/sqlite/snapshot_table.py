"""The table of snapshots in SQLite."""

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from crossroom_server.store.derived_contract import ENTRIES_PER_SNAPSHOT, Snapshot, Snapshots
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit

# A snapshot bears the id of its entry: of a log that was deleted, and begun anew, it is no more.
_SAVE: Final = """
    INSERT OR REPLACE INTO snapshots
    SELECT id, room, seq, ? FROM entries WHERE room = ? AND seq = ?
"""
_THIN_OUT: Final = f"""
    DELETE FROM snapshots
    WHERE room = ? AND seq BETWEEN ? / {ENTRIES_PER_SNAPSHOT} * {ENTRIES_PER_SNAPSHOT} AND ? - 1
"""
_FIND: Final = """
    SELECT snapshots.seq, state FROM snapshots JOIN entries USING (id, room, seq)
    WHERE snapshots.room = ? AND snapshots.seq <= ? ORDER BY snapshots.seq DESC LIMIT 1
"""
_NEWEST: Final = (1 << 63) - 1


class SqliteSnapshots(Snapshots):
    """Stores snapshots in the file of the games.

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

    async def save(self, room: str, snapshot: Snapshot) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute(_THIN_OUT, (room, snapshot.seq, snapshot.seq))
            db.execute(_SAVE, (snapshot.text, room, snapshot.seq))

        await self._writer.do(work)

    async def find(self, room: str, upto: int | None = None) -> Snapshot | None:
        rows = await self._select(_FIND, (room, _NEWEST if upto is None else upto))
        return Snapshot(*rows[0]) if rows else None
