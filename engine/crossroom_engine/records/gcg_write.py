"""Write GCG, and make records of games played here.

GCG is made for two players and the rules of tournaments. What it has no line for (the rules, blanks
taken back, somebody leaving, the reason of the end) goes into free text, ``#description`` and
``#note``, behind a tag of ours.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from crossroom_engine.core import events
from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import Event, Seat
from crossroom_engine.core.moves import seats_from
from crossroom_engine.core.rules import Ruleset, format_setting, settings
from crossroom_engine.core.tiles import HIDDEN, Tiles, multiset, spell
from crossroom_engine.game.undo import without_undone
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import (
    GcgAction,
    GcgEntry,
    GcgExchange,
    GcgPass,
    GcgPlay,
    GcgPlayer,
    Record,
)


def write_gcg(log: Iterable[Event]) -> str:
    """Write a game as GCG; see :func:`record_from_events` for what it shows."""
    return format_gcg(record_from_events(log))


def format_gcg(record: Record) -> str:
    """Write a record as GCG: lines ended by line feeds, to be encoded as UTF-8."""
    lines = ["#character-encoding UTF-8"]
    lines += [f"#{p.keyword} {p.text}" for p in record.pragmas if p.keyword in _HEADERS]
    if record.rules_stated:
        lines.append(f"#description {gcg.RULES_TAG} {_settings(record.rules)}")
    lines += [f"#player{n} {p.nick} {p.name}" for n, p in enumerate(record.players, start=1)]
    for entry in record.entries:
        lines += _lines(entry)
    lines += [f"#rack{seat + 1} {spell(rack)}" for _, seat, rack in record.racks]
    if record.end_reason is not None:
        lines.append(f"#note {gcg.NOTE_TAG} game over ({record.end_reason})")
    return "".join(f"{line}\n" for line in lines)


_HEADERS = ("title", "id", "lexicon")


def _settings(rules: Ruleset) -> str:
    """Write all rules as :meth:`Ruleset.override` reads them."""
    pairs = ((spec.name, format_setting(getattr(rules, spec.name))) for spec in settings())
    known = (f"{name}={value}" for name, value in pairs if name != "lexicon")
    return " ".join((rules.preset, *known))


def _lines(entry: GcgEntry) -> Iterator[str]:
    if isinstance(entry.action, gcg.Retirement):
        yield f"#note {gcg.NOTE_TAG} {entry.name} leaves the game"
    else:
        words = (f">{entry.name}:", spell(entry.rack), _written(entry.action))
        yield " ".join(filter(None, words)) + f" {entry.points:+} {entry.total}"
    if isinstance(entry.action, GcgPlay):
        yield from (f"#note {gcg.NOTE_TAG} swap {square}" for square in entry.action.swaps)
    if isinstance(entry.action, GcgPass) and entry.action.lost:
        yield f"#note {gcg.NOTE_TAG} turn lost to a challenge"
    yield from (f"#note {note}" for note in entry.notes)


def _written(action: GcgAction) -> str:
    match action:
        case GcgPlay(spot, text):
            return f"{spot} {text}"
        case GcgExchange(count, tiles):
            return f"-{count if tiles is None else spell(tiles)}"
        case gcg.Leftover(tiles):
            return f"({spell(tiles)})"
    return {gcg.Withdrawal: "--", GcgPass: "-", gcg.Bonus: "(challenge)", gcg.Overtime: "(time)"}[
        type(action)
    ]


def record_from_events(log: Iterable[Event]) -> Record:
    """Make a record of a game, finished or not.

    Players are numbered from whoever had the first turn, as is the custom. What is hidden in the
    events (:func:`crossroom_engine.game.views.redact`) stays hidden: racks are given as far as they
    are known. Undone turns are left out. The record of a finished game needs all its events as they
    were, for the tiles left.

    Raises:
        CorruptLog: the events do not begin with :class:`Started`.
    """
    first, *rest = without_undone(log)
    if not isinstance(first, events.Started):
        raise CorruptLog(f"{first.kind} before started")
    builder = _RecordBuilder(first)
    for event in rest:
        builder.add_event(event)
    return builder.record(next((e.seat for e in rest if isinstance(e, events.TurnBegan)), 0))


class _RecordBuilder:
    """The entries so far, and the racks as far as the events tell them."""

    def __init__(self, started: events.Started) -> None:
        self._started = started
        self._racks: list[Tiles] = [()] * len(started.players)
        self._scores = [0] * len(started.players)
        self._before: Tiles = ()
        self._entries: list[GcgEntry] = []
        self._fines: list[events.Awarded] = []
        self._over: str | None = None
        self._nicks = _nicks(started.players)

    def record(self, first: Seat) -> Record:
        rules, racks = self._started.rules, self._racks
        order = seats_from(first, len(racks))
        shown = [
            (0, number, racks[seat])
            for number, seat in enumerate(order)
            if self._over is None and racks[seat] and HIDDEN not in racks[seat]
        ]
        return Record(
            players=tuple(GcgPlayer(self._nicks[s], self._started.players[s]) for s in order),
            rules=rules,
            rules_stated=True,
            entries=tuple(self._entries),
            pragmas=(gcg.Pragma(0, "lexicon", self._started.lexicon),),
            racks=tuple(shown),
            stray_lines=(),
            end_reason=self._over,
        )

    def add_event(self, event: Event) -> None:
        match event:
            case events.Drew(seat, tiles):
                self._racks[seat] = multiset(self._racks[seat] + tiles)
            case events.Played():
                self._played(event)
            case events.Exchanged(seat, tiles, drew):
                hidden = HIDDEN in tiles
                self._add(seat, GcgExchange(len(tiles), None if hidden else tiles))
                self._racks[seat] = multiset(_less(self._racks[seat], tiles) + drew)
            case events.Passed(seat):
                self._add(seat, GcgPass())
            case events.Challenged(seat, _, words, bad):
                verdict = f"not words: {' '.join(bad)}" if bad else f"good: {' '.join(words)}"
                self._note(f"{self._nicks[seat]} challenges; {verdict}")
            case events.Withdrawn(seat, points):
                self._racks[seat] = self._before
                self._add(seat, gcg.Withdrawal(), -points)
            case events.TurnSkipped(seat):
                self._add(seat, GcgPass(lost=True))
            case events.Retired(seat, why, tiles):
                self._entries.append(GcgEntry(0, self._nicks[seat], (), gcg.Retirement(), 0, 0))
                self._note(f"out of the game: {why}")
                if tiles:
                    self._racks[seat] = ()
            case events.RackReturned(seat):
                self._racks[seat] = ()
            case events.Awarded(why="challenge"):
                self._add(event.seat, gcg.Bonus(), event.points)
            case events.Awarded(why="overtime"):
                self._fines.append(event)
            case events.Awarded():
                self._settle(event.seat, event.points)
            case events.Ended():
                self._ended(event)

    def _add(
        self, seat: Seat, action: GcgAction, points: int = 0, rack: Tiles | None = None
    ) -> None:
        self._scores[seat] += points
        known = tuple(t for t in self._racks[seat] if t != HIDDEN) if rack is None else rack
        total = self._scores[seat]
        self._entries.append(GcgEntry(0, self._nicks[seat], known, action, points, total))

    def _note(self, text: str) -> None:
        if self._entries:
            self._entries[-1] = replace(self._entries[-1], notes=(*self._entries[-1].notes, text))

    def _played(self, event: events.Played) -> None:
        seat = event.seat
        placed = multiset(laid.letter.tile for laid in event.laid)
        # Blanks come first in a multiset: those taken back did not come from the rack.
        used = (*placed[len(event.swapped) :], *(swap.letter.letter for swap in event.swapped))
        self._before = self._racks[seat]
        left = _less(self._before, used)
        rack = multiset(tile for tile in (*left, *used) if tile != HIDDEN)
        swaps = tuple(swap.square for swap in event.swapped)
        self._add(seat, GcgPlay(event.spot, event.text, swaps), event.points, rack)
        self._racks[seat] = left

    def _settle(self, seat: Seat, points: int) -> None:
        others = (rack for other, rack in enumerate(self._racks) if other != seat)
        rack = self._racks[seat]
        tiles = rack or multiset(tile for other in others for tile in other)
        self._add(seat, gcg.Leftover(tiles), points, rack)

    def _ended(self, event: events.Ended) -> None:
        """Settle also with those for whom it made no difference, then fine the slow."""
        rule = self._started.rules.end_adjustment
        if event.why not in gcg.ENDS_WITHOUT_ADJUSTMENT and rule != "none":
            settled = {e.name for e in self._entries if isinstance(e.action, gcg.Leftover)}
            gone = {e.name for e in self._entries if isinstance(e.action, gcg.Retirement)}
            active = [s for s, nick in enumerate(self._nicks) if nick not in gone]
            out = [seat for seat in active if not self._racks[seat]]
            for seat in out if out and rule == "double" else active:
                if self._nicks[seat] not in settled:
                    self._settle(seat, 0)
        for fine in self._fines:
            self._add(fine.seat, gcg.Overtime(), fine.points)
        names = [self._started.players[seat] for seat in event.winners]
        self._note(f"won by {' and '.join(names)}" if names else "won by nobody")
        self._over = event.why


def _less(rack: Tiles, tiles: Iterable[str]) -> Tiles:
    """Return *rack* without *tiles*; one not known to be there was hidden."""
    left = list(rack)
    for tile in tiles:
        left.remove(tile if tile in left else HIDDEN)
    return tuple(left)


def _nicks(names: tuple[str, ...]) -> list[str]:
    """Return names without spaces and colons, which GCG cannot hold, and no two alike."""
    nicks: list[str] = []
    for number, name in enumerate(names, start=1):
        nick = "_".join(name.replace(":", " ").split()) or f"player{number}"
        taken = {other.casefold() for other in nicks}
        nicks.append(f"{nick}_{number}" if nick.casefold() in taken else nick)
    return nicks
