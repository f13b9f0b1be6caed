"""Several nodes in one process: a bus and leases in memory, and faults at will."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import pytest

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_server.cluster.bus import MAX_MESSAGE_BYTES
from crossroom_server.cluster.node import ClusterNode
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S, LeaseLost, NodeStatus
from crossroom_server.store.memory import MemoryStore
from crossroom_server.table.state import Sources

SHORT_TIMEOUTS_S: Final = {
    "crossroom_server.cluster.node.HEARTBEAT_INTERVAL_S": 0.02,
    "crossroom_server.cluster.node.PEER_TIMEOUT_S": 0.15,
    "crossroom_server.cluster.node.LEASE_LIFETIME_S": 0.2,
    "crossroom_server.cluster.node.MAX_SILENCE_S": 0.1,
    "crossroom_server.cluster.node.MAX_OTHERS_SILENCE_S": 0.15,
    "crossroom_server.cluster.node.ALONE_AFTER_S": 0.1,
    f"{__name__}.LEASE_LIFETIME_S": 0.2,
    "crossroom_server.cluster.routed_room.RETRY_INTERVAL_S": 0.01,
    "crossroom_server.cluster.routed_room.QUIET_MOVE_S": 0.05,
}
"""Seconds as short as nodes in one process can do with."""


def shorten_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nodes, and the database here, wait no longer than :data:`HURRIED` says."""
    for name, seconds in SHORT_TIMEOUTS_S.items():
        monkeypatch.setattr(name, seconds)


class FakeNetwork:
    """What all buses share: who listens to what.

    Nodes that are ``deaf`` hear nothing, and nobody hears them; those that are ``cut`` off, since
    some loop time, know it. What is sent to those that are ``slow`` takes so many seconds.
    """

    def __init__(self) -> None:
        self.listeners: list[tuple[str, str, Callable[[bytes], None]]] = []
        self.deaf: set[str] = set()
        self.cut: dict[str, float] = {}
        self.slow: dict[str, float] = {}
        self.drop: Callable[[str, bytes], bool] = lambda subject, message: False

    def lose(self, part: bytes) -> list[bytes]:
        """Drop the next message that has this in it; it is in the list then.

        Whoever clears the list has the next one dropped, too.
        """
        lost: list[bytes] = []

        def drop(_: str, message: bytes) -> bool:
            if part not in message or lost:
                return False
            lost.append(message)
            return True

        self.drop = drop
        return lost

    def cut_off(self, *nodes: str) -> None:
        """Let these nodes lose the bus now."""
        self.cut.update(dict.fromkeys(nodes, asyncio.get_running_loop().time()))


class FakeBus:
    """The bus of one node."""

    def __init__(self, network: FakeNetwork, node: str) -> None:
        self._network, self._node = network, node

    @property
    def silence(self) -> float:
        now = asyncio.get_running_loop().time()
        return now - self._network.cut.get(self._node, now)

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self._network.listeners.append((self._node, subject, heard))

    def publish(self, subject: str, message: bytes) -> None:
        unheard = self._network.deaf | self._network.cut.keys()
        if self._node in unheard or self._network.drop(subject, message):
            return
        if len(message) > 2 * MAX_MESSAGE_BYTES:  # more than NATS takes
            return
        for node, wanted, heard in self._network.listeners:
            if wanted == subject and node != self._node and node not in unheard:
                asyncio.get_running_loop().call_later(
                    self._network.slow.get(node, 0.0), heard, message
                )

    async def close(self) -> None:
        self._network.listeners = [
            entry for entry in self._network.listeners if entry[0] != self._node
        ]


