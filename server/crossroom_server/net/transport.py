"""A connection as text in two directions, whatever carries it; and giving up on slow readers.

Writing never waits: what the peer does not read stays in the buffer of the transport, and a peer
with too much there, or stalled for too long, is cut off. Nothing is lost by that: they come back
and resume after the last line they saw. Waiting in each ``send`` instead would let one stalled
reader hold up a whole room.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence

from crossroom_server.config.limits import Limits

log = logging.getLogger(__name__)


class TextTransport(ABC):
    """One connection. ``address`` is the peer's, ``base_url`` what the peer reached us by.

    ``is_replying`` is set while the peer is told what they asked for: then more may wait for them.
    ``was_aborted`` tells whether we hung up without a word.
    """

    # Slots: among thousands of connections the processor waits for memory, and so there is less.
    __slots__ = (
        *("address", "base_url", "is_replying", "was_aborted"),
        *("_transport", "_limits", "_sent", "_read", "_stalled_since"),
    )

    def __init__(
        self, transport: asyncio.WriteTransport, limits: Limits, address: str, base_url: str
    ) -> None:
        self.address, self.base_url, self.is_replying = address, base_url, False
        self._transport, self._limits = transport, limits
        self.was_aborted = False
        self._sent = self._read = 0
        self._stalled_since: float | None = None

    @abstractmethod
    def _packed(self, frame: str) -> bytes:
        """A frame as it goes over the wire."""

    @abstractmethod
    def close(self, code: int, reason: str) -> None:
        """Hang up in good order, with a close code of the websocket protocol."""

    @abstractmethod
    async def wait_closed(self) -> None:
        """Return when the connection is gone."""

    @abstractmethod
    async def drained(self) -> None:
        """Return when the peer has read most of what waits for them, or is gone."""

    @property
    def unread(self) -> int:
        """Bytes that wait for the peer."""
        return self._transport.get_write_buffer_size()

    @property
    def is_closing(self) -> bool:
        """Is there nobody left to send to?"""
        return self._transport.is_closing()

    def send(self, frames: Sequence[str]) -> None:
        """Send frames without waiting; cuts off a peer who has left too many unread."""
        if self.is_closing:
            return
        data = self._packed(frames[0]) if len(frames) == 1 else b"".join(map(self._packed, frames))
        self._sent += len(data)
        self._transport.write(data)
        if (unread := self.unread) and unread > (
            self._limits.answer if self.is_replying else self._limits.unread
        ):
            self.abort(f"{unread} bytes unread")

    def abort(self, why: str) -> None:
        """Hang up at once, without a word."""
        if not self._transport.is_closing():
            log.info("%(address)s: cut off, %(why)s", {"address": self.address, "why": why})
            self.was_aborted = True
            self._transport.abort()

    def abort_if_stalled(self, now: float) -> None:
        """Cut the peer off if they have not read a byte of what waits for too long; *now* in s."""
        unread, before = self.unread, self._read
        self._read = self._sent - unread
        if unread == 0 or self._read > before:
            self._stalled_since = None
        elif self._stalled_since is None:
            self._stalled_since = now
        elif now - self._stalled_since > self._limits.stalled:
            self.abort(f"nothing read for {now - self._stalled_since:.0f} s")
