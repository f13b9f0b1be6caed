"""Colour for terminals that ask for it; without the escapes, a line is what it was before."""

import re
from collections.abc import Iterable
from typing import Final

from crossroom_engine.core.board import PREMIUMS, Premium
from crossroom_protocol.events.room import Said
from crossroom_protocol.notices import AnyNotice, Happened, Picture, RoomView, YourState, YourTurn

ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
"""The escape sequences of colours."""

BOLD: Final = "1"
_MARKS: Final = {"*": "36", ":": "32", "=": "33", "?": "1;33", "!": "31", "-": "2"}
_WORDS: Final = {2: "35", 3: "31", 4: "1;31"}
_LETTERS: Final = {2: "36", 3: "34", 4: "1;34"}
_PREMIUM: Final = re.compile(rf"(?<= )[{re.escape(''.join(PREMIUMS))}](?= |$)")


def paint(frames: Iterable[str], notice: AnyNotice) -> list[str]:
    """Colour the marks, the names of those who act, premium squares, and whatever is your turn."""
    return [_paint(frame, notice) for frame in frames]


def _paint(frame: str, notice: AnyNotice) -> str:
    mark, body = frame[:1], frame[1:]
    match notice:
        case YourTurn():
            body = _in(BOLD, body)
        case Picture(about="board"):
            body = _PREMIUM.sub(lambda square: _square(square[0]), body)
        case Happened(event=Said(name=name)):
            body = _bold([name], body, times=1)
        case Happened(room=room) | YourState(room=room):
            body = _bold(_names(room), body)
        case _:
            pass
    return _in(_MARKS[mark], mark) + body if mark in _MARKS else mark + body


def _names(room: RoomView) -> list[str]:
    players = [player.name for player in room.game.players] if room.game is not None else []
    return players + [seat.name for seat in room.seats]


def _bold(names: Iterable[str], text: str, times: int = 0) -> str:
    """Set *names* in bold, wherever they stand as words, or only so many *times*."""
    known = "|".join(map(re.escape, sorted(set(names), key=len, reverse=True)))
    if not known:
        return text
    return re.sub(rf"(?<![\w-])(?:{known})(?![\w-])", lambda m: _in(BOLD, m[0]), text, count=times)


def _square(symbol: str) -> str:
    premium = PREMIUMS[symbol]
    colour = _WORDS.get(premium.word) or _LETTERS.get(premium.letter)
    return symbol if premium == Premium() or colour is None else _in(colour, symbol)


def _in(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"
