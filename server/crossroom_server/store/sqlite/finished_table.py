"""The table of finished games: what follows from the logs, kept so that nobody reads them all.

A row is written in the transaction of the entry that ends the game, under that entry's number. So a
crash leaves both or neither, and filling the table anew from the logs, as is done once for
files of former versions, gives the same rows again.
"""

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import TypeAdapter, ValidationError

from crossroom_engine.core.errors import CorruptLog
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY
from crossroom_server.table.results import ended_games
from crossroom_server.table.state import Table

log = logging.getLogger(__name__)

FINISHED_VERSION: Final = 1
"""Grows whenever something else is to be remembered of games; the table is filled anew then."""

FINISHED_JSON: Final = TypeAdapter(FinishedGame)
"""Reads and writes a finished game as JSON."""

_ENDED: Final = """
    SELECT DISTINCT room FROM entries WHERE instr(entry, '"kind":"ended"')
"""


def keep_finished(db: sqlite3.Connection, games: Iterable[FinishedGame]) -> None:
    """Write rows for *games*, whose entries are there already."""
    rows = [(g.page, g.room, FINISHED_JSON.dump_json(g).decode(), g.room, g.last) for g in games]
    query = "INSERT INTO finished SELECT id, ?, ?, ? FROM entries WHERE room = ? AND seq = ?"
    db.executemany(query, rows)


def refill_finished(db: sqlite3.Connection) -> None:
    """Fill the table anew, if it was filled by another version than this."""
    if db.execute("SELECT derived FROM owners").fetchone() == (FINISHED_VERSION,):
        return
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM finished")
    for (room,) in db.execute(_ENDED).fetchall():
        query = "SELECT CAST(entry AS BLOB) FROM entries WHERE room = ? ORDER BY seq"
        texts = (text for (text,) in db.execute(query, (room,)))
        keep_finished(db, list(finished_games(room, texts)))
    db.execute("UPDATE owners SET derived = ?", (FINISHED_VERSION,))
    db.execute("COMMIT")


def finished_games(room: str, texts: Iterable[str | bytes]) -> Iterator[FinishedGame]:
    """The games that are over in a room; those before the damage if its log is damaged.

    Args:
        room: Its name.
        texts: Its whole log, each entry as JSON.
    """
    entries = (LOG_ENTRY.validate_json(text) for text in texts)
    try:
        yield from ended_games(room, Table(), entries)
    except (ValidationError, CorruptLog, LookupError, ValueError, TypeError, AttributeError):
        log.warning("room %(room)s: its log is damaged; games may be missing", {"room": room})
