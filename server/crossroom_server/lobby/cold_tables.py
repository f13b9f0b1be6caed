"""Tables of rooms that are not open, for those who ask which games wait for them."""

import asyncio
from typing import Final

from crossroom_engine.core.fast_replace import replace
from crossroom_protocol.events.room import LogEntry
from crossroom_server.room.event_log import read_log
from crossroom_server.store.contract import Store
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

MAX_TABLES: Final = 200
"""Tables that are remembered; one is some ten kilobytes."""


class ColdTables:
    """Replays the tables of rooms from the store.

    A log is read once: who asks again pays for what was added. One is read at a time, however many
    ask, so that those who play notice nothing.

    Args:
        store: Keeps the logs.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # who was asked for last is the last key
        self._tables: dict[str, tuple[Table, LogEntry | None]] = {}
        self._reading = asyncio.Lock()

    async def table(self, room: str) -> Table:
        """Return the table of *room*, without the record of its game, or what is over of it.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        async with self._reading:
            table, newest = self._tables.get(room, (Table(), None))
            if newest and not table.games and not await self._is_stored(room, newest):
                table, newest = Table(), None
            async for entry in read_log(self._store, room, table.seq):
                table, newest = apply(table, entry), entry
            return self.remember(room, table, newest)

    async def _is_stored(self, room: str, newest: LogEntry) -> bool:
        """Is it in the log still? A room without a game may be forgotten, and be another's then."""
        return await self._store.read(room, newest.seq - 1, limit=1) == [newest]

    def remember(self, room: str, table: Table, newest: LogEntry | None) -> Table:
        """Remember how that table stands after the *newest* entry of its log.

        The one that was not asked for the longest is forgotten.
        """
        table = replace(table, record=(), game=table.playing)
        self._tables.pop(room, None)
        self._tables[room] = table, newest
        if len(self._tables) > MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        return table
