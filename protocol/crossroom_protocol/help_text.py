"""What /help says, made from the declarations of the commands."""

import inspect
from typing import Final

from crossroom_protocol.asking import Ask, Topic, Where, name_of, usage
from crossroom_protocol.commands import COMMANDS
from crossroom_protocol.lines import find

TOPICS: Final[dict[Topic, str]] = {
    "move": "Your move",
    "look": "Look at the game",
    "table": "The table",
    "offer": "Agree with the others",
    "talk": "Talk",
    "order": "Keeping order",
    "connection": "The connection",
}
"""The headings of the list, in order."""

_NEEDS: Final[dict[Where, str]] = {
    "anywhere": "Works anywhere.",
    "room": "Works in a room, also for those who watch.",
    "named": "Works in a room, once you have a /name.",
    "seated": "Works for those who sit at the table.",
}


def help_lines(about: str = "") -> tuple[str, ...]:
    """All commands by topic, with aliases in brackets; or all about one command.

    Each has a line, but those that hardly anybody types share one.

    Raises:
        Refusal: ``UNKNOWN_COMMAND`` or ``AMBIGUOUS``; names what comes near.
    """
    name = about.lstrip("/.!")
    return _one(COMMANDS[find(name)]) if name else _all()


def documentation(kind: type[Ask]) -> list[str]:
    """The paragraphs of a command's docstring, each one line."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    return [" ".join(paragraph.split()) for paragraph in paragraphs]


def _all() -> tuple[str, ...]:
    lines = [
        (
            "What begins with / is a command, cut short as you like while it is clear: /exch QV. "
            "Every other line is talk; // or !! in front says one that begins with / or !."
        ),
        (
            ". does the same as / where a program keeps / to itself; "
            "! in place of / shows the answer to the whole room."
        ),
    ]
    for topic, heading in TOPICS.items():
        kinds = [kind for kind in COMMANDS.values() if kind.topic == topic]
        told = [f"{_usage(kind)}: {documentation(kind)[0]}" for kind in kinds if not kind.brief]
        brief = ", ".join(_usage(kind) for kind in kinds if kind.brief)
        first, *others = [*told, brief] if brief else told
        lines += [f"{heading.upper()}: {first}", *others]
    return (*lines, "/help play tells all about one command; /r the rules of this room.")


def _usage(kind: type[Ask]) -> str:
    name, *arguments = usage(kind).split(" ")
    aliases = [f"({' '.join(kind.aliases)})"] if kind.aliases else []
    return " ".join([name, *aliases, *arguments])


def _one(kind: type[Ask]) -> tuple[str, ...]:
    lines = [usage(kind), *documentation(kind), f"Example: {kind.example}"]
    if kind.aliases:
        lines.append(f"Also: {', '.join(f'/{alias}' for alias in kind.aliases)}")
    if kind.spelt_out:
        lines.append(f"/{name_of(kind)} cannot be cut short.")
    return (*lines, _NEEDS[kind.where])
