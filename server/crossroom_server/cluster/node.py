"""A node of a cluster: sends and receives signs of life, and finds rooms."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Self
from weakref import WeakValueDictionary

from pydantic import ValidationError

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.wording import format_count
from crossroom_server.cluster import messages as to
from crossroom_server.cluster.bus import Bus
from crossroom_server.cluster.link import Link, subject_of
from crossroom_server.cluster.rebalancing import Rebalancer
from crossroom_server.cluster.remote_clients import RemoteClients
from crossroom_server.cluster.remote_room import Gateway, OwnerUnreachable, RemoteRoom
from crossroom_server.cluster.routed_room import RoutedRoom
from crossroom_server.lobby.lobby import (
    MAX_LISTED_ROOMS,
    Lobby,
    NodeTraffic,
    RoomMoved,
    RoomSummary,
)
from crossroom_server.room.room import Room
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S, Leases, NodeStatus

log = logging.getLogger(__name__)

ALL_NODES_SUBJECT: Final = "crossroom.all"
"""The subject of notices to all nodes."""
HEARTBEAT_INTERVAL_S: Final = 0.75
"""Seconds from one sign of life to the next."""
LISTS_PER_INTERVAL: Final = 4
"""Nodes that tell their rooms in such a time, in turn: lists are long, and each goes to all."""
PEER_TIMEOUT_S: Final = 2.5
"""Seconds without one after which a node counts as gone."""
MAX_SILENCE_S: Final = 1.0
"""Seconds without an answer of the bus after which a node looks whether others have some."""
MAX_OTHERS_SILENCE_S: Final = 1.75
"""Seconds since one of them had one, as far as the database knows; with more nobody has any."""
ALONE_AFTER_S: Final = 1.5
"""Seconds of that after which a node counts as cut off: when the bus is away for all, or comes back
to all, they do not notice it at the same time."""
LEASE_GRACE_S: Final = LEASE_LIFETIME_S + PEER_TIMEOUT_S
"""Seconds without the database after which a node sends none, so that others take its rooms."""


class ClusterNode:
    """This process among the nodes of its cluster, inside ``async with``.

    Args:
        lobby: The rooms of this node.
        leases: The leases of all rooms.
        bus: Reaches the other nodes.
    """

    def __init__(self, lobby: Lobby, leases: Leases, bus: Bus) -> None:
        self.name, self._lobby, self._leases, self._bus = leases.node, lobby, leases, bus
        self._remote_clients = RemoteClients(lobby, self.check_current)
        self._gateway = Gateway(self._follow)
        self._rebalancer = Rebalancer(lobby, self._offer, self._room_given)
        self._taking: set[asyncio.Task[None]] = set()
        self._links: dict[str, Link] = {}
        self._envelopes = self._breaks = 0  # of links to nodes that are gone
        self._beats: dict[str, tuple[float, to.Heartbeat]] = {}
        self._beats_until_list = 0
        self._routed_rooms: WeakValueDictionary[str, RoutedRoom] = WeakValueDictionary()
        self._proved = 0.0
        self._behind_since: float | None = None
        self._giving_up: asyncio.Task[None] | None = None
        self.is_leaving = self.is_cut_off = False
        self.noticed_cut: Callable[[bool], None] = lambda _: None
        """Called when this node alone has lost the bus, and when it has it back."""
        self.heard: Callable[[to.Notice], None] = lambda _: None
        self.crowds: Callable[[], dict[str, int]] = dict
        lobby.cluster = self

    async def __aenter__(self) -> Self:
        await self._leases.heartbeat()
        self._proved = _now()
        await self._bus.listen(subject_of(self.name), self._open)
        await self._bus.listen(ALL_NODES_SUBJECT, self._notice)
        self._living_on = (
            asyncio.create_task(_again(self._beat), name="node"),
            asyncio.create_task(_again(self._prove), name="lease"),
        )
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self._rebalancer.close()
        tasks = [*self._living_on, *self._taking]
        if self._giving_up is not None:
            tasks.append(self._giving_up)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # For the server: see lobby.Cluster.

    def routed_room(self, name: str) -> RoutedRoom:
        return self._routed_rooms.setdefault(name, RoutedRoom(name, self))

    def rooms(self) -> list[tuple[str, RoomSummary]]:
        return [(beat.source, line) for beat in self._living() for line in beat.rooms]

    def traffic(self) -> NodeTraffic:
        return NodeTraffic(
            1 + len(self._living()),
            self._gateway.rooms,
            self._gateway.people,
            self._envelopes + sum(link.envelopes for link in self._links.values()),
            self._breaks + sum(link.breaks for link in self._links.values()),
        )

    async def nodes(self) -> list[str]:
        return [self._described(line) for line in await self._leases.nodes()]

    def _described(self, line: NodeStatus) -> str:
        told = f"{line.node}: {format_count(line.rooms, 'room')}, heard of {line.seen:.1f} s ago"
        if line.node == self.name:
            return f"{told}, this one"
        return told if self._is_heard(line.node) else f"{told}, but not over the bus"

    def room_lost(self, room: Room) -> None:
        self._remote_clients.forget(room, is_lost=True)
        self._follow(room)

    def _room_given(self, room: Room) -> None:
        self._remote_clients.forget(room)
        self._follow(room)

    def connections_from(self, place: str) -> int:
        """Return the connections of a client address at the nodes where they are many."""
        return sum(beat.crowds.get(place, 0) for beat in self._living())

    def tell_all(self, notice: to.Notice) -> None:
        """Send a notice to all other nodes."""
        self._bus.publish(ALL_NODES_SUBJECT, to.NOTICE.dump_json(notice))

    async def retire(self) -> None:
        """Let the other nodes have the rooms, which are closed, and tell them at once."""
        self.is_leaving = True
        try:
            await self._leases.retire()
        except Unavailable as error:
            log.warning("the leases run out by themselves: %s", error)
        await self._remote_clients.finish()
        for link in self._links.values():
            link.say(to.RoomGone())
        self.tell_all(self._state())
        await asyncio.sleep(0)  # what was just said leaves at the end of this turn

    # Where rooms are: see routed_room.RoomDirectory.

    def known(self, name: str) -> Room | RemoteRoom | None:
        return self._gateway.find(name) or self._lobby.find(name)

    async def find(self, name: str) -> Room | RemoteRoom:
        if self.is_cut_off:
            raise OwnerUnreachable("this node is cut off from the others", is_begun=False)
        if (known := self.known(name)) is not None:
            return known
        if self._rebalancer.is_given(name) and not await self._is_taken(name):
            raise OwnerUnreachable("another node is about to take the room", is_begun=False)
        try:
            return await self._lobby.room(name)
        except RoomMoved as elsewhere:
            owner = elsewhere.owner
        if not self._is_heard(owner):
            raise OwnerUnreachable(f"{owner} is not heard of", is_begun=False)
        return self._gateway.room(name, self._link(owner))

    async def _is_taken(self, name: str) -> bool:
        try:
            return await self._leases.owner(name) is not None
        except Unavailable as error:
            raise OwnerUnreachable(str(error), is_begun=False) from error

    def check_current(self, room: Room | RemoteRoom) -> None:
        """Check that nobody else can have had a room of this node, so that what it tells is true.

        Raises:
            OwnerUnreachable: the database has not heard of this node for too long.
        """
        if isinstance(room, Room) and _now() > self._proved + LEASE_LIFETIME_S:
            raise OwnerUnreachable("the database does not answer", is_begun=False)

    def _follow(self, room: Room | RemoteRoom) -> None:
        if not self.is_leaving and (routed := self._routed_rooms.get(room.name)) is not None:
            routed.follow()

    def _offer(self, peer: str, name: str) -> None:
        self._link(peer).say(to.TakeRoom(name))

    async def _take(self, name: str) -> None:
        with contextlib.suppress(Refusal):  # another node was faster
            await self._lobby.room(name)

    # The other nodes.

    def _link(self, peer: str) -> Link:
        if peer not in self._links:
            self._links[peer] = Link(self.name, peer, self._bus, self._receive, self._fail)
        return self._links[peer]

    def _unlink(self, peer: str) -> None:
        """Forget the link to a node that is gone for good, as a node has a new name at every start.

        If it was only silent, the next envelope of either is a gap for the other.
        """
        link = self._links.pop(peer)
        link.give_up()
        self._envelopes += link.envelopes
        self._breaks += link.breaks

    def _open(self, message: bytes) -> None:
        try:
            envelope = to.ENVELOPE.validate_json(message)
        except ValidationError:
            log.exception("a message of another node cannot be read")
            return
        self._link(envelope.source).hear(envelope)

    def _receive(self, link: Link, message: to.Message) -> None:
        match message:
            case to.Call():
                self._remote_clients.receive(link, message)
            case to.RoomGone(room=None):  # what it has not answered by now, it has not done
                self._gateway.fail(link, is_begun=False)
            case to.RoomGone(room=room, is_lost=True):
                self._gateway.fail(link, room, is_begun=True)
            case to.RoomGone(room=room):
                self._gateway.lose(link, room)
            case to.TakeRoom(room=room):
                task = asyncio.create_task(self._take(room), name=f"taking {room}")
                self._taking.add(task)
                task.add_done_callback(self._taking.discard)
            case to.KeepAlive():
                pass
            case _:
                self._gateway.receive(message)

    def _fail(self, link: Link) -> None:
        self._remote_clients.fail(link)
        self._gateway.fail(link, is_begun=True)

    def _notice(self, message: bytes) -> None:
        try:
            notice = to.NOTICE.validate_json(message)
        except ValidationError:
            log.exception("a notice of another node cannot be read")
            return
        if not isinstance(notice, to.Heartbeat):
            self.heard(notice)
            return
        if notice.is_leaving:
            log.info("node %s leaves", notice.source)
        elif notice.source not in self._beats:
            log.info("node %s is there", notice.source)
            self._beats_until_list = 0  # it knows no rooms yet
        if not notice.lists_rooms and notice.source in self._beats:
            notice = replace(notice, rooms=self._beats[notice.source][1].rooms)
        self._beats[notice.source] = _now(), notice

    def _living(self) -> list[to.Heartbeat]:
        return [beat for _, beat in self._beats.values() if not beat.is_leaving]

    def _is_heard(self, peer: str) -> bool:
        return any(beat.source == peer for beat in self._living())

    # The signs of life.

    async def _beat(self) -> None:
        """Send a sign of life to the others, unless the database has had none for long."""
        is_trusted = _now() < self._proved + LEASE_GRACE_S
        if is_trusted:
            self.tell_all(self._state())
        if is_trusted and not self.is_leaving and not self.is_cut_off:
            self._rebalancer.update(
                {beat.source: n for beat in self._living() if (n := beat.open_rooms) is not None}
            )
        for peer, (heard, _) in list(self._beats.items()):
            if _now() - heard > PEER_TIMEOUT_S:
                if self._is_heard(peer):
                    log.warning("node %s is not heard of any more", peer)
                del self._beats[peer]
        for peer, link in list(self._links.items()):
            if peer not in self._beats:
                self._unlink(peer)
            elif is_trusted:
                link.keep_alive()

    async def _prove(self) -> None:
        """Send a sign of life to the database; if it was late, drop the rooms that were lost."""
        if self.is_leaving:  # it counts as gone there, and would only be told so
            return
        try:
            self._watch_bus(await self._leases.heartbeat(self._bus.silence))
            if _now() > self._proved + LEASE_LIFETIME_S:
                log.warning("this node was away for a while; others may have taken its rooms")
                await self._drop_lost_rooms()
            self._proved = _now()
        except Unavailable as error:
            if not self.is_leaving:
                log.warning("the database does not know that this node lives: %s", error)

    async def _drop_lost_rooms(self) -> None:
        """Drop the rooms that others have had meanwhile, even if they have let them go since."""
        rooms = list(self._lobby)
        kept = await self._leases.kept(*(room.name for room in rooms))
        for room in rooms:
            if room.name not in kept:
                await self._lobby.drop_lost(room)

    def _watch_bus(self, others: float | None) -> None:
        """Notice that this node alone has lost the bus; *others*: see :meth:`Leases.heartbeat`."""
        is_behind = (
            self._bus.silence > MAX_SILENCE_S
            and others is not None
            and others < MAX_OTHERS_SILENCE_S
        )
        if not is_behind:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = _now()
        was_cut_off, self.is_cut_off = (
            self.is_cut_off,
            (self._behind_since is not None and _now() - self._behind_since >= ALONE_AFTER_S),
        )
        if self.is_cut_off == was_cut_off:
            return
        self.noticed_cut(self.is_cut_off)
        if self.is_cut_off:
            log.warning("this node alone has lost the bus; its people and rooms go to the others")
            self._giving_up = asyncio.create_task(self._give_rooms_up(), name="giving rooms up")
        else:
            log.warning("this node takes people and rooms again")

    async def _give_rooms_up(self) -> None:
        rooms = list(self._lobby)
        await self._lobby.close_all_rooms()
        for room in rooms:
            self._remote_clients.forget(room)

    def _state(self) -> to.Heartbeat:
        lists_rooms = self._beats_until_list == 0
        if lists_rooms:
            self._beats_until_list = max(1, (len(self._beats) + 1) // LISTS_PER_INTERVAL)
        self._beats_until_list -= 1
        rooms = tuple(self._lobby.rooms()[:MAX_LISTED_ROOMS]) if lists_rooms else ()
        count = None if self.is_cut_off else len(list(self._lobby))
        return to.Heartbeat(
            self.name,
            rooms,
            self.crowds(),
            is_leaving=self.is_leaving,
            open_rooms=count,
            lists_rooms=lists_rooms,
        )


async def _again(do: Callable[[], Awaitable[None]]) -> None:
    """Repeat something for ever; log what fails."""
    while True:
        try:
            await do()
        except Exception:
            log.exception("a node could not say that it lives")
        await asyncio.sleep(HEARTBEAT_INTERVAL_S)


def _now() -> float:
    return asyncio.get_running_loop().time()
