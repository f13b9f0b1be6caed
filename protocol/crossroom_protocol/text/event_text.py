"""Tell entries of a room's log to people: one line each, and nothing left out.

Whoever hears the lines knows as much as whoever sees the board: words, points, scores, what the bag
holds, whose turn it is and what may be done. Entries arrive redacted, so a tile that is named here
is one that the reader may see.
"""

from crossroom_engine.core.events import Drew, Ended, Played, Seat
from crossroom_engine.game.game import Game
from crossroom_engine.game.views import event_owner
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import join_and, shown_name
from crossroom_protocol.events.moderation import ModerationEvent
from crossroom_protocol.events.room import (
    Agreed,
    HintTaken,
    Moved,
    NameRegistered,
    ProgramDeclared,
    Renamed,
    RoomEvent,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
)
from crossroom_protocol.notices import RoomView
from crossroom_protocol.text import moderation_text
from crossroom_protocol.text.move_text import move_line
from crossroom_protocol.text.offer_text import offer_line
from crossroom_protocol.text.status_text import seating_text


def event_line(event: RoomEvent, room: RoomView, *, reader: bool = False) -> str:
    """The sentence about *event*; *room* is as it was right after. No mark, no number.

    With *reader*, for those who listen: blanks and directions are spoken out.
    """
    match event:
        case SeatTaken(seat, _, name, bot, _):
            return gettext("{name} takes seat {seat}", name=name, seat=seat + 1) + (
                gettext(" (a bot, level {bot})", bot=bot) if bot else ""
            )
        case SeatLeft(seat, name):
            moved_up = (
                gettext("; the seats are now {seating}", seating=seating_text(room))
                if seat < len(room.seats)
                else ""
            )
            return gettext("{name} leaves seat {seat}", name=name, seat=seat + 1) + moved_up
        case Renamed(_, old, name):
            return gettext("{old} is now called {name}", old=old, name=name)
        case NameRegistered(_, name):
            return gettext(
                "{name} is registered here; games count for that name from the next on", name=name
            )
        case ProgramDeclared(_, name):
            return gettext("{name} is a program; games that begin with it are not rated", name=name)
        case Agreed(_, name, ready):
            return (
                gettext("{name} is ready", name=name) + _missing(room)
                if ready
                else gettext("{name} is not ready any more", name=name)
            )
        case RulesChanged(name, setting, value):
            told = gettext(
                "{name} sets {setting} to {value}",
                name=name,
                setting=shown_name(setting),
                value=shown_name(value),
            )
            others = any(seat.name != name and not seat.bot for seat in room.seats)
            return told + gettext("; say /ready again if you agree") if others else told
        case Said(name, text, me):
            return f"* {name} {text}" if me else f"{name}: {text}"
        case HintTaken(_, name):
            return gettext("{name} takes a hint", name=name)
        case Moved():
            assert room.game is not None, "a move without a game"
            return move_line(event, room.game, reader=reader)
        case _ if isinstance(event, ModerationEvent):
            return moderation_text.moderation_line(event)
        case _:
            return offer_line(event, room)


def seats_told_more(event: RoomEvent, game: Game | None, *, is_short: bool = False) -> set[Seat]:
    """The seats that hear something else of *event* than a watcher; *game* is as it is after it.

    Whoever owns the tiles hears their names, whoever played is not told to challenge it, and
    players of a game that is over hear how to begin another. Short lines (*is_short*) do not name
    tiles that were drawn.
    """
    if not isinstance(event, Moved) or game is None:
        return set()
    if any(isinstance(step, Ended) for step in event.events):
        return set(range(len(game.players)))
    told: set[Seat] = set()
    for step in event.events:
        if isinstance(step, Played):
            if game.open_play is not None or not is_short:
                told.add(step.seat)
        elif not (is_short and isinstance(step, Drew)):
            seat = event_owner(step)
            if seat is not None:
                told.add(seat)
    return told


def _missing(room: RoomView) -> str:
    waiting = [seat.name for seat in room.seats if not seat.ready]
    if len(room.seats) < 2:
        return gettext("; a game takes two: invite a friend, or /bot add")
    return gettext("; waiting for {waiting}", waiting=join_and(waiting)) if waiting else ""
