"""The table of finished games in PostgreSQL; see :mod:`.sqlite.finished_table`."""

from typing import Final

from crossroom_server.store.postgres.schema import ENDING_LOCK, Connection
from crossroom_server.store.postgres.standings_table import drop_standings, reset_standings
from crossroom_server.store.rows import FINISHED_VERSION, finished_games, finished_row

_ENDED: Final = """
    SELECT DISTINCT room FROM crossroom.entries WHERE position('"kind":"ended"' IN entry) > 0
"""
_LOG: Final = "SELECT entry FROM crossroom.entries WHERE room = $1 ORDER BY seq"
_KEEP: Final = """
    INSERT INTO crossroom.finished
    SELECT id, $3, $1, $4 FROM crossroom.entries WHERE room = $1 AND seq = $2
"""


async def refill_finished(db: Connection) -> None:
    """Fill the table anew if another version than this has filled it, and drop the sums of it.

    Older nodes beside this one go on writing rows of their own kind.
    """
    async with db.transaction():
        await reset_standings(db)
    if await db.fetchval("SELECT derived FROM crossroom.version") == FINISHED_VERSION:
        return
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", ENDING_LOCK)
        await db.execute("DELETE FROM crossroom.finished")
        await drop_standings(db)
        for (room,) in await db.fetch(_ENDED):
            texts = [text for (text,) in await db.fetch(_LOG, room)]
            await db.executemany(_KEEP, map(finished_row, finished_games(room, texts)))
        await db.execute("UPDATE crossroom.version SET derived = $1", FINISHED_VERSION)
