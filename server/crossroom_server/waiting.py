"""Tables of rooms that are not open, for those who ask which games wait for them."""

import asyncio
from typing import Final

from crossroom_engine.changing import replace
from crossroom_server.chronicle import entries_of
from crossroom_server.store import Store
from crossroom_server.table import Table, apply

MOST: Final = 500
"""Tables that are remembered; one is some kilobytes."""


class Waiting:
    """How tables stand in the store.

    A log is read once: who asks again pays for what was added. One is read at a time, however many
    ask, so that those who play notice nothing.

    Args:
        store: Keeps the logs.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, Table] = {}  # who was asked for last is the last key
        self._reading = asyncio.Lock()

    async def table(self, room: str) -> Table:
        """How the table of *room* stands, without the record of its game, or what is over of it.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        async with self._reading:
            table = self._tables.get(room, Table())
            async for entry in entries_of(self._store, room, table.seq):
                table = apply(table, entry)
            return self.note(room, table)

    def note(self, room: str, table: Table) -> Table:
        """Remember how that table stands, and forget the one that was not asked for the longest."""
        table = replace(table, record=(), game=table.playing)
        self._tables.pop(room, None)
        self._tables[room] = table
        if len(self._tables) > MOST:
            del self._tables[next(iter(self._tables))]
        return table
