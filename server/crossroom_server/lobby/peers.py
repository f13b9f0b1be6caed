"""The other nodes, for a server that may be one of many."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Traffic:
    """The traffic between this node and the others.

    ``nodes`` are heard of, this one included; ``rooms`` of others have ``people`` who are connected
    here. ``envelopes`` were sent so far, and ``breaks`` is how often something was lost on the way.
    """

    nodes: int
    rooms: int
    people: int
    envelopes: int
    breaks: int


class PeerServers:
    """Whom a server counts and refuses together with: nobody, as long as it is alone."""

    def count(self, what: str, address: str) -> None:
        """Let them know that somebody did something of which there may be only so much."""

    def announce(self, text: str) -> None:
        """Have them tell all who are there what the host says."""

    async def ban(self, network: str) -> None:
        """Have them refuse a network, too; raises :exc:`Unavailable` if that cannot be stored."""

    async def lift(self, network: str) -> None:
        """Have them refuse it no longer; raises :exc:`Unavailable`, as :meth:`ban`."""
