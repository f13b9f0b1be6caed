"""The tables of rooms that are not open, to find the games that wait for somebody."""

import asyncio
from typing import Final

from crossroom_engine.core.fast_replace import replace
from crossroom_protocol.events.room import LogEntry
from crossroom_server.room.log_replay import read_log, read_snapshot
from crossroom_server.store.contract import Store
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

MAX_TABLES: Final = 200
"""Tables that are cached; one is some ten kilobytes."""


class ColdTables:
    """Replays the tables of rooms from the store, and caches them.

    A log is read from its newest snapshot once, later only from where it ended then. One log is
    read at a time, however many ask, so that nobody who plays is slowed down.

    Args:
        store: Keeps the logs.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, tuple[Table, LogEntry | None]] = {}  # the last one used is last
        self._reading = asyncio.Lock()

    async def table(self, room: str) -> Table:
        """Return the table of *room*, without the record of its game and without a finished game.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        async with self._reading:
            table, newest = self._tables.get(room, (Table(), None))
            if newest and not table.games and not await self._is_stored(room, newest):
                table, newest = Table(), None
            if newest is None:
                table = await read_snapshot(self._store, room)
            async for entry in read_log(self._store, room, table.seq):
                table, newest = apply(table, entry), entry
            return self.remember(room, table, newest)

    def forget(self, room: str) -> None:
        """Take a table out of the cache: its log was rewritten."""
        self._tables.pop(room, None)

    async def _is_stored(self, room: str, newest: LogEntry) -> bool:
        """Is it still in the log? A room without a game may be deleted, and begun anew since."""
        return await self._store.read(room, newest.seq - 1, limit=1) == [newest]

    def remember(self, room: str, table: Table, newest: LogEntry | None) -> Table:
        """Cache a table as it is after the *newest* entry of its log; drop the least used one."""
        table = replace(table, record=(), game=table.playing)
        self._tables.pop(room, None)
        self._tables[room] = table, newest
        if len(self._tables) > MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        return table
