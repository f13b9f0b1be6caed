"""A line that carries everything late, in both directions, as one across the world does."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.support.server import LOOPBACK

_READ_SIZE: Final = 1 << 16


@dataclass
class DelayedSocket:
    """What leads from ``port`` to another one; each way takes so many ``seconds``.

    While it ``is_held``, nothing arrives at all.
    """

    to: int
    loop: asyncio.AbstractEventLoop
    port: int = 0
    seconds: float = 0.0
    is_held: bool = False
    lines: set[asyncio.Task[None]] = field(default_factory=set)
    kept: list[tuple[asyncio.StreamWriter, bytes]] = field(default_factory=list)

    def release(self) -> None:
        """Hold nothing any more; any thread may ask for it."""
        self.loop.call_soon_threadsafe(self._let_go)

    async def connect(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Carry one connection, both ways."""
        far, there = await asyncio.open_connection(LOOPBACK, self.to)
        for way in (self._carry(near, there), self._carry(far, back)):
            self.lines.add(asyncio.create_task(way))

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(_READ_SIZE):
                self.loop.call_later(self.seconds, self._bring, sink, data)
            await asyncio.sleep(self.seconds)
        except ConnectionError:
            return
        finally:
            sink.close()

    def _bring(self, sink: asyncio.StreamWriter, data: bytes) -> None:
        if self.is_held:
            self.kept.append((sink, data))
        else:
            sink.write(data)

    def _let_go(self) -> None:
        self.is_held = False
        for sink, data in self.kept:
            sink.write(data)
        self.kept.clear()


@asynccontextmanager
async def delayed_socket(to: int) -> AsyncIterator[DelayedSocket]:
    """A way to a port, as fast as any until it is told to lag."""
    lag = DelayedSocket(to, asyncio.get_running_loop())
    server = await asyncio.start_server(lag.connect, LOOPBACK)
    lag.port = server.sockets[0].getsockname()[1]
    try:
        yield lag
    finally:
        server.close()
        for line in lag.lines:
            line.cancel()
        await asyncio.gather(*lag.lines, return_exceptions=True)
        await asyncio.sleep(0.01)  # so that the sockets are closed, too


@contextmanager
def delayed_socket_in_thread(to: int) -> Iterator[DelayedSocket]:
    """The same in a thread of its own, for those who have no loop."""
    found: list[DelayedSocket] = []
    begun, end, loops = threading.Event(), asyncio.Event(), list[asyncio.AbstractEventLoop]()

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        async with delayed_socket(to) as lag:
            found.append(lag)
            begun.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert begun.wait(10)
    try:
        yield found[0]
    finally:
        loops[0].call_soon_threadsafe(end.set)
        thread.join(10)
