r"""The tags of tags mode: stable keys for programs, in front of the prose for people.

IRCv3 message tags: ``@key=value;key=value``, with ``;`` space ``\`` CR and LF escaped. Keys are
only ever added; whoever reads them ignores those they do not know.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final, get_args

from crossroom_engine.core import events
from crossroom_engine.core.events import Challenged, Ended, Played, Started, Undone
from crossroom_engine.core.tiles import spell
from crossroom_protocol.events.offers import Answered, Lapsed, Offered
from crossroom_protocol.events.room import Moved, RoomEvent, Said
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    GameList,
    Happened,
    Invitation,
    Note,
    Picture,
    Refused,
    RoomView,
    SeatLink,
    TopPlayers,
    Welcome,
    YourName,
    YourRegistration,
    YourState,
    YourStats,
    YourTurn,
    YourTurns,
)

TAGS: Final = {
    "label": "the label of the command that this line answers",
    "protocol": "version of the protocol",
    "features": "what this server can do, with commas",
    "room": "name of the room",
    "seq": "number of this entry of the room's log; in a welcome, of the newest",
    "at": "when it happened, in milliseconds since 1970 (UTC)",
    "event": "kind of the entry, as in the table of events",
    "seat": "whose doing it was, counted from 0",
    "name": "whose doing it was; in the answer to /name, yours; in that to /stats, whose they are",
    "whom": "whom it was done to",
    "offer": "what is asked for: undo, abort or adjourn",
    "asked": "seats that are asked, with commas",
    "agrees": "1 or 0: the answer to an offer",
    "did": "kinds of the game's events that the move came to, with commas",
    "spot": "where the main word of a play begins, and which way: 8H across, H8 down",
    "text": "the main word as it was laid, a point for each tile that lay there before",
    "words": "all words of the play, or those challenged, the main word first, with commas",
    "swaps": "squares whose blank was taken back, with commas",
    "undone": "seat whose turn was taken back, counted from 0",
    "squares": "squares from which tiles were lifted, with commas",
    "points": "points of the play",
    "bad": "challenged words that are not in the list, with commas; empty if all are",
    "seal": "what the seed of the bag was sealed with, in hexadecimal, when a game begins",
    "seed": "the seed of the bag, in hexadecimal, when a game is over",
    "game": "number of the game in this room",
    "phase": "playing, last_word or over",
    "adjourned": "1 while the game is adjourned",
    "turn": "number of the turn, counted from 1",
    "on": "seat whose turn it is, counted from 0",
    "you": "your own seat in the game, counted from 0; in a welcome, and where state is",
    "players": "names of every seat in the game, with commas",
    "scores": "points of every seat, with commas",
    "bag": "tiles in the bag",
    "state": "state, or turn if it is on you to act",
    "board": "the rows from 1 on, with /: A a tile, a a blank, . an empty square, [CH] as in rack",
    "rack": "your tiles; ? is a blank, [CH] a tile of several letters",
    "code": "your resume code; with about=registered that of your name; after !, of the refusal",
    "live": "you have heard everything up to this number",
    "command": "what was refused",
    "about": "what a note or a picture shows",
}
"""Every key there is, with what it says."""

_ACTORS: Final = ("seat", "name", "whom")
"""Fields of an entry whose names are keys."""


def _join(items: Any) -> str:
    return ",".join(map(str, items))


_KEYS: Final[Mapping[type[Any], Mapping[str, Callable[[Any], object]]]] = {
    Offered: {"offer": lambda it: it.what, "asked": lambda it: _join(it.asked)},
    Answered: {"offer": lambda it: it.what, "agrees": lambda it: int(it.agrees)},
    Lapsed: {"offer": lambda it: it.what},
    Moved: {"did": lambda it: _join(step.kind for step in it.events)},
    Started: {"seal": lambda it: it.seal or None},
    Played: {
        "spot": lambda it: it.spot,
        "text": lambda it: it.text,
        "words": lambda it: _join(it.words),
        "points": lambda it: it.points,
        "swaps": lambda it: _join(swap.square for swap in it.swapped) or None,
    },
    Challenged: {"words": lambda it: _join(it.words), "bad": lambda it: _join(it.bad)},
    Undone: {"undone": lambda it: it.seat, "squares": lambda it: _join(it.squares)},
    Ended: {"seed": lambda it: it.seed or None},
}
"""The keys of an entry of the log, or of one event of a move, and what they are made from."""

_PLAIN: Final = {":": ";", "s": " ", "\\": "\\", "r": "\r", "n": "\n"}
_ESCAPED: Final = re.compile(r"[; \\\r\n]")
_ESCAPES: Final = str.maketrans({plain: f"\\{code}" for code, plain in _PLAIN.items()})


def format_tags(tags: Mapping[str, object]) -> str:
    r"""Tags as they stand on the wire, without the ``@``; those that are None are left out.

    >>> print(format_tags({"label": "7", "name": None, "text": "a b"}))
    label=7;text=a\sb
    """
    told = ((key, value) for key, value in tags.items() if value is not None)
    return ";".join(
        f"{key}={value if type(value) is int else _escape(value)}" for key, value in told
    )


def parse_tags(line: str) -> tuple[dict[str, str], str]:
    r"""Split a line of tags mode into its tags and the rest.

    >>> parse_tags(r"@label=7;text=a\sb - hello")
    ({'label': '7', 'text': 'a b'}, '- hello')
    """
    if not line.startswith("@"):
        return {}, line
    front, _, rest = line[1:].partition(" ")
    pairs = (item.partition("=") for item in front.split(";"))
    return {key: _unescape(value) for key, _, value in pairs}, rest


def _escape(value: object) -> str:
    text = str(value)
    return text.translate(_ESCAPES) if _ESCAPED.search(text) else text


def _unescape(value: str) -> str:
    return re.sub(r"\\(.?)", lambda found: _PLAIN.get(found[1], found[1]), value, flags=re.DOTALL)


def notice_tags(notice: AnyNotice, label: str | None = None) -> dict[str, object]:
    """The tags of a notice, keys of :data:`TAGS`."""
    tags: dict[str, object] = {"label": label}
    match notice:
        case Happened(seq=seq, at=at, event=event, room=room):
            tags |= {"seq": seq, "at": at} | _event(event)
            if not isinstance(event, Said):  # talk says nothing of the game, and is for all alike
                tags |= _game(room)
        case Welcome(room=room, protocol=protocol, features=features):
            tags |= {"protocol": protocol, "features": ",".join(features)}
            if room is not None:
                tags |= {"room": room.room, "seq": room.seq} | _own_game(room)
        case YourState(room=room) | YourTurn(room=room):
            tags |= {"state": notice.tell, "room": room.room} | _own_game(room)
            if room.game is not None:
                tags["board"] = "/".join(room.game.board)
                if room.game.seat is not None:
                    tags["rack"] = spell(room.game.rack)
        case YourName(name=name, code=code):
            tags |= {"name": name, "code": code}
        case YourRegistration(name=name, code=code):
            tags |= {"about": notice.tell, "name": name, "code": code}
        case CaughtUp(room_name=room, seq=seq):
            tags |= {"room": room, "live": seq}
        case Refused(code=code, command=command):
            tags |= {"code": code, "command": command}
        case Note(about=about) | Picture(about=about):
            tags["about"] = about
        case YourStats(profile=profile):
            tags |= {"about": notice.tell, "name": profile.name}
        case YourTurns(name=name, games=games):
            waiting = sum(game.is_yours for game in games)
            tags |= {"about": notice.tell, "name": name, "waiting": waiting}
        case TopPlayers() | GameList() | Invitation() | SeatLink():
            tags["about"] = notice.tell
    return tags


def entry_keys(kind: type[Any]) -> tuple[str, ...]:
    """List the keys of an entry of the log of that *kind*, or of such an event of a move."""
    actors = () if kind in get_args(events.Event) else _ACTORS
    declared = {field.name for field in fields(kind)}
    return (*(key for key in actors if key in declared), *_KEYS.get(kind, {}))


def _event(event: RoomEvent) -> dict[str, object]:
    """Return the tags of an entry's own fields."""
    tags: dict[str, object] = {"event": event.kind}
    tags |= {key: getattr(event, key, None) for key in _ACTORS}
    steps = event.events if isinstance(event, Moved) else ()
    for step in (event, *steps):
        if (made := _KEYS.get(type(step))) is not None:
            tags |= {key: make(step) for key, make in made.items()}
    return tags


def _own_game(room: RoomView) -> dict[str, object]:
    """For one reader alone; what all hear alike does not say who they are."""
    return _game(room) | ({"you": room.game.seat} if room.game is not None else {})


def _game(room: RoomView) -> dict[str, object]:
    game = room.game
    if game is None:
        return {}
    return {
        "game": room.games,
        "phase": game.phase,
        "adjourned": 1 if game.adjourned else None,
        "turn": game.turn,
        "on": game.on_turn,
        "players": ",".join(player.name for player in game.players),
        "scores": ",".join(str(player.score) for player in game.players),
        "bag": game.bag,
    }
