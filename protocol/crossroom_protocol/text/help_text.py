"""Make the answers of /help from the declarations of the commands."""

import inspect
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.base import Command, Requirement, Topic, name_of, usage
from crossroom_protocol.commands.parser import find_command
from crossroom_protocol.commands.registry import COMMANDS

TOPICS: Final[dict[Topic, str]] = {
    "move": Phrase("Your move"),
    "look": Phrase("Look at the game"),
    "table": Phrase("The table"),
    "offer": Phrase("Agree with the others"),
    "talk": Phrase("Talk"),
    "order": Phrase("Moderation"),
    "connection": Phrase("The connection"),
}
"""The headings of the list, in order."""

_NEEDS: Final[dict[Requirement, str]] = {
    "anywhere": Phrase("Works anywhere."),
    "room": Phrase("Works in a room, also for those who watch."),
    "named": Phrase("Works in a room, once you have a /name."),
    "seated": Phrase("Works for players."),
}


def help_lines(about: str = "") -> tuple[str, ...]:
    """The names of all commands by topic; or all about one command.

    For ``all``, each with what it does and its aliases in brackets, in a line of its own, but those
    that hardly anybody types share one.

    Raises:
        Refusal: ``UNKNOWN_COMMAND`` or ``AMBIGUOUS``; names what comes near.
    """
    name = about.lstrip("/.!")
    if name.lower() == "all":
        return _all()
    return _one(COMMANDS[find_command(name)]) if name else _names()


def doc_paragraphs(kind: type[Command]) -> list[str]:
    """The paragraphs of a command's docstring, each one line."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    return [" ".join(paragraph.split()) for paragraph in paragraphs]


def _names() -> tuple[str, ...]:
    lines = [gettext("What begins with / is a command, every other line is talk.")]
    for topic, heading in TOPICS.items():
        names = (f"/{name_of(kind)}" for kind in COMMANDS.values() if kind.topic == topic)
        lines.append(f"{gettext(heading).upper()}: {' '.join(names)}")
    told = gettext(
        "/help play tells all about one command, /help all a line about each; /r the rules."
    )
    return (*lines, told)


def _all() -> tuple[str, ...]:
    lines = [
        (
            gettext(
                "What begins with / is a command; abbreviate it as long as it is unambiguous: "
                "/exch QV. Every other line is talk; // or !! in front says one that begins with "
                "/ or !."
            )
        ),
        (
            gettext(
                ". works like /, for programs that keep / to themselves; "
                "! in place of / shows the answer to the whole room."
            )
        ),
    ]
    for topic, heading in TOPICS.items():
        kinds = [kind for kind in COMMANDS.values() if kind.topic == topic]
        told = [
            f"{_usage(kind)}: {gettext(doc_paragraphs(kind)[0])}"
            for kind in kinds
            if not kind.compact_help
        ]
        brief = ", ".join(_usage(kind) for kind in kinds if kind.compact_help)
        first, *others = [*told, brief] if brief else told
        lines += [f"{gettext(heading).upper()}: {first}", *others]
    return (*lines, gettext("/help play tells all about one command; /r the rules of this room."))


def _usage(kind: type[Command]) -> str:
    name, *arguments = usage(kind).split(" ")
    aliases = [f"({' '.join(kind.aliases)})"] if kind.aliases else []
    return " ".join([name, *aliases, *arguments])


def _one(kind: type[Command]) -> tuple[str, ...]:
    lines = [
        usage(kind),
        *map(gettext, doc_paragraphs(kind)),
        gettext("Example: {example}", example=kind.example),
    ]
    if kind.aliases:
        aliases = ", ".join(f"/{alias}" for alias in kind.aliases)
        lines.append(gettext("Also: {aliases}", aliases=aliases))
    if kind.no_abbreviation:
        lines.append(gettext("/{name} cannot be cut short.", name=name_of(kind)))
    return (*lines, gettext(_NEEDS[kind.requires]))
