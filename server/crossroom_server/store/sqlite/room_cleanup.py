"""Finds and deletes vacant rooms in SQLite."""

import sqlite3
from typing import Final

from crossroom_server.store.contract import MAX_VACANT_ENTRIES

# Of all that is asked, what costs least comes first: most rooms were played in, or are in use. What
# cannot be understood is kept. Quotes within a text are escaped, so nobody can say the last words.
_IS_VACANT: Final = f"""
    SELECT CASE
        WHEN seq > {MAX_VACANT_ENTRIES} OR NOT json_valid(entry) THEN 0
        WHEN coalesce(json_extract(entry, '$.at'), :before) >= :before THEN 0
        WHEN EXISTS (SELECT 1 FROM codes WHERE codes.room = newest.room AND since >= :before) THEN 0
        ELSE NOT EXISTS (
            SELECT 1 FROM entries AS one
            WHERE one.room = newest.room AND instr(one.entry, '"kind":"moved"')
        )
    END
    FROM entries AS newest WHERE newest.room = {{room}} ORDER BY seq DESC LIMIT 1
"""
SCAN_VACANT: Final = f"""
    WITH RECURSIVE names (room, number) AS (
        SELECT (SELECT min(room) FROM entries WHERE room > :behind), 1
        UNION ALL
        SELECT (SELECT min(room) FROM entries WHERE room > names.room), number + 1
        FROM names WHERE number < :most
    )
    SELECT room, ({_IS_VACANT.format(room="names.room")}) FROM names WHERE room IS NOT NULL
"""
_THIS: Final = _IS_VACANT.format(room=":room")


def delete_vacant(db: sqlite3.Connection, room: str, before: int) -> bool:
    """Delete a room, within a transaction, if it is vacant; return whether it was."""
    found = db.execute(_THIS, {"room": room, "before": before}).fetchone()
    if found != (1,):
        return False
    for table in ("entries", "codes", "snapshots"):
        db.execute(f"DELETE FROM {table} WHERE room = ?", (room,))
    return True
