"""A cluster behind Caddy: people know one address, and nothing of what is behind it."""

import asyncio
import http.client
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Self

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

pytest.importorskip("asyncpg")
pytest.importorskip("nats")

from tests.integration.page.page_games import forgive_lost_lines
from tests.support.browser import DESK, PagePlayer, run_browser
from tests.support.nats_server import NatsServer
from tests.support.ports import free_port
from tests.support.postgres_server import PostgresServer
from tests.support.proxies import (
    AUTHORITY,
    LOOPBACK,
    client_tls_context,
    is_installed,
    run_cluster_proxy,
    run_haproxy,
)
from tests.support.room_driver import CODE, any_contains
from tests.support.terminals import COMMAND
from tests.system.cluster.node_process import NodeProcess

PATIENCE: Final = 40.0
CROWD: Final = 12
"""People who are there while nodes are restarted."""


class TwoNodesBehindProxy:
    """Two nodes behind one address."""

    def __init__(self, port: int, nodes: list[NodeProcess], authority: Path) -> None:
        self.port, self.nodes, self.authority = port, nodes, authority

    def dial(self, path: str) -> connect:
        url = f"wss://{LOOPBACK}:{self.port}{path}"
        return connect(url, ssl=client_tls_context(), compression=None, max_queue=None)

    def people(self, node: NodeProcess) -> int:
        """How many have their connection at that node."""
        peer = http.client.HTTPConnection(LOOPBACK, node.port, timeout=10)
        peer.request("GET", "/metrics")
        told = peer.getresponse().read().decode()
        peer.close()
        (found,) = re.findall(r"^crossroom_connections (\d+)", told, re.MULTILINE)
        return int(found)


@pytest.fixture(scope="module")
def running(
    postgres: PostgresServer, nats: NatsServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwoNodesBehindProxy]:
    if not is_installed("caddy"):
        pytest.skip("caddy is not installed")
    folder, port = tmp_path_factory.mktemp("cluster"), free_port()
    authority = folder / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(str(authority))
    settings = {
        "CROSSROOM_URL": f"wss://{LOOPBACK}:{port}",
        "CROSSROOM_PROXIES": LOOPBACK,
        "CROSSROOM_OPEN_METRICS": "yes",
        "CROSSROOM_LIMITS_CONNECTIONS": "1000",  # all are from one address here
        "CROSSROOM_LIMITS_ROOMS": "1000",
    }
    database = postgres.empty_database()
    nodes = [
        NodeProcess(name, folder / name, database, nats.url, **settings) for name in ("one", "two")
    ]
    try:
        for node in nodes:
            node.start()
        with run_cluster_proxy(folder, port, [node.port for node in nodes]):
            yield TwoNodesBehindProxy(port, nodes, authority)
    finally:
        for node in nodes:
            node.kill()


@pytest.fixture
def site(running: TwoNodesBehindProxy) -> TwoNodesBehindProxy:
    """Both nodes are up, whatever the test before has done."""
    for node in running.nodes:
        if not node.is_up:
            node.start()
    return running


