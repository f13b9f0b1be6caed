"""A game that is over, move by move, from its record. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from crossroom_clients.tui.history import History, Moment
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Ended,
    Event,
    Exchanged,
    Passed,
    Played,
    Retired,
    Started,
    TurnSkipped,
)
from crossroom_engine.game.undo import without_undone
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import Moved
from crossroom_protocol.text.profile_text import outcome_text
from crossroom_protocol.text.scoresheet import score_row, signed

_BEGINS_MOVE: Final = (Played, Exchanged, Passed, Challenged, TurnSkipped, Retired)
"""Events with which somebody's move begins; what follows from it comes after."""


@dataclass(frozen=True)
class Replay:
    """A game of a room, and the moments of it; the first is the beginning."""

    game: FinishedGame
    started: Started
    record: tuple[Event, ...]
    moments: tuple[Moment, ...]

    @classmethod
    def from_record(cls, game: FinishedGame, record: Sequence[Event]) -> Self:
        """Put the events of a finished game in order.

        Raises:
            BadText: they are not those of a game from its beginning.
        """
        if not record or not isinstance(record[0], Started):
            raise BadText(gettext("this is not the record of a game"))
        started, history = record[0], History()
        for at, events in enumerate(_moves(without_undone(record))):
            before = history.moments[-1].scores if at else (0,) * len(started.players)
            told = _line(started.players, before, events) if at else gettext("the beginning")
            if isinstance(events[-1], Ended):
                told = f"{told}; {outcome_text(game)}" if told else outcome_text(game)
            seat = getattr(events[0], "seat", None) if isinstance(events[0], _BEGINS_MOVE) else None
            history.record(at, Moved(game.game, seat, tuple(events)), told)
        return cls(game, started, tuple(record), tuple(history.moments))

    @property
    def gcg(self) -> str:
        """The game in the format that other programs read."""
        return write_gcg(self.record)


def _moves(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of one move after the other; before them the beginning, then the end."""
    move: list[Event] = []
    is_end = False
    for event in events:
        ends = isinstance(event, Ended) or (isinstance(event, Awarded) and event.why != "challenge")
        if isinstance(event, _BEGINS_MOVE) or (ends and not is_end):
            yield move
            move, is_end = [], ends
        move.append(event)
    yield move


def _line(names: Sequence[str], before: Sequence[int], events: Iterable[Event]) -> str:
    """Tell a move: ``bob 3I IRO +11 → 11``."""
    totals, told = list(before), []
    for event in events:
        if (row := score_row(event)) is not None:
            seat, what, points = row
            totals[seat] += points
            gained = f" {signed(points)} → {totals[seat]}" if points else ""
            told.append(f"{names[seat]} {what}{gained}")
    return "; ".join(told)
