"""The contract of a bus, which carries messages between nodes."""

from collections.abc import Callable
from typing import Final, Protocol

MAX_MESSAGE_BYTES: Final = 512 * 1024
"""Bytes of a message; half of what NATS takes unless told otherwise."""


class BusUnreachable(OSError):
    """There is no bus where one should be. As text: one sentence for people."""


class Bus(Protocol):
    """Messages by subject, with delivery at most once.

    The messages of one node arrive in order, but some may be lost, while a connection is down or a
    reader is too slow. A node does not receive its own.
    """

    @property
    def silence(self) -> float:
        """Return the seconds since the bus was last known to work."""

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        """Call *heard* with each message on *subject* from now on, in the loop of the caller."""

    def publish(self, subject: str, message: bytes) -> None:
        """Send a message, of at most :data:`MAX_MESSAGE_BYTES` bytes, without waiting."""

    async def close(self) -> None:
        """Send what was published, if there is a connection, then disconnect."""
