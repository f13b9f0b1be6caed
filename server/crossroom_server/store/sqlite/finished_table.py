"""The table of finished games in SQLite: derived from the logs, so that nobody reads them all.

A row is written in the transaction of the entry that ends the game, under that entry's number. So a
crash leaves both or neither, and filling the table anew gives the same rows again.
"""

import sqlite3
from collections.abc import Iterable
from typing import Final

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.store.derived_contract import STANDINGS_VERSION
from crossroom_server.store.rows import FINISHED_VERSION, finished_games, finished_row
from crossroom_server.store.sqlite.standings_table import reset_standings

_ENDED: Final = """SELECT DISTINCT room FROM entries WHERE instr(entry, '"kind":"ended"')"""
_LOG: Final = "SELECT CAST(entry AS BLOB) FROM entries WHERE room = ? ORDER BY seq"
_INSERT: Final = "INSERT INTO finished SELECT id, ?, ?, ? FROM entries WHERE room = ? AND seq = ?"


def insert_finished(db: sqlite3.Connection, games: Iterable[FinishedGame]) -> None:
    """Write rows for *games* whose entries are stored already."""
    rows = map(finished_row, games)
    db.executemany(_INSERT, [(page, room, text, room, last) for room, last, page, text in rows])


def refill_finished(db: sqlite3.Connection) -> None:
    """Fill the table anew if another version than this has filled it, and drop the sums of it."""
    is_filled = db.execute("SELECT derived FROM owners").fetchone() == (FINISHED_VERSION,)
    version = (STANDINGS_VERSION,)
    if is_filled and db.execute("SELECT version FROM counted").fetchone() == version:
        return
    db.execute("BEGIN IMMEDIATE")
    reset_standings(db, STANDINGS_VERSION)
    if not is_filled:
        _refill(db)
    db.execute("COMMIT")


def _refill(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM finished")
    for (room,) in db.execute(_ENDED).fetchall():
        texts = (text for (text,) in db.execute(_LOG, (room,)))
        insert_finished(db, list(finished_games(room, texts)))
    db.execute("UPDATE owners SET derived = ?", (FINISHED_VERSION,))
