"""Whole servers as nodes of a cluster, on the real database and the real bus, with real faults."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Self

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

pytest.importorskip("asyncpg")
pytest.importorskip("nats")

from crossroom_protocol.cli.console import SOCKET_NAME
from crossroom_server.app import App
from crossroom_server.cluster.nats_bus import NatsBus
from crossroom_server.cluster.node import HEARTBEAT_INTERVAL_S, PEER_TIMEOUT_S
from crossroom_server.config.settings import Settings
from crossroom_server.config.store_url import Database
from crossroom_server.room.room import Room
from tests.integration.test_http import fetch
from tests.support.delayed_socket import delayed_socket
from tests.support.nats_server import NatsServer, nats_server
from tests.support.ports import free_port
from tests.support.postgres_server import PostgresServer
from tests.support.room_driver import CODE, any_contains
from tests.support.server import LOOPBACK, UNLIMITED
from tests.support.tcp_proxy import ThreadedTcpProxy, tcp_proxy_in_thread
from tests.system.cluster.__main__ import main as evening

PATIENCE = 40.0


class LineClient:
    """Somebody at a node, with plain lines."""

    def __init__(self, peer: ClientConnection) -> None:
        self.peer, self.lines = peer, list[str]()
        self.reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def at(cls, app: App, *lines: str) -> AsyncIterator[Self]:
        """Somebody who has come into the kitchen and said these lines."""
        url = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
        async with connect(url, compression=None, max_queue=None) as peer:
            friend = cls(peer)
            for line in lines:
                await friend.say(line)
            await friend.hears("welcome to kitchen")
            yield friend
            friend.reading.cancel()

    async def _read(self) -> None:
        try:
            async for message in self.peer:
                self.lines += str(message).splitlines()
        except ConnectionClosed:
            pass
        self.lines.append("(closed)")

    async def say(self, line: str) -> None:
        await self.peer.send(line)

    async def hears(self, part: str, *, seconds: float = PATIENCE) -> str:
        """Wait for a line that has this in it."""
        await until(lambda: any_contains(self.lines, part), f"{part!r} among {self.lines}", seconds)
        return next(line for line in self.lines if part in line)

    def count(self, part: str) -> int:
        return sum(part in line for line in self.lines)


async def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    try:
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110 - what changes is at the other end of a socket
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"not in time: {what}") from None


async def host(app: App, line: str) -> list[str]:
    """What the console of a node answers."""
    reader, writer = await asyncio.open_unix_connection(app.settings.data / SOCKET_NAME)
    writer.write(f"{line}\n".encode())
    answer = (await reader.read()).decode().splitlines()
    writer.close()
    return answer


async def asked_until(friend: LineClient, line: str, answer: str) -> None:
    """Ask again and again until the answer has this in it: nodes hear of each other in time."""
    async with asyncio.timeout(PATIENCE):
        while not any_contains(friend.lines, answer):
            await friend.say(line)
            await asyncio.sleep(0.1)


async def agreed(app: App, line: str, expected: str) -> bool:
    """Does the console of a node answer so, soon?"""
    async with asyncio.timeout(PATIENCE):
        while not any(re.fullmatch(expected, told) for told in await host(app, line)):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return True


class TwoNodes(NamedTuple):
    """Two servers; ``line`` is the way of the first one to the database."""

    a: App
    b: App
    line: ThreadedTcpProxy


@pytest.fixture
async def nodes(
    postgres: PostgresServer, database: Database, nats: NatsServer, tmp_path: Path
) -> AsyncIterator[TwoNodes]:
    async with running(postgres, database, (nats.port, nats.port), tmp_path) as both:
        yield both


@asynccontextmanager
async def running(
    postgres: PostgresServer, database: Database, buses: tuple[int, int], folder: Path
) -> AsyncIterator[TwoNodes]:
    """Two nodes, the ports of whose buses are these."""
    async with AsyncExitStack() as begun:
        line = begun.enter_context(tcp_proxy_in_thread(postgres.port))
        far = postgres.database("games", line.port)

        async def start(name: str, store: Database, port: int) -> App:
            settings = Settings(
                data=folder / name,
                host=LOOPBACK,
                port=0,
                store=store,
                bus=f"nats://{LOOPBACK}:{port}",
                node=name,
                limits=UNLIMITED,
            )
            return await begun.enter_async_context(App(settings))

        a = await start("a", far, buses[0])
        b = await start("b", database, buses[1])
        yield TwoNodes(a, b, line)


@asynccontextmanager
async def playing(nodes: TwoNodes) -> AsyncIterator[tuple[LineClient, LineClient]]:
    """Ann at ``a``, which has the room, and Bob at ``b``; Ann is to move."""
    async with LineClient.at(nodes.a, "/name ann", "/set first-player seat") as ann:
        await ann.hears("first_player")
        async with LineClient.at(nodes.b, "/name bob", "/ready") as bob:
            await bob.hears("bob is ready")
            await ann.say("/ready")
            await bob.hears("game 1 begins")
            yield ann, bob


@pytest.mark.slow
async def test_what_one_node_knows_all_do(nodes: TwoNodes) -> None:
    async with playing(nodes) as (ann, bob):
        listed = "kitchen: 2 here, 2 seated, a game is on"
        await asked_until(bob, "/rooms", listed)
        await bob.say("hello from b")
        await ann.hears("bob: hello from b")
        await ann.say("/pass")
        await bob.hears("your turn")
        # What the host says and bans at one node holds at all of them.
        await host(nodes.a, "announce tea is ready")
        await bob.hears("the host says: tea is ready")
        await host(nodes.a, "ban 192.0.2.7")
        assert await agreed(nodes.b, "bans", "- 192.0.2.7/32")
        await host(nodes.b, "unban 192.0.2.7")
        assert await agreed(nodes.a, "bans", "- no address is banned")


@pytest.mark.slow
async def test_each_node_tells_its_host_of_the_others(nodes: TwoNodes, nats: NatsServer) -> None:
    async with playing(nodes):
        await agreed(
            nodes.b, "rooms", "- kitchen: 2 connected, a game is on, at node a-[0-9a-f]{8}"
        )
        assert (await host(nodes.a, "rooms"))[0] == "- kitchen: 2 connected, a game is on"
        (refused,) = await host(nodes.b, "close kitchen")
        assert re.fullmatch("! MOVED kitchen is at node a-.{8}; say it there", refused)
        assert await agreed(nodes.b, "nodes", r"- a-.{8}: 1 room, heard of [01]\.\d s ago")
        assert await agreed(
            nodes.b, "nodes", r"- b-.{8}: 0 rooms, heard of [01]\.\d s ago, this one"
        )
        told = await counted(nodes.b)
        assert (told["nodes"], told["rooms_elsewhere"], told["people_elsewhere"]) == (2, 1, 1)
        assert (await counted(nodes.a))["rooms_elsewhere"] == 0
        assert told["envelopes_total"] > 0
        assert told["links_lost_total"] == 0
        await asyncio.to_thread(nats.stop)
        try:
            await asyncio.sleep(PEER_TIMEOUT_S + 2 * HEARTBEAT_INTERVAL_S)
            assert await agreed(nodes.b, "nodes", "- a-.*, but not over the bus")
            told = await counted(nodes.b)
            assert (told["nodes"], told["people_elsewhere"]) == (1, 0)
            assert told["links_lost_total"] > 0
            # To restart a node for want of a bus would send its people away, and gain nothing.
            assert (await fetch(nodes.b, "/healthz")).status == 200
        finally:
            await asyncio.to_thread(nats.start)


async def counted(app: App) -> dict[str, float]:
    """What /metrics of a node tells, labelled samples aside."""
    lines = (await fetch(app, "/metrics")).body.splitlines()
    samples = [line.removeprefix("crossroom_").split(" ") for line in lines if line[0] == "c"]
    return {name: float(value) for name, value in samples if "{" not in name}


async def test_a_node_that_stops_listens_no_longer_before_anything_else(
    nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing, close = asyncio.Event(), Room.close

    async def slowly(room: Room) -> None:
        await closing.wait()
        await close(room)

    monkeypatch.setattr(Room, "close", slowly)
    knock = (
        b"GET /t/kitchen HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection(LOOPBACK, nodes.a.port)
    async with LineClient.at(nodes.a, "/name ann") as ann:
        stopping = asyncio.create_task(nodes.a.__aexit__(None, None, None))
        await ann.hears("(closed)")
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(LOOPBACK, nodes.a.port)
        writer.write(knock)  # who came too late to be heard gets no answer, not even a no
        assert await reader.read() == b""
        writer.close()
        closing.set()
        await stopping


@pytest.mark.slow
async def test_a_bus_that_is_slow_only_makes_people_wait(
    postgres: PostgresServer, database: Database, nats: NatsServer, tmp_path: Path
) -> None:
    async with (
        delayed_socket(nats.port) as lag,
        running(postgres, database, (lag.port, nats.port), tmp_path) as nodes,
        playing(nodes) as (ann, bob),
    ):
        lag.seconds = 0.3
        for number in range(3):
            await bob.say(f"line {number}")
        await ann.hears("bob: line 2")
        await ann.say("/pass")
        await bob.hears("your turn")
        await bob.say("/pass")
        await ann.hears("bob passes")
        assert [ann.count(f"bob: line {number}") for number in range(3)] == [1, 1, 1]


@pytest.mark.slow
async def test_a_bus_that_comes_back_brings_all_that_was_missed(
    nodes: TwoNodes, nats: NatsServer
) -> None:
    async with playing(nodes) as (ann, bob):
        await asyncio.to_thread(nats.stop)
        try:
            await ann.say("do you hear me?")
            await ann.hears("ann: do you hear me?")
            await bob.hears("the room is moving")
        finally:
            await asyncio.to_thread(nats.start)
        await bob.hears("ann: do you hear me?")
        await bob.say("I do")
        await ann.hears("bob: I do")
        assert bob.count("ann: do you hear me?") == 1


@pytest.mark.slow
async def test_an_owner_that_cannot_reach_the_database_loses_the_room(nodes: TwoNodes) -> None:
    async with playing(nodes) as (ann, bob):
        nodes.line.close()
        await ann.say("is this stored?")
        await ann.hears("nothing can be stored now")
        code = (await ann.hears("/resume")).rpartition(" ")[2]
        assert CODE.fullmatch(code)
        async with LineClient.at(nodes.b) as again:
            await again.say(f"/resume {code}")
            await asyncio.sleep(4)
            nodes.line.open()
            await bob.say("who is there?")
            await bob.hears("bob: who is there?")
            await again.say("/who")
            await again.say(f"/resume {code}")
            await again.hears("bob: who is there?")
            await again.say("/pass")
            await bob.hears("ann passes")
            assert bob.count("ann passes") == 1


@pytest.mark.slow
async def test_all_nodes_outlast_a_restart_of_the_database(
    nodes: TwoNodes, postgres: PostgresServer
) -> None:
    async with playing(nodes) as (ann, bob):
        await asyncio.to_thread(postgres.stop)
        await asyncio.to_thread(postgres.start)
        await bob.say("still here")
        await ann.hears("bob: still here")
        await ann.say("/pass")
        await bob.hears("your turn")


async def test_a_bus_needs_a_database(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, host=LOOPBACK, port=0, bus="nats://127.0.0.1:1")
    with pytest.raises(OSError, match="--bus is for nodes that share a database"):
        async with App(settings):
            pass


async def test_a_bus_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossroom_server.cluster.nats_bus.NATS_TIMEOUT_S", 0.5)
    with pytest.raises(OSError, match=r"the bus cannot be reached: .*; is NATS running there"):
        await NatsBus.connect("nats://127.0.0.1:1", "a")


ROUTED = """
cluster {{
    name: bus, listen: "{host}:{own}", routes: ["nats://{host}:{other}"], no_advertise: true
}}
"""
"""One of two servers of NATS, whose clients are not told of the other."""


@pytest.fixture
def buses(nats: NatsServer, tmp_path: Path) -> Iterator[tuple[NatsServer, NatsServer]]:
    """Two servers of NATS that are one bus."""
    routes, configs = (free_port(), free_port()), list[Path]()
    for own, other in (routes, routes[::-1]):
        configs.append(tmp_path / f"{own}.conf")
        configs[-1].write_text(ROUTED.format(host=LOOPBACK, own=own, other=other))
    with nats_server(configs[0]) as first, nats_server(configs[1]) as second:
        yield first, second


@pytest.mark.slow
async def test_a_node_that_alone_loses_the_bus_sends_its_people_to_the_others(
    postgres: PostgresServer,
    database: Database,
    buses: tuple[NatsServer, NatsServer],
    tmp_path: Path,
) -> None:
    ports = buses[0].port, buses[1].port
    async with (
        running(postgres, database, ports, tmp_path) as nodes,
        playing(nodes) as (ann, bob),
    ):
        await asyncio.to_thread(buses[0].stop)
        await ann.hears("your room goes on at another")
        await ann.hears("(closed)")
        trouble = await fetch(nodes.a, "/healthz")
        assert (trouble.status, trouble.body) == (503, "this node alone has lost the bus\n")
        with pytest.raises((OSError, WebSocketException)):
            await connect(f"ws://{LOOPBACK}:{nodes.a.port}/t/kitchen", max_queue=None)
        await asked_until(bob, "anybody?", "bob: anybody?")
        assert (await fetch(nodes.b, "/healthz")).status == 200
        await asyncio.to_thread(buses[0].start)
        async with asyncio.timeout(PATIENCE):
            while (await fetch(nodes.a, "/healthz")).status != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        async with LineClient.at(nodes.a, "/name cat") as cat:
            await cat.say("is this the same room?")
            await bob.hears("cat: is this the same room?")


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_small_evening_loses_nothing(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--games", "4", "--pause", "0.3", "--seconds", "0.8"]
    monkeypatch.setattr("sys.argv", ["tests.system.cluster", *flags])
    assert evening() == 0, capsys.readouterr().out
    assert "nothing lost" in capsys.readouterr().out
