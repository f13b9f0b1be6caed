"""People at the nodes of one server."""

import asyncio
from collections.abc import Callable

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.notices import ReaderSettings
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import QUIET, FakeClient, any_contains


class ClusterClient:
    """Somebody at a node, in the room ``kitchen`` or another."""

    def __init__(
        self,
        cluster: FakeCluster,
        at: str,
        name: str | None,
        style: ReaderSettings | None = None,
        room: str = "kitchen",
    ):
        self.client = FakeClient(name or "watcher", style or QUIET)
        self.room = cluster.nodes[at].node.routed_room(room)
        self.name = name

    async def join(self, key: str = "") -> "ClusterClient":
        proof = await self.room.check_key(self.client, key)
        await self.room.enter(self.client, self.name, proof)
        return self

    async def reconnect(self, cluster: FakeCluster, at: str) -> "ClusterClient":
        """The same person over a new connection."""
        room, known = await cluster.nodes[at].lobby.find_by_code(self.client.code)
        client = ClusterClient(cluster, at, self.name)
        await room.rejoin(client.client, known, None)
        return client

    async def type(self, line: str) -> list[str]:
        begun = len(self.client.received)
        request = read_line(line, in_room=True)
        assert request is not None
        try:
            await self.room.ask(self.client, request)
        except Refusal as no:
            return [f"! {no.code}: {no}"]
        return self.client.received[begun:]

    def has_heard(self, part: str) -> bool:
        return any_contains(self.client.received, part)


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - whatever it is that changes, many tests wait for it
            await asyncio.sleep(0.005)


async def start_cluster_game(
    cluster: FakeCluster,
) -> tuple[ClusterClient, ClusterClient, ClusterClient]:
    """Ann at ``a``, which has the room, Bob at ``b``, a watcher there; a game, Ann is to move."""
    ann = await ClusterClient(cluster, "a", "ann").join()
    bob = await ClusterClient(cluster, "b", "bob").join()
    cat = await ClusterClient(cluster, "b", None).join()
    await ann.type("/set first-player seat")
    await ann.type("/ready")
    await bob.type("/ready")
    assert cluster.database.owners == {"kitchen": "a"}
    return ann, bob, cat
