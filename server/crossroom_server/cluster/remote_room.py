"""A room at another node, and the gateway through which people here are in it."""

import asyncio
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Request
from crossroom_server.cluster.link import Link
from crossroom_server.cluster.messages import (
    Call,
    CallAnswer,
    CheckKey,
    ClientInfo,
    ConnectionClosed,
    EnterRoom,
    FramesTold,
    GetPreset,
    IsSeated,
    LeaveRoom,
    MarkRegistered,
    Message,
    ResumeRoom,
    RoomRequest,
    RunCommand,
    UpdateClient,
)
from crossroom_server.room.audience import Client, Identity
from crossroom_server.table.permissions import EntryProof


class OwnerUnreachable(Exception):
    """The owner of a room cannot be reached. ``is_begun``: perhaps it did what it was asked."""

    def __init__(self, why: str, *, is_begun: bool) -> None:
        super().__init__(why)
        self.is_begun = is_begun


@dataclass
class RemoteGuest:
    """Somebody here in a room elsewhere, under a number of this node.

    ``known`` and ``seq`` are what the owner has said last: who they are, and up to which entry they
    have heard everything. While they come in, what they are told is held back until that is known:
    if it never will be, they are told elsewhere, and nothing twice.
    """

    number: int
    client: Client
    is_inside: bool = False
    identity: Identity | None = None
    seq: int = 0
    held: list[str] = field(default_factory=list)

    def accept(self, answer: CallAnswer) -> None:
        """Be in the room as the owner says now, and hear what was held back."""
        if answer.is_inside is not None:
            self.identity, self.is_inside = answer.known, answer.is_inside
        self.release(answer.seq)

    def tell(self, frames: Sequence[str], seq: int) -> None:
        """Tell them something; with it they have heard everything up to entry *seq*, if not 0."""
        self.held += frames
        if seq:
            self.release(seq)

    def release(self, seq: int) -> None:
        """Release what was held back; with it they have heard everything up to entry *seq*."""
        self.seq = max(self.seq, seq)
        told, self.held = self.held, []
        if told:
            self.client.send(told)


class Gateway:
    """Connects people here with rooms elsewhere.

    Args:
        moved: Called with a room that is not where it was.
    """

    def __init__(self, moved: Callable[["RemoteRoom"], None]) -> None:
        self._moved = moved
        self._rooms: dict[str, RemoteRoom] = {}
        self._guests: dict[int, RemoteGuest] = {}
        self._calls: dict[
            int, tuple[RemoteRoom, asyncio.Future[CallAnswer], RemoteGuest | None]
        ] = {}
        self._numbers = itertools.count(1)

    def find(self, name: str) -> "RemoteRoom | None":
        """The room of that name, if somebody here is in it, or about to be."""
        return self._rooms.get(name)

    def room(self, name: str, link: Link) -> "RemoteRoom":
        """The room of that name at the other end of *link*."""
        return self._rooms.setdefault(name, RemoteRoom(name, link, self))

    def forget(self, room: "RemoteRoom") -> None:
        """Nobody here is in that room: whoever comes next looks where it is."""
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
        self, room: "RemoteRoom", errand: RoomRequest, guest: RemoteGuest | None
    ) -> CallAnswer:
        """Have the owner do something, for a *guest* or for nobody.

        Raises:
            Lost: no answer will come.
        """
        if room.is_over:
            raise OwnerUnreachable(
                f"{room.link.peer} has not got {room.name} any more", is_begun=False
            )
        answered: asyncio.Future[CallAnswer] = asyncio.get_running_loop().create_future()
        self._calls[self._say(room, errand, guest)] = room, answered, guest
        answer = await answered
        if answer.refused is not None and answer.refused[0] == "MOVED":
            self.lose(room.link, room.name)
        return answer

    def _say(self, room: "RemoteRoom", errand: RoomRequest, guest: RemoteGuest | None) -> int:
        number = next(self._numbers)
        room.link.say(Call(number, room.name, errand, _card(guest) if guest else None))
        return number

    def receive(self, message: Message) -> None:
        """Take what an owner says."""
        match message:
            case CallAnswer(number=number) if number in self._calls:
                self._settle(message, *self._calls.pop(number))
            case FramesTold(numbers=numbers, frames=frames, seq=seq):
                for number in numbers:
                    if (guest := self._guests.get(number)) is not None:
                        guest.tell(frames, seq)
            case ConnectionClosed(number=number, code=code, reason=reason):
                if (guest := self._guests.get(number)) is not None:
                    guest.release(0)
                    guest.is_inside = False
                    guest.client.close(code, reason)

    def _settle(
        self,
        answer: CallAnswer,
        room: "RemoteRoom",
        answered: asyncio.Future[CallAnswer],
        guest: RemoteGuest | None,
    ) -> None:
        if not answered.done():
            if guest is not None:
                guest.accept(answer)
            answered.set_result(answer)
        elif answer.is_inside:  # who asked has gone meanwhile, and must not stay there for ever
            self._say(room, LeaveRoom(), guest)

    def part(self, link: Link) -> None:
        """The peer has closed its rooms: what it has not answered by now, it has not done."""
        self._fail(link, is_begun=False)

    def fail(self, link: Link) -> None:
        """Nothing that was asked over *link* will be answered, and no room there is reached."""
        self._fail(link, is_begun=True)

    def _fail(self, link: Link, *, is_begun: bool) -> None:
        lost = [number for number, (room, *_) in self._calls.items() if room.link is link]
        for number in lost:
            _, answered, _ = self._calls.pop(number)
            if not answered.done():
                answered.set_exception(OwnerUnreachable(f"{link.peer} is gone", is_begun=is_begun))
        self.lose(link)

    def lose(self, link: Link, room: str | None = None) -> None:
        """A room, or None: all that were at the other end of *link*, are not there any more."""
        for far in list(self._rooms.values()):
            if far.link is link and room in (None, far.name):
                far.is_over = True
                self.forget(far)
                for guest in far:
                    self.dismiss(guest)
                self._moved(far)


