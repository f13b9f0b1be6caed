"""The rooms of this server by name: opens, lists, unloads and closes them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol
from weakref import WeakValueDictionary

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.units import DAY_MS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_server.config.limits import MAX_OPEN_ROOMS
from crossroom_server.identity import names
from crossroom_server.identity.codes import code_digest
from crossroom_server.lobby.accounts import Accounts
from crossroom_server.lobby.cold_tables import ColdTables
from crossroom_server.lobby.leaderboard import Leaderboard
from crossroom_server.lobby.personal_data import PersonalData
from crossroom_server.lobby.room_handle import RoomHandle
from crossroom_server.lobby.unfinished_games import UnfinishedGames
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.room.client import Identity
from crossroom_server.room.room import Room
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.store.contract import CodeOwner, Store, Unavailable
from crossroom_server.store.lease_contract import LeaseLost, Leases
from crossroom_server.store.refusals import refusing_outages
from crossroom_server.table.state import Person, Sources

MAX_LISTED_ROOMS: Final = 100
"""Rooms that a list names; the others are only counted."""


@dataclass(frozen=True)
class RoomSummary:
    """A row in the list of rooms."""

    name: str
    people: int
    seated: int
    playing: bool
    locked: bool = False


class RoomMoved(Refusal):
    """Another node, the *owner*, has that room."""

    def __init__(self, name: str, owner: str) -> None:
        super().__init__("MOVED", Phrase("{name} is at node {owner}"), name=name, owner=owner)
        self.owner = owner


@dataclass(frozen=True)
class NodeTraffic:
    """The traffic between this node and the others.

    ``nodes`` live, this one included; ``people`` connected here are in ``rooms`` of other nodes.
    ``envelopes`` were sent so far, and messages were lost ``breaks`` times.
    """

    nodes: int
    rooms: int
    people: int
    envelopes: int
    breaks: int


class Cluster(Protocol):
    """The cluster that this node is part of."""

    def routed_room(self, name: str) -> RoomHandle:
        """Return the room of that name, at whichever node it is."""

    def rooms(self) -> list[tuple[str, RoomSummary]]:
        """Return the listed rooms of other nodes, each with the name of its node."""

    def room_lost(self, room: Room) -> None:
        """Take note that a room that was here is another node's now."""

    def traffic(self) -> NodeTraffic:
        """Return the traffic between the nodes."""

    async def nodes(self) -> list[str]:
        """Return a line for each node that lives; raise :exc:`Unavailable` without a database."""

    def connections_from(self, place: str) -> int:
        """Return the number of connections of one client address at other nodes."""


