"""Style lines of the server for a terminal: colours by mark and tags, and no mark.

A mark tells programs, and people without colour, what kind a line is. Here the colour does, or the
number in front of what happened.
"""

import re
from collections.abc import Mapping
from typing import Final

from crossroom_clients.connection.game_status import Fragments
from crossroom_engine.core.board import PREMIUMS, Premium
from crossroom_protocol.base.translate import gettext

STYLES: Final = {
    "number": "ansibrightblack",
    "name": "bold",
    "chat": "ansigreen bold",
    "rack": "ansiyellow bold",
    "turn": "ansiyellow bold",
    "refusal": "ansired",
    "own": "ansicyan",
    "trouble": "ansimagenta",
    "word2": "ansimagenta",
    "word3": "ansired",
    "word4": "ansired bold",
    "letter2": "ansicyan",
    "letter3": "ansiblue",
    "letter4": "ansiblue bold",
    "tile": "bold",
    "prompt": "bold",
    "bar": "noreverse bg:ansibrightblack ansiwhite",
    "bar.room": "noreverse bg:ansibrightblack ansiwhite bold",
    "bar.yours": "noreverse bg:ansiyellow ansiblack bold",
    "bar.rack": "noreverse bg:ansibrightblack ansiyellow bold",
    "bar.hint": "noreverse ansicyan",
    "bottom-toolbar": "noreverse bg:ansibrightblack",
}
"""Colours by class. They come from the sixteen that a person's own theme defines."""

_NUMBER: Final = re.compile(r"#\d+ ")
_CELL: Final = re.compile(r"(?<= )(\[\w+\]|\S)(?= |$)")
_ROW: Final = re.compile(r" ?\d+ ")


def style_line(mark: str, text: str, tags: Mapping[str, str]) -> Fragments:
    """One line of the server, ready for a terminal."""
    match mark:
        case "*":
            return _happened(text, {*tags.get("players", "").split(","), tags.get("name", "")})
        case ":":
            return _said(text)
        case "=":
            return [("class:rack", text)]
        case "?":
            return [("class:turn", text)]
        case "!":
            return [("class:refusal", text.removeprefix(f"{tags.get('code')} "))]
        case "|":
            return _picture(text) if tags.get("about") == "board" else [("", text)]
        case "-" if "name" in tags and "code" in tags and "about" not in tags:
            # the code is kept, and told at the end
            return [("", gettext("you are {name}", name=tags["name"]))]
        case _:
            return [("", text)]


def _happened(text: str, names: set[str]) -> Fragments:
    number, text = _split_number(text)
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    if not known:
        return [number, ("", text)]
    parts = re.split(rf"(?<![\w-])({known})(?![\w-])", text)
    return [number, *(("class:name" if at % 2 else "", part) for at, part in enumerate(parts))]


def _said(text: str) -> Fragments:
    number, text = _split_number(text)
    name, colon, words = text.partition(": ")
    if not colon or " " in name:
        return [number, ("class:chat", text)]
    return [number, ("class:chat", name), ("", f": {words}")]


def _split_number(text: str) -> tuple[tuple[str, str], str]:
    match = _NUMBER.match(text)
    return (("class:number", match[0]), text[match.end() :]) if match else (("", ""), text)


def _picture(text: str) -> Fragments:
    """A row of the board: premium squares in colour, tiles in bold."""
    if _ROW.match(text) is None:
        return [("", text)]
    return [(_cell(part), part) for part in _CELL.split(text)]


def _cell(text: str) -> str:
    if text[:1].isalpha() or text[:1] == "[":
        return "class:tile" if _CELL.fullmatch(f" {text}", 1) else ""
    premium = PREMIUMS.get(text, Premium())
    if premium.word > 1:
        return f"class:word{premium.word}"
    return f"class:letter{premium.letter}" if premium.letter > 1 else ""
