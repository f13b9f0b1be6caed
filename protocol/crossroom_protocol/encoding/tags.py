r"""The tags of tags mode: stable keys for programs, in front of the prose for people.

IRCv3 message tags: ``@key=value;key=value``, with ``;`` space ``\`` CR and LF escaped. Keys are
only ever added; whoever reads them ignores those they do not know.
"""

import re
from collections.abc import Mapping
from typing import Final

from crossroom_engine.core.events import Challenged, Ended, Played, Started
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
    TopPlayers,
    Welcome,
    YourName,
    YourRegistration,
    YourState,
    YourStats,
    YourTurn,
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
    "rack": "your tiles; ? is a blank, [CH] a tile of several letters",
    "code": "your resume code, or that of your name; after !, the code of the refusal",
    "live": "you have heard everything up to this number",
    "command": "what was refused",
    "about": "what a note or a picture shows",
}
"""Every key there is, with what it says."""

_PLAIN: Final = {":": ";", "s": " ", "\\": "\\", "r": "\r", "n": "\n"}
_ESCAPED: Final = re.compile(r"[; \\\r\n]")
_ESCAPES: Final = str.maketrans({plain: f"\\{code}" for code, plain in _PLAIN.items()})


def format_tags(tags: Mapping[str, object]) -> str:
    r"""Tags as they stand on the wire, without the ``@``; those that are None are left out.

    >>> print(write({"label": "7", "name": None, "text": "a b"}))
    label=7;text=a\sb
    """
    told = ((key, value) for key, value in tags.items() if value is not None)
    return ";".join(
        f"{key}={value if type(value) is int else _escape(value)}" for key, value in told
    )


def parse_tags(line: str) -> tuple[dict[str, str], str]:
    r"""Split a line of tags mode into its tags and the rest.

    >>> read(r"@label=7;text=a\sb - hello")
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
            if room.game is not None and room.game.seat is not None:
                tags["rack"] = spell(room.game.rack)
        case YourName(name=name, code=code) | YourRegistration(name=name, code=code):
            tags |= {"name": name, "code": code}
        case CaughtUp(seq=seq):
            tags["live"] = seq
        case Refused(code=code, command=command):
            tags |= {"code": code, "command": command}
        case Note(about=about) | Picture(about=about):
            tags["about"] = about
        case YourStats(profile=profile):
            tags |= {"about": notice.tell, "name": profile.name}
        case TopPlayers() | GameList() | Invitation():
            tags["about"] = notice.tell
    return tags


def _event(event: RoomEvent) -> dict[str, object]:
    """Return the tags of an entry's own fields."""
    tags = {
        "event": event.kind,
        "seat": getattr(event, "seat", None),
        "name": getattr(event, "name", None),
        "whom": getattr(event, "whom", None),
    }
    match event:
        case Offered(what=what, asked=asked):
            tags |= {"offer": what, "asked": ",".join(map(str, asked))}
        case Answered(what=what, agrees=agrees):
            tags |= {"offer": what, "agrees": int(agrees)}
        case Lapsed(what=what):
            tags["offer"] = what
    if not isinstance(event, Moved):
        return tags
    tags["did"] = ",".join(step.kind for step in event.events)
    for step in event.events:
        match step:
            case Played(spot=spot, text=text, words=words, points=points, swapped=swapped):
                tags |= {"spot": spot, "text": text, "words": ",".join(words), "points": points}
                tags["swaps"] = ",".join(str(swap.square) for swap in swapped) or None
            case Challenged(words=words, bad=bad):
                tags |= {"words": ",".join(words), "bad": ",".join(bad)}
            case Started(seal=seal):
                tags["seal"] = seal or None
            case Ended(seed=seed):
                tags["seed"] = seed or None
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
