"""Notices as the lines a person reads. Every line has a mark, and is one frame.

Never an empty frame, a tab, a line break or (unless asked for) an escape sequence: at these, thin
clients stop, print hex or lose their place.
"""

from dataclasses import replace
from typing import Final, assert_never

from crossroom_engine.views import Option
from crossroom_protocol.ansi import paint
from crossroom_protocol.lines import clean
from crossroom_protocol.memory_prose import game_lines, stats_lines, top_lines
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
from crossroom_protocol.offer_prose import standing_offer
from crossroom_protocol.prose import result, scores, seating, tell, to_move
from crossroom_protocol.room_events import Said
from crossroom_protocol.rules_text import summary
from crossroom_protocol.wording import both, faces, main_word, place


def render(notice: AnyNotice, style: Style) -> list[str]:
    """The plain lines of *notice*, marks included."""
    mark, lines = notice.mark, _lines(notice, style)
    if isinstance(notice, Recalled):
        return list(lines)  # they have the marks that they had
    if isinstance(notice, Happened) and isinstance(notice.event, Said):
        mark = ":"
    if isinstance(notice, Picture) and lines is notice.spoken:
        mark = "-"
    parts = [clean(part).rstrip() for line in lines for part in line.splitlines() or [""]]
    frames = [f"{mark} {part}" if part else mark for part in parts]
    return paint(frames, notice) if style.ansi else frames


def past(happened: Happened, style: Style) -> Past:
    """What was told, as it is recalled."""
    plain = tuple(render(happened, replace(style, ansi=False)))
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
            what = "registered" if registered else "guest"
            return (f"you are {name} ({what}). To come back after a drop: /resume {code}",)
        case YourClaim(name=name, code=code):
            return (
                f"{name} is yours on this server: /name {name} {code} takes it in any room",
                "keep that code: it is not told again, and only the host can make a new one",
            )
        case YourStats(profile=profile, address=address):
            return tuple(stats_lines(profile, address))
        case Strongest(preset=preset, players=players):
            return tuple(top_lines(preset, players))
        case Archive(room=room, games=games, address=address):
            return tuple(game_lines(room, games, address))
        case Live(seq=seq):
            return (f"you are live at #{seq}",)
        case Note(lines=lines) | Invitation(lines=lines):
            return lines
        case Picture(lines=lines, spoken=spoken):
            return spoken if style.reader and spoken else lines
        case Tried():
            return (_tried(notice),)
        case Recalled(entries=entries):
            return tuple(line for past in entries for line in past.plain)
        case Refused(code=code, command=command, text=prose):
            return (f"{code} {command}: {' '.join(prose.split())}",)
        case Done():
            return ("",)
        case _:
            assert_never(notice)


_VERDICTS: Final = {True: "", False: "; not all in the word list", None: ""}


def _tried(notice: Tried) -> str:
    words = both(notice.words)
    verdict = _VERDICTS[notice.good]
    return f"{notice.spot} {notice.text} would score {notice.points}: {words}{verdict}"


def _welcome(notice: Welcome) -> tuple[str, ...]:
    room, features = notice.room, ", ".join(notice.features)
    about = f"(protocol {notice.protocol}; {features}). /help for commands, /r for the rules"
    if room is None:
        return (
            f"welcome {about}",
            "you are at the door: /join ROOM goes in, and opens the room if need be",
            "/rooms lists those that are open",
        )
    return (f"welcome to {room.room} {about}", *_situation(notice, room))


def _situation(notice: Welcome, room: RoomView) -> list[str]:
    """Who sits where, what is going on, and what a newcomer may do."""
    rules = notice.rules
    free = rules.players - len(room.seats) if rules is not None and not _is_playing(room) else 0
    told = [f"seats: {_present(room) or 'nobody yet'}"]
    if free > 0:
        told.append(f"{free} free")
    if others := [name for name in room.watchers if name != room.name]:
        told.append(f"watching: {both(others)}")
    lines = ["; ".join(told)]
    if room.game is not None and _is_playing(room):
        lines.append(f"game {room.games} is on: {_position(room)}")
        if room.game.adjourned:
            lines.append("it is adjourned; it goes on when all players are back and say /ready")
        if room.offer is not None:
            lines.append(standing_offer(room.offer))
        if room.seat is None and not all(seat.here for seat in room.seats):
            lines.append("/resume CODE comes back to a seat")
    elif rules is not None:
        lines.append(f"no game is on; {summary(rules)}")
    if room.name is None:
        seat = "; a name takes a free seat, /watch leaves it" if free > 0 else ""
        lines.append(f"/name YOURNAME says who you are{seat}")
    elif room.seat is not None and not _is_playing(room):
        lines.append("/ready when you agree to the rules and the word list")
    return lines


def _present(room: RoomView) -> str:
    """Who sits where, and who of them is not connected: ``1 alice, 2 bob (away)``."""
    return ", ".join(
        f"{number} {seat.name}" + ("" if seat.here else " (away)")
        for number, seat in enumerate(room.seats, 1)
    )


def _is_playing(room: RoomView) -> bool:
    return room.game is not None and room.game.phase != "over"


def _position(room: RoomView) -> str:
    assert room.game is not None
    return f"{to_move(room.game)}; {scores(room.game)}; bag {room.game.bag}"


def _state(room: RoomView, reader: bool) -> list[str]:
    """Rack, turn, scores, bag: what is yours, and where the game stands."""
    game = room.game
    if game is None:
        return ["no game yet", f"seats: {seating(room) or 'nobody yet'}"]
    parts = []
    if game.seat is not None:
        parts.append(f"rack {faces(game.rack, spoken=reader)}" if game.rack else "rack empty")
    match game.phase:
        case "over":
            parts.append(f"game {room.games} is over")
        case "last_word":
            parts.append(to_move(game))
        case "playing":
            whose = game.players[game.on_turn].name if game.on_turn != game.seat else "yours"
            parts.append(f"turn {game.turn} ({whose})")
    parts += [scores(game), f"bag {game.bag}"]
    if game.phase == "over":
        parts.append(result(game))
    elif game.adjourned:
        parts.append("the game is adjourned: /ready goes on with it")
    elif game.since is None:
        parts.append("the clock is stopped")
    if room.offer is not None:
        parts.append(standing_offer(room.offer))
    if "challenge" in game.options and game.phase == "playing":
        parts.append("/challenge is open")
    return parts


_COMMANDS: dict[Option, str] = {"place": "/play", "exchange": "/exchange", "pass": "/pass"}


def _turn(room: RoomView, reader: bool) -> str:
    game = room.game
    if game is None:
        return "no game has begun"
    play = game.open_play if "challenge" in game.options else None
    if play is not None and game.phase == "last_word":
        last = f"{place(play.spot, spoken=reader)} {main_word(play)}"
        return f"your last word on {last}: /accept or /challenge"
    moves = [command for option, command in _COMMANDS.items() if option in game.options]
    doubt = f"; or /challenge {play.words[0]}" if play is not None else ""
    return f"your turn {game.turn}: {both(moves, 'or')}{doubt}"