class LineReader:
    """What somebody has read."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def hears(self, part: str) -> str:
        """Wait for a line that has this in it."""
        await until(lambda: any_contains(self.lines, part), f"{part!r} among {self.lines}")
        return next(line for line in self.lines if part in line)


async def until(holds: Callable[[], bool], what: str) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            while not holds():  # noqa: ASYNC110 - what changes is in other processes
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"not in time: {what}") from None


class ManualClient(LineReader):
    """Somebody with a client that knows nothing: who drops comes back by hand, with the code."""

    def __init__(self, peer: ClientConnection) -> None:
        super().__init__()
        self.peer = peer
        self.reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def at(cls, site: TwoNodesBehindProxy, room: str, *lines: str) -> AsyncIterator[Self]:
        async with site.dial(f"/t/{room}") as peer:
            typist = cls(peer)
            for line in lines:
                await typist.say(line)
            yield typist
            typist.reading.cancel()

    async def say(self, line: str) -> None:
        await self.peer.send(line)

    async def dropped(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.reading

    async def _read(self) -> None:
        try:
            async for message in self.peer:
                self.lines += str(message).splitlines()
        except ConnectionClosed:
            pass


class JoinProcess(LineReader):
    """Somebody with ``crossroom join --plain``."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__()
        self._process = process
        self.reading = asyncio.create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def at(
        cls, site: TwoNodesBehindProxy, room: str, name: str, folder: Path
    ) -> AsyncIterator[Self]:
        process = await asyncio.create_subprocess_exec(
            *(*COMMAND, "join", "--plain", "--name", name),
            f"wss://{LOOPBACK}:{site.port}/t/{room}",
            env=os.environ | {"CROSSROOM_DATA": str(folder), "SSL_CERT_FILE": str(site.authority)},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        joiner = cls(process)
        try:
            yield joiner
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            await joiner.reading

    async def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.lines.append(line.decode().rstrip())


async def deserted(site: TwoNodesBehindProxy) -> None:
    """All are gone, and the nodes know it."""
    await until(lambda: not any(map(site.people, site.nodes)), "all are gone")


async def balanced(site: TwoNodesBehindProxy) -> None:
    """The proxy has found out that both nodes are there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with site.dial("/"), site.dial("/"):
                if all(map(site.people, site.nodes)):
                    return
            await asyncio.sleep(0.2)


class GameAcrossNodes(NamedTuple):
    """Ann and Bob in a game, at a node each; Ann is to move."""

    ann: JoinProcess
    bob: ManualClient
    node_of: dict[str, NodeProcess]


@asynccontextmanager
async def playing(
    site: TwoNodesBehindProxy, room: str, folder: Path
) -> AsyncIterator[GameAcrossNodes]:
    await deserted(site)
    await balanced(site)
    await deserted(site)
    async with JoinProcess.at(site, room, "ann", folder) as ann:
        await ann.hears("ann takes seat 1")
        hers, his = sorted(site.nodes, key=site.people, reverse=True)
        async with ManualClient.at(site, room, "/name bob", "/set first-player seat") as bob:
            await ann.hears("bob takes seat 2")
            assert (site.people(hers), site.people(his)) == (1, 1)
            await bob.say("/ready")
            await ann.hears("bob is ready")
            await ann.say("/ready")
            await ann.hears("? your turn")
            yield GameAcrossNodes(ann, bob, {"ann": hers, "bob": his})


@pytest.mark.parametrize("whose", ["ann", "bob"])
async def test_two_friends_play_on_when_a_node_dies(
    site: TwoNodesBehindProxy, tmp_path: Path, whose: str
) -> None:
    room = f"friends-{whose}"
    async with playing(site, room, tmp_path) as (ann, bob, node_of), AsyncExitStack() as later:
        code = CODE.findall(await bob.hears("/resume"))[0]
        node_of[whose].kill()
        if whose == "bob":
            await bob.dropped()
            bob = await later.enter_async_context(ManualClient.at(site, room, f"/resume {code}"))
            await bob.hears("= rack")
        else:
            await ann.hears("connected again")
        await bob.say("are you there?")
        await ann.hears("bob: are you there?")
        await ann.say("/pass")
        await bob.hears("? your turn")
        await bob.say("/pass")
        await ann.hears("bob passes")
        assert sum("bob: are you there?" in line for line in ann.lines) == 1


async def test_a_rolling_restart_turns_nobody_away(site: TwoNodesBehindProxy) -> None:
    guests = [ChattyClient(site, f"crowd-{number // 2}", f"p{number}") for number in range(CROWD)]
    async with asyncio.TaskGroup() as group:
        staying = [group.create_task(guest.stay()) for guest in guests]
        for node in site.nodes:
            await until(lambda: all(guest.code for guest in guests), "all have sat down")
            before = [guest.said for guest in guests]
            await asyncio.to_thread(node.drain)
            await until(partial(all_talk, guests, before), "all talk again")
            await asyncio.to_thread(node.start)
            await asyncio.sleep(1)
        for task in staying:
            task.cancel()
    assert [guest.refused for guest in guests if guest.refused] == []
    assert sum(guest.drops for guest in guests) >= CROWD // 2


def all_talk(guests: list["ChattyClient"], before: list[int]) -> bool:
    """Or somebody is out, and will not."""
    if any(guest.refused for guest in guests):
        return True
    return all(guest.said > was for guest, was in zip(guests, before, strict=True))


class ChattyClient:
    """Somebody who talks all the time, and comes back at once, and once only, after a drop."""

    def __init__(self, site: TwoNodesBehindProxy, room: str, name: str) -> None:
        self._site, self._room, self._name = site, room, name
        self.code, self.said, self.drops = "", 0, 0
        self.refused: list[str] = []

    async def stay(self) -> None:
        while not self.refused:
            first = f"/resume {self.code}" if self.code else f"/name {self._name}"
            try:
                async with self._site.dial(f"/t/{self._room}") as peer:
                    await peer.send(first)
                    talking = asyncio.create_task(self._talk(peer))
                    async for message in peer:
                        self._hear(str(message))
                    talking.cancel()
            except ConnectionClosed:
                pass
            except (OSError, WebSocketException) as error:
                self.refused.append(str(error))
            self.drops += 1

    async def _talk(self, peer: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await peer.send(f"I am {self._name}")
                await asyncio.sleep(0.1)

    def _hear(self, lines: str) -> None:
        self.code = (CODE.findall(lines) or [self.code])[0]
        self.said += f"{self._name}: I am" in lines
        self.refused += [line for line in lines.splitlines() if line.startswith("!")]


async def test_the_people_of_a_node_that_hangs_are_sent_to_another(
    site: TwoNodesBehindProxy, tmp_path: Path
) -> None:
    if not is_installed("haproxy"):
        pytest.skip("haproxy is not installed")
    port = free_port()
    with run_haproxy(tmp_path, port, [node.port for node in site.nodes]):
        door = TwoNodesBehindProxy(port, site.nodes, site.authority)
        guests = [ChattyClient(door, f"hang-{number}", f"h{number}") for number in range(4)]
        async with asyncio.TaskGroup() as group:
            staying = [group.create_task(guest.stay()) for guest in guests]
            await until(lambda: all(guest.said for guest in guests), "all talk")
            assert [site.people(node) for node in site.nodes] == [2, 2]
            before = [guest.said for guest in guests]
            site.nodes[0].hang()
            try:
                await until(partial(all_talk, guests, before), "all talk, those of that node, too")
            finally:
                site.nodes[0].wake()
            for task in staying:
                task.cancel()
    assert [guest.refused for guest in guests if guest.refused] == []


def test_a_page_survives_the_end_of_its_node(site: TwoNodesBehindProxy) -> None:
    with run_browser() as browser:
        ann, bob = (
            PagePlayer(browser.visit(DESK, ignore_https_errors=True), name).sit(
                f"https://{LOOPBACK}:{site.port}/t/page"
            )
            for name in ("ann", "bob")
        )
        ann.wait("bob takes seat 2")
        for player in (ann, bob):
            player.ready()
        for player in (ann, bob):
            player.begun()
        site.nodes[0].kill()
        first, second = (ann, bob) if ann.is_to_move else (bob, ann)
        first.page.wait_for_selector("body[data-connection=open]")
        play = first.any_two()
        first.type(play)
        first.send(play)
        second.wait(f"{first.name} plays")
        forgive_lost_lines(browser)
        assert not browser.troubles
