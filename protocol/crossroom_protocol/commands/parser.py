"""Reading what people and programs send: a line or a JSON object in, a request out. No sockets.

The grammar::

    line    = [ "@" label SP ] ( command / say )       ; the label in tags mode only
    command = ( "/" / "." / "!" ) name [ SP args ]     ; "!" shows the answer to the whole room
    say     = "//" text / "!!" text / text             ; a doubled token is literal
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from pydantic import ValidationError

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, join_texts
from crossroom_protocol.commands.base import NAMED, REST, Command, fields, name_of, usage
from crossroom_protocol.commands.profiles import MyDataCommand
from crossroom_protocol.commands.queries import HelpCommand
from crossroom_protocol.commands.registry import COMMAND, COMMANDS, NAMES
from crossroom_protocol.commands.talk import MeCommand, SayCommand

MAX_LINE_BYTES: Final = 1024
"""Bytes of UTF-8 in one line."""
SECRET_FIELDS: Final = ("code", "key", "password")
"""Fields of commands that nobody else may read."""
MAX_LABEL_LENGTH: Final = 64
"""Characters of a label."""

_ABOUT_ME: Final = (("export",), ("delete",), ("delete", "yes"))
"""What somebody hardly says that they do."""
_TOO_LONG: Final = Phrase("a line holds at most {most} bytes; nothing was done")
_UNHEARD: Final = Phrase(
    "nobody hears you at the door; /join {room} enters the room of that name, /name {room} takes "
    "that name, /rooms lists the open rooms"
)
_BAD_LABEL: Final = Phrase('"id" is a text of 1 to {most} characters')


@dataclass(frozen=True)
class Request:
    """A command, the label to answer under, and whether the whole room sees the answer."""

    command: Command
    label: str | None = None
    shown: bool = False

    def with_command(self, command: Command) -> "Request":
        """Return this request with *command* in place of its own."""
        return self if command is self.command else replace(self, command=command)


class ParseError(Refusal):
    """The line asks for nothing that exists. ``command`` is what it seems to have meant."""

    def __init__(self, code: str, prose: str, command: str = "line", /, **about: object) -> None:
        said = {key: clean(it) if type(it) is str else it for key, it in about.items()}
        super().__init__(code, prose, **said)
        self.command = clean(command) or "line"
        self.label: str | None = None


def split_label(line: str) -> tuple[str | None, str]:
    """Take the label of tags mode off a line.

    >>> split_label("@7 /play 8H WORD")
    ('7', '/play 8H WORD')
    """
    match = re.fullmatch(rf"@([!-~]{{1,{MAX_LABEL_LENGTH}}}) (.*)", line, re.DOTALL)
    return (match[1], match[2]) if match else (None, line)


def read_line(line: str, *, in_room: bool) -> Request | None:
    """Read one line of text; None for a line with nothing in it. Labels are taken off before.

    Outside a room there is nobody to talk to, so bare words are commands there.

    Raises:
        ParseError: with one of the codes of :mod:`crossroom_protocol.base.refusals`.
    """
    if len(line.encode("utf-8", "replace")) > MAX_LINE_BYTES:
        raise ParseError("TOO_LONG", _TOO_LONG, most=MAX_LINE_BYTES)
    line = clean(line).strip()
    if not line:
        return None
    token, rest = line[0], line[1:]
    if token in "/!" and rest.startswith(token):
        return Request(_build(SayCommand, {"text": rest}))
    if token in "/!" or (token == "." and (not in_room or rest.split(" ")[0].lower() in NAMES)):
        return Request(_command(rest, token), shown=token == "!")
    if in_room:
        return Request(_build(SayCommand, {"text": line}))
    if line.lower() == "hello":  # a greeting, and no command
        raise ParseError("UNKNOWN_COMMAND", _UNHEARD, line, room="ROOM")
    try:
        return Request(_command(line, ""))
    except ParseError as error:
        if error.code != "UNKNOWN_COMMAND":
            raise
        room = line if re.fullmatch(r"\w[\w-]{0,30}", line) else "ROOM"
        raise ParseError("UNKNOWN_COMMAND", _UNHEARD, line.split()[0][:20], room=room) from None


def without_secrets(line: str, *, in_room: bool) -> str:
    """Return a line as it may be shown again: a command that held a secret is named alone."""
    try:
        request = read_line(line, in_room=in_room)
    except ParseError:
        return line
    command = request.command if request is not None else None
    if command is None or not any(getattr(command, name, "") for name in SECRET_FIELDS):
        return line
    return f"/{command.do} ..."


def read_json(text: str) -> Request:
    """Read one JSON object: the command's fields beside ``do``, and ``id`` (the label), ``show``.

    Raises:
        ParseError: no object, no such command, or a field that does not fit.
    """
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise ParseError("BAD_ARGS", 'send one JSON object per message, as {"do": "help"}')
    label, shown = asked.pop("id", None), asked.pop("show", False)
    if label is not None and not (isinstance(label, str) and 0 < len(label) <= MAX_LABEL_LENGTH):
        raise ParseError("BAD_ARGS", _BAD_LABEL, most=MAX_LABEL_LENGTH)
    try:
        if not isinstance(shown, bool):
            raise ParseError("BAD_ARGS", '"show" is true or false')
        do = asked.pop("do", None)
        if not isinstance(do, str) or do not in COMMANDS:
            raise _unknown(do if isinstance(do, str) else "", "")
        texts = {key: clean(item) if isinstance(item, str) else item for key, item in asked.items()}
        return Request(_build(COMMANDS[do], texts, strict=True), label, shown)
    except ParseError as error:
        error.label = label
        raise


def find_command(name: str) -> str:
    """Return the command meant by *name*: a name, an alias, or a unique beginning.

    Raises:
        ParseError: ``UNKNOWN_COMMAND`` or ``AMBIGUOUS``.
    """
    return _find(name, "/")


def _find(name: str, token: str) -> str:
    name = name.lower()
    if (do := NAMES.get(name)) is not None:
        return do
    begun = {NAMES[known] for known in NAMES if name and known.startswith(name)}
    fitting = sorted(do for do in begun if not COMMANDS[do].no_abbreviation)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        listed = ", ".join(f"/{do}" for do in fitting)
        raise ParseError("AMBIGUOUS", "{name!r} may mean {listed}", name, name=name, listed=listed)
    if begun:
        listed = ", ".join(f"/{do}" for do in sorted(begun))
        raise ParseError("UNKNOWN_COMMAND", "write {listed} in full", name, listed=listed)
    raise _unknown(name, token)


def _unknown(name: str, token: str = "/") -> ParseError:
    name = name[:32]
    near = get_close_matches(name, NAMES, n=1)
    told = [
        gettext("there is no /{name};", name=clean(name))
        if name
        else gettext("a command has a name;")
    ]
    if near:
        told.append(gettext("did you mean /{name}?", name=NAMES[near[0]]))
    else:
        told.append(gettext("/help lists the commands."))
    if token:
        doubled = "!!" if token == "!" else "//"
        told.append(gettext("To say it, write {line}", line=f"{doubled}{clean(name)}"))
    return ParseError("UNKNOWN_COMMAND", join_texts(" ", told), name)


def _command(text: str, token: str) -> Command:
    name, _, args = text.partition(" ")
    kind = COMMANDS[_find(name, token)]
    if kind is MeCommand and tuple(args.lower().split()) in _ABOUT_ME:
        kind = MyDataCommand
    # in capitals it is four tiles to exchange, or a word to look up
    if args.strip() == "help" and kind not in (SayCommand, MeCommand):
        return HelpCommand(about=name_of(kind))
    return _build(kind, _arguments(kind, args))


def _arguments(kind: type[Command], text: str) -> dict[str, str]:
    """Sort the words of a line into the fields of a command."""
    named, places, takes_rest = _form(kind)
    found: dict[str, str] = {}
    if named:
        words = text.split()
        pairs = [word for word in words if "=" in word and word.partition("=")[0].lower() in named]
        found = {key.lower(): value for key, _, value in (pair.partition("=") for pair in pairs)}
        text = " ".join(word for word in words if word not in pairs)
    values = text.strip().split(maxsplit=len(places) - 1) if takes_rest else text.split()
    if len(values) > len(places):
        raise _misused(kind, gettext("unexpected {word!r}", word=values[len(places)]))
    return found | dict(zip(places, values, strict=False))


@cache
def _form(kind: type[Command]) -> tuple[frozenset[str], tuple[str, ...], bool]:
    """Return the named fields, the positional ones, and whether the last takes the rest."""
    declared = fields(kind)
    named = frozenset(name for name, field in declared.items() if NAMED in field.metadata)
    places = tuple(name for name in declared if name not in named)
    return named, places, bool(places) and REST in declared[places[-1]].metadata


def _build(kind: type[Command], values: Mapping[str, Any], *, strict: bool = False) -> Command:
    try:
        return COMMAND.validate_python({**values, "do": name_of(kind)}, strict=strict)
    except ValidationError as error:
        raise _misused(kind, _first(error)) from None


def _misused(kind: type[Command], problem: str) -> ParseError:
    prose = Phrase("{problem}; usage: {usage}")
    if " " in kind.example:
        prose = Phrase("{problem}; usage: {usage}, as in {example}")
    about = {"problem": problem, "usage": usage(kind), "example": kind.example}
    return ParseError("BAD_ARGS", prose, name_of(kind), **about)


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in problem["loc"][1:])[:32]
    where, limits = field.upper(), problem.get("ctx", {})
    match problem["type"]:
        case "missing":
            return gettext("{where} is missing", where=where)
        case "extra_forbidden":
            return gettext("there is no field {field!r}", field=field)
        case "int_parsing" | "int_type" | "int_from_float":
            return gettext("{where} is a number", where=where)
        case "greater_than_equal":
            return gettext("{where} is {least} or more", where=where, least=limits["ge"])
        case "less_than_equal":
            return gettext("{where} is {most} or less", where=where, most=limits["le"])
        case "literal_error":
            return gettext(
                "{where} is {choice}", where=where, choice=limits["expected"].replace("'", "")
            )
        case "string_type":
            return gettext("{where} is text", where=where)
        case "string_too_long":
            return gettext(
                "{where} is at most {most} characters", where=where, most=limits["max_length"]
            )
        case "string_too_short":
            return gettext("{where} is missing", where=where)
        case _:
            message = str(limits.get("error", problem["msg"]))
            return gettext("{where}: {message}", where=where, message=message) if where else message