class RemoteRoom:
    """A room at another node, until that or the way there is no more: then it ``is_over``.

    See :class:`~crossroom_server.room.room.Room` for what it offers. Whatever is asked of it may
    also raise :exc:`OwnerUnreachable`.
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
        """Up to which entry a client has heard everything."""
        return self._guests[client].seq if client in self._guests else None

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        proof = await self._send(client, CheckKey(key))
        assert proof is None or isinstance(proof, str)
        return proof

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        await self._send(client, EnterRoom(name, proof))

    async def rejoin(
        self, client: Client, known: Identity | None, since: int | None, *, is_brought: bool = False
    ) -> None:
        await self._send(client, ResumeRoom(known, since, is_brought))

    async def mark_registered(self, client: Client) -> None:
        await self._send(client, MarkRegistered())

    async def leave(self, client: Client) -> None:
        await self._send(client, LeaveRoom())

    async def ask(self, client: Client, request: Request) -> None:
        await self._send(client, RunCommand(request.command, request.label, request.shown))

    async def is_seated(self, member: str) -> bool:
        return bool(await self._send(None, IsSeated(member)))

    async def preset(self) -> str:
        return str(await self._send(None, GetPreset()))

    async def restyle(self, client: Client) -> None:
        await self._send(client, UpdateClient())

    async def _send(self, client: Client | None, errand: RoomRequest) -> str | bool | None:
        """Have the owner do something for *client*, or for nobody; what it answers.

        Raises:
            Refusal: the owner says no.
            Lost: no answer will come.
        """
        guest = None
        if client is not None:
            guest = self._guests.get(client) or self._gateway.admit(client)
        self._calls += 1
        try:
            answer = await self._gateway.call(self, errand, guest)
        finally:
            self._calls -= 1
            if guest is not None:
                self._keep(guest)
            if not self._guests and not self._calls:
                self._gateway.forget(self)
        if answer.refused is not None:
            raise Refusal(*answer.refused)
        return answer.value

    def _keep(self, guest: RemoteGuest) -> None:
        """Have somebody among the guests for as long as they are in the room."""
        if guest.is_inside:
            self._guests[guest.client] = guest
        else:
            self._guests.pop(guest.client, None)
            self._gateway.dismiss(guest)


def _card(guest: RemoteGuest) -> ClientInfo:
    client = guest.client
    return ClientInfo(
        guest.number, client.address, client.base_url, client.style, frozenset(client.proven)
    )
