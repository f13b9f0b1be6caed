"""Nodes come and go, messages are lost, and nobody misses a line or hears one twice."""

import asyncio
import re
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from crossroom_protocol.lines import read_line
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.room_events import Said
from crossroom_server.cluster import hall, node
from tests import machines
from tests.machines import Cluster
from tests.stage import Ear

if TYPE_CHECKING:
    from crossroom_server.cluster.hall import Hall

NAMES: Final = ("a", "b", "c")
HURRY: Final = (
    (node, "BEAT", 0.02),
    (node, "SILENCE", 0.1),
    (node, "LASTING", 0.15),
    (machines, "LASTING", 0.15),
    (hall, "AGAIN", 0.01),
    (hall, "SOON", 3.0),
)


class Talker:
    """Somebody who says numbers, and goes to another node when theirs is gone."""

    def __init__(self, name: str) -> None:
        self.name, self.ear = name, Ear(name)
        self.hall: Hall | None = None
        self.at = ""
        self.heard: list[int] = []
        self.sure: set[str] = set()
        self._seen = 0

    async def come(self, cluster: Cluster, at: str) -> None:
        """Come in, or come back by code, at a node."""
        lobby, code = cluster.machines[at].lobby, self.ear.code
        self.ear = Ear(self.name, code=code)
        self._seen, self.at = 0, at
        self.hall = cluster.machines[at].node.hall("kitchen")
        if code:
            room, known = await lobby.resume(code)
            await room.resume(self.ear, known, self.heard[-1] if self.heard else 0)
        else:
            await self.hall.enter(self.ear, self.name)

    async def say(self, text: str) -> None:
        request = read_line(text, in_room=True)
        assert request is not None
        assert self.hall is not None
        try:
            await self.hall.ask(self.ear, request)
        except Refusal as no:
            if no.code not in ("MOVED", "INTERNAL"):
                raise
        else:
            self.sure.add(text)

    def listen(self) -> None:
        """Note the numbers of what was told since last time."""
        for line in self.ear.heard[self._seen :]:
            if found := re.match(r"[*:] #(\d+) ", line):
                number = int(found[1])
                assert not self.heard or number == self.heard[-1] + 1, (self.name, line)
                self.heard.append(number)
        self._seen = len(self.ear.heard)


async def trouble(cluster: Cluster, dice: Random) -> None:
    """Something happens to a node, or to what it says."""
    up = list(cluster.machines)
    match dice.choice(["kill", "drain", "start", "start", "drop", "drop", "deaf"]):
        case "kill" if len(up) > 1:
            await cluster.kill(dice.choice(up))
        case "drain" if len(up) > 1:
            await cluster.stop(dice.choice(up))
        case "start" if len(up) < len(NAMES):
            await cluster.start(f"{NAMES[0]}{dice.randrange(1 << 30)}")
        case "drop":
            left = [dice.randrange(1, 4)]

            def drop(subject: str, message: bytes) -> bool:
                left[0] -= subject != node.ALL
                return left[0] == 0

            cluster.air.drop = drop
        case "deaf":
            name = dice.choice(up)
            cluster.air.deaf.add(name)
            await asyncio.sleep(dice.choice([0.05, 0.2]))
            cluster.air.deaf.discard(name)


@pytest.mark.parametrize("seed", range(8))
async def test_a_storm_of_faults(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, seconds in HURRY:
        monkeypatch.setattr(module, name, seconds)
    dice = Random(seed)
    async with Cluster() as cluster:
        for name in NAMES:
            await cluster.start(name)
        people = [Talker(name) for name in ("ann", "bob", "cat", "dan")]
        for person in people:
            await person.come(cluster, dice.choice(list(cluster.machines)))
        for number in range(25):
            talk = {
                person: asyncio.create_task(person.say(f"{person.name} {number}"))
                for person in people
                if dice.random() < 0.7
            }
            if dice.random() < 0.4:
                await trouble(cluster, dice)
            for person, saying in talk.items():
                if person.at not in cluster.machines:  # their node is no more, and answers nobody
                    saying.cancel()
            async with asyncio.timeout(20):
                await asyncio.gather(*talk.values(), return_exceptions=True)
            for saying in talk.values():
                if not saying.cancelled():
                    saying.result()
            for person in people:
                person.listen()
                if person.at not in cluster.machines:
                    async with asyncio.timeout(20):
                        await person.come(cluster, dice.choice(list(cluster.machines)))
        await _settled(cluster, people)
        log = await cluster.database.store.read("kitchen")
        said = [entry.what.text for entry in log if isinstance(entry.what, Said)]
        for person in people:
            assert person.heard[-1] == log[-1].seq
            assert {text: said.count(text) for text in person.sure} == dict.fromkeys(person.sure, 1)


async def _settled(cluster: Cluster, people: list[Talker]) -> None:
    """All is well again, and everybody hears everybody."""
    cluster.air.drop = lambda subject, message: False
    for person in people:
        last = f"{person.name} is through"
        async with asyncio.timeout(20):
            while last not in person.sure:
                await person.say(last)
    end = len(await cluster.database.store.read("kitchen"))
    async with asyncio.timeout(20):
        while any(person.heard[-1] != end for person in people):
            await asyncio.sleep(0.02)
            for person in people:
                person.listen()