class Lobby:
    """All rooms of this server that are open.

    Args:
        store: Keeps their logs.
        sources: The clock, dice and word lists of their decisions.
        thinkers: Computes the moves of bots; None: one at a time for each processor.
        metrics: Counts what happens in them.
        leases: The rooms that this node may open; None: all, the server is alone.
    """

    def __init__(
        self,
        store: Store,
        sources: Sources,
        thinkers: WorkerPool | None = None,
        metrics: Metrics | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.metrics = metrics or Metrics()
        self.cluster: Cluster | None = None
        self._leases = leases
        self.accounts, self.leaderboard = Accounts(store), Leaderboard(store)
        self._store, self._sources = store, sources
        self._cold_tables, self._thinkers = ColdTables(store), thinkers or WorkerPool()
        self.unfinished_games = UnfinishedGames(store, self.find, self._cold_tables)
        self.personal_data = PersonalData(store, self.held_closed)
        self._rooms: dict[str, tuple[Room, asyncio.Task[None]]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closing = False

    async def locate(self, name: str) -> RoomHandle:
        """Return the room of that name, at whichever node it is; otherwise see :meth:`room`."""
        if self.cluster is None:
            return await self.room(name)
        return self.cluster.routed_room(names.check_room_name(name))

    async def room(self, name: str) -> Room:
        """Return the room of that name; open it if it is not open, or create it.

        Use it at once, or enter :meth:`Room.pinned` at once: it may be unloaded while nobody is in
        it (:meth:`unload_idle_rooms`).

        Raises:
            RoomMoved: another node has it.
            Refusal: ``NO_ROOM``, ``TOO_MANY``, ``SHUTTING_DOWN``, or the store is out of order.
        """
        name = names.check_room_name(name)
        if (found := self._open_room(name)) is not None:
            return found
        async with self._turn(name):  # those of other names do not wait: logs may be long
            if (found := self._open_room(name)) is not None:
                return found
            if len(self._rooms) >= MAX_OPEN_ROOMS:
                raise Refusal("TOO_MANY", "this server cannot hold another room; /rooms")
            try:
                await self._claim(name)
                room = await self._opened(name)
            except (Unavailable, CorruptLog) as error:
                raise Refusal(
                    "INTERNAL", "the room {name} cannot be opened: {error}", name=name, error=error
                ) from None
            except LeaseLost as taken:
                raise RoomMoved(name, taken.owner) from None
            self._rooms[name] = room, asyncio.create_task(room.run(), name=f"room {name}")
            return room

    async def _opened(self, name: str) -> Room:
        room = Room(name, self._store, self._sources, self._thinkers, self.metrics, self.drop_lost)
        try:
            await room.open()
        except BaseException:
            await room.abandon()
            await self._release(name)
            raise
        return room

    async def _claim(self, name: str) -> None:
        if self._leases is not None:
            owner = await self._leases.claim(name)
            if owner != self._leases.node:
                raise RoomMoved(name, owner)

    async def _release(self, name: str) -> None:
        """Let any node have the room."""
        if self._leases is not None:
            with contextlib.suppress(Unavailable):  # then it stays here
                await self._leases.release(name)

    async def drop_lost(self, room: Room) -> None:
        """Abandon a room that another node has by now: nothing of it is stored any more."""
        if self.find(room.name) is room:
            del self._rooms[room.name]
            await room.abandon()
            await asyncio.sleep(0)  # whoever was refused by that is told so first
            if self.cluster is not None:
                self.cluster.room_lost(room)

    def _open_room(self, name: str) -> Room | None:
        if self._closing:
            raise Refusal("SHUTTING_DOWN", "the server is stopping; come back in a moment")
        return self.find(name)

    def _turn(self, name: str) -> asyncio.Lock:
        """Return the lock that is held while the room of that name opens or closes."""
        return self._turns.setdefault(name, asyncio.Lock())

    def __iter__(self) -> Iterator[Room]:
        return (room for room, _ in self._rooms.values())

    def is_open(self, name: str) -> bool:
        """Are there people in that room, or is a game going on?"""
        if (room := self.find(name)) is not None:
            return room.connection_count > 0 or room.table.playing is not None
        return any(line.name == name for _, line in self.rooms_elsewhere())

    def now(self) -> int:
        """Return the time in ms since 1970."""
        return self._sources.now()

    def excuse(self, jump: int) -> None:
        """Let no clock in any room run during a *jump* of the server's time, in ms."""
        for room in self:
            room.excuse(jump)

    def rooms(self) -> list[RoomSummary]:
        """Return the rooms here with people in them or a game going on, the fullest first."""
        lines = [
            RoomSummary(
                name,
                room.connection_count,
                len(room.table.seats),
                room.table.playing is not None,
                room.table.permissions.lock is not None,
            )
            for name, (room, _) in self._rooms.items()
        ]
        shown = (line for line in lines if line.people or line.playing)
        return sorted(shown, key=_fullest)

    def listed(self) -> list[RoomSummary]:
        """Return the rooms of all nodes, as :meth:`rooms` returns those of this one."""
        elsewhere = [line for _, line in self.rooms_elsewhere()]
        return sorted([*self.rooms(), *elsewhere], key=_fullest)

    def rooms_elsewhere(self) -> list[tuple[str, RoomSummary]]:
        """Return such rooms of other nodes, each with the name of its node."""
        return self.cluster.rooms() if self.cluster is not None else []

    def find(self, name: str) -> Room | None:
        """Return the room of that name, if it is open here."""
        return self._rooms[name][0] if name in self._rooms else None

    async def open_existing(self, name: str) -> Room:
        """Return the room of that name, opened if need be; see :meth:`room`.

        Raises:
            Refusal: ``NO_ROOM``, nothing is stored of it; or whatever opening it raises.
        """
        with refusing_outages():
            if self.find(name) is None and not await self._store.read(name, limit=1):
                raise Refusal(
                    "NO_ROOM", "{name} is not open, and nothing is stored of it", name=name
                )
        return await self.room(name)

    async def close_room(self, name: str) -> None:
        """Unload an open room; whoever comes next opens it again.

        Raises:
            Refusal: ``NO_ROOM``, it is not open.
        """
        async with self._turn(name):
            if name not in self._rooms:
                raise Refusal("NO_ROOM", "{name} is not open", name=name)
            await self._close(name)

    async def close_all_rooms(self) -> None:
        """Unload all rooms, though people may be in them."""

        async def close(name: str) -> None:
            with contextlib.suppress(Refusal):  # it was closed meanwhile
                await self.close_room(name)

        await asyncio.gather(*map(close, list(self._rooms)))

    async def unload_idle_rooms(self, after: float) -> None:
        """Unload the rooms in which nobody has been for *after* seconds and nothing will happen."""
        for name in list(self._rooms):
            if self._is_idle(name, after):
                async with self._turn(name):
                    # somebody may have come meanwhile, or the end
                    if not self._closing and self._is_idle(name, after):
                        await self._close(name)
                        self.metrics.rooms_unloaded += 1

    def _is_idle(self, name: str, after: float) -> bool:
        room = self.find(name)
        since = room.idle_since if room is not None else None
        return since is not None and asyncio.get_running_loop().time() - since >= after

    async def _close(self, name: str) -> None:
        room, task = self._rooms.pop(name)
        await room.close()
        await asyncio.gather(task, return_exceptions=True)
        self._cold_tables.remember(name, room.table, room.newest)
        await self._release(name)

    @contextlib.asynccontextmanager
    async def held_closed(self, name: str) -> AsyncIterator[None]:
        """Hold a room closed while its log is rewritten; everybody in it has to come back after.

        Raises:
            Refusal: ``SHUTTING_DOWN``.
        """
        async with self._turn(name):
            if (room := self._open_room(name)) is not None:
                await self._close(name)
                room.disconnect_all(gettext("the log of this room is being changed; come back"))
            try:
                yield
            finally:
                self._cold_tables.forget(name)

    async def delete_vacant(self, name: str, before: int) -> bool:
        """Delete a vacant room that is open nowhere; see :meth:`Store.delete_vacant`.

        Newcomers wait meanwhile, and find a new room. Return whether it was deleted.

        Raises:
            Unavailable: the store is out of order.
        """
        async with self._turn(name):
            if self._closing or name in self._rooms:
                return False
            try:
                await self._claim(name)
            except RoomMoved:
                return False
            try:
                was_vacant = await self._store.delete_vacant(name, before)
            finally:
                await self._release(name)
        self.metrics.rooms_deleted += was_vacant
        return was_vacant

    async def find_by_code(self, code: str) -> tuple[RoomHandle, Identity]:
        """Return the room and the owner of a resume code; see :meth:`room` for how to use it.

        Raises:
            Refusal: ``BAD_TOKEN``, or whatever opening the room raises.
        """
        digest = code_digest(code)
        with refusing_outages():
            member = await self._store.find_code(digest)
        if member is None:
            raise Refusal("BAD_TOKEN", "this code is not known here; check it letter by letter")
        with contextlib.suppress(Unavailable):  # then it is put off the next time
            await record_use(self._store, digest, member, self.now())
        room = await self.locate(member.room)
        person = Person(member.member, member.name, member.registered)
        return room, Identity(person, digest, member.reader)

    async def close(self) -> None:
        """Let every room stop its clock and store all, then end it and all thinking."""
        self._closing = True
        for turn in list(self._turns.values()):  # what opens or closes just now does so first
            async with turn:
                pass
        await asyncio.gather(*(room.close() for room, _ in self._rooms.values()))
        await asyncio.gather(*(task for _, task in self._rooms.values()), return_exceptions=True)
        await self._thinkers.close()
        self._rooms.clear()


def _fullest(line: RoomSummary) -> tuple[int, str]:
    return -line.people, line.name


async def record_use(store: Store, digest: str, owner: CodeOwner, now: int) -> None:
    """Renew a resume code that may expire, at most once a day; *now* is in ms since 1970.

    Raises:
        Unavailable: that could not be stored.
    """
    if owner.since and now - owner.since >= DAY_MS:
        await store.save_code(digest, replace(owner, since=now))
