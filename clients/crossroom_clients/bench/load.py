"""Loads put on a server by rooms full of people, and what is found out by each."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, takewhile
from typing import Final, NamedTuple, TypeAlias

from crossroom_clients.bench.load_client import LoadClient, connect
from crossroom_clients.bench.process import UNKNOWN, ProcessUsage, process_usage
from crossroom_clients.bench.rooms import (
    READY_TIMEOUT_S,
    REMARK,
    REMARK_PREFIX_BYTES,
    ChatRoom,
    Findings,
    GameRoom,
)
from crossroom_clients.connection.address import Address

OPENED_AT_ONCE: Final = 20
"""Rooms, or idle connections, that come in at the same time."""
WARM_UP_S: Final = 1.0
"""Seconds of full load before measuring."""
SETTLE_S: Final = 0.5
"""Seconds until the server has nothing more to do after somebody came in."""

Progress: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class LoadPlan:
    """A load.

    In each room are ``people`` who play and ``watchers`` who do not. ``every`` and ``chat`` are the
    seconds from move to move and from remark to remark in a room, ``seconds`` the length of each
    load, ``idle`` the connections that do nothing, ``crowd`` the people in a full room.
    """

    rooms: int
    people: int
    watchers: int
    every: float
    chat: float
    seconds: float
    idle: int
    crowd: int


class LoadResult(NamedTuple):
    """The outcome of a load: findings of the rooms, seconds, processor time of both sides."""

    findings: Findings
    seconds: float
    server: float
    load: float


class Crowd:
    """All rooms.

    Args:
        rooms: Not yet open.
        pids: The processes of the server, or of its nodes; none: they are not on this machine.
    """

    def __init__(self, rooms: Sequence[ChatRoom], *pids: int) -> None:
        self.rooms, self._pids = rooms, pids

    async def open(self, progress: Progress) -> None:
        """Let everybody come in.

        Raises:
            OSError: they cannot.
        """
        await _open_together([room.open for room in self.rooms], progress, "rooms")
        await asyncio.sleep(SETTLE_S)

    async def close(self) -> None:
        """Let everybody vanish."""
        for room in self.rooms:
            room.close()
        await _let_sockets_close()

    def pad(self, size: int) -> None:
        """Let remarks be as long as what another server told, in bytes."""
        for room in self.rooms:
            room.remark = REMARK.ljust(size - REMARK_PREFIX_BYTES, ".")

    async def on_time(self, plan: LoadPlan, progress: Progress) -> LoadResult:
        """Moves and remarks at the planned times, however long the server takes for each.

        Latencies count from the planned time: a server that falls behind cannot hide it by being
        asked later ("coordinated omission").
        """
        now = asyncio.get_running_loop().time
        begun = now() + 0.1
        before = self._begin()
        for due, act in self._schedule(plan):
            if (wait := begun + due - now()) > 0:
                progress(f"moves and remarks on time, {due:.0f} of {plan.seconds:.0f} s")
                await asyncio.sleep(wait)
            act(begun + due)
        await self._quiet()
        return self._end(before)

    async def flat_out(
        self, seconds: float, *, moves: bool, warm_up: float = WARM_UP_S
    ) -> LoadResult:
        """In every room the next line as soon as all have been told of the last.

        It is measured for so many seconds, after others in which it is not, and until at least
        one line has been told: a slow server has a figure, too.

        Raises:
            OSError: nobody is told of anything.
        """
        now = asyncio.get_running_loop().time
        for room in self.rooms:
            if moves and isinstance(room, GameRoom):
                room.plays_on = True
                room.move(now())
            else:
                room.goes_on = True
                room.say(now())
        await asyncio.sleep(warm_up)
        before = self._begin()
        await asyncio.sleep(seconds)
        await self._until(lambda: self.rooms[0].findings.deliveries > 0)
        result = self._end(before)
        for room in self.rooms:
            room.stop()
        await self._quiet()
        return result

    def _schedule(self, plan: LoadPlan) -> list[tuple[float, Callable[[float], None]]]:
        """When, in seconds, what is to be done: rooms take turns evenly."""
        acts: list[tuple[float, Callable[[float], None]]] = []
        for place, room in enumerate(self.rooms):
            phase = place / len(self.rooms)
            move = room.move if isinstance(room, GameRoom) else room.say
            acts += ((due, move) for due in _times(plan.every, phase, plan.seconds))
            acts += ((due, room.say) for due in _times(plan.chat, (phase + 0.5) % 1, plan.seconds))
        return sorted(acts, key=lambda act: act[0])

    def _begin(self) -> tuple[float, float, ProcessUsage]:
        self._find_anew()
        return time.perf_counter(), time.process_time(), self._used()

    def _end(self, before: tuple[float, float, ProcessUsage]) -> LoadResult:
        begun, load, server = before
        findings = self.rooms[0].findings
        self._find_anew()
        return LoadResult(
            findings=findings,
            seconds=time.perf_counter() - begun,
            server=self._used().seconds - server.seconds,
            load=time.process_time() - load,
        )

    def _find_anew(self) -> None:
        findings = Findings()
        for room in self.rooms:
            room.findings = findings

    def _used(self) -> ProcessUsage:
        all_used = [process_usage(pid) for pid in self._pids] or [UNKNOWN]
        return ProcessUsage(
            sum(one.seconds for one in all_used), sum(one.octets for one in all_used)
        )

    async def _quiet(self) -> None:
        """Wait until everything has been heard.

        Raises:
            OSError: that does not happen.
        """
        await self._until(lambda: all(room.is_quiet for room in self.rooms))

    async def _until(self, is_done: Callable[[], bool]) -> None:
        now = asyncio.get_running_loop().time
        latest = now() + READY_TIMEOUT_S
        while not is_done():
            await asyncio.sleep(0.01)
            lost = sum(room.lost for room in self.rooms)
            if lost or now() > latest:
                raise OSError(f"not everything was heard; {lost} connections are lost")


def _times(every: float, phase: float, end: float) -> Iterator[float]:
    """Times at even distances; before the end."""
    due = (every * (phase + number) for number in count())
    return takewhile(lambda at: at < end, due)


async def idle_memory(address: Address, number: int, pid: int, progress: Progress) -> float:
    """Bytes of memory that the server needs for a connection that does nothing.

    Raises:
        OSError: it does not take so many.
    """
    peers: list[LoadClient] = []

    async def come() -> None:
        peers.append(await connect(address, lambda _: None))

    await _open_together([come] * OPENED_AT_ONCE, progress, "first connections")
    await asyncio.sleep(SETTLE_S)
    before = process_usage(pid).octets
    await _open_together([come] * number, progress, "idle connections")
    await asyncio.sleep(SETTLE_S)
    after = process_usage(pid).octets
    for peer in peers:
        peer.close()
    await _let_sockets_close()
    return (after - before) / number


async def _let_sockets_close() -> None:
    """Give the loop its turn: until then a server that is told to stop waits for its peers."""
    await asyncio.sleep(0)


async def _open_together(
    works: Sequence[Callable[[], Awaitable[None]]], progress: Progress, what: str
) -> None:
    waiting = iter(works)
    done = 0
    while some := list(islice(waiting, OPENED_AT_ONCE)):
        await asyncio.gather(*(work() for work in some))
        done += len(some)
        progress(f"{what}: {done:,} of {len(works):,}")
