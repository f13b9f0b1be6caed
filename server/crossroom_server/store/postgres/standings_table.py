"""The sums of players in PostgreSQL, and the list of their ratings in order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from crossroom_protocol.events.results import FinishedGame, RankedPlayer
from crossroom_server.store.derived_contract import STANDINGS_VERSION, Place, Standings
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery
from crossroom_server.store.postgres.schema import Connection
from crossroom_server.store.rows import decode_finished, rating_rows
from crossroom_server.table.player_totals import PlayerTotals, decode_totals, encode_totals

_COUNTED: Final = "SELECT number FROM crossroom.counted WHERE version = $1"
# in the order of the keys, so that no two nodes wait for each other
_SAVE: Final = """
    WITH moved AS (
        UPDATE crossroom.counted SET number = $2 WHERE number = $1 AND version = $3 RETURNING 1
    ), saved AS (
        INSERT INTO crossroom.totals (key, totals)
        SELECT new.* FROM unnest($4::text[], $5::text[]) AS new (key, totals), moved
        ORDER BY key
        ON CONFLICT (key) DO UPDATE SET totals = excluded.totals
    ), rated AS (
        INSERT INTO crossroom.ratings (preset, key, name, rating, games, won)
        SELECT new.* FROM unnest(
            $6::text[], $7::text[], $8::text[], $9::integer[], $10::integer[], $11::integer[]
        ) AS new (preset, key, name, rating, games, won), moved
        ORDER BY preset, key
        ON CONFLICT (preset, key) DO UPDATE SET (name, rating, games, won)
            = (excluded.name, excluded.rating, excluded.games, excluded.won)
    )
    SELECT 1 FROM moved
"""
_FIND: Final = "SELECT key, totals FROM crossroom.totals WHERE key = ANY ($1::text[])"
_STRONGEST: Final = """
    SELECT name, rating, games, won FROM crossroom.ratings WHERE preset = $1
    ORDER BY rating DESC, key LIMIT $2
"""
_PLACE: Final = """
    SELECT 1
        + (SELECT count(*) FROM crossroom.ratings WHERE preset = $1 AND rating > $3)
        + (SELECT count(*) FROM crossroom.ratings WHERE preset = $1 AND rating = $3 AND key < $2),
        (SELECT count(*) FROM crossroom.ratings WHERE preset = $1)
"""
_GAMES: Final = "SELECT id, game FROM crossroom.finished WHERE id = ANY ($1::bigint[])"


async def reset_standings(db: Connection) -> None:
    """Drop the sums if an older version has made them; to be called within a transaction."""
    version = await db.fetchval("SELECT version FROM crossroom.counted FOR UPDATE")
    if version < STANDINGS_VERSION:
        await drop_standings(db)


async def drop_standings(db: Connection) -> None:
    """Drop the sums, within a transaction."""
    for table in ("totals", "ratings"):
        await db.execute(f"DELETE FROM crossroom.{table}")
    await db.execute("UPDATE crossroom.counted SET version = $1, number = 0", STANDINGS_VERSION)


class PostgresStandings(Standings):
    """Stores sums in the database of the games; of several nodes one adds a game.

    Args:
        ask: Reads.
        write: Runs a statement that may be repeated.
        run: Runs a coroutine in the loop of the store.
    """

    def __init__(self, ask: RunQuery, write: RunQuery, run: RunInStoreLoop) -> None:
        self._ask, self._write, self._run = ask, write, run

    async def counted(self) -> int | None:
        rows = await self._ask(_COUNTED, STANDINGS_VERSION)
        return int(rows[0][0]) if rows else None

    async def find(self, keys: Collection[str]) -> dict[str, PlayerTotals]:
        return {key: decode_totals(text) for key, text in await self._ask(_FIND, list(keys))}

    async def save(self, after: int, upto: int, totals: Mapping[str, PlayerTotals]) -> bool:
        texts = [encode_totals(one) for one in totals.values()]
        rated = list(rating_rows(totals))
        columns = [list(column) for column in zip(*rated, strict=True)] if rated else [[]] * 6
        rows = await self._run(
            self._write(_SAVE, after, upto, STANDINGS_VERSION, list(totals), texts, *columns)
        )
        return bool(rows)

    async def strongest(self, preset: str, limit: int) -> list[RankedPlayer]:
        return [RankedPlayer(*row) for row in await self._ask(_STRONGEST, preset, limit)]

    async def place(self, preset: str, key: str, rating: int) -> Place:
        return Place(*(await self._ask(_PLACE, preset, key, rating))[0])

    async def games(self, numbers: Sequence[int]) -> list[FinishedGame]:
        rows = await self._ask(_GAMES, list(numbers))
        found = dict(zip((number for number, _ in rows), decode_finished(rows), strict=True))
        return [found[number] for number in numbers if number in found]
