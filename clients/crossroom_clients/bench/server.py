"""`crossroom bench server`: how much a server can take on this machine, and how fast it answers.

The server is a process of its own on the loopback, and so is a bare websocket server that does no
more than pass on what is said; this process is the people. Each figure of the first stands beside
that of the second, from the same run, so that machines and days can be compared.
"""

import argparse
import asyncio
import json
import math
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, NamedTuple

from crossroom_clients.bench.figures import (
    fan_out_figures,
    format_number,
    label,
    latency_figures,
    machine,
    move_figures,
    per,
    percentile,
)
from crossroom_clients.bench.load import Crowd, LoadPlan, LoadResult, Progress, idle_memory
from crossroom_clients.bench.nodes import (
    FAST_PACE_FLAGS,
    SharedServices,
    measure_nodes,
    node_counts,
    nodes_table,
)
from crossroom_clients.bench.plot import Curve, draw_latencies
from crossroom_clients.bench.process import allow_connections, process_usage
from crossroom_clients.bench.rooms import ChatRoom, GameRoom
from crossroom_clients.connection.address import Address
from crossroom_clients.connection.local_server import LocalServer, local_server, server_process
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli.progress import status_line

OURS, BARE = "crossroom", "bare websockets"
MAX_LINES_PER_S: Final = 1.0
"""Lines a second that a person may say to a server that was not started for this."""
ROOMS: Final = {"talk": "rooms of few", "crowd": "full rooms"}
FULL_ROOMS: Final = 10
"""With a crowd in each."""
FLAT_OUT_ROUNDS: Final = 5
"""Times that each of the two servers is talked on as fast as can be."""
ROUND_WARM_UP_S: Final = 0.3
"""Seconds of that before each time is measured."""
MAX_LATENESS_S: Final = 0.005
"""Seconds; if the load itself is often later, the latencies are partly its own."""


class ServerFigure(NamedTuple):
    """Something measured: of our server, and of the bare one if it can do that, too."""

    key: str
    ours: float
    bare: float = math.nan

    @property
    def ratio(self) -> float:
        """Ours by the other."""
        return self.ours / self.bare if self.bare else math.nan


def run(args: argparse.Namespace) -> int:
    """Measure and print; always 0.

    Raises:
        OSError: a server does not start, takes not so many connections, or loses some; or the
            flags do not fit together.
    """
    if args.nodes is not None and (args.store is None or args.bus is None):
        raise OSError("--nodes needs --store and --bus, of a database and a bus for this alone")
    plan = LoadPlan(
        rooms=args.rooms,
        people=args.players,
        watchers=args.watchers,
        every=args.every,
        chat=args.chat,
        seconds=args.seconds,
        idle=args.idle,
        crowd=args.crowd,
    )
    in_rooms = plan.rooms * (plan.people + plan.watchers)
    here = not args.url and args.nodes is None  # beside a bare server, with as many
    allow_connections(
        max(2 * max(in_rooms, FULL_ROOMS * plan.crowd), plan.idle) if here else in_rooms
    )
    lexicon = Lexicon.open(catalog.lexicon_path("english", []))
    if args.nodes is not None:
        return _compare(args, plan, lexicon)
    with status_line() as progress:
        bench = ServerBench(plan, lexicon, progress)
        figures = asyncio.run(bench.of(args.url) if args.url else bench.here(args.folder))
    if args.plot:
        args.plot.write_text(draw_latencies(bench.curves), encoding="utf-8")
    if args.json:
        told = {
            f.key: {"crossroom": f.ours, "bare": _known(f.bare), "ratio": _known(f.ratio)}
            for f in figures
        }
        print(json.dumps({"plan": vars(plan), "machine": machine(), "figures": told}))
    else:
        print(*_table(plan, figures, bench.remarks), sep="\n")
    return 0


def _compare(args: argparse.Namespace, plan: LoadPlan, lexicon: Lexicon) -> int:
    """Measure and print what more nodes do."""
    shared = SharedServices(args.store, args.bus)
    columns = {}
    with status_line() as progress:
        for nodes in node_counts(args.nodes):
            columns[nodes] = asyncio.run(measure_nodes(plan, nodes, shared, lexicon, progress))
    if args.json:
        print(json.dumps({"plan": vars(plan), "machine": machine(), "nodes": columns}))
    else:
        print(*nodes_table(plan, columns), sep="\n")
    return 0


