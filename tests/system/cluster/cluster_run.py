"""An evening of many games on a cluster, with the end of one node and a restart of all."""

import asyncio
import contextlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Self

from websockets.asyncio.client import ClientConnection

from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.cluster.rebalancing import surplus
from crossroom_server.config.store_url import Database
from crossroom_server.store.open import open_store
from tests.system.cluster.node_process import Entrance, NodeProcess
from tests.system.crash.players import CrashPlayer, LostEvent

LATEST: Final = 5.0
"""Seconds after which everybody must have been answered again."""
SPREAD_TIMEOUT_S: Final = 300.0
"""Seconds after which rooms must be spread evenly again."""
MOVES: Final = ("play", "exchange", "pass", "challenge", "accept")


class RoamingPlayer(CrashPlayer):
    """Somebody who thinks before each thing they do, and goes to the next node if one is gone.

    ``answered`` is when they were answered last, in seconds of the monotonic clock, and ``waits``
    how long each answer took since they asked for it, or since they lost their connection;
    ``refused`` counts by command and code what was not done.
    """

    def __init__(self, room: str, name: str, dice: Random, pause: float) -> None:
        super().__init__(room, name, dice)
        self.pause, self.answered = pause, 0.0
        self.refused: Counter[tuple[str, str]] = Counter()
        self.waits: list[float] = []
        self._waiting: float | None = None

    async def stay(self, entrances: Sequence[Entrance], first: int) -> None:
        """Come in by one after the other, until cancelled."""
        at = first % len(entrances)
        while True:
            if entrances[at].is_up:
                await self.play(entrances[at].port)
                self._wait()
            at = (at + 1) % len(entrances)
            await asyncio.sleep(0.05)

    def longest_wait(self, since: float) -> float:
        """Return how long they have waited for an answer at most, or wait now, after that time."""
        now = time.monotonic()
        waiting = 0.0 if self._waiting is None else now - max(since, self._waiting)
        return max([waiting, *self.waits])

    async def _ask(self, peer: ClientConnection, do: str, **fields: Any) -> bool:
        if do != "resume":
            await asyncio.sleep(self._dice.uniform(0.5, 1.5) * self.pause)
        self._wait()
        done = await super()._ask(peer, do, **fields)
        self.answered = time.monotonic()
        if self._waiting is not None:
            self.waits.append(self.answered - self._waiting)
            self._waiting = None
        return done

    def _wait(self) -> None:
        self._waiting = time.monotonic() if self._waiting is None else self._waiting

    def _hear(self, told: dict[str, Any]) -> None:
        if told["tell"] == "refused":
            self.refused[told["command"], told["code"]] += 1
        super()._hear(told)


class Fault(NamedTuple):
    """Something that fails for some seconds; nobody waits for its end if one node has it."""

    name: str
    seconds: float | None
    begin: Callable[[], None]
    end: Callable[[], None]
    has_one_node: bool = True


class Waits(NamedTuple):
    """How long people waited for an answer, in seconds: half of them, 99 %, and the longest."""

    what: str
    half: float
    most: float
    longest: float

    @classmethod
    def of(cls, what: str, each: Iterable[float]) -> Self:
        waits = sorted(each)
        return cls(what, waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1])

    def __str__(self) -> str:
        return f"{self.what:30} {self.half:6.1f} {self.most:6.1f} {self.longest:8.1f}"


