"""What PostgreSQL keeps of one person; for a server alone."""

from collections.abc import Collection, Sequence
from typing import Final

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry
from crossroom_server.store.people_contract import CODE_COLUMNS, People, StoredCode, stored_code
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery
from crossroom_server.store.rows import finished_row

_CODES: Final = f"""
    SELECT {CODE_COLUMNS} FROM crossroom.codes WHERE name = ANY ($1::text[]) ORDER BY room
"""
_REWRITE: Final = """
    WITH log AS (
        UPDATE crossroom.entries SET entry = new.entry
        FROM unnest($2::bigint[], $3::text[]) AS new (seq, entry)
        WHERE entries.room = $1 AND entries.seq = new.seq
    ), game AS (
        UPDATE crossroom.finished SET game = new.game
        FROM unnest($4::text[], $5::text[]) AS new (page, game) WHERE finished.page = new.page
    ), snapshot AS (
        DELETE FROM crossroom.snapshots WHERE room = $1
    )
    DELETE FROM crossroom.codes WHERE room = $1 AND name = ANY ($6::text[])
"""
_FORGET: Final = """
    WITH claim AS (
        DELETE FROM crossroom.claims WHERE key = $1
    ), counted AS (
        UPDATE crossroom.counted SET number = 0
        WHERE EXISTS (SELECT FROM crossroom.totals WHERE key = $1) RETURNING 1
    ), rating AS (
        DELETE FROM crossroom.ratings USING counted
    )
    DELETE FROM crossroom.totals USING counted
"""


class PostgresPeople(People):
    """Finds and forgets people in the database.

    Args:
        read: Runs a query.
        ask: Runs one that writes, in the loop of the store.
        run: Runs a coroutine there.
    """

    def __init__(self, read: RunQuery, ask: RunQuery, run: RunInStoreLoop) -> None:
        self._read, self._ask, self._run = read, ask, run

    async def codes(self, names: Collection[str]) -> list[StoredCode]:
        return [stored_code(*row) for row in await self._read(_CODES, list(names))]

    async def rewrite(
        self,
        room: str,
        entries: Sequence[LogEntry],
        games: Sequence[FinishedGame],
        names: Collection[str],
    ) -> None:
        rows = list(map(finished_row, games))
        values = (
            [one.seq for one in entries],
            [LOG_ENTRY.dump_json(one).decode() for one in entries],
            [page for _, _, page, _ in rows],
            [text for _, _, _, text in rows],
            list(names),
        )
        await self._run(self._ask(_REWRITE, room, *values))

    async def forget_account(self, key: str) -> None:
        await self._run(self._ask(_FORGET, key))
