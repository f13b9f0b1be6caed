"""Keeps the log of one room and its table: events are stored, applied, then broadcast.

Always in this order: nobody ever hears of a move that a crash could undo.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final

from crossroom_engine.core.events import Event
from crossroom_engine.core.fast_replace import replace
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved, RoomEvent, Said, SeatLeft
from crossroom_protocol.notices import Happened
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.room.audience import Audience
from crossroom_server.room.client import Client
from crossroom_server.room.log_replay import (
    ENTRIES_AT_ONCE,
    LogSlice,
    read_game,
    read_log,
    read_slice,
    read_snapshot,
    save_snapshot,
)
from crossroom_server.room.room_time import RoomTime
from crossroom_server.room.time_warnings import restart_late_turn
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.table.offer_rules import revoke_ready
from crossroom_server.table.results import ended_games, ends_game
from crossroom_server.table.state import Sources, Table
from crossroom_server.table.table import apply, free_seats

log = logging.getLogger(__name__)

CACHED_ENTRIES: Final = 128
"""Newest entries of a log that a room caches at least; twice as many at most."""


class EventLog:
    """The log of a room, and ``table``, the state after its newest entry.

    Args:
        room: Its name.
        store: Keeps the log.
        sources: The inputs of decisions; the attribute of that name gives the time of the room.
        audience: Hears the entries.
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
        self.time = RoomTime(sources.now)
        self.sources = replace(sources, now=self.time.now)
        self._metrics, self._follow = metrics, follow
        self._older: LogSlice | None = None
        self._newer = LogSlice(self.table, [])
        self._saving: set[asyncio.Task[None]] = set()

    async def open(self) -> int | None:
        """Replay the log; return the time of its newest entry, in ms since 1970, if there is one.

        It begins at the newest snapshot, behind which there is always an entry.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        self.table = await read_snapshot(self.store, self._room)
        self._newer, saved, last = LogSlice(self.table, []), self.table.seq, None
        async for entry in read_log(self.store, self._room, saved):
            self._apply(entry)
            last = entry.at
        if self._newer.before.seq > saved:
            await save_snapshot(self.store, self._room, self._newer.before)
        return last

    @property
    def newest(self) -> LogEntry | None:
        """The newest entry of the log, if there is one."""
        return self._newer.entries[-1] if self._newer.entries else None

    async def catch_up(self) -> None:
        """Apply and broadcast entries stored since our last read; log and ignore failures."""
        try:
            self._apply_and_tell(await self.store.read(self._room, self.table.seq))
        except Exception:
            log.exception("room %(room)s: its log cannot be followed", {"room": self._room})

    async def commit(self, happenings: Iterable[RoomEvent]) -> None:
        """Store, apply and broadcast events.

        Raises:
            Conflict, Unavailable: nothing was stored, nothing has happened.
        """
        now, seq = self.time.now(), self.table.seq
        entries = [LogEntry(number, now, what) for number, what in enumerate(happenings, seq + 1)]
        if not entries:
            return
        was_playing = self.table.playing is not None
        over: list[FinishedGame] = []
        if any(map(ends_game, entries)):
            over = list(ended_games(self._room, self.table, entries))
        with self._metrics.committing(len(entries)):
            await self.store.append(self._room, seq, entries, over)
        self._apply_and_tell(entries, over)
        # What was asked for has happened, even if these cannot be stored.
        with contextlib.suppress(Unavailable, LeaseLost):
            if late := restart_late_turn(self.table, entries, self.time.now()):
                await self.commit(late)
            if was_playing and self.table.playing is None:
                await self.release_absent()
        if isinstance(entries[-1].what, SeatLeft) and self.table.all_ready:
            line = gettext("all who sit here are ready: one more /ready begins")
            self._audience.note("people", line)

    async def release_absent(self) -> None:
        """Free the seats of absent people between games, and revoke their /ready in one."""
        here = self._audience.members
        with contextlib.suppress(Unavailable):  # then at the next chance
            await self.commit((*free_seats(self.table, here), *revoke_ready(self.table, here)))

    async def since(self, number: int) -> "LogSlice":
        """Return the log after entry *number*, from the cache or else from the store.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        at_hand = [self._older, self._newer] if self._older is not None else [self._newer]
        if number >= at_hand[0].before.seq:
            entries = [entry for stretch in at_hand for entry in stretch.entries]
            return LogSlice(at_hand[0].before, entries).after(number)
        return await read_slice(self.store, self._room, number, self.table.seq)

    async def replayed(self, stretch: "LogSlice", client: Client | None) -> AsyncIterator[Happened]:
        """Yield the entries as *client* heard them then; None: as a watcher did.

        Other rooms have their turn after every few entries.
        """
        then = stretch.before
        for number, entry in enumerate(stretch.entries, 1):
            then = apply(then, entry)
            yield self._audience.entry_for(then, entry, client)
            if number % ENTRIES_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def recall(self, last: int, client: Client | None) -> list[Happened]:
        """Return the *last* entries as they were told.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        stretch = await self.since(max(0, self.table.seq - last))
        return [happened async for happened in self.replayed(stretch, client)]

    async def finished_game(self, number: int) -> tuple[FinishedGame, tuple[Event, ...]] | None:
        """Return game *number* of this room and its events, if it was kept and is over.

        Raises:
            Unavailable, CorruptLog: it cannot be read.
        """
        newest = max(0, self.table.games - number + 1)  # as each game is kept once at most
        for game in await self.store.finished_in(self._room, newest):
            if game.game == number:
                return game, await read_game(self.store, game)
        return None

    def _apply_and_tell(
        self, entries: Iterable[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        changed, cached = False, self._newer
        entries = list(entries)
        has_moves = any(isinstance(entry.what, Moved) for entry in entries)
        with self._audience.telling_at_once() if has_moves else contextlib.nullcontext():
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
        if self._newer is not cached:
            self._save_snapshot()

    def _save_snapshot(self) -> None:
        saving = save_snapshot(self.store, self._room, self._newer.before)
        task = asyncio.create_task(saving, name=f"snapshot of {self._room}")
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    def _apply(self, entry: LogEntry) -> None:
        table = apply(self.table, entry)
        if len(self._newer.entries) >= CACHED_ENTRIES:
            self._older, self._newer = self._newer, LogSlice(self.table, [])
        self.table = table
        self.time.observe(entry.at)
        self._newer.entries.append(entry)