class FakeDatabase:
    """A store with leases, for all nodes; a node among ``away`` cannot reach it, and is
    told so only after ``patience`` seconds."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.owners: dict[str, str] = {}
        self.epochs: dict[str, int] = {}
        self.seen: dict[str, float] = {}
        self.heard: dict[str, float] = {}
        self.away: set[str] = set()
        self.patience = 0.0

    def lives(self, node: str) -> bool:
        return asyncio.get_running_loop().time() - self.seen.get(node, -1e9) < LEASE_LIFETIME_S


class FakeNodeStore:
    """The store as one node has it, and its leases."""

    def __init__(self, database: FakeDatabase, node: str) -> None:
        self.database, self.node = database, node
        self._epochs: dict[str, int] = {}

    def __getattr__(self, name: str) -> object:
        self._reach()
        return getattr(self.database.store, name)

    def _reach(self) -> None:
        if self.node in self.database.away:
            raise Unavailable("the database does not answer")

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        self._reach()
        if (owner := self.database.owners.get(room)) != self.node:
            raise LeaseLost(room, owner or "")
        await self.database.store.append(room, after, entries, over)

    async def heartbeat(self, silence: float = 0.0) -> float | None:
        if self.node in self.database.away:
            await asyncio.sleep(self.database.patience)
        self._reach()
        now, database = asyncio.get_running_loop().time(), self.database
        database.seen[self.node], database.heard[self.node] = now, now - silence
        others = (
            now - heard
            for node, heard in database.heard.items()
            if node != self.node and database.lives(node)
        )
        return min(others, default=None)

    async def claim(self, room: str) -> str:
        self._reach()
        owner = self.database.owners.get(room)
        if owner is None or not self.database.lives(owner):
            self.database.owners[room] = owner = self.node
            self.database.epochs[room] = self.database.epochs.get(room, 0) + 1
        self._epochs[room] = self.database.epochs.get(room, 0)
        return owner

    async def kept(self, *rooms: str) -> set[str]:
        self._reach()
        owners, epochs = self.database.owners, self.database.epochs
        return {
            room
            for room in rooms
            if owners.get(room) == self.node and epochs.get(room) == self._epochs.get(room)
        }

    async def release(self, *rooms: str) -> None:
        self._reach()
        for room in rooms:
            if self.database.owners.get(room) == self.node:
                del self.database.owners[room]

    async def owner(self, room: str) -> str | None:
        owner = self.database.owners.get(room)
        return owner if owner and self.database.lives(owner) else None

    async def nodes(self) -> list[NodeStatus]:
        return [
            NodeStatus(node, 0, 0.0) for node in self.database.seen if self.database.lives(node)
        ]

    async def retire(self) -> None:
        self._reach()
        rooms = [room for room, owner in self.database.owners.items() if owner == self.node]
        await self.release(*rooms)
        del self.database.seen[self.node]


@dataclass
class FakeNode:
    """One node with its lobby."""

    name: str
    lobby: Lobby
    node: ClusterNode
    bus: FakeBus


class FakeCluster:
    """Nodes that come and go, inside ``async with``."""

    def __init__(self, seed: int = 1) -> None:
        self.network, self.database, self.seed = FakeNetwork(), FakeDatabase(), seed
        self.nodes: dict[str, FakeNode] = {}
        self.now = 1_700_000_000_000

    def time(self) -> int:
        return self.now

    async def __aenter__(self) -> "FakeCluster":
        return self

    async def __aexit__(self, *_: object) -> None:
        for name in list(self.nodes):
            await self.stop(name)

    async def start(self, name: str) -> FakeNode:
        store = FakeNodeStore(self.database, name)
        sources = Sources(LexicaOnDisk(Path()), Random(self.seed), self.time, lambda: "")
        lobby = Lobby(store, sources, leases=store)  # type: ignore[arg-type]
        bus = FakeBus(self.network, name)
        node = ClusterNode(lobby, store, bus)
        await node.__aenter__()
        self.nodes[name] = FakeNode(name, lobby, node, bus)
        await asyncio.sleep(0.01)
        return self.nodes[name]

    async def stop(self, name: str) -> None:
        """Drain a node."""
        fake_node = self.nodes.pop(name)
        await fake_node.lobby.close()
        await fake_node.node.retire()
        await fake_node.node.__aexit__(None, None, None)
        await fake_node.bus.close()

    async def kill(self, name: str) -> None:
        """A node is no more, from one moment to the next."""
        fake_node = self.nodes.pop(name)
        self.network.deaf.add(name)
        self.database.away.add(name)
        await fake_node.node.__aexit__(None, None, None)
