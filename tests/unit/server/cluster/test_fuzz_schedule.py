"""Nodes come and go, messages are lost, and nobody misses a line or hears one twice.

Whatever was acknowledged is in the log once; what was refused is not, unless that was said to be
possible.
"""

import asyncio
import re
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from crossroom_engine.core.events import Passed
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.events.room import LogEntry, Moved, Said
from crossroom_server.cluster import node, routed_room
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply
from tests.support import fake_cluster
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import FakeClient

if TYPE_CHECKING:
    from crossroom_server.cluster.routed_room import RoutedRoom

NAMES: Final = ("a", "b", "c")
HURRY: Final = (
    (node, "HEARTBEAT_INTERVAL_S", 0.02),
    (node, "PEER_TIMEOUT_S", 0.1),
    (node, "LEASE_LIFETIME_S", 0.15),
    (node, "LEASE_GRACE_S", 0.25),
    (fake_cluster, "LEASE_LIFETIME_S", 0.15),
    (routed_room, "RETRY_INTERVAL_S", 0.01),
    (routed_room, "CALL_TIMEOUT_S", 3.0),
)
PERHAPS: Final = ("/state shows whether this was done", "/state shows where things stand")
"""What a refusal says of something that may have been done."""
SENT_AWAY, REPLACED, TRY_LATER = 4003, 4001, 1013


class RoamingClient:
    """Somebody who goes to another node when theirs is gone, and counts what they are told."""

    def __init__(self, name: str | None) -> None:
        self.name, self.client = name, FakeClient(name or "watcher")
        self.hall: RoutedRoom | None = None
        self.at = ""
        self.heard: list[int] = []
        self.done: Counter[str] = Counter()
        self.perhaps: Counter[str] = Counter()
        self.old: list[tuple[str, RoutedRoom, FakeClient]] = []
        """Connections whose end nobody has noticed yet."""
        self._seen = 0

    async def come(self, cluster: FakeCluster, at: str) -> None:
        """Come in, or come back by code, at a node."""
        code = self.client.code
        self.client = FakeClient(self.name or "watcher", code=code)
        self._seen, self.at = 0, at
        if at not in cluster.nodes:  # it is no more since this was decided
            return
        lobby = cluster.nodes[at].lobby
        self.hall = cluster.nodes[at].node.routed_room("kitchen")
        if code:
            room, known = await lobby.find_by_code(code)
            await room.rejoin(self.client, known, self.heard[-1] if self.heard else 0)
        else:
            self.heard.clear()  # whoever has no name hears what happens from now on
            await self.hall.enter(self.client, self.name)

    async def move(self, cluster: FakeCluster, at: str) -> None:
        """Come back at a node, while the connection at another is thought to be alive."""
        assert self.hall is not None
        self.old.append((self.at, self.hall, self.client))
        await self.come(cluster, at)

    async def visit(self, cluster: FakeCluster) -> None:
        """Look into another room, and come back."""
        assert self.hall is not None
        self.listen()
        await self.hall.leave(self.client)
        if self.at not in cluster.nodes:
            return
        other, client = (
            cluster.nodes[self.at].node.routed_room("pantry"),
            FakeClient(self.client.name),
        )
        await other.enter(client, self.name)
        await other.leave(client)
        await self.come(cluster, self.at)

    async def type(self, text: str) -> None:
        request = read_line(text, in_room=True)
        assert request is not None
        assert self.hall is not None
        self.perhaps[text] += 1  # until it is known: this may be cancelled
        try:
            await self.hall.ask(self.client, request)
        except Refusal as no:
            if any(told in str(no) for told in PERHAPS):
                return
        else:
            self.done[text] += 1
        self.perhaps[text] -= 1

    def listen(self) -> None:
        """Note the numbers of what was told since last time."""
        for line in self.client.received[self._seen :]:
            if found := re.match(r"[*:] #(\d+) ", line):
                number = int(found[1])
                assert not self.heard or number == self.heard[-1] + 1, (self.name, line)
                self.heard.append(number)
        self._seen = len(self.client.received)

    async def end_old(self, cluster: FakeCluster) -> None:
        """The former connections are found to be dead."""
        for at, room, client in self.old:
            if at in cluster.nodes:
                async with asyncio.timeout(20):
                    await room.leave(client)
        self.old.clear()


