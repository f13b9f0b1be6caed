"""The table of finished games in PostgreSQL, as ``store.sqlite.finished_table`` has it."""

from collections.abc import Iterable
from typing import Final

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.store.postgres.schema import Connection
from crossroom_server.store.sqlite.finished_table import (
    FINISHED_JSON,
    FINISHED_VERSION,
    finished_games,
)

ENDING_LOCK: Final = 0x786F6F65
"""The advisory lock of writes by which games end, where there are several nodes: shared by them."""

_ENDED: Final = """
    SELECT DISTINCT room FROM crossroom.entries WHERE position('"kind":"ended"' IN entry) > 0
"""
_LOG: Final = "SELECT entry FROM crossroom.entries WHERE room = $1 ORDER BY seq"
_KEEP: Final = """
    INSERT INTO crossroom.finished
    SELECT id, $3, $1, $4 FROM crossroom.entries WHERE room = $1 AND seq = $2
"""


async def refill_finished(db: Connection) -> None:
    """Fill the table anew, if it was filled by another version than this.

    Older nodes that go on beside this one go on writing rows of their own kind.
    """
    if await db.fetchval("SELECT derived FROM crossroom.version") == FINISHED_VERSION:
        return
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", ENDING_LOCK)
        await db.execute("DELETE FROM crossroom.finished")
        for (room,) in await db.fetch(_ENDED):
            texts = [text for (text,) in await db.fetch(_LOG, room)]
            await db.executemany(_KEEP, finished_rows(finished_games(room, texts)))
        await db.execute("UPDATE crossroom.version SET derived = $1", FINISHED_VERSION)


def finished_rows(games: Iterable[FinishedGame]) -> list[tuple[str, int, str, str]]:
    """Of each game its room, the number of its last entry, its page, and all of it as JSON."""
    return [(g.room, g.last, g.page, FINISHED_JSON.dump_json(g).decode()) for g in games]
