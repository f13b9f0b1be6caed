"""A websocket client that does nothing but measure: it must cost less than the server it loads.

It knows just enough of RFC 6455 to talk to a server that sends whole, uncompressed text frames.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import CONNECT_TIMEOUT_S, ServerUnreachable, explain_failure

_TEXT, _PONG = 1, 10
_MASK: Final = bytes(4)
"""A mask of zeros is a mask, and leaves the text as it is."""


class LoadClient(asyncio.Protocol):
    """A connection.

    Args:
        host: Of the server, for the handshake.
        path: Of the room.
        hear: Is given every text frame.
        subprotocol: What to ask for.
    """

    def __init__(
        self, host: str, path: str, hear: Callable[[bytes], None], subprotocol: str | None
    ) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_lost = False
        self._host, self._path, self._subprotocol = host, path, subprotocol
        self._hear = hear
        self._rest = b""
        self._transport: asyncio.Transport

    def say(self, text: str) -> None:
        """Send one frame."""
        self._send(_TEXT, text.encode())

    def close(self) -> None:
        """Vanish."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See :class:`asyncio.Protocol`."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self._path} HTTP/1.1",
            f"Host: {self._host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        if self._subprotocol:
            lines.append(f"Sec-WebSocket-Protocol: {self._subprotocol}")
        transport.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())

    def data_received(self, data: bytes) -> None:
        """See :class:`asyncio.Protocol`."""
        data = self._rest + data if self._rest else data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self._transport.abort()
                return
            self.opened.set_result(None)
        self._rest = self._frames(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """See :class:`asyncio.Protocol`."""
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server takes no more connections"))

    def _frames(self, data: bytes) -> bytes:
        """Hear the whole frames of *data*; returns what is behind them."""
        at, end = 0, len(data)
        while end - at >= 2:
            head, size = 2, data[at + 1]
            if size > 125:
                head = 4 if size == 126 else 10
                size = int.from_bytes(data[at + 2 : at + head])
            stop = at + head + size
            if at + head > end or stop > end:
                break
            match data[at] & 15:
                case 1:
                    self._hear(data[at + head : stop])
                case 9:
                    self._send(_PONG, data[at + head : stop])
                case 8:
                    self._transport.abort()
            at = stop
        return data[at:]

    def _send(self, opcode: int, data: bytes) -> None:
        size = len(data)
        head = (
            bytes([0x80 | opcode, 0x80 | size])
            if size < 126
            else (bytes([0x80 | opcode, 0x80 | 126]) + size.to_bytes(2))
        )
        self._transport.write(head + _MASK + data)


async def connect(
    address: Address, hear: Callable[[bytes], None], subprotocol: str | None = None
) -> LoadClient:
    """A connection that is open.

    Args:
        address: Where to.
        hear: Is given every text frame.
        subprotocol: What to ask for.

    Raises:
        ServerUnreachable: the server does not take it.
    """
    url = urlsplit(str(address))
    secure = url.scheme == "wss"
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            _, peer = await asyncio.get_running_loop().create_connection(
                lambda: LoadClient(url.netloc, url.path, hear, subprotocol),
                url.hostname or "",
                url.port or (443 if secure else 80),
                ssl=secure or None,
            )
            await peer.opened
    except OSError as error:
        raise ServerUnreachable(explain_failure(address, error)) from error
    return peer
