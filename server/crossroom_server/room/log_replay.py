"""Reads the log of a room, or its table as it was, from the store."""

import asyncio
import logging
from collections.abc import AsyncIterator
from functools import reduce
from typing import Final, NamedTuple

from crossroom_engine.core.events import Event
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.derived_contract import Snapshot
from crossroom_server.table.snapshot import decode_table, encode_table
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

log = logging.getLogger(__name__)

ENTRIES_PER_READ: Final = 250
"""Entries per read from the store: a few ms, in which nothing else is done."""
ENTRIES_AT_ONCE: Final = 32
"""Entries that are told again before other rooms have their turn: some 2 ms."""


class LogSlice(NamedTuple):
    """Some entries of a log in a row, and the table before the first of them."""

    before: Table
    entries: list[LogEntry]

    def after(self, number: int) -> "LogSlice":
        """Return the rest after entry *number*."""
        passed = max(0, number - self.before.seq)
        return LogSlice(reduce(apply, self.entries[:passed], self.before), self.entries[passed:])


async def read_game(store: Store, game: FinishedGame) -> tuple[Event, ...]:
    """Return the events of a finished game.

    Raises:
        Unavailable, CorruptLog: they cannot be read.
    """
    entries = await store.read(game.room, game.first - 1, game.last - game.first + 1)
    moves = (entry.what for entry in entries if isinstance(entry.what, Moved))
    return tuple(event for moved in moves for event in moved.events)


async def read_log(store: Store, room: str, seq: int = 0) -> AsyncIterator[LogEntry]:
    """Read the log of a room after entry *seq*, in batches.

    Raises:
        Unavailable: it cannot be read.
    """
    while entries := await store.read(room, seq, ENTRIES_PER_READ):
        for entry in entries:
            yield entry
        if len(entries) < ENTRIES_PER_READ:
            return
        seq += len(entries)


async def read_slice(store: Store, room: str, number: int, last: int) -> LogSlice:
    """Read the log of a room after entry *number*, up to entry *last*.

    Raises:
        Unavailable, CorruptLog: it cannot be read.
    """
    found = LogSlice(await read_snapshot(store, room, number), [])
    async for entry in read_log(store, room, found.before.seq):
        if entry.seq <= number:
            found = LogSlice(apply(found.before, entry), [])
        elif entry.seq <= last:
            found.entries.append(entry)
        else:
            break
        if entry.seq % ENTRIES_AT_ONCE == 0:
            await asyncio.sleep(0)
    return found


async def read_snapshot(store: Store, room: str, upto: int | None = None) -> Table:
    """Return the table of a room at its newest snapshot, or the newest up to entry *upto*.

    It is the table before the first entry if there is no snapshot that this program understands.

    Raises:
        Unavailable: the store is out of order.
    """
    kept = await store.snapshots.find(room, upto)
    table = decode_table(kept.text) if kept is not None else None
    return table or Table()


async def save_snapshot(store: Store, room: str, table: Table) -> None:
    """Store a table, so that it can be read without the log before it; log and ignore failures."""
    try:
        await store.snapshots.save(room, Snapshot(table.seq, encode_table(table)))
    except Unavailable as error:
        told = {"room": room, "why": error}
        log.debug("room %(room)s: its snapshot was not stored: %(why)s", told)
