"""What people do all the time: they come, play, talk, watch, drop, come back, and go for good."""

import asyncio
import contextlib
from itertools import count
from random import Random
from typing import Final

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.system.crash.players import CrashPlayer
from tests.system.soak.measured_server import LOOPBACK

BOTS: Final = ("novice", "greedy", "regular")
LONGEST: Final = 40.0
"""Seconds that people stay in a room, at most; half of that at least."""


class Traffic:
    """So many rooms at a time, again and again others.

    Args:
        port: Of the server.
        rooms: How many there are at a time.
        seed: Of all that is left to chance.
    """

    def __init__(self, port: int, rooms: int, seed: int) -> None:
        self.resumed = self.evenings = 0
        self._port, self._rooms, self._dice = port, rooms, Random(seed)
        self._numbers = count(1)

    async def run(self) -> None:
        """Until cancelled.

        Raises:
            Loss: somebody was told what cannot be.
        """
        async with asyncio.TaskGroup() as town:
            for _ in range(self._rooms):
                town.create_task(self._one_room_after_another())

    async def _one_room_after_another(self) -> None:
        while True:
            number = next(self._numbers)
            if self._dice.random() < 0.25:  # a room that somebody left, perhaps in the middle
                number = self._dice.randint(1, number)
            await self._evening(f"soak-{number}", self._dice.uniform(LONGEST / 2, LONGEST))
            self.evenings += 1

    async def _evening(self, room: str, seconds: float) -> None:
        dice = self._dice
        with_bot = dice.random() < 0.4
        names = ["ann"] if with_bot else ["ann", "bob", "cat"][: dice.choice([2, 2, 3])]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as people:
                for name in names:
                    bot = dice.choice(BOTS) if with_bot else None
                    people.create_task(self._play(CrashPlayer(room, name, dice, bot)))
                for _ in range(dice.choice([0, 0, 1, 2])):
                    people.create_task(self._watch(room))

    async def _play(self, player: CrashPlayer) -> None:
        """Play, drop the line, come back, until it is late."""
        while True:
            before = player.resumed
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._dice.uniform(2, 15)):
                    await player.play(self._port)
            self.resumed += player.resumed - before
            await asyncio.sleep(self._dice.uniform(0, 3))

    async def _watch(self, room: str) -> None:
        """Look on, ask this and that, vanish, look on again."""
        url = f"ws://{LOOPBACK}:{self._port}/t/{room}"
        while True:
            with contextlib.suppress(TimeoutError, WebSocketException, OSError):
                async with asyncio.timeout(self._dice.uniform(1, 10)), connect(url) as peer:
                    for line in ("/board", "/who", "/score", "/recall 50", "/stored ann", "/rooms"):
                        await peer.send(line)
                    async for _ in peer:
                        if self._dice.random() < 0.02:
                            peer.transport.abort()
            await asyncio.sleep(self._dice.uniform(0, 2))