class ServerBench:
    """Measures, and remembers what the table and the plot need.

    Args:
        plan: What to do.
        lexicon: Where people find their plays.
        progress: Is told what is done.
    """

    def __init__(self, plan: LoadPlan, lexicon: Lexicon, progress: Progress) -> None:
        self.curves: list[Curve] = []
        self.remarks: list[str] = []
        self._plan, self._lexicon, self._progress = plan, lexicon, progress

    async def of(self, address: Address) -> list[ServerFigure]:
        """The latencies of a server that runs already."""
        plan = self._plan
        lines = (1 / plan.every + 1 / plan.chat) / plan.people
        if lines > MAX_LINES_PER_S:
            raise OSError(f"that is {lines:.1f} lines a second from each, and a server delays them")
        crowd = self._players(address)
        try:
            await crowd.open(self._progress)
            result = await crowd.on_time(plan, self._progress)
        finally:
            await crowd.close()
        self._learn(OURS, result)
        return [ServerFigure(key, ours) for key, ours in latency_figures(result).items()]

    async def here(self, folder: Path | None) -> list[ServerFigure]:
        """All figures, of servers started for that."""
        with TemporaryDirectory(dir=folder, prefix="crossroom-bench-") as data:
            here = Path(data)
            idle = [await self._idle(here / "idle", bare=False)]
            idle.append(await self._idle(here / "idle-bare", bare=True))
            ours, bare = await self._rooms(here / "rooms", idle[0])
            full = await self._full_rooms(here / "full")
        ours, bare = ours | full[0], bare | full[1]
        bare["idle_connection_kb"] = idle[1] / 1000
        return [ServerFigure(key, value, bare.get(key, math.nan)) for key, value in ours.items()]

    async def _idle(self, data: Path, *, bare: bool) -> float:
        with _server(data, bare=bare) as server:
            pid, address = server.process.pid, server.address
            return await idle_memory(address, self._plan.idle, pid, self._progress)

    async def _rooms(self, data: Path, idle: float) -> tuple[dict[str, float], dict[str, float]]:
        """Measure the rooms of the plan on both servers."""
        plan, room_of = self._plan, self._plan.people + self._plan.watchers
        async with AsyncExitStack() as stack:
            server, bare_server = stack.enter_context(_both(data))
            pid = server.process.pid
            crowd = self._players(server.address, pid)
            bare = _talkers(bare_server, plan.rooms, plan.people, plan.watchers)
            stack.push_async_callback(crowd.close)
            stack.push_async_callback(bare.close)
            before = process_usage(pid).octets
            await crowd.open(self._progress)
            room = (process_usage(pid).octets - before) / plan.rooms - room_of * idle
            on_time = await crowd.on_time(plan, self._progress)
            self._learn(OURS, on_time)
            await bare.open(self._progress)
            bare.pad(_size(on_time))
            bare_on_time = await bare.on_time(plan, self._progress)
            self._learn(BARE, bare_on_time)
            told, bare_told = await self._in_turns(crowd, bare, "talk")
            self._progress("moves, as fast as they can")
            moves = await crowd.flat_out(plan.seconds, moves=True)
        ours = {
            "idle_connection_kb": idle / 1000,
            "room_kb": room / 1000,
        }
        return ours | latency_figures(on_time) | told | move_figures(moves), latency_figures(
            bare_on_time
        ) | bare_told

    async def _full_rooms(self, data: Path) -> tuple[dict[str, float], dict[str, float]]:
        """Talk among many, on both servers."""
        plan = self._plan
        async with AsyncExitStack() as stack:
            server, bare_server = stack.enter_context(_both(data))
            rooms = [
                GameRoom(
                    [_room(server.address, number)],
                    plan.people,
                    self._lexicon,
                    plan.crowd - plan.people,
                )
                for number in range(FULL_ROOMS)
            ]
            crowd = Crowd(rooms, server.process.pid)
            bare = _talkers(bare_server, FULL_ROOMS, plan.crowd)
            stack.push_async_callback(crowd.close)
            stack.push_async_callback(bare.close)
            await crowd.open(self._progress)
            await bare.open(self._progress)
            return await self._in_turns(crowd, bare, "crowd")

    async def _in_turns(
        self, ours: Crowd, bare: Crowd, where: Literal["talk", "crowd"]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Talk as fast as they can, now on the one server, now on the other.

        What else the machine has to do meanwhile then slows down both.
        """
        told, heard = list[LoadResult](), list[LoadResult]()
        seconds = self._plan.seconds / FLAT_OUT_ROUNDS
        for turn in range(1, FLAT_OUT_ROUNDS + 1):
            self._progress(
                f"remarks in {ROOMS[where]}, as fast as they can, {turn} of {FLAT_OUT_ROUNDS}"
            )
            told.append(await ours.flat_out(seconds, moves=False, warm_up=ROUND_WARM_UP_S))
            bare.pad(_size(told[-1]))
            heard.append(await bare.flat_out(seconds, moves=False, warm_up=ROUND_WARM_UP_S))
        return fan_out_figures(told, where), fan_out_figures(heard, where)

    def _players(self, address: Address, *pids: int) -> Crowd:
        plan = self._plan
        event = secrets.token_hex(4)  # nobody else is in these rooms, on any server
        rooms = [
            GameRoom(
                [replace(address, room=f"bench-{event}-{number}")],
                plan.people,
                self._lexicon,
                plan.watchers,
            )
            for number in range(plan.rooms)
        ]
        return Crowd(rooms, *pids)

    def _learn(self, name: str, result: LoadResult) -> None:
        self.curves.append(Curve(name, sorted(result.findings.latencies)))
        if result.findings.refused:
            self.remarks.append(f"{name} refused {result.findings.refused} lines")
        late = percentile(sorted(result.findings.lateness), 99)
        if late > MAX_LATENESS_S:
            self.remarks.append(
                f"{name}: the load itself was {1000 * late:.0f} ms late at its 99th percentile, "
                "which is part of the latencies"
            )


def _server(data: Path, *, bare: bool) -> AbstractContextManager[LocalServer]:
    if bare:
        return server_process(["crossroom_clients.bench.bare_server"], data)
    return local_server(data, *FAST_PACE_FLAGS)


@contextmanager
def _both(data: Path) -> Iterator[tuple[LocalServer, LocalServer]]:
    """Our server and the bare one."""
    with _server(data / "ours", bare=False) as ours, _server(data / "bare", bare=True) as bare:
        yield ours, bare


def _talkers(server: LocalServer, rooms: int, people: int, watchers: int = 0) -> Crowd:
    """People who only talk."""
    places = [[_room(server.address, number)] for number in range(rooms)]
    return Crowd([ChatRoom(at, people, watchers) for at in places], server.process.pid)


def _room(server: Address, number: int) -> Address:
    return Address(server.server, str(number))


def _size(result: LoadResult) -> int:
    """Bytes of a delivery, on average."""
    return round(per(result.findings.octets, result.findings.deliveries))


def _table(
    plan: LoadPlan, figures: Sequence[ServerFigure], remarks: Sequence[str]
) -> Iterator[str]:
    here = machine()
    yield (
        f"Python {here['python']}, {here['processors']} processors, "
        f"load average {here['load_average'] or math.nan:.1f} (this bench included)"
    )
    watched = f" and {plan.watchers} who watch" if plan.watchers else ""
    yield (
        f"{plan.rooms} rooms of {plan.people}{watched}; in each a move every {plan.every:g} s "
        f"and a remark every {plan.chat:g} s; {plan.seconds:g} s for each load"
    )
    yield f"{'':<46}{OURS:>12}{BARE:>17}{'ratio':>8}"
    for figure in figures:
        cells = (figure.ours, figure.bare, figure.ratio)
        ours, bare, ratio = ("" if math.isnan(cell) else format_number(cell) for cell in cells)
        yield f"{label(figure.key, plan):<46}{ours:>12}{bare:>17}{ratio:>8}".rstrip()
    yield from remarks


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
