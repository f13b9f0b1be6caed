"""The contract of leases: which node has which room, where nodes share one database.

A node keeps its leases for as long as it is heard of. The epoch of a lease grows whenever the room
changes hands; the store checks it with every append and refuses an earlier one (:exc:`LeaseLost`).
So a node that was thought dead, and was only slow, does no harm: what it stored before is in the
log that the next owner reads, and what it sends later is not stored.
"""

from dataclasses import dataclass
from typing import Final, Protocol

LEASE_LIFETIME_S: Final = 3.0
"""A node counts as alive for so long after it was last heard of."""


class LeaseLost(Exception):
    """This node does not have the room, or no more. Nothing was stored.

    Args:
        room: Its name.
        owner: The node that has it now; '' for none that lives. It may be this node, if the room
            was another's in between: then the log must be read again.
    """

    def __init__(self, room: str, owner: str) -> None:
        super().__init__(room, owner)
        self.room, self.owner = room, owner

    def __str__(self) -> str:
        return f"room {self.room} is {f'with node {self.owner}' if self.owner else 'with nobody'}"


@dataclass(frozen=True)
class NodeStatus:
    """A node that lives: how many ``rooms`` it has, and seconds since it was last ``seen``.

    The clock of the database counts, and no other.
    """

    node: str
    rooms: int
    seen: float


class Leases(Protocol):
    """The leases of all nodes, as one of them sees and takes them.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`; then it may have
    been done, and may be repeated. ``Superseded``: this node is out for good, because it retired, a
    server alone took over, or it was silent for too long.
    """

    @property
    def node(self) -> str:
        """Return the name of this node; no other has it, nor this one after its next start."""

    async def heartbeat(self, silence: float = 0.0) -> float | None:
        """Keep this node alive for another :data:`LEASE_LIFETIME_S` seconds.

        *silence* are the seconds since the bus last answered this node. Return the seconds since it
        answered any other node that lives; None if there is none, or none that says so.

        It revives a node that was thought dead, but not its leases that others have claimed since.
        """

    async def claim(self, room: str) -> str:
        """Return the node that has the room: this one, unless another that lives had it.

        A write of the last owner that is under way is waited for, so that the log is complete after
        this.
        """

    async def kept(self, *rooms: str) -> set[str]:
        """Return those of the *rooms* that have been ours ever since they were claimed.

        What this node knows of another may be old, even if nobody has it now.
        """

    async def release(self, *rooms: str) -> None:
        """Let go of those of the *rooms* that are ours; writes under way are waited for."""

    async def owner(self, room: str) -> str | None:
        """Return the node that has the room and lives; None if anybody may claim it."""

    async def nodes(self) -> list[NodeStatus]:
        """Return all nodes that live, by name."""

    async def retire(self) -> None:
        """Let go of all rooms, and live no longer; nothing can be written after that."""
