"""Two people at the next table, who play on whatever happens, and how long they wait."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.system.attack.victim import LOOPBACK, Victim

ROOM: Final = "kitchen"
NAMES: Final = ("Ian", "Bob")
BETWEEN: Final = 0.3
"""Seconds between two moves: what the pace allows."""


class Latencies:
    """Seconds from a move until the other has heard of it."""

    def __init__(self) -> None:
        self.all: list[float] = []

    def take(self) -> "Latencies":
        """Those until now, which are forgotten here."""
        before = Latencies()
        before.all, self.all = self.all, []
        return before

    def part(self, share: float) -> float:
        """What *share* of all waits are not longer than; endless if there are none."""
        if not self.all:
            return math.inf
        return sorted(self.all)[min(len(self.all) - 1, int(share * len(self.all)))]

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {self.part(p) * 1000:.0f} ms" for name, p in PARTS.items())
        return f"{len(self.all)} moves, {parts}"


PARTS: Final = {"p50": 0.5, "p95": 0.95, "max": 1.0}


class TablePlayer:
    """One of the two, who speaks JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.room: dict[str, Any] = {}

    async def ask(self, **command: object) -> None:
        await self._connection.send(json.dumps(command))

    async def hear(self, **wanted: object) -> None:
        """Read on, until something is told that is as wanted."""
        while True:
            async with asyncio.timeout(20):
                told = json.loads(await self._connection.recv())
            self.room = told.get("room") or self.room
            if told["tell"] == "refused":
                raise AssertionError(f"the players are refused: {told}")
            event = told.get("event") or {}
            if all(told.get(key, event.get(key)) == value for key, value in wanted.items()):
                return


async def _play(players: list[TablePlayer], waits: Latencies) -> None:
    while True:
        game = players[0].room["game"]
        if game is None or game["phase"] == "over":
            for player in players:
                await player.ask(do="ready")
                for each in players:
                    await each.hear(kind="agreed")
            for each in players:
                await each.hear(kind="moved")
        on_turn = players[0].room["game"]["on_turn"]
        mover = next(p for p in players if p.room["game"]["seat"] == on_turn)
        started = time.monotonic()
        await mover.ask(do="pass")
        for each in players:
            await each.hear(kind="moved")
        waits.all.append(time.monotonic() - started)
        await asyncio.sleep(BETWEEN)


@asynccontextmanager
async def next_table(victim: Victim) -> AsyncIterator[Latencies]:
    """A game that goes on meanwhile; raises whatever went wrong in it."""
    url = f"ws://{LOOPBACK}:{victim.port}/t/{ROOM}"
    json_mode = [Subprotocol("json.v1.crossroom")]
    async with (
        connect(url, subprotocols=json_mode, ping_interval=None) as one,
        connect(url, subprotocols=json_mode, ping_interval=None) as two,
    ):
        players = [TablePlayer(one), TablePlayer(two)]
        for player, name in zip(players, NAMES, strict=True):
            await player.ask(do="name", name=name)
            await player.hear(kind="seat_taken")
        await players[0].hear(kind="seat_taken")
        waits = Latencies()
        playing = asyncio.create_task(_play(players, waits))
        try:
            yield waits
            if playing.done():
                playing.result()
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