async def inject_fault(cluster: FakeCluster, dice: Random) -> None:
    """Something happens to a node, or to what it says."""
    up = list(cluster.nodes)
    match dice.choice(["kill", "drain", "start", "start", "drop", "drop", "deaf", "slow", "away"]):
        case "kill" if len(up) > 1:
            await cluster.kill(dice.choice(up))
        case "drain" if len(up) > 1:
            await cluster.stop(dice.choice(up))
        case "start" if len(up) < len(NAMES):
            await cluster.start(f"{NAMES[0]}{dice.randrange(1 << 30)}")
        case "drop":
            left = [dice.randrange(1, 4)]

            def drop(subject: str, message: bytes) -> bool:
                left[0] -= subject != node.ALL_NODES_SUBJECT
                return left[0] == 0

            cluster.network.drop = drop
        case "deaf":
            name = dice.choice(up)
            cluster.network.deaf.add(name)
            await asyncio.sleep(dice.choice([0.05, 0.2]))
            cluster.network.deaf.discard(name)
        case "slow":
            cluster.network.slow = {dice.choice(up): dice.choice([0.01, 0.05])}
        case "away":
            name = dice.choice(up)
            cluster.database.away.add(name)
            await asyncio.sleep(dice.choice([0.05, 0.2]))
            cluster.database.away.discard(name)


def act(
    person: RoamingClient, number: int, cluster: FakeCluster, dice: Random
) -> "asyncio.Task[None]":
    """What somebody does in this round."""
    there = list(cluster.nodes)
    what = dice.choice(["say", "say", "say", "/ready", "/pass", "/pass", "move", "visit", "kick"])
    match what:
        case "move" if person.name:
            return asyncio.create_task(person.move(cluster, dice.choice(there)))
        case "visit" if person.name:
            return asyncio.create_task(person.visit(cluster))
        case "kick":
            return asyncio.create_task(person.type("/kick dan"))
        case "/ready" | "/pass":
            return asyncio.create_task(person.type(what))
        case _:
            return asyncio.create_task(person.type(f"{person.name} {number}"))


@pytest.mark.parametrize("seed", range(8))
async def test_a_storm_of_faults(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, seconds in HURRY:
        monkeypatch.setattr(module, name, seconds)
    dice = Random(seed)
    async with FakeCluster() as cluster:
        for name in NAMES:
            await cluster.start(name)
        people = [RoamingClient(name) for name in ("ann", "bob", "cat", "dan", None, None)]
        for person in people:
            await person.come(cluster, dice.choice(list(cluster.nodes)))
        for number in range(25):
            await _play_round(cluster, dice, people, number)
        await _settled(cluster, people)
        log = await cluster.database.store.read("kitchen")
        assert all(person.heard[-1] == log[-1].seq for person in people)
        done = _done(log)
        for person in people:
            for text in {*person.done, *person.perhaps} - {"/ready", "/kick dan", "/state"}:
                at_least, name = person.done[text], f"{person.name}: {text}"
                assert at_least <= done[name] <= at_least + person.perhaps[text], name


async def _play_round(
    cluster: FakeCluster, dice: Random, people: list[RoamingClient], number: int
) -> None:
    acts = {person: act(person, number, cluster, dice) for person in people if dice.random() < 0.7}
    if dice.random() < 0.4:
        await inject_fault(cluster, dice)
    for person, acting in acts.items():
        if person.at not in cluster.nodes:  # their node is no more, and answers nobody
            acting.cancel()
    async with asyncio.timeout(20):
        await asyncio.gather(*acts.values(), return_exceptions=True)
    for person, acting in acts.items():
        if not acting.cancelled() and (error := acting.exception()) is not None:
            assert isinstance(error, Refusal), error
            person.at = ""  # they could not come back, and try again
    if dice.random() < 0.3:
        for person in people:
            await person.end_old(cluster)
    await _come_back(cluster, dice, people)


async def _come_back(cluster: FakeCluster, dice: Random, people: list[RoamingClient]) -> None:
    """Whoever has lost their connection comes back."""
    for person in people:
        person.listen()
        while person.at not in cluster.nodes or person.client.closed in (SENT_AWAY, TRY_LATER):
            async with asyncio.timeout(20):
                try:
                    await person.come(cluster, dice.choice(list(cluster.nodes)))
                except Refusal as no:
                    if no.code not in ("MOVED", "INTERNAL", "NAME_TAKEN"):
                        raise
                    person.at = ""
        assert person.client.closed != REPLACED, person.name


async def _settled(cluster: FakeCluster, people: list[RoamingClient]) -> None:
    """All is well again, and everybody hears everybody."""
    cluster.network.drop, cluster.network.slow = lambda subject, message: False, {}
    for person in people:
        await person.end_old(cluster)
        last = f"{person.name} is through" if person.name else "/state"
        async with asyncio.timeout(20):
            while not person.done[last]:
                await person.type(last)
    end = len(await cluster.database.store.read("kitchen"))
    async with asyncio.timeout(20):
        while any(not person.heard or person.heard[-1] != end for person in people):
            await asyncio.sleep(0.02)
            for person in people:
                person.listen()


def _done(log: list[LogEntry]) -> Counter[str]:
    """How often somebody said something, or passed."""
    done: Counter[str] = Counter()
    table = Table()
    for entry in log:
        match entry.what:
            case Said(name=name, text=text):
                done[f"{name}: {text}"] += 1
            case Moved(seat=int() as seat, events=events) if isinstance(events[0], Passed):
                done[f"{table.seats[seat].name}: /pass"] += 1
        table = apply(table, entry)
    return done
