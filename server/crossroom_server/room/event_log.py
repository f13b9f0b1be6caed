"""The log of one room, and the table it leads to: what is decided is stored, applied and told.

In this order, always: nobody ever hears of a move that a crash could undo.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Final, NamedTuple

from crossroom_engine.core.fast_replace import replace
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved, RoomEvent, Said, SeatLeft
from crossroom_protocol.notices import Happened
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.net.weakrefs import weak_callback
from crossroom_server.room.audience import Audience, Client
from crossroom_server.room.time_warnings import restart_late_turn
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.table.offer_rules import revoke_ready
from crossroom_server.table.results import ended_games, ends_game
from crossroom_server.table.state import Sources, Table
from crossroom_server.table.table import apply, free_seats

log = logging.getLogger(__name__)

CACHED_ENTRIES: Final = 128
"""Entries, the newest of a log, that a room has in memory at least; twice as many at most."""
ENTRIES_PER_READ: Final = 250
"""Entries that are read at a time: a few ms, in which nothing else is done."""


class EventLog:
    """The log of a room as it goes on, and ``table``, on which it stands now.

    Args:
        room: Its name.
        store: Keeps the log.
        sources: What decisions may consult; the attribute of that name gives the time of the room.
        audience: Who is told.
        metrics: Counts what is stored.
        follow: Called when the table has changed and everybody has been told.
    """

    def __init__(
        self,
        room: str,
        store: Store,
        sources: Sources,
        audience: Audience,
        metrics: Metrics,
        follow: Callable[[], None],
    ) -> None:
        self.table, self.store = Table(), store
        self._room, self._audience = room, audience
        self.sources, self._machine = replace(sources, now=weak_callback(self._now)), sources.now
        self._latest = 0
        self._metrics, self._follow = metrics, follow
        self._older: LogSlice | None = None
        self._newer = LogSlice(self.table, [])

    async def open(self) -> int | None:
        """Stand where the log ends; says when that was, in ms since 1970, if there is a log.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        last = None
        async for entry in read_log(self.store, self._room):
            self._apply(entry)
            last = entry.at
        return last

    @property
    def newest(self) -> LogEntry | None:
        """The newest entry of the log, if there is one."""
        return self._newer.entries[-1] if self._newer.entries else None

    async def catch_up(self) -> None:
        """Stand where the log ends, and tell what in it nobody has been told, if that can be."""
        try:
            self._apply_and_tell(await self.store.read(self._room, self.table.seq))
        except Exception:
            log.exception("room %(room)s: its log cannot be followed", {"room": self._room})

    async def commit(self, happenings: Iterable[RoomEvent]) -> None:
        """Store what was decided, apply it, tell everybody.

        Raises:
            Conflict, Unavailable: nothing was stored, nothing has happened.
        """
        now, seq = self._now(), self.table.seq
        entries = [LogEntry(number, now, what) for number, what in enumerate(happenings, seq + 1)]
        if not entries:
            return
        was_playing = self.table.playing is not None
        over = (
            list(ended_games(self._room, self.table, entries))
            if any(map(ends_game, entries))
            else []
        )
        with self._metrics.committing(len(entries)):
            await self.store.append(self._room, seq, entries, over)
        self._apply_and_tell(entries, over)
        with contextlib.suppress(
            Unavailable, LeaseLost
        ):  # what was asked for has happened all the same
            if late := restart_late_turn(self.table, entries, self._now()):
                await self.commit(late)
            if was_playing and self.table.playing is None:
                await self.release_absent()
        if isinstance(entries[-1].what, SeatLeft) and self.table.all_ready:
            line = gettext("all who sit here are ready: one more /ready begins")
            self._audience.note("people", line)

    async def release_absent(self) -> None:
        """Whoever is gone has no seat between games, and is not ready to go on with one."""
        here = self._audience.members
        with contextlib.suppress(Unavailable):  # then at the next chance
            await self.commit((*free_seats(self.table, here), *revoke_ready(self.table, here)))

    async def since(self, number: int) -> "LogSlice":
        """The log behind entry *number*; the newest part is at hand, the rest is in the store.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        at_hand = [self._older, self._newer] if self._older is not None else [self._newer]
        if number >= at_hand[0].before.seq:
            entries = [entry for stretch in at_hand for entry in stretch.entries]
            return LogSlice(at_hand[0].before, entries).after(number)
        found = LogSlice(Table(), [])
        async for entry in read_log(self.store, self._room):
            if entry.seq <= number:
                found = LogSlice(apply(found.before, entry), [])
            elif entry.seq <= self.table.seq:  # what follows is somebody else's, and not told yet
                found.entries.append(entry)
        return found

    def replayed(self, stretch: "LogSlice", client: Client | None) -> Iterator[Happened]:
        """Return what was told then, exactly as then; *client* None: as a watcher heard it.

        It is worked out while it is taken.
        """
        then = stretch.before
        for entry in stretch.entries:
            then = apply(then, entry)
            yield self._audience.entry_for(then, entry, client)

    async def recall(self, last: int, client: Client | None) -> list[Happened]:
        """The *last* entries as they were told.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        return list(self.replayed(await self.since(max(0, self.table.seq - last)), client))

    def _apply_and_tell(
        self, entries: Iterable[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        changed = False
        for entry in entries:
            before = self.table
            self._apply(entry)
            self._audience.tell_entry(self.table, entry)
            if isinstance(entry.what, Moved):
                self._audience.tell_states(before, self.table)
                self._audience.tell_pages(game for game in over if game.last == entry.seq)
            changed = changed or not isinstance(entry.what, Said)
        if changed:
            self._follow()

    def _apply(self, entry: LogEntry) -> None:
        table = apply(self.table, entry)
        if len(self._newer.entries) >= CACHED_ENTRIES:
            self._older, self._newer = self._newer, LogSlice(self.table, [])
        self.table, self._latest = table, max(self._latest, entry.at)
        self._newer.entries.append(entry)

    def _now(self) -> int:
        """The time of this room, in ms since 1970, which never goes back behind its log.

        The clock of the machine may be set back, or the room come from one whose clock is ahead:
        then no time passes until the clock has caught up.
        """
        return max(self._machine(), self._latest)


class LogSlice(NamedTuple):
    """Some entries of a log in a row, and the table before the first of them."""

    before: Table
    entries: list[LogEntry]

    def after(self, number: int) -> "LogSlice":
        """Return what follows entry *number*, which is none before these."""
        passed = max(0, number - self.before.seq)
        return LogSlice(reduce(apply, self.entries[:passed], self.before), self.entries[passed:])


async def read_log(store: Store, room: str, seq: int = 0) -> AsyncIterator[LogEntry]:
    """The log of a room behind entry *seq*, never much of it in memory.

    Raises:
        Unavailable: it cannot be read.
    """
    while entries := await store.read(room, seq, ENTRIES_PER_READ):
        for entry in entries:
            yield entry
        if len(entries) < ENTRIES_PER_READ:
            return
        seq += len(entries)
