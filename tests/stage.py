"""A room without sockets, the people in it, and a clock that moves only when told to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from crossroom_engine.moves import CallTime
from crossroom_protocol.codecs import encode
from crossroom_protocol.lines import Unreadable, read_line
from crossroom_protocol.notices import Refused, Style
from crossroom_protocol.refusals import Refusal
from crossroom_server.lobby import Lobby
from crossroom_server.room import Room
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table import Lexica, Sources

CODE = re.compile(r"[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}")


@dataclass(eq=False)
class Ear:
    """A connection that writes down what it hears."""

    name: str
    style: Style = field(default_factory=Style)
    address: str = "test"
    base_url: str = "ws://host:8765"
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


class Stage:
    """A room, the people in it, and a clock that moves only when told to."""

    def __init__(self, ears: Sequence[Ear], lexica: Lexica, seed: int) -> None:
        self.now = 1_700_000_000_000
        self.ears = {ear.name: ear for ear in ears}
        self.store = MemoryStore()
        self.sources = Sources(lexica, Random(seed), lambda: self.now)
        self.lobby = Lobby(self.store, self.sources)

    async def room(self) -> Room:
        return await self.lobby.room("kitchen")

    async def arrive(self) -> None:
        for name, ear in self.ears.items():
            await (await self.room()).enter(ear, None if name == "watcher" else name)

    async def type(self, name: str, line: str) -> None:
        self.now += 1000
        ear, room = self.ears[name], await self.room()
        command = "line"
        try:
            request = read_line(line, in_room=True)
            if request is not None:
                command = request.command.do
                await room.ask(ear, request)
        except Refusal as no:
            command = no.command if isinstance(no, Unreadable) else command
            ear.send(encode(Refused(code=no.code, command=command, text=no.prose), ear.style))

    async def wait(self, seconds: int) -> None:
        self.now += seconds * 1000
        room = await self.room()
        await room._attend_to(CallTime())

    async def restart(self) -> None:
        await self.lobby.close()
        self.now += 60_000
        self.lobby = Lobby(self.store, self.sources)
        for ear in self.ears.values():
            if ear.code:
                room, known = await self.lobby.resume(ear.code)
                await room.resume(ear, known, room.table.seq)
            else:
                await (await self.room()).enter(ear, None)

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