class ClusterRun:
    """People in rooms of two, the second at the next node.

    Args:
        nodes: They run.
        entrances: Where people come in.
        games: How many rooms.
        pause: Seconds that people think, on average.
        seed: Of everything that is left to chance.
    """

    def __init__(
        self,
        nodes: Sequence[NodeProcess],
        entrances: Sequence[Entrance],
        games: int,
        pause: float,
        seed: int,
    ) -> None:
        self._nodes, self._entrances, self._dice = nodes, entrances, Random(seed)
        self.people = [
            RoamingPlayer(f"room{number // 2}", f"p{number}", Random(seed + number), pause)
            for number in range(2 * games)
        ]
        self.waits: list[Waits] = []
        self.faults: list[Fault] = []
        self.restarting: Counter[tuple[str, str]] = Counter()
        self.entries = 0

    async def run(self, seconds: float, faults: Sequence[Fault] = (), kills: int = 1) -> None:
        """Play, kill so many nodes, have every fault in turn, restart all nodes; go on between.

        Raises:
            Loss: what somebody is told does not fit what they were told.
        """
        nodes = self._nodes
        async with asyncio.TaskGroup() as group:
            staying = [
                group.create_task(guest.stay(self._entrances, number // 2 + number))
                for number, guest in enumerate(self.people)
            ]
            await asyncio.sleep(2 * seconds)
            self._say(f"killing {kills} of {len(nodes)} nodes")
            for node in nodes[:kills]:
                node.kill()
            await self._all_answered("killed")
            for node in nodes[:kills]:
                await asyncio.to_thread(node.start)
            await asyncio.sleep(seconds)
            for fault in faults:
                await self._have(fault)
                await asyncio.sleep(seconds)
            before = self._refusals()
            for node in nodes:
                self._say(f"restarting {node.name}")
                stopped = asyncio.create_task(asyncio.to_thread(node.drain))
                await self._all_answered("restarted")
                await stopped
                await asyncio.to_thread(node.start)
                await asyncio.sleep(seconds)
            self.restarting = self._refusals() - before
            await self._spread()
            for task in staying:
                task.cancel()

    async def _have(self, fault: Fault) -> None:
        assert fault.seconds is not None
        self._say(f"{fault.name}, for {fault.seconds:.0f} s")
        began = time.monotonic()
        for guest in self.people:
            guest.waits.clear()
        await asyncio.to_thread(fault.begin)
        await asyncio.sleep(fault.seconds)
        await asyncio.to_thread(fault.end)
        ended = time.monotonic()
        async with asyncio.timeout(60):
            while any(guest.answered <= ended for guest in self.people):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        self.faults.append(fault)
        self._note(fault.name, (guest.longest_wait(began) for guest in self.people))

    def _note(self, what: str, each: Iterable[float]) -> None:
        waits = Waits.of(what, each)
        self.waits.append(waits)
        self._say(
            f"{what}: half waited at most {waits.half:.1f} s, 99 % {waits.most:.1f} s, "
            f"the longest {waits.longest:.1f} s"
        )

    async def _spread(self) -> None:
        """Wait until no node has many more rooms than the others."""
        began, rooms = time.monotonic(), await self._rooms()
        self._say(f"all restarted: rooms of the nodes {rooms}")
        async with asyncio.timeout(SPREAD_TIMEOUT_S):
            while is_uneven(rooms):
                await asyncio.sleep(1)
                rooms = await self._rooms()
        self._say(f"rooms of the nodes {rooms} after {time.monotonic() - began:.0f} s")

    async def _rooms(self) -> list[int]:
        told = await asyncio.to_thread(self._nodes[0].ask, "nodes")
        return [int(count) for count in re.findall(r": (\d+) rooms?,", told)]

    async def _all_answered(self, what: str) -> None:
        began = time.monotonic()
        for guest in self.people:
            guest.waits.clear()
        async with asyncio.timeout(60):
            while any(guest.answered <= began for guest in self.people):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        self._note(what, (max(guest.waits) for guest in self.people))

    def _refusals(self) -> Counter[tuple[str, str]]:
        return sum((guest.refused for guest in self.people), Counter())

    def _say(self, line: str) -> None:
        seated = sum(bool(guest.heard) for guest in self.people)
        entries = sum(max(guest.heard, default=0) for guest in self.people[::2])
        print(f"{seated} people, {entries} entries: {line}", flush=True)

    async def fill(self, database: Database, entries: int) -> None:
        """Let every room begin with so many lines of talk."""
        said = [
            LogEntry(number, number, Said("ann", f"line {number}"))
            for number in range(1, entries + 1)
        ]
        with contextlib.closing(open_store(database)) as store:
            rooms = {guest.room for guest in self.people}
            await asyncio.gather(*(store.append(room, 0, said) for room in rooms))

    async def compare(self, database: Database) -> None:
        """Read every log, and look for what people were told.

        Raises:
            Loss: something is missing, or different.
        """
        with contextlib.closing(open_store(database)) as store:
            for first, second in zip(self.people[::2], self.people[1::2], strict=True):
                log = {entry.seq: entry for entry in await store.read(first.room)}
                self.entries += len(log)
                for guest in (first, second):
                    _check(guest, log)


def is_uneven(rooms: Sequence[int]) -> bool:
    """Has the node with the most rooms some that it would hand over?"""
    *others, most = sorted(rooms)
    return surplus(most, {str(node): count for node, count in enumerate(others)}) > 0


def _check(guest: RoamingPlayer, log: dict[int, LogEntry]) -> None:
    for seq, told in guest.heard.items():
        if seq not in log or log[seq].at != told["at"]:
            raise LostEvent(f"{guest.name} in {guest.room} was told {seq}, which is not in the log")
    said = [entry.what.text for entry in log.values() if isinstance(entry.what, Said)]
    for text in guest.sure:
        if said.count(text) != 1:
            raise LostEvent(
                f"{text!r}, acknowledged to {guest.name}, is {said.count(text)} times there"
            )


def report(evening: ClusterRun) -> int:
    """Say how it went; the status of the process."""
    resumed = sum(guest.resumed for guest in evening.people)
    restarting = {f"{do} {code}": count for (do, code), count in evening.restarting.items()}
    moves = sum(count for (do, _), count in evening.restarting.items() if do in MOVES)
    print(f"{evening.entries} entries, {resumed} returns to a seat: nothing lost")
    print(f"{'seconds until an answer':30} {'half':>6} {'99 %':>6} {'longest':>8}")
    print(*evening.waits, sep="\n")
    print(f"refused while nodes were restarted: {moves} moves; in all {restarting or 'nothing'}")
    common = {fault.name: fault.seconds or 0 for fault in evening.faults if not fault.has_one_node}
    late = [waits for waits in evening.waits if waits.longest > LATEST + common.get(waits.what, 0)]
    return 1 if moves or late else 0
