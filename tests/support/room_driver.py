"""A room without sockets, the people in it, and a clock that moves only when told to."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest

from crossroom_engine.core.moves import CallTime
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Unreadable, read_line
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.results import Finished
from crossroom_protocol.events.room import Entry
from crossroom_protocol.notices import Refused, Style
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.room import Room
from crossroom_server.store.contract import Member
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Lexica, Sources, Table

CODE = re.compile(r"[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}")


@dataclass(eq=False)
class Ear:
    """A connection that writes down what it hears."""

    name: str
    style: Style = field(default_factory=Style)
    address: str = "test"
    base_url: str = "ws://host:8765"
    proven: set[str] = field(default_factory=set)
    heard: list[str] = field(default_factory=list)
    code: str = ""
    closed: int | None = None

    def send(self, frames: Sequence[str]) -> None:
        for frame in frames:
            if code := CODE.search(frame):
                self.code = code[0]
            self.heard.append(CODE.sub("CODE", frame))

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    def take(self) -> list[str]:
        """What was heard since the last look."""
        heard, self.heard = self.heard, []
        return heard


class Stage:
    """A room, the people in it, and a clock that moves only when told to.

    With a ``pace`` it also moves by itself, so many times as fast as the clock of the loop. With a
    seed, ``sealed``, the bags are sealed with it.
    """

    def __init__(
        self,
        ears: Sequence[Ear],
        lexica: Lexica,
        seed: int,
        store: MemoryStore | None = None,
        sealed: str = "",
    ) -> None:
        self.now, self.pace = 1_700_000_000_000, 0.0
        self._begun = asyncio.get_running_loop().time()
        self.ears = {ear.name: ear for ear in ears}
        self.store = store or MemoryStore()
        self.sources = Sources(lexica, Random(seed), self.time, lambda: sealed)
        self.lobby = Lobby(self.store, self.sources)

    def time(self) -> int:
        passed = asyncio.get_running_loop().time() - self._begun
        return self.now + round(passed * self.pace * 1000)

    async def room(self) -> Room:
        return await self.lobby.room("kitchen")

    async def arrive(self) -> None:
        for name, ear in self.ears.items():
            await (await self.room()).enter(ear, None if name == "watcher" else name)

    async def table(self) -> Table:
        return (await self.room()).table

    async def come(
        self, name: str, style: Style | None = None, *, key: str = "", address: str = "test"
    ) -> Ear:
        """Somebody enters, and says who they are unless they are called a watcher."""
        ear = self.ears[name] = Ear(name, style or Style(), address)
        room = await self.room()
        proof = await room.knock(ear, key)
        await room.enter(ear, None if name == "watcher" else name, proof)
        return ear

    async def go(self, name: str) -> None:
        """Somebody's connection ends; they are still in ``ears``, with their code."""
        await (await self.room()).leave(self.ears[name])

    async def come_back(self, name: str, since: int | None = None, *, address: str = "test") -> Ear:
        """Somebody resumes over a new connection."""
        old = self.ears[name]
        ear = self.ears[name] = Ear(name, old.style, address, code=old.code)
        room, known = await self.lobby.resume(old.code)
        await room.resume(ear, known, since)
        return ear

    async def type(self, name: str, line: str) -> list[str]:
        """Somebody writes a line; returns what they hear in answer."""
        self.now += 1000
        ear, room = self.ears[name], await self.room()
        begun, command = len(ear.heard), "line"
        try:
            request = read_line(line, in_room=True)
            if request is not None:
                command = request.command.do
                await room.ask(ear, request)
        except Refusal as no:
            command = no.command if isinstance(no, Unreadable) else command
            ear.send(encode(Refused(code=no.code, command=command, text=no.prose), ear.style))
        return ear.heard[begun:]

    async def wait(self, seconds: int) -> None:
        self.now += seconds * 1000
        room = await self.room()
        await room._attend_to(CallTime())

    async def reopen(self) -> None:
        """The server stops and starts again; nobody is there."""
        await self.lobby.close()
        self.now += 60_000
        self.lobby = Lobby(self.store, self.sources)

    async def restart(self) -> None:
        await self.reopen()
        for ear in self.ears.values():
            try:
                if ear.code:
                    room, known = await self.lobby.resume(ear.code)
                    await room.resume(ear, known, (await self.table()).seq)
                else:
                    await (await self.room()).enter(ear, None)
            except Refusal as no:
                ear.send(encode(Refused(code=no.code, command="join", text=no.prose), ear.style))

    def overheard(self) -> list[str]:
        """Who heard what since last time, in order."""
        lines: dict[str, list[str]] = {}
        for ear in self.ears.values():
            for line in dict.fromkeys(ear.heard):
                lines.setdefault(line, []).append(ear.name)
            ear.heard.clear()
        width = max(map(len, (*self.ears, "all")))
        return [
            f"  {'all' if len(who) == len(self.ears) else ','.join(who):{width}} {line}".rstrip()
            for line, who in lines.items()
        ]


class Moody(MemoryStore):
    """A store that fails when told to, now and then or for a while, or takes its time."""

    def __init__(self) -> None:
        super().__init__()
        self.troubles: list[Exception | None] = []
        self.writing: Exception | None = None
        self.reading: Exception | None = None
        self.open = asyncio.Event()
        self.open.set()

    async def append(
        self, room: str, after: int, entries: Sequence[Entry], over: Sequence[Finished] = ()
    ) -> None:
        await self.open.wait()
        self._fail()
        await super().append(room, after, entries, over)

    async def keep_code(self, digest: str, member: Member) -> None:
        self._fail()
        await super().keep_code(digest, member)

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        if self.reading is not None:
            raise self.reading
        return await super().read(room, after, limit)

    async def check(self) -> None:
        if self.writing is not None:
            raise self.writing
        await super().check()

    def _fail(self) -> None:
        if self.writing is not None:
            raise self.writing
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            raise trouble


LISTS: Final = LexicaOnDisk(Path("there-is-no-such-folder"))
"""The word lists that come with the engine."""


async def gathered(*names: str, store: MemoryStore | None = None, seed: int = 1) -> Stage:
    """People at a table, in this order; a ``watcher`` never gives a name."""
    stage = Stage([Ear(name) for name in names], LISTS, seed, store)
    await stage.arrive()
    return stage


async def playing(*names: str, store: MemoryStore | None = None, **settings: object) -> Stage:
    """People in a game in which the first is to move."""
    stage = await gathered(*names, store=store)
    for setting, value in {"first-player": "seat", **settings}.items():
        await stage.type(names[0], f"/set {setting} {value}")
    for name in names:
        if name != "watcher":
            await stage.type(name, "/ready")
    assert (await stage.table()).playing is not None
    for ear in stage.ears.values():
        ear.heard.clear()
    return stage


async def refused(stage: Stage, name: str, key: str = "", address: str = "test") -> str:
    """Why somebody may not come in."""
    with pytest.raises(Refusal) as caught:
        await stage.come(name, key=key, address=address)
    return caught.value.code


def has(lines: Sequence[str], part: str) -> bool:
    """Is it in one of them?"""
    return any(part in line for line in lines)
