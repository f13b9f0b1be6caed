"""People at the nodes of one server."""

import asyncio
from collections.abc import Callable

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.notices import ReaderSettings
from tests.support.fake_cluster import Cluster
from tests.support.room_driver import Ear, has


class Guest:
    """Somebody at a node, in the room ``kitchen``."""

    def __init__(
        self, cluster: Cluster, at: str, name: str | None, style: ReaderSettings | None = None
    ):
        self.ear = Ear(name or "watcher", style or ReaderSettings())
        self.room = cluster.machines[at].node.hall("kitchen")
        self.name = name

    async def come(self, key: str = "") -> "Guest":
        proof = await self.room.knock(self.ear, key)
        await self.room.enter(self.ear, self.name, proof)
        return self

    async def come_back(self, cluster: Cluster, at: str) -> "Guest":
        """The same person over a new connection."""
        room, known = await cluster.machines[at].lobby.resume(self.ear.code)
        guest = Guest(cluster, at, self.name)
        await room.resume(guest.ear, known, None)
        return guest

    async def type(self, line: str) -> list[str]:
        begun = len(self.ear.heard)
        request = read_line(line, in_room=True)
        assert request is not None
        try:
            await self.room.ask(self.ear, request)
        except Refusal as no:
            return [f"! {no.code}: {no}"]
        return self.ear.heard[begun:]

    def heard(self, part: str) -> bool:
        return has(self.ear.heard, part)


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - whatever it is that changes, many tests wait for it
            await asyncio.sleep(0.005)


async def playing(cluster: Cluster) -> tuple[Guest, Guest, Guest]:
    """Ann at ``a``, which has the room, Bob at ``b``, a watcher there; a game, Ann is to move."""
    ann = await Guest(cluster, "a", "ann").come()
    bob = await Guest(cluster, "b", "bob").come()
    cat = await Guest(cluster, "b", None).come()
    await ann.type("/set first-player seat")
    await ann.type("/ready")
    await bob.type("/ready")
    assert cluster.database.owners == {"kitchen": "a"}
    return ann, bob, cat
