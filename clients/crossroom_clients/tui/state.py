"""Hold what the table knows: the newest view of the room, its rules, its log. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from crossroom_clients.connection.clocks import ServerTime, clocks
from crossroom_clients.connection.resume_state import LEFT_NOTE
from crossroom_clients.tui.history import History, Moment
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import Started
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_protocol.events.room import Moved, RoomEvent, RulesChanged
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    Happened,
    Note,
    Recalled,
    Refused,
    ReplayedEntry,
    RoomView,
    Tried,
    Welcome,
    YourState,
    YourTurn,
)
from crossroom_protocol.text.board_text import EMPTY_SQUARE


@dataclass
class TableState:
    """Everything that is drawn, but the person's own tiles on the board.

    ``tried`` is the latest answer about a tentative play, ``moment`` the place in the history that
    is looked at (None: now), ``is_sending`` says that a move is on its way.
    """

    room: RoomView | None = None
    rules: Ruleset | None = None
    time: ServerTime = field(default_factory=ServerTime)
    history: History = field(default_factory=History)
    tried: Tried | Refused | None = None
    moment: int | None = None
    is_sending: bool = False
    _entries: dict[int, tuple[RoomEvent, str]] = field(default_factory=dict)

    @property
    def game(self) -> View | None:
        """The game on the table, over or not."""
        return self.room.game if self.room is not None else None

    @property
    def is_playing(self) -> bool:
        """Is a game on that is not over?"""
        return self.game is not None and self.game.phase != "over"

    @property
    def is_ticking(self) -> bool:
        """Is a time shown that changes by itself?"""
        if self.room is not None and self.room.offer is not None:
            return True
        game = self.game if self.is_playing else None
        return game is not None and game.since is not None and any(clocks(game, self.rules, 0))

    @property
    def is_yours(self) -> bool:
        """Is it this person's turn?"""
        return self.game is not None and "place" in self.game.options

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the board as it is now."""
        if self.game is not None:
            return self.game.board
        layout = self.rules and self.rules.layout
        return (EMPTY_SQUARE * layout.width,) * layout.height if layout else ()

    @property
    def fresh(self) -> frozenset[Square]:
        """The squares of the latest play, if it still lies there."""
        if self.history.moments:
            return self.history.moments[-1].laid
        play = self.game.open_play if self.game is not None else None
        return frozenset(tile.square for tile in play.laid) if play is not None else frozenset()

    def update(self, notice: AnyNotice, lines: Iterable[str], now: int) -> None:
        """Learn from a notice, told in *lines* and heard *now* (our clock, in ms)."""
        match notice:
            case Welcome(room=room, rules=rules):
                self._begin_anew(room, rules)
            case Note(about=about) if about == LEFT_NOTE:
                self._begin_anew(None, None)
            case CaughtUp(rules=rules):
                self.rules = rules
            case YourState(room=room) | YourTurn(room=room):
                self.room = room
            case Happened():
                self.room = notice.room
                self.time.observe(notice.at, now)
                self._happened(notice.seq, notice.event, _prose(lines))
            case Recalled(entries=entries):
                self._recall(entries)

    def _begin_anew(self, room: RoomView | None, rules: Ruleset | None) -> None:
        self.history, self._entries, self.moment = History(), {}, None
        self.room, self.rules = room, rules

    def _happened(self, seq: int, event: RoomEvent, line: str) -> None:
        if isinstance(event, RulesChanged):
            self.rules = event.rules
        self._entries[seq] = event, line
        self.history.record(seq, event, line)
        for step in event.events if isinstance(event, Moved) else ():
            if isinstance(step, Started):
                self.rules, self.moment = step.rules, None

    def _recall(self, entries: Iterable[ReplayedEntry]) -> None:
        told = {past.seq: (past.event, _prose(past.plain)) for past in entries}
        self._entries = dict(sorted((told | self._entries).items()))
        self.history = History()
        for seq, (event, line) in self._entries.items():
            self.history.record(seq, event, line)

    def people(self) -> list[str]:
        """The others in the room, by name: those at the table first."""
        if self.room is None:
            return []
        names = [*(seat.name for seat in self.room.seats if not seat.bot), *self.room.watchers]
        return [name for name in names if name != self.room.name]

    # Looking back.

    @property
    def then(self) -> Moment | None:
        """The moment that is looked back at; None: now."""
        return None if self.moment is None else self.history.moments[self.moment]

    def browse(self, steps: int) -> None:
        """Go so many moments forth in the history of the game; before its beginning is no way."""
        last = len(self.history.moments) - 1
        at = (last if self.moment is None else self.moment) + steps
        self.moment = None if at >= last else max(0, at)

    # What Ctrl+Y and Ctrl+N stand for.

    def yes(self) -> str:
        """The command that agrees to what is asked for; empty if nothing is."""
        room, game = self.room, self.game
        if room is None or room.seat is None:
            return ""
        if room.offer is not None and room.name in room.offer.waiting:
            return "/agree"
        if game is not None and "accept" in game.options:
            return "/accept"
        may = game is None or game.phase == "over" or game.adjourned
        return "/ready" if may and not room.seats[room.seat].ready else ""

    def no(self) -> str:
        """The command that declines it, or takes one's own offer back; empty if there is none."""
        offer = self.room and self.room.offer
        if not offer or self.room is None:
            return ""
        return "/decline" if self.room.name in (offer.name, *offer.waiting) else ""


def _prose(lines: Iterable[str]) -> str:
    """Return the text of an entry without mark and number."""
    return " ".join(re.sub(r"^. (#\d+ )?", "", line) for line in lines)
