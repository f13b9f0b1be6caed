"""A TCP proxy in front of a server, which can be told to fail like a network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

LOOPBACK: Final = "127.0.0.1"


class Proxy:
    """Passes bytes on.

    ``is_deaf``: what peers say is swallowed; ``is_mute``: what the server answers is.
    ``is_closed``: nobody can connect. All may be changed at any time.
    """

    def __init__(self, port: int) -> None:
        self.is_deaf = self.is_mute = self.is_closed = False
        self.port = 0
        self._target = port
        self._open: set[asyncio.StreamWriter] = set()
        self._peers: set[asyncio.StreamWriter] = set()
        self._forgotten: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Break all connections off."""
        for writer in self._open:
            writer.transport.abort()

    def forget(self) -> None:
        """Break all connections off, and let the server know nothing of it for now."""
        self._forgotten |= self._peers
        for writer in self._peers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_closed:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(LOOPBACK, self._target)
        self._open |= {writer, back}
        self._peers.add(writer)
        await asyncio.gather(
            self._pass(reader, back, writer, "is_deaf"),
            self._pass(there, writer, back, "is_mute"),
        )

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        other: asyncio.StreamWriter,
        stopped: str,
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                if not getattr(self, stopped):
                    writer.write(data)
        if not self._forgotten & {writer, other}:
            writer.close()


@asynccontextmanager
async def proxy(port: int) -> AsyncIterator[Proxy]:
    """A proxy in front of this port of the loopback."""
    found = Proxy(port)
    server = await asyncio.start_server(found._serve, LOOPBACK, 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        found.cut()
        server.close()
