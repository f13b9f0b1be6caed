"""The messages between nodes.

While a cluster is upgraded its nodes are of different releases: fields may only be added, with a
default, and a node ignores those that it does not know.
"""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from crossroom_protocol.commands.registry import AnyCommand
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.lobby.lobby import RoomSummary
from crossroom_server.room.client import Identity

# Requests of a gateway to an owner, each on behalf of one person.


@dataclass(frozen=True)
class CheckKey:
    """Ask for the proof that a key gives."""

    key: str
    do: Literal["knock"] = "knock"


@dataclass(frozen=True)
class RedeemLink:
    """Ask for the resume code that the token of a link to a seat is good for."""

    token: str = field(repr=False)
    do: Literal["redeem"] = "redeem"


@dataclass(frozen=True)
class EnterRoom:
    """Let somebody in."""

    name: str | None
    proof: str | None
    do: Literal["enter"] = "enter"


@dataclass(frozen=True)
class ResumeRoom:
    """Let somebody in again, as *known* or without a name; see :meth:`Room.rejoin`."""

    known: Identity | None
    since: int | None
    is_brought: bool = False
    do: Literal["return"] = "return"


@dataclass(frozen=True)
class LeaveRoom:
    """Remove somebody who is gone."""

    do: Literal["leave"] = "leave"


@dataclass(frozen=True)
class MarkRegistered:
    """Record that somebody has registered their name."""

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
    """Ask whether this member sits at the table."""

    member: str
    do: Literal["has_chair"] = "has_chair"


@dataclass(frozen=True)
class GetPreset:
    """Ask for the preset that the rules of the room are made from."""

    do: Literal["preset"] = "preset"


@dataclass(frozen=True)
class UpdateClient:
    """Use changed display settings and proven names."""

    do: Literal["restyle"] = "restyle"


RoomRequest: TypeAlias = Annotated[
    CheckKey
    | RedeemLink
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
    """A person at the gateway, with their ``number`` there; ``is_inside``: as far as it knows."""

    number: int
    address: str
    base_url: str
    style: ReaderSettings
    proven: frozenset[str] = frozenset()
    is_inside: bool = False


@dataclass(frozen=True)
class Call:
    """A request to a room, for somebody or nobody, with the number for the answer."""

    number: int
    room: str
    errand: RoomRequest
    card: ClientInfo | None = None
    kind: Literal["call"] = "call"


# Messages of an owner to a gateway.


@dataclass(frozen=True)
class CallAnswer:
    """The result of a call; ``refused`` is code and prose.

    ``is_inside`` (None: as before) and ``known`` tell whether the caller is in the room, and as
    whom; ``seq`` is the last entry they have received.
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
    """Frames for some people; ``seq`` is the last entry that they have then received, or 0."""

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
    """Tell that a room is not at this node any more; None: no room is.

    ``is_lost``: another node has it already, and calls under way may stay without an answer.
    """

    room: str | None = None
    is_lost: bool = False
    kind: Literal["gone"] = "gone"


@dataclass(frozen=True)
class TakeRoom:
    """A room is free, and the other node should have it."""

    room: str
    kind: Literal["take"] = "take"


@dataclass(frozen=True)
class KeepAlive:
    """A message sent so often that a loss is noticed soon."""

    kind: Literal["nothing"] = "nothing"


@dataclass(frozen=True)
class Fragment:
    """A part of messages, as JSON, that are too long for one envelope."""

    text: str
    is_last: bool
    kind: Literal["piece"] = "piece"


Message: TypeAlias = Annotated[
    Call | CallAnswer | FramesTold | ConnectionClosed | RoomGone | TakeRoom | KeepAlive | Fragment,
    Field(discriminator="kind"),
]


@dataclass(frozen=True)
class Envelope:
    """Messages of one node to another.

    ``number`` counts the envelopes from 1 in each ``generation``. After a gap, which is a loss, the
    next generation begins without anything of the one before.
    """

    source: str
    generation: int
    number: int
    messages: tuple[Message, ...]


# Notices of a node to all others; one may be lost.


@dataclass(frozen=True)
class Heartbeat:
    """A sign of life, or that a node is about to leave.

    ``rooms`` are its listed rooms, unless ``lists_rooms`` is false: then they are as told before.
    ``crowds`` are its connections from addresses with many.
    ``open_rooms`` is the number of all its rooms; None if it takes none that it is offered.
    """

    source: str
    rooms: tuple[RoomSummary, ...] = ()
    crowds: dict[str, int] = field(default_factory=dict)
    is_leaving: bool = False
    open_rooms: int | None = None
    lists_rooms: bool = True
    kind: Literal["beat"] = "beat"


@dataclass(frozen=True)
class LimitCounted:
    """An event of the limit *what* was counted for an address."""

    source: str
    what: str
    address: str
    kind: Literal["counted"] = "counted"


@dataclass(frozen=True)
class BansChanged:
    """The host has banned an address, or lifted a ban."""

    source: str
    kind: Literal["bans"] = "bans"


@dataclass(frozen=True)
class HostAnnounced:
    """An announcement of the host to everybody."""

    source: str
    text: str
    kind: Literal["announced"] = "announced"


Notice: TypeAlias = Annotated[
    Heartbeat | LimitCounted | BansChanged | HostAnnounced, Field(discriminator="kind")
]

ENVELOPE: Final = TypeAdapter(Envelope)
MESSAGES: Final[TypeAdapter[tuple[Message, ...]]] = TypeAdapter(tuple[Message, ...])
NOTICE: Final[TypeAdapter[Notice]] = TypeAdapter(Notice)
