"""Rooms at other nodes, and the gateway through which people here are in them."""

import asyncio
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Request
from crossroom_server.cluster import messages as to
from crossroom_server.cluster.link import Link
from crossroom_server.room.client import Client, Identity
from crossroom_server.table.permissions import EntryProof

_Answer: TypeAlias = "asyncio.Future[to.CallAnswer]"


class OwnerUnreachable(Exception):
    """The owner of a room cannot be reached. ``is_begun``: perhaps it has carried out the call."""

    def __init__(self, why: str, *, is_begun: bool) -> None:
        super().__init__(why)
        self.is_begun = is_begun


@dataclass
class RemoteGuest:
    """Somebody here who is in a room elsewhere, with a number of this node.

    ``identity``, and ``seq``, the last entry received, are as the owner said last. While somebody
    enters, frames are ``held`` back until both are known, so that nobody gets them twice.
    """

    number: int
    client: Client
    is_inside: bool = False
    identity: Identity | None = None
    seq: int = 0
    held: list[str] = field(default_factory=list)

    def accept(self, answer: to.CallAnswer) -> None:
        """Be in the room as the owner says, and release what was held back."""
        if answer.is_inside is not None:
            self.identity, self.is_inside = answer.known, answer.is_inside
        self.release(answer.seq)

    def tell(self, frames: Sequence[str], seq: int) -> None:
        """Send frames; *seq* is the last entry that is then received, or 0."""
        self.held += frames
        if seq:
            self.release(seq)

    def release(self, seq: int) -> None:
        """Send what was held back; *seq* is the last entry that is then received."""
        self.seq = max(self.seq, seq)
        told, self.held = self.held, []
        if told:
            self.client.send(told)


class Gateway:
    """Connects people here with rooms elsewhere.

    Args:
        moved: Called with a room that is no longer where it was.
    """

    def __init__(self, moved: Callable[["RemoteRoom"], None]) -> None:
        self._moved = moved
        self._rooms: dict[str, RemoteRoom] = {}
        self._guests: dict[int, RemoteGuest] = {}
        self._calls: dict[int, tuple[RemoteRoom, _Answer, RemoteGuest | None]] = {}
        self._numbers = itertools.count(1)

    def find(self, name: str) -> "RemoteRoom | None":
        """Return the room of that name, if somebody here is in it or about to be."""
        return self._rooms.get(name)

    def room(self, name: str, link: Link) -> "RemoteRoom":
        """Return the room of that name at the other end of *link*."""
        return self._rooms.setdefault(name, RemoteRoom(name, link, self))

    def forget(self, room: "RemoteRoom") -> None:
        """Forget a room that nobody here is in; whoever comes next looks for it."""
        room.is_over = True
        if self._rooms.get(room.name) is room:
            del self._rooms[room.name]

    @property
    def rooms(self) -> int:
        """Count the rooms elsewhere that people here are in."""
        return sum(any(True for _ in far) for far in self._rooms.values())

    @property
    def people(self) -> int:
        """Count the people here who are in rooms elsewhere."""
        return sum(guest.is_inside for guest in self._guests.values())

    def admit(self, client: Client) -> RemoteGuest:
        """Give somebody a number."""
        guest = RemoteGuest(next(self._numbers), client)
        self._guests[guest.number] = guest
        return guest

    def dismiss(self, guest: RemoteGuest) -> None:
        """Forget somebody."""
        self._guests.pop(guest.number, None)

    async def call(
        self, room: "RemoteRoom", errand: to.RoomRequest, guest: RemoteGuest | None
    ) -> to.CallAnswer:
        """Have the owner carry out a request, for a *guest* or for nobody.

        Raises:
            OwnerUnreachable: no answer will come.
        """
        if room.is_over:
            why = f"{room.link.peer} has not got {room.name} any more"
            raise OwnerUnreachable(why, is_begun=False)
        answered: _Answer = asyncio.get_running_loop().create_future()
        self._calls[self._say(room, errand, guest)] = room, answered, guest
        answer = await answered
        is_gone = answer.refused is not None and answer.refused[0] == "MOVED"
        if is_gone and not room.is_over:  # else they may be in it again already
            self.lose(room.link, room.name)
        return answer

    def _say(self, room: "RemoteRoom", errand: to.RoomRequest, guest: RemoteGuest | None) -> int:
        number = next(self._numbers)
        room.link.say(to.Call(number, room.name, errand, _card(guest) if guest else None))
        return number

    def receive(self, message: to.Message) -> None:
        """Take a message of an owner."""
        match message:
            case to.CallAnswer(number=number) if number in self._calls:
                room, answered, guest = self._calls.pop(number)
                if not answered.done():
                    if guest is not None:
                        guest.accept(message)
                    answered.set_result(message)
                elif message.is_inside:  # the caller has gone meanwhile, and must not stay there
                    self._say(room, to.LeaveRoom(), guest)
            case to.FramesTold(numbers=numbers, frames=frames, seq=seq):
                for number in numbers:
                    if (guest := self._guests.get(number)) is not None:
                        guest.tell(frames, seq)
            case to.ConnectionClosed(number=number, code=code, reason=reason):
                if (guest := self._guests.get(number)) is not None:
                    guest.release(0)
                    guest.is_inside = False
                    guest.client.close(code, reason)

    def fail(self, link: Link, room: str | None = None, *, is_begun: bool) -> None:
        """Fail all calls over *link*, or those to a *room*, and lose the rooms, or that one.

        See :exc:`OwnerUnreachable`.
        """
        lost = [
            number
            for number, (far, *_) in self._calls.items()
            if far.link is link and room in (None, far.name)
        ]
        for number in lost:
            _, answered, _ = self._calls.pop(number)
            if not answered.done():
                answered.set_exception(OwnerUnreachable(f"{link.peer} is gone", is_begun=is_begun))
        self.lose(link, room)

    def lose(self, link: Link, room: str | None = None) -> None:
        """Take note that a room, or None: every room, is no longer at the other end of *link*."""
        for far in list(self._rooms.values()):
            if far.link is link and room in (None, far.name):
                self.forget(far)
                for guest in far:
                    self.dismiss(guest)
                self._moved(far)


