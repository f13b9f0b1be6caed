"""A TCP proxy in front of a server, which can be told to fail like a network."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

LOOPBACK: Final = "127.0.0.1"


class TcpProxy:
    """Passes bytes on.

    ``is_deaf``: what peers say is swallowed; ``is_mute``: what the server answers is.
    ``is_closed``: nobody can connect; ``delay``: connecting takes so many seconds. All may be
    changed at any time. ``swallowed`` counts bytes.
    """

    def __init__(self, port: int) -> None:
        self.is_deaf = self.is_mute = self.is_closed = False
        self.port = self.swallowed = 0
        self.delay = 0.0
        self._target = port
        self._open: set[asyncio.StreamWriter] = set()
        self._peers: set[asyncio.StreamWriter] = set()
        self._forgotten: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Break all connections off."""
        for writer in self._open:
            writer.transport.abort()

    def cut_silently(self) -> None:
        """Break all connections off, and let the server know nothing of it for now."""
        self._forgotten |= self._peers
        for writer in self._peers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_closed:
            writer.transport.abort()
            return
        await asyncio.sleep(self.delay)
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._target)
        except ConnectionError:  # the server is just starting
            writer.transport.abort()
            return
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
                else:
                    self.swallowed += len(data)
        if not self._forgotten & {writer, other}:
            writer.close()


@asynccontextmanager
async def tcp_proxy(port: int) -> AsyncIterator[TcpProxy]:
    """A proxy in front of this port of the loopback."""
    found = TcpProxy(port)
    server = await asyncio.start_server(found._serve, LOOPBACK, 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        found.cut()
        server.close()


class ThreadedTcpProxy:
    """A proxy in a thread of its own, for those who block their loop while they connect."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._begun = threading.Event()

    def open(self) -> None:
        """Let everybody connect."""
        self._proxy.is_closed = False

    def close(self) -> None:
        """Break all connections off, and let nobody connect."""
        self._proxy.is_closed = True
        self._loop.call_soon_threadsafe(self._proxy.cut)

    async def run(self) -> None:
        """Pass bytes on until it is ended."""
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with tcp_proxy(self._target) as self._proxy:
            self.port = self._proxy.port
            self._begun.set()
            await self._end.wait()
        await asyncio.sleep(0.05)  # so that the sockets are closed, too

    def wait(self) -> None:
        """Return when it listens."""
        assert self._begun.wait(10)

    def end(self) -> None:
        """Pass nothing on any more."""
        self._loop.call_soon_threadsafe(self._end.set)


@contextmanager
def tcp_proxy_in_thread(port: int) -> Iterator[ThreadedTcpProxy]:
    """A way to a port that may be closed and opened."""
    beside = ThreadedTcpProxy(port)
    thread = threading.Thread(target=lambda: asyncio.run(beside.run()))
    thread.start()
    try:
        beside.wait()
        yield beside
    finally:
        beside.end()
        thread.join(10)
