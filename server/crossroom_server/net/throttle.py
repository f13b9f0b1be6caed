"""Reading a peer in sips: whatever they send, and however much, the others are served in between.

A transport may bring 256 KiB at a time, and that can be tens of thousands of frames of nothing:
half a second in which nobody else would be heard. So what came is handed on in small pieces, other
work is done between two of them, and who sends much for long is read at a pace. Nothing is dropped.
A frame has a price of its own: an empty one is six bytes, and as much work as a line.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

from crossroom_server.config.limits import Limits
from crossroom_server.net.rate_limits import TokenBucket
from crossroom_server.net.weakrefs import break_transport_cycle

CHUNK_BYTES: Final = 1024
"""Bytes that are handed on at a time: some hundred of the smallest frames."""
FRAME_PRICE: Final = 128
"""Bytes that a frame counts for, besides its own."""


def limit_socket_buffers(transport: asyncio.Transport, limits: Limits) -> None:
    """Let the system hold no more for a peer than we do; by itself it would take megabytes."""
    own = transport.get_extra_info("socket")
    with contextlib.suppress(OSError):  # some systems refuse it once the peer has hung up
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.unread)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, CHUNK_BYTES * 16)


def _forward(name: str) -> Any:
    """Return a method that calls the one of that name of the transport below."""

    def call(self: "ThrottledTransport", *args: Any, **options: Any) -> Any:
        return getattr(self._transport, name)(*args, **options)

    return call


class ThrottledTransport(asyncio.Transport):
    """A transport as a protocol sees it, that is read at a pace.

    Args:
        transport: What is read and written.
        deliver: Where pieces of what was read go: the ``data_received`` of the protocol.
        limits: The pace.
    """

    def __init__(
        self, transport: asyncio.Transport, deliver: Callable[[bytes], None], limits: Limits
    ) -> None:
        super().__init__()
        self._transport, self._deliver = transport, deliver
        self._bucket = TokenBucket(limits.gulp, limits.sip)
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._owed = 0
        self._next: asyncio.Handle | None = None
        self._is_held = False
        # Most of what goes through here is written: that costs nothing more.
        self.write = transport.write  # type: ignore[method-assign]
        self.writelines = transport.writelines  # type: ignore[method-assign]
        self.get_write_buffer_size = transport.get_write_buffer_size  # type: ignore[method-assign]
        self.is_closing = transport.is_closing  # type: ignore[method-assign]
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]

    # What comes in.

    def feed(self, data: bytes) -> None:
        """Something was read: hand it on, now or piece by piece."""
        self._waiting += data
        if self._next is None and not self._is_held:
            self._hand_on()

    def charge(self, price: int) -> None:
        """Count *price* bytes more for what was handed on; the next piece pays."""
        self._owed += price

    def discard(self) -> None:
        """The connection is gone, and with it whatever was not handed on."""
        self._waiting.clear()
        if self._next is not None:
            self._next.cancel()
        self._deliver = lambda _: (
            None
        )  # the protocol holds this gate, and is not held by it any more
        break_transport_cycle(self._transport)

    def _hand_on(self) -> None:
        self._next = None
        if self._is_held or self.is_closing():
            return
        if not self._waiting:
            self._transport.resume_reading()
            return
        piece = bytes(self._waiting[:CHUNK_BYTES])
        del self._waiting[:CHUNK_BYTES]
        wait = self._bucket.take(self._loop.time(), len(piece) + self._owed)
        self._owed = 0
        if wait or self._waiting:
            self._transport.pause_reading()
            self._next = self._loop.call_later(wait, self._hand_on)
        else:
            self._transport.resume_reading()
        self._deliver(piece)

    def pause_reading(self) -> None:
        """Hand nothing on until :meth:`resume_reading`."""
        self._is_held = True
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Go on, at the pace."""
        self._is_held = False
        if self._next is None:
            self._next = self._loop.call_soon(self._hand_on)

    def is_reading(self) -> bool:
        """Is nothing held back, here or below?"""
        return not self._is_held and self._transport.is_reading()

    get_protocol = _forward("get_protocol")
    set_protocol = _forward("set_protocol")
    set_write_buffer_limits = _forward("set_write_buffer_limits")
    get_write_buffer_limits = _forward("get_write_buffer_limits")
    can_write_eof = _forward("can_write_eof")
    write_eof = _forward("write_eof")
    close = _forward("close")
    abort = _forward("abort")
