"""Entries of a room's log.

One log, one counter: people, agreements, talk and games all go here, and a game's move is *one*
entry that holds all of its engine events, so that a crash can never leave half a move. ``member``
is a person's identity in this room (not a secret, and not the resume code).
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from crossroom_engine.core import events
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game import views
from crossroom_protocol.events import moderation
from crossroom_protocol.events.moderation import ModerationEvent
from crossroom_protocol.events.offers import OfferEvent

GameEvent: TypeAlias = Annotated[events.Event, Field(discriminator="kind")]


@dataclass(frozen=True)
class SeatTaken:
    """``seat`` is 0-based here and 1-based in prose; ``bot`` is the level of a bot.

    ``registered``: the name is theirs on this server.
    """

    seat: int
    member: str
    name: str
    bot: str | None = None
    registered: bool = False
    kind: Literal["seat_taken"] = "seat_taken"


@dataclass(frozen=True)
class SeatLeft:
    """The seats behind move up."""

    seat: int
    name: str
    kind: Literal["seat_left"] = "seat_left"


@dataclass(frozen=True)
class Renamed:
    """Somebody at the table took another name."""

    seat: int
    old: str
    name: str
    registered: bool = False
    kind: Literal["renamed"] = "renamed"


@dataclass(frozen=True)
class NameRegistered:
    """Somebody at the table has proved that their name is theirs on this server."""

    seat: int
    name: str
    kind: Literal["name_registered"] = "name_registered"


@dataclass(frozen=True)
class ProgramDeclared:
    """Somebody at the table has said that they are a program (/bot me)."""

    seat: int
    name: str
    kind: Literal["program_declared"] = "program_declared"


@dataclass(frozen=True)
class Agreed:
    """``name`` agrees to the rules and the word list (/ready), or takes it back."""

    seat: int
    name: str
    ready: bool
    kind: Literal["agreed"] = "agreed"


@dataclass(frozen=True)
class RulesChanged:
    """A setting was changed; every agreement is void."""

    name: str
    setting: str
    value: str
    rules: Ruleset
    kind: Literal["rules_changed"] = "rules_changed"


@dataclass(frozen=True)
class Said:
    """Talk. ``me``: told as something the person does (/me)."""

    name: str
    text: str
    me: bool = False
    kind: Literal["said"] = "said"


@dataclass(frozen=True)
class HintTaken:
    """A player asked for a hint, and got it; what it says, nobody else is told."""

    seat: int
    name: str
    kind: Literal["hint_taken"] = "hint_taken"


@dataclass(frozen=True)
class Moved:
    """A game went on: all that followed from one move, the start of the game included.

    ``game`` counts the games of the room from 1; ``seat`` is who moved, None for the server.
    """

    game: int
    seat: int | None
    events: tuple[GameEvent, ...]
    kind: Literal["moved"] = "moved"


RoomEvent: TypeAlias = (
    SeatTaken
    | SeatLeft
    | Renamed
    | NameRegistered
    | ProgramDeclared
    | Agreed
    | RulesChanged
    | Said
    | HintTaken
    | Moved
    | ModerationEvent
    | OfferEvent
)


@dataclass(frozen=True)
class LogEntry:
    """One line of a room's log: ``seq`` counts from 1, ``at`` is in ms since 1970 (UTC)."""

    seq: int
    at: int
    what: Annotated[RoomEvent, Field(discriminator="kind")]


LOG_ENTRY: TypeAdapter[LogEntry] = TypeAdapter(LogEntry)
"""Reads and writes an entry as JSON; what stores keep."""


def redact(what: RoomEvent, seat: int | None) -> RoomEvent:
    """*what* as the person on *seat* (None: a watcher) may hear it."""
    if isinstance(what, Moved):
        return replace(what, events=tuple(views.redact(event, seat) for event in what.events))
    return moderation.redact(what) if isinstance(what, ModerationEvent) else what
