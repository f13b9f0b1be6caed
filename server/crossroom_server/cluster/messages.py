"""The messages between nodes.

Nodes of one cluster may be of different releases while it is upgraded, one node after the other.
Fields may be added, with a default, and are ignored by those who do not know them.
"""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from crossroom_protocol.commands.registry import AnyCommand
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.lobby.lobby import RoomSummary
from crossroom_server.room.audience import Identity

# What a gateway asks of an owner, each on behalf of one person.


@dataclass(frozen=True)
class CheckKey:
    """Ask what a key proves; answered with a proof."""

    key: str
    do: Literal["knock"] = "knock"


@dataclass(frozen=True)
class EnterRoom:
    """Let them in."""

    name: str | None
    proof: str | None
    do: Literal["enter"] = "enter"


@dataclass(frozen=True)
class ResumeRoom:
    """Let them in who were in before, as somebody *known* or without a name.

    ``is_brought``: they do not come by themselves, see :meth:`Room.rejoin`.
    """

    known: Identity | None
    since: int | None
    is_brought: bool = False
    do: Literal["return"] = "return"


@dataclass(frozen=True)
class LeaveRoom:
    """They are gone."""

    do: Literal["leave"] = "leave"


@dataclass(frozen=True)
class MarkRegistered:
    """They have registered the name they have here."""

    do: Literal["vouch"] = "vouch"


@dataclass(frozen=True)
class RunCommand:
    """Carry out a command."""

    command: AnyCommand
    label: str | None = None
    shown: bool = False
    do: Literal["ask"] = "ask"


@dataclass(frozen=True)
class IsSeated:
    """Does this member sit at the table? Answered with yes or no."""

    member: str
    do: Literal["has_chair"] = "has_chair"


@dataclass(frozen=True)
class GetPreset:
    """Which preset are the rules of the room made from? Answered with its name."""

    do: Literal["preset"] = "preset"


@dataclass(frozen=True)
class UpdateClient:
    """From now on they want to be told in another style, or have proved another name."""

    do: Literal["restyle"] = "restyle"


RoomRequest: TypeAlias = Annotated[
    CheckKey
    | EnterRoom
    | ResumeRoom
    | LeaveRoom
    | MarkRegistered
    | RunCommand
    | IsSeated
    | GetPreset
    | UpdateClient,
    Field(discriminator="do"),
]


@dataclass(frozen=True)
class ClientInfo:
    """A person at the gateway, under their ``number`` there."""

    number: int
    address: str
    base_url: str
    style: ReaderSettings
    proven: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Call:
    """An errand in a room, for somebody or nobody, and the number to answer under."""

    number: int
    room: str
    errand: RoomRequest
    card: ClientInfo | None = None
    kind: Literal["call"] = "call"


# What an owner says to a gateway.


@dataclass(frozen=True)
class CallAnswer:
    """The result of a call.

    ``refused`` is code and prose. ``is_inside`` and ``known`` tell how the caller stands in the
    room now, None as before; ``seq`` up to which entry they have heard everything.
    """

    number: int
    is_inside: bool | None = None
    known: Identity | None = None
    seq: int = 0
    value: str | bool | None = None
    refused: tuple[str, str] | None = None
    kind: Literal["answer"] = "answer"


@dataclass(frozen=True)
class FramesTold:
    """Frames for some people, who with them have heard everything up to entry *seq*, if not 0."""

    numbers: tuple[int, ...]
    frames: list[str]
    seq: int
    kind: Literal["told"] = "told"


@dataclass(frozen=True)
class ConnectionClosed:
    """Close a connection."""

    number: int
    code: int
    reason: str
    kind: Literal["hung_up"] = "hung_up"


@dataclass(frozen=True)
class RoomGone:
    """A room, or None: every room, is not at this node any more."""

    room: str | None = None
    kind: Literal["gone"] = "gone"


@dataclass(frozen=True)
class KeepAlive:
    """Said so often that whatever is lost is missed soon."""

    kind: Literal["nothing"] = "nothing"


@dataclass(frozen=True)
class Fragment:
    """A part of messages, as JSON, that are too long for one envelope."""

    text: str
    is_last: bool
    kind: Literal["piece"] = "piece"


Message: TypeAlias = Annotated[
    Call | CallAnswer | FramesTold | ConnectionClosed | RoomGone | KeepAlive | Fragment,
    Field(discriminator="kind"),
]


@dataclass(frozen=True)
class Envelope:
    """Messages of one node to another.

    ``number`` counts envelopes between these two, from 1 in each ``generation``. A gap means that
    something was lost; the next generation begins without anything of the one before.
    """

    source: str
    generation: int
    number: int
    messages: tuple[Message, ...]


# What a node says to all others, now and then. Whoever misses it hears the next.


@dataclass(frozen=True)
class Heartbeat:
    """A node lives, or is about to leave.

    ``rooms`` are those it has that a list would name; ``crowds`` says how many connections it has
    from places with many.
    """

    source: str
    rooms: tuple[RoomSummary, ...] = ()
    crowds: dict[str, int] = field(default_factory=dict)
    is_leaving: bool = False
    kind: Literal["beat"] = "beat"


@dataclass(frozen=True)
class LimitCounted:
    """Somebody at an address did something of which there may be only so much."""

    source: str
    what: str
    address: str
    kind: Literal["counted"] = "counted"


@dataclass(frozen=True)
class BansChanged:
    """The host has banned an address, or lifted that."""

    source: str
    kind: Literal["bans"] = "bans"


@dataclass(frozen=True)
class HostAnnounced:
    """The host says something to everybody."""

    source: str
    text: str
    kind: Literal["announced"] = "announced"


Notice: TypeAlias = Annotated[
    Heartbeat | LimitCounted | BansChanged | HostAnnounced, Field(discriminator="kind")
]

ENVELOPE: Final = TypeAdapter(Envelope)
MESSAGES: Final[TypeAdapter[tuple[Message, ...]]] = TypeAdapter(tuple[Message, ...])
NOTICE: Final[TypeAdapter[Notice]] = TypeAdapter(Notice)
