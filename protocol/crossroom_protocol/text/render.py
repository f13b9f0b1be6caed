"""Notices as the lines a person reads. Every line has a mark, and is one frame.

Never an empty frame, a tab, a line break or (unless asked for) an escape sequence: at these, thin
clients stop, print hex or lose their place.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from crossroom_engine.game.views import MoveOption
from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.translate import (
    current_language,
    gettext,
    reset_language,
    set_language,
    translate,
)
from crossroom_protocol.base.wording import (
    format_spot,
    format_tiles,
    join_and,
    join_or,
    main_word,
    split_squares,
    spoken_spot,
    strip_brackets,
)
from crossroom_protocol.events.room import Moved, Said
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    Done,
    GameList,
    Happened,
    Invitation,
    Note,
    Picture,
    ReaderSettings,
    Recalled,
    Refused,
    ReplayedEntry,
    RoomView,
    SeatLink,
    TopPlayers,
    Tried,
    Welcome,
    YourName,
    YourRegistration,
    YourState,
    YourStats,
    YourTurn,
    YourTurns,
)
from crossroom_protocol.text.ansi import paint
from crossroom_protocol.text.board_text import EMPTY_SQUARE
from crossroom_protocol.text.event_text import event_line
from crossroom_protocol.text.offer_text import open_offer_line
from crossroom_protocol.text.profile_text import game_lines, stats_lines, top_lines, turn_lines
from crossroom_protocol.text.qr_text import qr_lines
from crossroom_protocol.text.rules_text import rules_summary
from crossroom_protocol.text.short_move_text import short_move_line, short_move_lines
from crossroom_protocol.text.status_text import result_text, scores_text, seating_text, to_move_text

_NEVER_WRAPPED: Final = (Picture, Invitation, SeatLink, YourName, YourRegistration)
"""Lines that are drawn, or that people copy."""


def render(notice: AnyNotice, style: ReaderSettings) -> list[str]:
    """The plain lines of *notice*, marks included."""
    token = set_language(style.language)
    try:
        mark, lines = notice.mark, _lines(notice, style)
    finally:
        reset_language(token)
    if isinstance(notice, Recalled):
        return list(lines)  # they have the marks that they had
    if isinstance(notice, Happened) and isinstance(notice.event, Said):
        mark = ":"
    if isinstance(notice, Picture) and lines is notice.spoken:
        mark = "-"
    parts = [part for line in lines for part in _safe(line)]
    if style.width and style.mode == "plain" and not isinstance(notice, _NEVER_WRAPPED):
        parts = [piece for part in parts for piece in _wrapped(part, style.width - len("* "))]
    frames = [f"{mark} {part}".rstrip() for part in parts]
    return paint(frames, notice) if style.ansi else frames


def _safe(line: str) -> Sequence[str]:
    """The lines in a line, with nothing in them that disturbs a terminal."""
    if line.replace("→", ">").isascii() and line.isprintable():  # as most lines of moves are
        return (line,)
    return [clean(part) for part in line.splitlines() or [""]]


def _wrapped(line: str, width: int) -> Sequence[str]:
    """Break a line between words; the lines that go on are indented."""
    if len(line) <= width:
        return (line,)
    return textwrap.wrap(
        line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def replayed_entry(happened: Happened, style: ReaderSettings) -> ReplayedEntry:
    """Return a told entry as it is recalled, in the current language."""
    plain = tuple(render(happened, replace(style, ansi=False, language=current_language())))
    return ReplayedEntry(seq=happened.seq, at=happened.at, event=happened.event, plain=plain)


def _lines(notice: AnyNotice, style: ReaderSettings) -> tuple[str, ...]:
    is_short = style.has_short_lines
    match notice:
        case Welcome():
            return _welcome(notice, is_short)
        case Happened(seq=seq, event=Moved() as moved, room=room) if room.game and is_short:
            if style.mode == "tags":  # a line of its own for each entry, as its number is a tag
                return (short_move_line(seq, moved, room.game),)
            return tuple(short_move_lines(seq, moved, room.game))
        case Happened(seq=seq, event=event, room=room):
            return (f"#{seq} {event_line(event, room, reader=style.reader)}",)
        case YourState(room=room):
            return (("; " if style.reader else "   ").join(_state(room, style.reader)),)
        case YourTurn(room=room):
            return (_short_turn(room) if is_short else _turn(room, style.reader),)
        case YourName(name=name, code=code, registered=registered):
            what = gettext("registered") if registered else gettext("guest")
            return (
                gettext(
                    "you are {name} ({what}). To come back after a drop: /resume {code}",
                    name=name,
                    what=what,
                    code=code,
                ),
            )
        case YourRegistration(name=name, code=code):
            return (
                gettext(
                    "{name} is yours on this server: /name {name} {code} takes it in any room",
                    name=name,
                    code=code,
                ),
                gettext(
                    "keep this code: it is shown only once, and only the host can make a new one"
                ),
            )
        case YourStats(profile=profile, address=address):
            return tuple(stats_lines(profile, address))
        case YourTurns(name=name, games=games):
            return tuple(turn_lines(name, games))
        case TopPlayers(preset=preset, players=players):
            return tuple(top_lines(preset, players))
        case GameList(room=room, games=games, address=address):
            return tuple(game_lines(room, games, address))
        case CaughtUp(seq=seq, room_name=room):
            return (
                gettext("you are in {room} again, up to date (event {seq})", room=room, seq=seq),
            )
        case Note(lines=lines) | Invitation(lines=lines):
            return tuple(translate(line, style.language) for line in lines)
        case SeatLink(lines=lines, squares=squares):
            return lines if style.reader else (*lines, *qr_lines(squares))
        case Picture(lines=lines, spoken=spoken_lines):
            return spoken_lines if style.reader and spoken_lines else lines
        case Tried():
            return (_tried(notice, style),)
        case Recalled(entries=entries):
            return tuple(line for past in entries for line in past.plain)
        case Refused(code=code, command=command, text=prose):
            prose = translate(prose, style.language)
            return (f"{code} {command}: {' '.join(prose.split())}",)
        case Done():
            return ("",)
        case _:
            assert_never(notice)


def _tried(notice: Tried, style: ReaderSettings) -> str:
    laid = [tile for tile in split_squares(notice.text) if tile != EMPTY_SQUARE]
    blanks = [tile.upper() for tile in laid if tile != tile.upper()]
    spoken = " ".join(tile.upper() for tile in laid)
    if blanks:
        spoken += gettext(" (a blank for {blanks})", blanks=join_and(blanks))
    told = gettext(
        "{spot} {text} would score {points}: {words}",
        spot=spoken_spot(notice.spot) if style.reader else notice.spot,
        text=spoken if style.reader else notice.text,
        points=notice.points,
        words=join_and(strip_brackets(notice.words)),
    )
    if notice.good is not False:
        return told
    if len(notice.words) == 1:
        return told + gettext("; not in the word list")
    return told + gettext("; not all in the word list")


def _welcome(notice: Welcome, is_short: bool) -> tuple[str, ...]:
    room, features = notice.room, ", ".join(notice.features)
    about = gettext(
        "(protocol {protocol}; {features}). /help for commands, /r for the rules",
        protocol=notice.protocol,
        features=features,
    )
    if room is None:
        return (
            gettext("welcome; /help lists the commands")
            if is_short
            else gettext("welcome {about}", about=about),
            gettext("you are at the door: /join ROOM enters a room, creating it if needed"),
            gettext("/rooms lists those that are open"),
        )
    return (
        gettext("welcome to {room}; /help lists the commands, /r the rules", room=room.room)
        if is_short
        else gettext("welcome to {room} {about}", room=room.room, about=about),
        *_situation(notice, room),
    )


def _situation(notice: Welcome, room: RoomView) -> list[str]:
    """List the seats, what is going on, and what a newcomer may do."""
    rules = notice.rules
    free = rules.players - len(room.seats) if rules is not None and not _is_playing(room) else 0
    told = [gettext("seats: {seats}", seats=_present(room) or gettext("nobody yet"))]
    if free > 0:
        told.append(gettext("{free} free", free=free))
    if others := [name for name in room.watchers if name != room.name]:
        told.append(gettext("watching: {others}", others=join_and(others)))
    lines = ["; ".join(told)]
    if room.game is not None and _is_playing(room):
        lines.append(
            gettext("game {games} is on: {position}", games=room.games, position=_position(room))
        )
        if room.game.adjourned:
            lines.append(
                gettext("it is adjourned; it goes on when all players are back and say /ready")
            )
        if room.offer is not None:
            lines.append(open_offer_line(room.offer))
        if room.seat is None and not all(seat.here for seat in room.seats):
            lines.append(gettext("/resume CODE comes back to a seat"))
    elif rules is not None:
        lines.append(gettext("no game in progress; {summary}", summary=rules_summary(rules)))
    if room.name is None:
        seat = gettext("; a name takes a free seat, /watch leaves it") if free > 0 else ""
        lines.append(gettext("/name YOURNAME says who you are") + seat)
    elif room.seat is not None and not _is_playing(room):
        lines.append(gettext("/ready when you agree to the rules and the word list"))
    return lines


def _present(room: RoomView) -> str:
    """List the seats, and those who are not connected: ``1 alice, 2 bob (away)``."""
    return ", ".join(
        f"{number} {seat.name}" + ("" if seat.here else gettext(" (away)"))
        for number, seat in enumerate(room.seats, 1)
    )


def _is_playing(room: RoomView) -> bool:
    return room.game is not None and room.game.phase != "over"


def _position(room: RoomView) -> str:
    assert room.game is not None
    return gettext(
        "{to_move}; {scores}; bag {bag}",
        to_move=to_move_text(room.game),
        scores=scores_text(room.game),
        bag=room.game.bag,
    )


def _state(room: RoomView, reader: bool) -> list[str]:
    """Rack, turn, scores, bag: what is yours, and where the game stands."""
    game = room.game
    if game is None:
        return [
            gettext("no game yet"),
            gettext("seats: {seats}", seats=seating_text(room) or gettext("nobody yet")),
        ]
    parts = []
    if game.seat is not None:
        parts.append(
            gettext("rack {rack}", rack=format_tiles(game.rack, spoken=reader))
            if game.rack
            else gettext("rack empty")
        )
    match game.phase:
        case "over":
            parts.append(gettext("game {games} is over", games=room.games))
        case "last_word":
            parts.append(to_move_text(game))
        case "playing":
            name = game.players[game.on_turn].name
            parts.append(
                gettext("turn {turn} (yours)", turn=game.turn)
                if game.on_turn == game.seat
                else gettext("turn {turn} ({name})", turn=game.turn, name=name)
            )
    parts += [scores_text(game), gettext("bag {bag}", bag=game.bag)]
    if game.phase == "over":
        parts.append(result_text(game))
    elif game.adjourned:
        parts.append(gettext("the game is adjourned: /ready goes on with it"))
    elif game.since is None:
        parts.append(gettext("the clock is stopped"))
    if room.offer is not None:
        parts.append(open_offer_line(room.offer))
    if "challenge" in game.options and game.phase == "playing":
        parts.append(gettext("/challenge is open"))
    return parts


_COMMANDS: dict[MoveOption, str] = {"place": "/play", "exchange": "/exchange", "pass": "/pass"}


def _short_turn(room: RoomView) -> str:
    game = room.game
    if game is None or game.phase == "last_word":
        return _turn(room, reader=False)
    moves = [command for option, command in _COMMANDS.items() if option in game.options]
    if "challenge" in game.options and game.open_play is not None:
        moves.append("/challenge " + game.open_play.words[0])
    rack = format_tiles(game.rack)
    return gettext("your turn, rack {rack}: {moves}", rack=rack, moves=join_or(moves))


def _turn(room: RoomView, reader: bool) -> str:
    game = room.game
    if game is None:
        return gettext("no game has begun")
    play = game.open_play if "challenge" in game.options else None
    if play is not None and game.phase == "last_word":
        last = f"{format_spot(play.spot, spoken=reader)} {main_word(play)}"
        return gettext("your last word on {last}: /accept or /challenge", last=last)
    moves = [command for option, command in _COMMANDS.items() if option in game.options]
    doubt = gettext("; or /challenge {words}", words=play.words[0]) if play is not None else ""
    return gettext(
        "your turn {turn}: {moves}{doubt}", turn=game.turn, moves=join_or(moves), doubt=doubt
    )
