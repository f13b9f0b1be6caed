"""The log of one room, and the table it leads to: what is decided is stored, applied and told.

In this order, always: nobody ever hears of a move that a crash could undo.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from crossroom_protocol.notices import Happened
from crossroom_protocol.room_events import Entry, Moved, RoomEvent, SeatLeft
from crossroom_server.audience import Audience, Client
from crossroom_server.clocks import begun_again
from crossroom_server.metrics import Metrics
from crossroom_server.store import Store, Unavailable
from crossroom_server.table import Sources, Table, apply, vacate


class Chronicle:
    """The log of a room as it goes on, and ``table``, on which it stands now.

    Args:
        room: Its name.
        store: Keeps the log.
        sources: For the time.
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
        self._room, self._sources, self._audience = room, sources, audience
        self._metrics, self._follow = metrics, follow
        self._log: list[Entry] = []

    async def open(self) -> int | None:
        """Stand where the log ends; says when that was, in ms since 1970, if there is a log.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        self._log = await self.store.read(self._room)
        self.table = reduce(apply, self._log, Table())
        return self._log[-1].at if self._log else None

    async def catch_up(self) -> None:
        """Stand where the log ends, and tell what in it nobody has been told.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        self._go_on(await self.store.read(self._room, self.table.seq))

    async def commit(self, happenings: Iterable[RoomEvent]) -> None:
        """Store what was decided, apply it, tell everybody.

        Raises:
            Conflict, Unavailable: nothing was stored, nothing has happened.
        """
        now, seq = self._sources.now(), self.table.seq
        entries = [Entry(number, now, what) for number, what in enumerate(happenings, seq + 1)]
        if not entries:
            return
        was_playing = self.table.playing is not None
        with self._metrics.committing(len(entries)):
            await self.store.append(self._room, seq, entries)
        self._go_on(entries)
        await self.commit(begun_again(self.table, entries, self._sources.now()))
        if was_playing and self.table.playing is None:
            await self.vacate_absent()
        if isinstance(entries[-1].what, SeatLeft) and self.table.all_ready:
            self._audience.tell_others(None, "all who sit here are ready: one more /ready begins")

    async def vacate_absent(self) -> None:
        """When no game is played, the seats of those who are gone are free."""
        with contextlib.suppress(Unavailable):  # then at the next chance
            await self.commit(vacate(self.table, self._audience.members))

    def told_after(self, since: int, client: Client | None) -> Iterator[Happened]:
        """What was told after entry *since*, exactly as then; *client* None: as a watcher heard it.

        It is worked out while it is taken.
        """
        then = Table()
        for entry in self._log:
            then = apply(then, entry)
            if entry.seq > since:
                yield self._audience.happened(then, entry, client)

    def _go_on(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            before, self.table = self.table, apply(self.table, entry)
            self._log.append(entry)
            self._audience.tell_entry(self.table, entry)
            if isinstance(entry.what, Moved):
                self._audience.tell_states(before, self.table)
        self._follow()
