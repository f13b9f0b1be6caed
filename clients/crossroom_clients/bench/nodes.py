"""`crossroom bench server --nodes`: what more nodes on this machine add, and what they cost.

The same people in the same rooms, at one node, at two, at four: those of one room are at different
nodes, so most of what they say goes over the bus. All nodes, the database, the bus and the people
share the processors of this machine. What a node does is therefore told in processor time, too;
that of the database and of the bus is not in it.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from crossroom_clients.bench.figures import (
    fan_out_figures,
    format_number,
    label,
    latency_figures,
    machine,
    move_figures,
)
from crossroom_clients.bench.load import Crowd, LoadPlan, Progress
from crossroom_clients.bench.rooms import GameRoom
from crossroom_clients.connection.address import Address
from crossroom_clients.connection.local_server import LocalServer, local_server
from crossroom_engine.words.lexicon import Lexicon

FAST_PACE_FLAGS: Final = (
    *("--pace", "65535"),
    *("--limits-gulp", "100000000", "--limits-sip", "100000000"),
)
"""Flags of a node that lets people talk as fast as they can."""


class SharedServices(NamedTuple):
    """The services that nodes share, as flags of ``crossroom serve``: a database and a bus."""

    store: str
    bus: str


def node_counts(most: int) -> Iterator[int]:
    """Yield the numbers of nodes to measure: 1, 2, 4 and so on, and *most*."""
    number = 1
    while number < most:
        yield number
        number *= 2
    yield most


async def measure_nodes(
    plan: LoadPlan, nodes: int, shared: SharedServices, lexicon: Lexicon, progress: Progress
) -> dict[str, float]:
    """The figures of so many nodes, which are started and stopped.

    Raises:
        OSError: one does not start, or loses connections.
    """
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="crossroom-bench-"))
        servers = [
            stack.enter_context(_node(Path(folder) / str(number), number, shared))
            for number in range(1, nodes + 1)
        ]
        crowd = Crowd(_rooms(plan, servers, lexicon), *(one.process.pid for one in servers))
        stack.push_async_callback(crowd.close)

        def say(what: str) -> None:
            progress(f"{nodes} nodes: {what}" if nodes > 1 else f"1 node: {what}")

        await crowd.open(say)
        told = latency_figures(await crowd.on_time(plan, say))
        say("remarks, as fast as they can")
        talk = await crowd.flat_out(plan.seconds, moves=False)
        told |= fan_out_figures([talk], "talk")
        say("moves, as fast as they can")
        told |= move_figures(await crowd.flat_out(plan.seconds, moves=True))
    return told


def _node(data: Path, number: int, shared: SharedServices) -> AbstractContextManager[LocalServer]:
    flags = ("--store", shared.store, "--bus", shared.bus, "--node", f"bench{number}")
    return local_server(data, *flags, *FAST_PACE_FLAGS)


def _rooms(plan: LoadPlan, servers: Sequence[LocalServer], lexicon: Lexicon) -> list[GameRoom]:
    """The rooms; the first person of each is at the next node."""
    event = secrets.token_hex(4)  # nobody else is in these rooms
    at = [server.address.server for server in servers]
    return [
        GameRoom(
            [Address(one, f"bench-{event}-{number}") for one in (*at[turn:], *at[:turn])],
            plan.people,
            lexicon,
            plan.watchers,
        )
        for number in range(plan.rooms)
        for turn in [number % len(at)]
    ]


def nodes_table(plan: LoadPlan, columns: dict[int, dict[str, float]]) -> Iterator[str]:
    """The figures as lines, a column for each number of nodes."""
    here = machine()
    yield f"Python {here['python']}, {here['processors']} processors for everything"
    yield (
        f"{plan.rooms} rooms of {plan.people}, whose people are at different nodes; in each a move "
        f"every {plan.every:g} s and a remark every {plan.chat:g} s; {plan.seconds:g} s for each"
    )
    heads = ("1 node" if number == 1 else f"{number} nodes" for number in columns)
    yield f"{'':<46}" + "".join(f"{head:>12}" for head in heads)
    for key in next(iter(columns.values())):
        cells = "".join(f"{format_number(column[key]):>12}" for column in columns.values())
        yield f"{label(key, plan):<46}{cells}"
