"""The other nodes, for a server that may be one of many."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from crossroom_server.lobby import RoomLine
    from crossroom_server.room import Room
    from crossroom_server.venue import Venue


@dataclass(frozen=True)
class Traffic:
    """What goes on between this node and the others.

    ``nodes`` are heard of, this one included; ``rooms`` of others have ``people`` who are connected
    here. ``envelopes`` were sent so far, and ``breaks`` is how often something was lost on the way.
    """

    nodes: int
    rooms: int
    people: int
    envelopes: int
    breaks: int


class Others(Protocol):
    """What can be asked of the other nodes, and told them, by a server that has some."""

    def hall(self, name: str) -> "Venue":
        """The room of that name, wherever it is."""

    def rooms(self) -> "list[tuple[str, RoomLine]]":
        """Their rooms, of those that a list would name, each behind the name of its node."""

    def lost(self, room: "Room") -> None:
        """That room was here, and is another node's now."""

    def traffic(self) -> Traffic:
        """What goes on between the nodes."""

    async def nodes(self) -> list[str]:
        """All nodes that live, in a line each; raises :exc:`Unavailable`."""

    def crowd(self, place: str) -> int:
        """Connections from one place at other nodes."""


class Neighbours:
    """Whom a server counts and refuses together with: nobody, as long as it is alone."""

    def count(self, what: str, address: str) -> None:
        """Let them know that somebody did something of which there may be only so much."""

    def announce(self, text: str) -> None:
        """Have them tell all who are there what the host says."""

    async def ban(self, network: str) -> None:
        """Have them refuse a network, too; raises :exc:`Unavailable` if that cannot be stored."""

    async def lift(self, network: str) -> None:
        """Have them refuse it no longer; raises :exc:`Unavailable`, as :meth:`ban`."""
