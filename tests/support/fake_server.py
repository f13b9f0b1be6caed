"""A server that tells a scripted log in tags mode, and fails as it is told to.

Enough of a room to test a client that must survive it: numbered entries, a resume code, replay.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import TAGS_SUBPROTOCOL

CODE = "k7qm-4ftz-9w2h"


@dataclass
class FakeServer:
    """``length`` entries are told to whoever is in.

    ``drops`` says after how many entries each connection is cut, the first one first; ``refusals``
    with which codes resuming is refused, and ``closes`` with which code a connection is closed
    when all has been told. ``said`` is every line that came in, labels taken off.
    """

    length: int = 0
    drops: list[int] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    subprotocol: str = TAGS_SUBPROTOCOL
    said: list[str] = field(default_factory=list)

    async def serve_one(self, socket: ServerConnection) -> None:
        drop = self.drops.pop(0) if self.drops else self.length + 1
        await socket.send("@protocol=1;features=resume - welcome")
        with_name = False
        try:
            async for message in socket:
                label, _, line = str(message)[1:].partition(" ")
                self.said.append(line)
                match line.split():
                    case ["/name", name]:
                        with_name = True
                        await socket.send(f"@label={label};about=name - you are {name}")
                    case ["/join", room]:
                        await socket.send(f"@protocol=1;room={room};seq=0 - welcome to {room}")
                        if with_name:
                            await socket.send(f"@name=alice;code={CODE} - you are alice")
                        await self.tell(socket, 0, drop)
                    case ["/resume", code, seq] if self.refusals:
                        refusal = self.refusals.pop(0)
                        line = (
                            f"@label={label};code={refusal};command=resume ! {refusal} resume: no"
                        )
                        await socket.send(line)
                        continue
                    case ["/resume", code, seq]:
                        assert code == CODE
                        await self.tell(socket, int(seq), drop)
                        await socket.send(f"@live={self.length} - up to date (event {self.length})")
                    case ["/drop"] | ["/lock", _]:
                        socket.transport.abort()
                        return
                    case ["/quit"]:
                        await socket.close(1000, "bye")
                        return
                await socket.send(f"@label={label} .")
                if self.closes and not line.startswith("/name"):
                    await socket.close(self.closes.pop(0))
        except ConnectionClosed:
            return

    async def tell(self, socket: ServerConnection, since: int, drop: int) -> None:
        for told, seq in enumerate(range(since + 1, self.length + 1)):
            if told == drop:
                await asyncio.sleep(0.01)  # what was sent is on its way; now the cable is cut
                socket.transport.abort()
                return
            await socket.send(f"@seq={seq};event=said : #{seq} bob: line {seq}")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Address]:
        protocols = [Subprotocol(self.subprotocol)]
        async with serve(self.serve_one, "127.0.0.1", 0, subprotocols=protocols) as server:
            port = server.sockets[0].getsockname()[1]
            yield Address(f"ws://127.0.0.1:{port}", "kitchen")
