"""Takes the name of one person, and what they said, out of the log of a room.

The rest stays as it was: the games keep their moves, draws and results, and replay to the same.
But nobody can prove any more that their draws were fair, for what is sealed contains the names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from crossroom_engine.core.events import Event, Started
from crossroom_protocol.events.room import LogEntry, Moved, Renamed, RoomEvent, Said, SeatTaken
from crossroom_server.identity import names

ERASED_TEXT: Final = "…"
"""What stands in the place of what they said."""
_NAME_FIELDS: Final = ("name", "whom", "old")
"""The fields of entries that hold names of people."""


class Eraser:
    """Gives one person another name in entries.

    Args:
        key: The comparison key of their name.
        alias: The name instead.
    """

    def __init__(self, key: str, alias: str) -> None:
        self._key, self._alias = key, alias
        self._known: dict[str, bool] = {}
        self.names: set[str] = set()
        """Their name, in every spelling that was met."""

    def erase(self, entry: LogEntry) -> LogEntry:
        """Return an entry without them; the same if they are not in it."""
        what = self._event(entry.what)
        return entry if what is entry.what else replace(entry, what=what)

    def _event(self, what: RoomEvent) -> RoomEvent:
        if isinstance(what, Moved):
            if any(isinstance(event, Started) for event in what.events):
                return replace(what, events=tuple(map(self._game_event, what.events)))
            return what
        changed: dict[str, Any] = {
            field: self._alias
            for field in _NAME_FIELDS
            if hasattr(what, field) and self._is_theirs(getattr(what, field))
        }
        if isinstance(what, Said) and changed:
            changed["text"] = ERASED_TEXT
        return replace(what, **changed) if changed else what

    def _game_event(self, event: Event) -> Event:
        if not isinstance(event, Started):
            return event
        players = tuple(self._alias if self._is_theirs(name) else name for name in event.players)
        if players == event.players:
            return event
        # The seal covers the names, so it could only be found wrong. The seed stays: the address of
        # the game's page follows from it.
        return replace(event, players=players, seal="")

    def _is_theirs(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = names.comparison_key(name) == self._key
            if self._known[name]:
                self.names.add(name)
        return self._known[name]


def last_alias(entries: Iterable[LogEntry], prefix: str) -> int:
    """Return the greatest number of a name that is *prefix* and a number; 0 if there is none."""
    found = 0
    for entry in entries:
        for name in _names_in(entry.what):
            number = name.removeprefix(prefix)
            if number != name and number.isdecimal():
                found = max(found, int(number))
    return found


def _names_in(what: RoomEvent) -> Iterator[str]:
    if isinstance(what, Moved):
        for event in what.events:
            if isinstance(event, Started):
                yield from event.players
        return
    for field in _NAME_FIELDS:
        if hasattr(what, field):
            yield getattr(what, field)


def bearers(entries: Iterable[LogEntry], key: str) -> set[str]:
    """Return the members who sat at the table of a room under a name with this key."""
    found, by_seat = set[str](), list[str]()
    for entry in entries:
        match entry.what:
            case SeatTaken(seat=seat, member=member, name=name, bot=None):
                by_seat[seat:seat] = [member]
                if names.comparison_key(name) == key:
                    found.add(member)
            case SeatTaken(seat=seat, member=member):
                by_seat[seat:seat] = [member]
            case Renamed(seat=seat, name=name) if names.comparison_key(name) == key:
                found.add(by_seat[seat])
            case what if what.kind == "seat_left":
                del by_seat[what.seat]
    return found


def mentions(entries: Iterable[LogEntry], key: str) -> Iterator[LogEntry]:
    """Yield the entries of a log that name a person, without the moves of games."""
    eraser = Eraser(key, "")
    for entry in entries:
        if not isinstance(entry.what, Moved) and eraser.erase(entry) is not entry:
            yield entry
