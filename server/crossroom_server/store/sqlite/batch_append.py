"""Appends entries to SQLite, one by one or many in a single statement."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.store.contract import Conflict
from crossroom_server.store.sqlite.file import OpenFile
from crossroom_server.store.sqlite.finished_table import insert_finished
from crossroom_server.store.sqlite.group_commit import Work

_COLUMNS: Final = 4
"""Values for each entry below."""


@dataclass(frozen=True)
class AppendEntries:
    """Appends entries, as JSON, behind number ``after`` of a room's log.

    ``over`` are the games that end with them. It raises
    :exc:`~crossroom_server.store.contract.Conflict` if the log does not end there.
    """

    room: str
    after: int
    texts: Sequence[str]
    over: Sequence[FinishedGame] = ()

    def __call__(self, db: sqlite3.Connection) -> None:
        """Append within a transaction."""
        query = "SELECT coalesce(max(seq), 0) FROM entries WHERE room = ?"
        (end,) = db.execute(query, (self.room,)).fetchone()
        if end != self.after:
            raise Conflict(self.room, self.after, end)
        rows = [(self.room, seq, text) for seq, text in enumerate(self.texts, end + 1)]
        db.executemany("INSERT INTO entries (room, seq, entry) VALUES (?, ?, ?)", rows)
        insert_finished(db, self.over)


class BatchAppend:
    """Appends in one statement, which is a transaction by itself and checks the fence, too.

    At every call of SQLite this thread gives up the interpreter lock and waits to get it back.
    While the loop is busy that costs more than the writing.

    Args:
        file: The file to append to.
    """

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._most = file.writer.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // _COLUMNS - 1

    def __call__(self, db: sqlite3.Connection, works: Sequence[Work]) -> bool:
        """Do all of *works*; False, and nothing is done, if only one by one could say which fail.

        Raises:
            sqlite3.Error: the database failed; nothing is done.
        """
        appends = [w for w in works if isinstance(w, AppendEntries) and w.texts and not w.over]
        rows = sum(len(append.texts) for append in appends)
        if len(appends) < len(works) or rows > self._most or not self._file.is_in_place:
            return False
        values = [
            value
            for append in appends
            for seq, text in enumerate(append.texts, append.after + 1)
            for value in (append.room, append.after, seq, text)
        ]
        try:
            db.execute(_statement(rows), (*values, self._file.owner))
        except sqlite3.IntegrityError:
            return False
        return True


@cache
def _statement(rows: int) -> str:
    """Return a statement that inserts *rows*; none, if a log ends elsewhere or the owner changed.

    A number must not be NULL, so that one row which does not fit fails the whole statement.
    """
    return f"""
        WITH new (room, after, seq, entry) AS (VALUES {", ".join(["(?, ?, ?, ?)"] * rows)})
        INSERT INTO entries (room, seq, entry)
        SELECT room, CASE WHEN
            after = (SELECT coalesce(max(seq), 0) FROM entries WHERE entries.room = new.room)
            AND (SELECT owner FROM owners) = ?
        THEN seq END, entry FROM new
    """
