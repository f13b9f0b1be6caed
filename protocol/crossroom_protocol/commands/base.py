"""The declaration of a command: base classes, argument types and placeholders."""

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText

Requirement: TypeAlias = Literal["anywhere", "room", "named", "seated"]
"""Precondition of a command: none; a room; a room and a name; a seat."""
Topic: TypeAlias = Literal["move", "look", "table", "offer", "talk", "order", "connection"]
"""Section of the help in which a command is listed, in order."""

REST: Final = "rest"
"""Marks the last field where it takes the rest of the line as it stands."""
NAMED: Final = "named"
"""Marks a field that is written ``key=value``, anywhere after the command."""


def _spot(text: str) -> str:
    try:
        return str(Spot.parse(text))
    except BadText as error:
        raise ValueError(str(error)) from None


SpotText: TypeAlias = Annotated[str, AfterValidator(_spot)]
Notation: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Letters: TypeAlias = Annotated[str, StringConstraints(max_length=64), REST]
Words: TypeAlias = Annotated[
    str, StringConstraints(min_length=1, max_length=900, strip_whitespace=True), REST
]
Name: TypeAlias = Annotated[str, StringConstraints(max_length=64)]
Secret: TypeAlias = Annotated[
    str, StringConstraints(max_length=64), Field(title="PASSWORD", repr=False)
]
Swap: TypeAlias = Annotated[str | None, Field(max_length=32, title="SQUARE"), NAMED]
TurnNumber: TypeAlias = Annotated[int | None, Field(ge=1), NAMED]


class Command(BaseModel):
    """Base of every command."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)

    aliases: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str]
    requires: ClassVar[Requirement] = "room"
    topic: ClassVar[Topic]
    no_abbreviation: ClassVar[bool] = False
    """May the name not be abbreviated?"""

    compact_help: ClassVar[bool] = False
    """Does the list of all commands only name it, on one line with others of its topic?"""

    do: str


class MoveCommand(Command):
    """A player's move."""

    requires = "seated"
    topic = "move"


class QueryCommand(Command):
    """A question about the game."""

    topic = "look"


class TableCommand(Command):
    """About who plays, and by which rules."""

    topic = "table"


class AgreementCommand(Command):
    """Offers or answers something that the players settle by agreement."""

    requires: ClassVar[Requirement] = "seated"
    topic = "offer"
    compact_help = True


class TalkCommand(Command):
    """Said to the others."""

    requires: ClassVar[Requirement] = "named"
    topic = "talk"


class ModerationCommand(Command):
    """Keeps order in a room; for its owner and the moderators."""

    requires = "named"
    topic = "order"
    compact_help = True


class ConnectionCommand(Command):
    """About the connection."""

    requires: ClassVar[Requirement] = "anywhere"
    topic = "connection"
    compact_help = True


def name_of(kind: type[Command]) -> str:
    """Return the name of a command, without a slash."""
    return str(kind.model_fields["do"].default)


def fields(kind: type[Command]) -> dict[str, Any]:
    """Return the fields of a command that a person writes, in order."""
    declared = kind.model_fields.items()
    return {field.alias or name: field for name, field in declared if name != "do"}


def _choices(declared: Any) -> list[str]:
    """Return the values of a literal type, also of one that may be left out; else nothing."""
    if get_origin(declared) is Literal:
        return list(map(str, get_args(declared)))
    return [choice for part in get_args(declared) for choice in _choices(part)]


def usage(kind: type[Command]) -> str:
    """Return how a command is written: ``/play AT WORD [swap=SQUARE] [turn=TURN]``."""
    parts = [f"/{name_of(kind)}"]
    for key, field in fields(kind).items():
        declared = field.annotation
        choices = "|".join(_choices(declared))
        shown = choices or field.title or key.upper()
        text = f"{key}={shown}" if NAMED in field.metadata else shown
        parts.append(text if field.is_required() else f"[{text}]")
    return " ".join(parts)
