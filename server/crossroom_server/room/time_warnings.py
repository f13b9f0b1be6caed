"""Warns of clocks that run down, and restarts turns that began before they were told."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from crossroom_engine.core.events import Continued, TurnBegan
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.game.game import Game
from crossroom_engine.game.timing import due_at, flag_at
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_duration
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.table.state import Table

WARN_BEFORE_S: Final = (3600, 60, 10)
"""Seconds before the end of a time when its player is told."""
LATE_START_MS: Final = 1000
"""Milliseconds that storing a turn may take before its time is restarted."""


class ClockWarning(NamedTuple):
    """A note due at ``at``, in ms since 1970, for the player on turn or for all."""

    at: int
    line: str
    to_all: bool = False


def clock_warnings(game: Game) -> list[ClockWarning]:
    """Return the warnings of the turn under way that follow its beginning, earliest first."""
    if game.since is None or game.phase != "playing":
        return []
    since = game.since
    return sorted(warning for warning in _warnings(game) if warning.at > since)


def _warnings(game: Game) -> Iterator[ClockWarning]:
    flag, due, rules = flag_at(game), due_at(game), game.rules
    if due is None:
        return
    if flag is not None and rules.overtime and flag < due:
        for seconds in WARN_BEFORE_S:
            yield ClockWarning(
                flag - seconds * 1000, gettext("{left} on your clock", left=_left(seconds))
            )
        name, late = game.players[game.on_turn].name, format_duration(rules.overtime)
        template = Phrase("the clock of {name} has run out: {late} more lose the game")
        if rules.overtime_points:
            template = Phrase(
                "the clock of {name} has run out: each minute begun costs {points}, and {late} "
                "more lose the game"
            )
        points = format_count(rules.overtime_points, "point")
        line = gettext(template, name=name, points=points, late=late)
        yield ClockWarning(flag, line, to_all=True)
    for seconds in WARN_BEFORE_S:
        yield ClockWarning(
            due - 1 - seconds * 1000, gettext("{left}, then you lose the game", left=_left(seconds))
        )


def _left(seconds: int) -> str:
    match seconds:
        case 3600:
            return gettext("one hour left")
        case 60:
            return gettext("one minute left")
        case _:
            return gettext("{seconds} left", seconds=format_count(seconds, "second"))


def restart_late_turn(table: Table, entries: Iterable[LogEntry], now: int) -> tuple[Moved, ...]:
    """Restart the turn that *entries* began, if storing them took too long (RULES 6.7)."""
    game = table.playing
    moves = [entry.what for entry in entries if isinstance(entry.what, Moved)]
    began = [event.at for move in moves for event in move.events if isinstance(event, TurnBegan)]
    if game is None or game.rules.clock is game.rules.turn_limit is None or not began:
        return ()
    if game.since is None or game.since != began[-1] or now - game.since < LATE_START_MS:
        return ()
    return (Moved(table.games, None, (Continued(now),)),)
