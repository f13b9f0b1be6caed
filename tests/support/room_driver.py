"""A room without sockets, the people in it, and a clock that moves only when told to."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from crossroom_engine.core.moves import CallTime
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import ParseError, read_line
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_protocol.notices import ReaderSettings, Refused
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.room import Room
from crossroom_server.store.contract import CodeOwner
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Lexica, Sources, Table

CODE = re.compile(r"[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}")


QUIET: Final = ReaderSettings(board="off")
"""Lines without the board that comes in one's turn."""


@dataclass(eq=False)
class FakeClient:
    """A connection that writes down what it hears."""

    name: str
    style: ReaderSettings = QUIET
    address: str = "test"
    base_url: str = "ws://host:8765"
    proven: set[str] = field(default_factory=set)
    received: list[str] = field(default_factory=list)
    code: str = ""
    closed: int | None = None

    def send(self, frames: Sequence[str]) -> None:
        for frame in frames:
            if code := CODE.search(frame):
                self.code = code[0]
            self.received.append(CODE.sub("CODE", frame))

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    def take_received(self) -> list[str]:
        """What was heard since the last look."""
        heard, self.received = self.received, []
        return heard


class RoomDriver:
    """A room, the people in it, and a clock that moves only when told to.

    With a ``pace`` it also moves by itself, so many times as fast as the clock of the loop. With a
    seed, ``sealed``, the bags are sealed with it.
    """

    def __init__(
        self,
        clients: Sequence[FakeClient],
        lexica: Lexica,
        seed: int,
        store: MemoryStore | None = None,
        sealed: str = "",
    ) -> None:
        self.now, self.pace = 1_700_000_000_000, 0.0
        self._begun = asyncio.get_running_loop().time()
        self.clients = {client.name: client for client in clients}
        self.store = store or MemoryStore()
        self.sources = Sources(lexica, Random(seed), self.time, lambda: sealed)
        self.lobby = Lobby(self.store, self.sources)

    def time(self) -> int:
        passed = asyncio.get_running_loop().time() - self._begun
        return self.now + round(passed * self.pace * 1000)

    async def room(self) -> Room:
        return await self.lobby.room("kitchen")

    async def join_all(self) -> None:
        for name, client in self.clients.items():
            await (await self.room()).enter(client, None if name == "watcher" else name)

    async def table(self) -> Table:
        return (await self.room()).table

    async def join(
        self,
        name: str,
        style: ReaderSettings | None = None,
        *,
        key: str = "",
        address: str = "test",
    ) -> FakeClient:
        """Somebody enters, and says who they are unless they are called a watcher."""
        client = self.clients[name] = FakeClient(name, style or QUIET, address)
        room = await self.room()
        proof = await room.check_key(client, key)
        await room.enter(client, None if name == "watcher" else name, proof)
        return client

    async def disconnect(self, name: str) -> None:
        """Somebody's connection ends; they are still in ``clients``, with their code."""
        await (await self.room()).leave(self.clients[name])

    async def reconnect(
        self, name: str, since: int | None = None, *, address: str = "test"
    ) -> FakeClient:
        """Somebody resumes over a new connection."""
        old = self.clients[name]
        client = self.clients[name] = FakeClient(name, old.style, address, code=old.code)
        room, known = await self.lobby.find_by_code(old.code)
        await room.rejoin(client, known, since)
        return client

    async def type(self, name: str, line: str) -> list[str]:
        """Somebody writes a line; returns what they hear in answer."""
        self.now += 1000
        client, room = self.clients[name], await self.room()
        begun, command = len(client.received), "line"
        try:
            request = read_line(line, in_room=True)
            if request is not None:
                command = request.command.do
                await room.ask(client, request)
        except Refusal as no:
            command = no.command if isinstance(no, ParseError) else command
            client.send(encode(Refused(code=no.code, command=command, text=no.prose), client.style))
        return client.received[begun:]

    async def wait(self, seconds: int) -> None:
        self.now += seconds * 1000
        room = await self.room()
        await room._mail.post(partial(room._clock.ring, CallTime()))

    async def restart_server(self) -> None:
        """The server stops and starts again; nobody is there."""
        await self.lobby.close()
        self.now += 60_000
        self.lobby = Lobby(self.store, self.sources)

    async def restart_and_resume(self) -> None:
        await self.restart_server()
        for client in self.clients.values():
            try:
                if client.code:
                    room, known = await self.lobby.find_by_code(client.code)
                    await room.rejoin(client, known, (await self.table()).seq)
                else:
                    await (await self.room()).enter(client, None)
            except Refusal as no:
                client.send(
                    encode(Refused(code=no.code, command="join", text=no.prose), client.style)
                )

    def take_transcript(self) -> list[str]:
        """Who heard what since last time, in order."""
        lines: dict[str, list[str]] = {}
        for client in self.clients.values():
            for line in dict.fromkeys(client.received):
                lines.setdefault(line, []).append(client.name)
            client.received.clear()
        width = max(map(len, (*self.clients, "all")))
        return [
            f"  {'all' if len(who) == len(self.clients) else ','.join(who):{width}} {line}".rstrip()
            for line, who in lines.items()
        ]


class FlakyStore(MemoryStore):
    """A store that fails when told to, now and then or for a while, or takes its time."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[Exception | None] = []
        self.write_error: Exception | None = None
        self.read_error: Exception | None = None
        self.open = asyncio.Event()
        self.open.set()

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        await self.open.wait()
        self._fail()
        await super().append(room, after, entries, over)

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        self._fail()
        await super().save_code(digest, member)

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        if self.read_error is not None:
            raise self.read_error
        return await super().read(room, after, limit)

    async def check_writable(self) -> None:
        if self.write_error is not None:
            raise self.write_error
        await super().check_writable()

    def _fail(self) -> None:
        if self.write_error is not None:
            raise self.write_error
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure


SHIPPED_LEXICA: Final = LexicaOnDisk(Path("there-is-no-such-folder"))
"""The word lists that come with the engine."""


async def open_room(*names: str, store: MemoryStore | None = None, seed: int = 1) -> RoomDriver:
    """People at a table, in this order; a ``watcher`` never gives a name."""
    driver = RoomDriver([FakeClient(name) for name in names], SHIPPED_LEXICA, seed, store)
    await driver.join_all()
    return driver


async def start_game(
    *names: str, store: MemoryStore | None = None, **settings: object
) -> RoomDriver:
    """People in a game in which the first is to move."""
    driver = await open_room(*names, store=store)
    for setting, value in {"first-player": "seat", **settings}.items():
        await driver.type(names[0], f"/set {setting} {value}")
    for name in names:
        if name != "watcher":
            await driver.type(name, "/ready")
    assert (await driver.table()).playing is not None
    for client in driver.clients.values():
        client.received.clear()
    return driver


async def entry_refusal(driver: RoomDriver, name: str, key: str = "", address: str = "test") -> str:
    """Why somebody may not come in."""
    with pytest.raises(Refusal) as caught:
        await driver.join(name, key=key, address=address)
    return caught.value.code


def any_contains(lines: Sequence[str], part: str) -> bool:
    """Is it in one of them?"""
    return any(part in line for line in lines)
