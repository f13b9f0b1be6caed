"""Carrying messages from node to node: the contract, whoever carries them."""

from collections.abc import Callable
from typing import Protocol


class BusUnreachable(OSError):
    """There is no bus where one should be. As text: one sentence for people."""


class Bus(Protocol):
    """Messages by subject, fast and forgetful.

    What one node publishes, another hears in that order, once or not at all: messages are lost
    while a connection is down or where a reader is too slow. Whoever needs more numbers them.
    A node does not hear itself.
    """

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        """Call *heard* with each message on *subject* from now on, in the loop of the caller."""

    def publish(self, subject: str, message: bytes) -> None:
        """Send a message, of at most :data:`MAX_MESSAGE_BYTES` bytes, without waiting."""

    @property
    def is_up(self) -> bool:
        """Is there a connection now?"""

    async def close(self) -> None:
        """Send what was published, if there is a connection, then let go."""


MAX_MESSAGE_BYTES = 512 * 1024
"""Bytes of a message; half of what NATS takes unless told otherwise."""
