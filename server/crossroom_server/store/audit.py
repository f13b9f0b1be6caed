"""Finds everything that is wrong with a store, and repairs nothing.

It checks the tables and every entry, plays every log, and draws the tiles of every finished game
with a sealed bag again. What is derived, snapshots and sums, is made anew and compared.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from pydantic import ValidationError

from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import Ended, Started
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry, Moved
from crossroom_server.store.audit_standings import standings_faults
from crossroom_server.store.table_dump import TableDump, UnreadableTable
from crossroom_server.table.snapshot import decode_table
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


class AuditReport(NamedTuple):
    """The counts of a store, and a sentence for each fault.

    ``sealed`` counts the finished games whose seals could be checked. ``unfair`` names draws that
    do not follow from a seal: nothing is damaged then, and no backup helps.
    """

    rooms: int
    entries: int
    codes: int
    sealed: int
    damages: tuple[str, ...]
    unfair: tuple[str, ...]


def audit(db: TableDump, on_progress: OnProgress) -> AuditReport:
    """Read everything in a store, and play each log from its beginning.

    Args:
        db: The tables of a store of any version up to ours.
        on_progress: Called with the number of entries read, and that of all.
    """
    damages, unfair, sealed = [f"the file: {line}" for line in db.find_faults()], list[str](), 0
    read = entries = codes = 0
    rooms: list[str] = []
    with suppress(UnreadableTable):  # named already
        entries = db.count("entries")
    with suppress(UnreadableTable):
        codes = db.count("codes")
    with suppress(UnreadableTable):
        rooms = db.rooms()
    damages += standings_faults(db)
    for room in rooms:
        found = _LogAudit(room, dict(_snapshots(db, room)))
        damages += found.read(db)
        read, sealed = read + found.entries, sealed + found.sealed
        unfair += found.unfair
        on_progress(read, max(read, entries))
    return AuditReport(len(rooms), read, codes, sealed, tuple(damages), tuple(unfair))


def _snapshots(db: TableDump, room: str) -> Iterator[tuple[int, str]]:
    with suppress(UnreadableTable):  # named already, or the store is of a version without any
        yield from db.snapshots(room)


class _LogAudit:
    """Audits the log of one room; counts its ``entries`` and the ``sealed`` games checked.

    Args:
        room: Its name.
        snapshots: Its tables as JSON, by the number of the entry.
    """

    def __init__(self, room: str, snapshots: Mapping[int, str]) -> None:
        self.entries = self.sealed = 0
        self._snapshots = snapshots
        self.unfair: list[str] = []
        self._room, self._next = room, 1
        self._table: Table | None = Table()

    def read(self, db: TableDump) -> Iterator[str]:
        """Yield a sentence for each fault."""
        try:
            for seq, text in db.log(self._room):
                self.entries += 1
                if seq != self._next:
                    self._table, last = None, seq - 1
                    one = last == self._next
                    which = f"entry {last} is" if one else f"entries {self._next} to {last} are"
                    yield f"room {self._room}: {which} missing"
                yield from self._entry(seq, text)
                self._next = seq + 1
        except UnreadableTable as error:
            yield f"room {self._room}: from entry {self._next} on it cannot be read: {error}"

    def _entry(self, seq: int, text: bytes) -> Iterator[str]:
        """Check that an entry can be read, and follows from those before it."""
        before, self._table = self._table, None  # after a gap, or a fault, nothing follows
        try:
            entry = LOG_ENTRY.validate_json(text)
        except ValidationError:
            yield f"room {self._room}: entry {seq} cannot be understood"
            return
        if entry.seq != seq:
            yield f"room {self._room}: entry {seq} says that it is entry {entry.seq}"
            return
        try:
            self._table = apply(before, entry) if before is not None else None
        except (CorruptLog, LookupError, ValueError, TypeError, AttributeError) as error:
            yield f"room {self._room}: entry {seq} does not fit what came before: {error}"
        else:
            self._check_draws(entry)
            yield from self._check_snapshot(seq)

    def _check_snapshot(self, seq: int) -> Iterator[str]:
        text = self._snapshots.get(seq)
        table = decode_table(text) if text is not None else None
        if table is not None and table != self._table:
            yield f"room {self._room}: the snapshot of entry {seq} differs from the log"

    def _check_draws(self, entry: LogEntry) -> None:
        """Check the draws of a sealed game that this entry ends."""
        table, what = self._table, entry.what
        if table is None or not isinstance(what, Moved):
            return
        started, ended = table.record[0], any(isinstance(event, Ended) for event in what.events)
        if not ended or not isinstance(started, Started) or not started.seal:
            return
        self.sealed += 1
        where = f"room {self._room}: game {what.game}"
        try:
            findings = verify_draws(table.record).findings
        except (BadText, CorruptLog) as error:
            self.unfair.append(f"{where}: {error}")
        else:
            self.unfair += [f"{where}: event {one.event}: {one.prose}" for one in findings]