class RemoteRoom:
    """A room at another node, with the methods of :class:`~crossroom_server.room.room.Room`.

    It ``is_over`` when the room has moved or cannot be reached any more. Each coroutine may also
    raise :exc:`OwnerUnreachable`.
    """

    def __init__(self, name: str, link: Link, gateway: Gateway) -> None:
        self.name, self.link, self.is_over = name, link, False
        self._gateway = gateway
        self._guests: dict[Client, RemoteGuest] = {}
        self._calls = 0

    def __contains__(self, client: Any) -> bool:
        guest = self._guests.get(client)
        return guest is not None and guest.is_inside

    def __iter__(self) -> Iterator[RemoteGuest]:
        return iter(self._guests.values())

    def identity_of(self, client: Client) -> Identity | None:
        """Return the identity of a client in the room."""
        return self._guests[client].identity if client in self._guests else None

    def last_seen_seq(self, client: Client) -> int | None:
        """Return the number of the last entry that a client has received."""
        return self._guests[client].seq if client in self._guests else None

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        proof = await self._send(client, to.CheckKey(key))
        assert proof is None or isinstance(proof, str)
        return proof

    async def redeem_link(self, token: str) -> str:
        return str(await self._send(None, to.RedeemLink(token)))

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        await self._send(client, to.EnterRoom(name, proof))

    async def rejoin(
        self, client: Client, known: Identity | None, since: int | None, *, is_brought: bool = False
    ) -> None:
        await self._send(client, to.ResumeRoom(known, since, is_brought))

    async def mark_registered(self, client: Client) -> None:
        await self._send(client, to.MarkRegistered())

    async def leave(self, client: Client) -> None:
        await self._send(client, to.LeaveRoom())

    async def ask(self, client: Client, request: Request) -> None:
        await self._send(client, to.RunCommand(request.command, request.label, request.shown))

    async def is_seated(self, member: str) -> bool:
        return bool(await self._send(None, to.IsSeated(member)))

    async def preset(self) -> str:
        return str(await self._send(None, to.GetPreset()))

    async def restyle(self, client: Client) -> None:
        await self._send(client, to.UpdateClient())

    async def _send(self, client: Client | None, errand: to.RoomRequest) -> str | bool | None:
        """Have the owner carry out a request, for *client* or for nobody; return the answer.

        Raises:
            Refusal: the owner refuses.
            OwnerUnreachable: no answer will come.
        """
        guest = None
        if client is not None:
            guest = self._guests.get(client) or self._gateway.admit(client)
        self._calls += 1
        try:
            answer = await self._gateway.call(self, errand, guest)
        finally:
            self._calls -= 1
            if guest is not None and guest.is_inside:
                self._guests[guest.client] = guest
            elif guest is not None:
                self._guests.pop(guest.client, None)
                self._gateway.dismiss(guest)
            if not self._guests and not self._calls:
                self._gateway.forget(self)
        if answer.refused is not None:
            raise Refusal(*answer.refused)
        return answer.value


def _card(guest: RemoteGuest) -> to.ClientInfo:
    client = guest.client
    return to.ClientInfo(
        guest.number,
        client.address,
        client.base_url,
        client.style,
        frozenset(client.proven),
        guest.is_inside,
    )
