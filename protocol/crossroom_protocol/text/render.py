"""Notices as the lines a person reads. Every line has a mark, and is one frame.

Never an empty frame, a tab, a line break or (unless asked for) an escape sequence: at these, thin
clients stop, print hex or lose their place.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from crossroom_engine.game.views import MoveOption
from crossroom_protocol.base.translate import hush, say, speak, speaks, spoken
from crossroom_protocol.base.wording import both, either, faces, main_word, place
from crossroom_protocol.commands.parser import clean
from crossroom_protocol.events.room import Said
from crossroom_protocol.notices import (
    AnyNotice,
    Archive,
    Done,
    Happened,
    Invitation,
    Live,
    Note,
    Past,
    Picture,
    Recalled,
    Refused,
    RoomView,
    Strongest,
    Style,
    Tried,
    Welcome,
    YourClaim,
    YourName,
    YourState,
    YourStats,
    YourTurn,
)
from crossroom_protocol.text.ansi import paint
from crossroom_protocol.text.event_text import tell
from crossroom_protocol.text.offer_text import standing_offer
from crossroom_protocol.text.profile_text import game_lines, stats_lines, top_lines
from crossroom_protocol.text.rules_text import summary
from crossroom_protocol.text.standings import result, scores, seating, to_move


def render(notice: AnyNotice, style: Style) -> list[str]:
    """The plain lines of *notice*, marks included."""
    token = speak(style.language)
    try:
        mark, lines = notice.mark, _lines(notice, style)
    finally:
        hush(token)
    if isinstance(notice, Recalled):
        return list(lines)  # they have the marks that they had
    if isinstance(notice, Happened) and isinstance(notice.event, Said):
        mark = ":"
    if isinstance(notice, Picture) and lines is notice.spoken:
        mark = "-"
    frames = [f"{mark} {part}".rstrip() for line in lines for part in _safe(line)]
    return paint(frames, notice) if style.ansi else frames


def _safe(line: str) -> Sequence[str]:
    """The lines in a line, with nothing in them that disturbs a terminal."""
    if line.isascii() and line.isprintable():
        return (line,)
    return [clean(part) for part in line.splitlines() or [""]]


def past(happened: Happened, style: Style) -> Past:
    """What was told, as it is recalled, in the language spoken now."""
    plain = tuple(render(happened, replace(style, ansi=False, language=speaks())))
    return Past(seq=happened.seq, at=happened.at, event=happened.event, plain=plain)


def _lines(notice: AnyNotice, style: Style) -> tuple[str, ...]:
    match notice:
        case Welcome():
            return _welcome(notice)
        case Happened(seq=seq, event=event, room=room):
            return (f"#{seq} {tell(event, room, reader=style.reader)}",)
        case YourState(room=room):
            return (("; " if style.reader else "   ").join(_state(room, style.reader)),)
        case YourTurn(room=room):
            return (_turn(room, style.reader),)
        case YourName(name=name, code=code, registered=registered):
            what = say("registered") if registered else say("guest")
            return (
                say(
                    "you are {name} ({what}). To come back after a drop: /resume {code}",
                    name=name,
                    what=what,
                    code=code,
                ),
            )
        case YourClaim(name=name, code=code):
            return (
                say(
                    "{name} is yours on this server: /name {name} {code} takes it in any room",
                    name=name,
                    code=code,
                ),
                say("keep that code: it is not told again, and only the host can make a new one"),
            )
        case YourStats(profile=profile, address=address):
            return tuple(stats_lines(profile, address))
        case Strongest(preset=preset, players=players):
            return tuple(top_lines(preset, players))
        case Archive(room=room, games=games, address=address):
            return tuple(game_lines(room, games, address))
        case Live(seq=seq):
            return (say("you are live at #{seq}", seq=seq),)
        case Note(lines=lines) | Invitation(lines=lines):
            return tuple(spoken(line, style.language) for line in lines)
        case Picture(lines=lines, spoken=spoken_lines):
            return spoken_lines if style.reader and spoken_lines else lines
        case Tried():
            return (_tried(notice),)
        case Recalled(entries=entries):
            return tuple(line for past in entries for line in past.plain)
        case Refused(code=code, command=command, text=prose):
            prose = spoken(prose, style.language)
            return (f"{code} {command}: {' '.join(prose.split())}",)
        case Done():
            return ("",)
        case _:
            assert_never(notice)


def _tried(notice: Tried) -> str:
    told = say(
        "{spot} {text} would score {points}: {words}",
        spot=notice.spot,
        text=notice.text,
        points=notice.points,
        words=both(notice.words),
    )
    return told + say("; not all in the word list") if notice.good is False else told


def _welcome(notice: Welcome) -> tuple[str, ...]:
    room, features = notice.room, ", ".join(notice.features)
    about = say(
        "(protocol {protocol}; {features}). /help for commands, /r for the rules",
        protocol=notice.protocol,
        features=features,
    )
    if room is None:
        return (
            say("welcome {about}", about=about),
            say("you are at the door: /join ROOM goes in, and opens the room if need be"),
            say("/rooms lists those that are open"),
        )
    return (
        say("welcome to {room} {about}", room=room.room, about=about),
        *_situation(notice, room),
    )


def _situation(notice: Welcome, room: RoomView) -> list[str]:
    """Who sits where, what is going on, and what a newcomer may do."""
    rules = notice.rules
    free = rules.players - len(room.seats) if rules is not None and not _is_playing(room) else 0
    told = [say("seats: {seats}", seats=_present(room) or say("nobody yet"))]
    if free > 0:
        told.append(say("{free} free", free=free))
    if others := [name for name in room.watchers if name != room.name]:
        told.append(say("watching: {others}", others=both(others)))
    lines = ["; ".join(told)]
    if room.game is not None and _is_playing(room):
        lines.append(
            say("game {games} is on: {position}", games=room.games, position=_position(room))
        )
        if room.game.adjourned:
            lines.append(
                say("it is adjourned; it goes on when all players are back and say /ready")
            )
        if room.offer is not None:
            lines.append(standing_offer(room.offer))
        if room.seat is None and not all(seat.here for seat in room.seats):
            lines.append(say("/resume CODE comes back to a seat"))
    elif rules is not None:
        lines.append(say("no game is on; {summary}", summary=summary(rules)))
    if room.name is None:
        seat = say("; a name takes a free seat, /watch leaves it") if free > 0 else ""
        lines.append(say("/name YOURNAME says who you are") + seat)
    elif room.seat is not None and not _is_playing(room):
        lines.append(say("/ready when you agree to the rules and the word list"))
    return lines


def _present(room: RoomView) -> str:
    """Who sits where, and who of them is not connected: ``1 alice, 2 bob (away)``."""
    return ", ".join(
        f"{number} {seat.name}" + ("" if seat.here else say(" (away)"))
        for number, seat in enumerate(room.seats, 1)
    )


def _is_playing(room: RoomView) -> bool:
    return room.game is not None and room.game.phase != "over"


def _position(room: RoomView) -> str:
    assert room.game is not None
    return say(
        "{to_move}; {scores}; bag {bag}",
        to_move=to_move(room.game),
        scores=scores(room.game),
        bag=room.game.bag,
    )


def _state(room: RoomView, reader: bool) -> list[str]:
    """Rack, turn, scores, bag: what is yours, and where the game stands."""
    game = room.game
    if game is None:
        return [say("no game yet"), say("seats: {seats}", seats=seating(room) or say("nobody yet"))]
    parts = []
    if game.seat is not None:
        parts.append(
            say("rack {rack}", rack=faces(game.rack, spoken=reader))
            if game.rack
            else say("rack empty")
        )
    match game.phase:
        case "over":
            parts.append(say("game {games} is over", games=room.games))
        case "last_word":
            parts.append(to_move(game))
        case "playing":
            name = game.players[game.on_turn].name
            parts.append(
                say("turn {turn} (yours)", turn=game.turn)
                if game.on_turn == game.seat
                else say("turn {turn} ({name})", turn=game.turn, name=name)
            )
    parts += [scores(game), say("bag {bag}", bag=game.bag)]
    if game.phase == "over":
        parts.append(result(game))
    elif game.adjourned:
        parts.append(say("the game is adjourned: /ready goes on with it"))
    elif game.since is None:
        parts.append(say("the clock is stopped"))
    if room.offer is not None:
        parts.append(standing_offer(room.offer))
    if "challenge" in game.options and game.phase == "playing":
        parts.append(say("/challenge is open"))
    return parts


_COMMANDS: dict[MoveOption, str] = {"place": "/play", "exchange": "/exchange", "pass": "/pass"}


def _turn(room: RoomView, reader: bool) -> str:
    game = room.game
    if game is None:
        return say("no game has begun")
    play = game.open_play if "challenge" in game.options else None
    if play is not None and game.phase == "last_word":
        last = f"{place(play.spot, spoken=reader)} {main_word(play)}"
        return say("your last word on {last}: /accept or /challenge", last=last)
    moves = [command for option, command in _COMMANDS.items() if option in game.options]
    doubt = say("; or /challenge {words}", words=play.words[0]) if play is not None else ""
    return say("your turn {turn}: {moves}{doubt}", turn=game.turn, moves=either(moves), doubt=doubt)
