"""Which node has which room, where several nodes share one database: the contract.

A node has a room by a lease, and has its leases for as long as it is heard of. A lease has an
epoch, a number that grows whenever the room changes hands; a store of a node looks at it with every
append and refuses with :exc:`LeaseLost` what comes from an earlier one. So a node that was thought
dead, and was only slow, can do no harm: what it stored before the room was claimed is in the log
that the next owner reads, and what it sends later is not stored.
"""

from dataclasses import dataclass
from typing import Final, Protocol

LEASE_LIFETIME_S: Final = 3.0
"""Seconds for which a node is taken to live after it was heard of last."""


class LeaseLost(Exception):
    """This node does not have that room, or has it no more. Nothing was stored.

    Args:
        room: Its name.
        owner: The node that has it now; '' if nobody has, or nobody that lives. It may be this node
            itself, if the room was another's in between: then the log must be read again.
    """

    def __init__(self, room: str, owner: str) -> None:
        super().__init__(room, owner)
        self.room, self.owner = room, owner

    def __str__(self) -> str:
        return f"room {self.room} is {f'with node {self.owner}' if self.owner else 'with nobody'}"


@dataclass(frozen=True)
class NodeStatus:
    """A node that lives: how many ``rooms`` it has, and how long ago it was heard of.

    ``seen`` is in seconds, by the clock of the database, which is the only one that counts.
    """

    node: str
    rooms: int
    seen: float


class Leases(Protocol):
    """The rooms of all nodes, as one of them sees and takes them.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`; what was asked may
    have been done then, and may be asked again. ``Superseded``: this node is out for good, because
    it has retired, a server alone has taken over, or it was silent for so long that it was
    forgotten.
    """

    @property
    def node(self) -> str:
        """The name of this node, which no other has, nor this one after its next start."""

    async def heartbeat(self) -> None:
        """Be heard of: for :data:`LEASE_LIFETIME_S` seconds from now on this node lives.

        So does one that was thought dead; but rooms that were claimed meanwhile are another's.
        """

    async def claim(self, room: str) -> str:
        """The node that has the room: this one, if it had it or nobody had who lives.

        A write of its last owner that is under way is waited for. So what is read of the log after
        this is all of it, if the room is ours.
        """

    async def release(self, *rooms: str) -> None:
        """Let go of those of the *rooms* that are ours; writes under way are waited for."""

    async def owner(self, room: str) -> str | None:
        """The node that has the room, and lives; None: anybody may claim it."""

    async def nodes(self) -> list[NodeStatus]:
        """All nodes that live, by name."""

    async def retire(self) -> None:
        """Let go of all rooms and live no longer; nothing can be written after that."""
