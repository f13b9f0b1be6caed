"""The sums of players in SQLite, and the list of their ratings in order."""

import sqlite3
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

from crossroom_protocol.events.results import FinishedGame, RankedPlayer
from crossroom_server.store.derived_contract import Place, Standings
from crossroom_server.store.rows import decode_finished, rating_rows
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit
from crossroom_server.table.player_totals import PlayerTotals, decode_totals, encode_totals

_PLACE: Final = """
    SELECT 1
        + (SELECT count(*) FROM ratings WHERE preset = :preset AND rating > :rating)
        + (SELECT count(*) FROM ratings
           WHERE preset = :preset AND rating = :rating AND key < :key),
        (SELECT count(*) FROM ratings WHERE preset = :preset)
"""
_STRONGEST: Final = """
    SELECT name, rating, games, won FROM ratings WHERE preset = ? ORDER BY rating DESC, key LIMIT ?
"""


def reset_standings(db: sqlite3.Connection, version: int) -> None:
    """Drop the sums, within a transaction; they are of that version from now on."""
    for table in ("totals", "ratings"):
        db.execute(f"DELETE FROM {table}")
    db.execute("UPDATE counted SET version = ?, number = 0", (version,))


class SqliteStandings(Standings):
    """Stores sums in the file of the games.

    Args:
        writer: Writes.
        select: Runs a query with its values; returns the rows.
    """

    def __init__(
        self,
        writer: SqliteGroupCommit,
        select: Callable[[str, Sequence[object] | Mapping[str, object]], Awaitable[list[Any]]],
    ) -> None:
        self._writer, self._select = writer, select

    async def counted(self) -> int | None:
        ((number,),) = await self._select("SELECT number FROM counted", ())
        return int(number)

    async def find(self, keys: Collection[str]) -> dict[str, PlayerTotals]:
        places = ", ".join("?" * len(keys))
        query = f"SELECT key, totals FROM totals WHERE key IN ({places})"
        return {key: decode_totals(text) for key, text in await self._select(query, tuple(keys))}

    async def save(self, after: int, upto: int, totals: Mapping[str, PlayerTotals]) -> bool:
        texts = [(key, encode_totals(one)) for key, one in totals.items()]
        ratings = list(rating_rows(totals))
        was_saved: list[bool] = []

        def work(db: sqlite3.Connection) -> None:
            query = "UPDATE counted SET number = ? WHERE number = ?"
            was_saved.append(db.execute(query, (upto, after)).rowcount == 1)
            if was_saved[0]:
                db.executemany("INSERT OR REPLACE INTO totals VALUES (?, ?)", texts)
                db.executemany("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", ratings)

        await self._writer.do(work)
        return was_saved[0]

    async def strongest(self, preset: str, limit: int) -> list[RankedPlayer]:
        return [RankedPlayer(*row) for row in await self._select(_STRONGEST, (preset, limit))]

    async def place(self, preset: str, key: str, rating: int) -> Place:
        values = {"preset": preset, "key": key, "rating": rating}
        return Place(*(await self._select(_PLACE, values))[0])

    async def games(self, numbers: Sequence[int]) -> list[FinishedGame]:
        places = ", ".join("?" * len(numbers))
        query = f"SELECT id, game FROM finished WHERE id IN ({places})"
        rows = await self._select(query, tuple(numbers))
        found = dict(zip((number for number, _ in rows), decode_finished(rows), strict=True))
        return [found[number] for number in numbers if number in found]
