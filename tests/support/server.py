"""Servers on the loopback, and peers that say what they like."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection

from crossroom_protocol.notices import ReaderSettings
from crossroom_server.app import App
from crossroom_server.config.limits import Limits
from crossroom_server.config.settings import Settings
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.net.transport import TextTransport
from crossroom_server.session.serve import serve_session
from crossroom_server.session.server_state import ServerState
from crossroom_server.session.session import Session
from crossroom_server.store.contract import Store
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Sources

LOOPBACK: Final = "127.0.0.1"
NO_FOLDER: Final = Path("there-is-no-such-folder")
UNLIMITED: Final = Limits(burst=100_000, gulp=1 << 30)
"""Nobody has to wait."""


@asynccontextmanager
async def run_server(limits: Limits = UNLIMITED, **settings: Any) -> AsyncIterator[App]:
    """A server with both ports, which forgets everything."""
    chosen = {"data": NO_FOLDER, "keep": False, "port": 0, "line_port": 0, **settings}
    async with asyncio.timeout(90), App(Settings(host=LOOPBACK, limits=limits, **chosen)) as app:
        yield app


async def receive_until(peer: ClientConnection, wanted: str) -> list[str]:
    """Every frame up to the first that contains *wanted*."""
    frames: list[str] = []
    while not frames or wanted not in frames[-1]:
        frame = await asyncio.wait_for(peer.recv(), 30)
        assert isinstance(frame, str)
        frames.append(frame)
    return frames


class RecordingTransport(TextTransport):
    """A connection that writes down what is sent over it.

    ``gone`` and ``read`` (is everything read?) are for the test to set.
    """

    def __init__(self, address: str = LOOPBACK) -> None:
        self.address, self.base_url = address, "ws://host:8765"
        self.is_replying = self.was_aborted = False
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.gone, self.read = asyncio.Event(), asyncio.Event()
        self.read.set()

    def _packed(self, frame: str) -> bytes:
        raise NotImplementedError

    def send(self, frames: Sequence[str]) -> None:
        self.sent += frames

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)
        self.gone.set()

    async def wait_closed(self) -> None:
        await self.gone.wait()

    async def drained(self) -> None:
        await self.read.wait()

    def take_sent(self) -> list[str]:
        """What was heard since the last look."""
        heard, self.sent = self.sent, []
        return heard


class SessionDriver:
    """Somebody whose session runs in this process, without a socket."""

    def __init__(
        self,
        server_state: ServerState,
        style: ReaderSettings | None = None,
        address: str = LOOPBACK,
    ) -> None:
        self.transport = RecordingTransport(address)
        self.session = Session(self.transport, server_state, style)
        self._server = server_state
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def join(self, room: str | None = None) -> Self:
        self._task = asyncio.create_task(serve_session(self.session, self._spoken(), room))
        await self.wait_until_handled()
        return self

    async def say(self, *texts: str) -> list[str]:
        """Say something and hear the answer."""
        self.transport.take_sent()
        for text in texts:
            self._texts.put_nowait(text)
        await self.wait_until_handled()
        return self.transport.take_sent()

    async def wait_until_handled(self) -> None:
        """Wait until everything said has been dealt with."""
        assert self._task is not None
        answered = asyncio.ensure_future(self._texts.join())
        await asyncio.wait([answered, self._task], return_when=asyncio.FIRST_COMPLETED)
        answered.cancel()
        for _ in range(5):
            await asyncio.sleep(0)

    async def disconnect(self) -> None:
        """Hang up, and see the session end."""
        assert self._task is not None
        self.transport.gone.set()
        self._texts.put_nowait(None)
        await asyncio.wait_for(self._task, 30)

    @property
    def is_over(self) -> bool:
        return self._task is not None and self._task.done()

    async def _spoken(self) -> AsyncIterator[str]:
        while True:
            text = await self._texts.get()
            if text is None:
                return
            try:
                yield text
            finally:
                self._texts.task_done()


async def take_name(client: SessionDriver, name: str) -> str:
    """Take a *name*; returns the code that one comes back with."""
    heard = await client.say(f"/name {name}")
    return next(line for line in heard if "/resume" in line).split()[-1]


def new_server_state(limits: Limits = UNLIMITED, lobby: Lobby | None = None) -> ServerState:
    return ServerState(lobby or new_lobby(), limits)


def new_lobby(store: Store | None = None) -> Lobby:
    return Lobby(store or MemoryStore(), Sources(LexicaOnDisk(NO_FOLDER), Random(1), lambda: 0))


class RawClient:
    """A TCP client that reads line by line; every line must end in CR LF."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def dial(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection(LOOPBACK, port))

    def say(self, text: str | bytes) -> None:
        self._writer.write(text if isinstance(text, bytes) else text.encode())

    def finish(self) -> None:
        """Send no more, but go on listening."""
        self._writer.write_eof()

    def break_off(self) -> None:
        """Vanish without a word."""
        self._writer.transport.abort()

    def stop_reading(self) -> None:
        """Leave everything that comes with the server."""
        assert isinstance(self._writer.transport, asyncio.Transport)
        self._writer.transport.pause_reading()

    def read_again(self) -> None:
        """Take what has come in the meantime."""
        assert isinstance(self._writer.transport, asyncio.Transport)
        self._writer.transport.resume_reading()

    async def hear(self) -> str:
        """The next line; empty at the end."""
        line = (await self._reader.readline()).decode()
        assert line.endswith("\r\n") or not line, line
        return line[:-2]

    async def hear_until(self, wanted: str) -> list[str]:
        """Every line up to the first that contains *wanted*."""
        lines = [await self.hear()]
        while wanted not in lines[-1]:
            assert lines[-1], f"{wanted!r} was never said: {lines}"
            lines.append(await self.hear())
        return lines

    async def hear_all(self) -> list[str]:
        """Every line until the server hangs up."""
        return (await self._reader.read()).decode().splitlines()

    async def hang_up(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
