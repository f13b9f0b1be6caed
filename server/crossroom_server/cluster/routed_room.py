"""The handle of a room that may be at any node, and may move while people are in it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, Protocol, TypeAlias, TypeVar

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import Note
from crossroom_server.cluster.remote_room import OwnerUnreachable, RemoteRoom
from crossroom_server.room.client import Client, Identity
from crossroom_server.room.room import Room
from crossroom_server.room.routes import ROUTES
from crossroom_server.session.session import TRY_AGAIN_LATER
from crossroom_server.table.permissions import EntryProof

log = logging.getLogger(__name__)

T = TypeVar("T")
RoomPlace: TypeAlias = Room | RemoteRoom

RETRY_CODES: Final = ("MOVED", "SHUTTING_DOWN")
"""Refusals of a room that has moved: the request was not carried out, and is sent again."""
CALL_TIMEOUT_S: Final = 10.0
"""Seconds that a person waits for an answer while the room is moving."""
MOVE_TIMEOUT_S: Final = 60.0
"""Seconds without the room after which its people are disconnected, to come back by themselves."""
RETRY_INTERVAL_S: Final = 0.2
"""Seconds between two tries to find the room."""
QUIET_MOVE_S: Final = 1.0
"""Seconds that a move may take without anybody being told."""
AWAY: Final = Phrase("the room cannot be reached now; try again in a moment")


class RoomDirectory(Protocol):
    """Knows where rooms are."""

    def known(self, name: str) -> RoomPlace | None:
        """Return the room, here or elsewhere, if people of this node are in it."""

    async def find(self, name: str) -> RoomPlace:
        """Return the room; open it on this node if it is nowhere.

        Raises:
            OwnerUnreachable: its owner does not answer.
            Refusal: it cannot be opened, or is just moving (:data:`RETRY_CODES`).
        """

    def check_current(self, room: RoomPlace) -> None:
        """Check that what a room tells is true.

        Raises:
            OwnerUnreachable: it is here, and another node may have had it.
        """


class RoutedRoom:
    """A :class:`~crossroom_server.lobby.room_handle.RoomHandle` that finds its room again.

    Args:
        name: Its name.
        nodes: Finds it.
    """

    def __init__(self, name: str, nodes: RoomDirectory) -> None:
        self.name, self._nodes = name, nodes
        self._places: dict[Client, RoomPlace] = {}
        self._entering: set[Client] = set()
        self._moving: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[RoomPlace | Refusal] | None = None

    def __contains__(self, client: object) -> bool:
        return client in self._places

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        return await self._at(lambda room: room.check_key(client, key))

    async def redeem_link(self, token: str) -> str:
        return await self._at(lambda room: room.redeem_link(token), is_harmless=False)

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        await self._guest(client, lambda room: room.enter(client, name, proof))

    async def rejoin(self, client: Client, known: Identity | None, since: int | None) -> None:
        await self._guest(client, lambda room: room.rejoin(client, known, since))

    async def mark_registered(self, client: Client) -> None:
        await self._inside(client, lambda room: room.mark_registered(client))

    async def ask(self, client: Client, request: Request) -> None:
        retry_safe = ROUTES[type(request.command)].retry_safe
        await self._inside(client, lambda room: room.ask(client, request), is_harmless=retry_safe)

    async def is_seated(self, member: str) -> bool:
        return await self._at(lambda room: room.is_seated(member))

    async def preset(self) -> str:
        return await self._at(lambda room: room.preset())

    async def leave(self, client: Client) -> None:
        if (place := self._places.pop(client, None)) is not None:
            # Otherwise the owner finds out by itself.
            with contextlib.suppress(OwnerUnreachable, Refusal):
                await place.leave(client)

    async def restyle(self, client: Client) -> None:
        await self._inside(client, lambda room: room.restyle(client))

    @contextlib.contextmanager
    def pinned(self) -> Iterator[None]:
        """Do nothing: a room that was unloaded is found again."""
        yield

    async def _at(self, do: Callable[[RoomPlace], Awaitable[T]], *, is_harmless: bool = True) -> T:
        """Do something where the room is; repeat it if it was not done, or is *harmless*."""
        until = _now() + CALL_TIMEOUT_S
        while True:
            try:
                return await do(await self._found(until))
            except OwnerUnreachable as lost:
                if lost.is_begun and not is_harmless:
                    raise Refusal(
                        "MOVED",
                        "the server that has this room did not answer; /state shows whether this "
                        "was done",
                    ) from None
            except Refusal as no:
                if no.code not in RETRY_CODES:
                    raise
            if _now() > until:
                raise Refusal("MOVED", AWAY)
            await asyncio.sleep(RETRY_INTERVAL_S)

    async def _found(self, until: float) -> RoomPlace:
        """Return the room, after the people have been brought there.

        Raises:
            Refusal: it was not found *until* then, or cannot be opened.
        """
        if self._moving is not None:
            await asyncio.wait([self._moving], timeout=until - _now())
        if (known := self._nodes.known(self.name)) is not None:
            return known
        if self._looking is None or self._looking.done():  # once for all who wait
            self._looking = asyncio.create_task(self._look(), name=f"looking for {self.name}")
        await asyncio.wait([self._looking], timeout=until - _now())
        found = self._looking.result() if self._looking.done() else Refusal("INTERNAL", AWAY)
        if isinstance(found, Refusal):
            raise found
        return found

    async def _look(self) -> RoomPlace | Refusal:
        """Look for the room until it is found or cannot be opened."""
        until = _now() + MOVE_TIMEOUT_S
        while True:
            try:
                return await self._nodes.find(self.name)
            except OwnerUnreachable as lost:
                why: Exception = lost
            except Refusal as no:
                if no.code not in RETRY_CODES:
                    return no
                why = no
            if _now() > until:
                log.warning("%s cannot be found: %s", self.name, why)
                return Refusal("INTERNAL", AWAY)
            await asyncio.sleep(RETRY_INTERVAL_S)

    async def _guest(self, client: Client, do: Callable[[RoomPlace], Awaitable[None]]) -> None:
        """Do something that lets a client in.

        They are not brought along meanwhile: what they missed is told to them by *do*, and once.
        """

        async def go(room: RoomPlace) -> None:
            self._nodes.check_current(room)
            place = self._places.get(client, room)
            self._places[client] = room  # if this is cancelled, they come in, and must leave
            try:
                await do(room)
            except (OwnerUnreachable, Refusal):
                self._note_place(client, room if client in room else place)
                raise
            self._note_place(client, room)

        self._entering.add(client)
        try:
            await self._at(go)
        finally:
            self._entering.discard(client)
            self.follow()  # the room may have moved in the same breath

    async def _inside(
        self,
        client: Client,
        do: Callable[[RoomPlace], Awaitable[None]],
        *,
        is_harmless: bool = False,
    ) -> None:
        """Do something for a client who is in the room, though it may be moving."""

        async def go(room: RoomPlace) -> None:
            self._check_brought(client, room)
            await do(room)

        await self._at(go, is_harmless=is_harmless)

    def _check_brought(self, client: Client, room: RoomPlace) -> None:
        """Check that a client is not still where the room was before.

        Raises:
            Refusal: ``MOVED``, to be tried again.
        """
        if client in self._places and self._places[client] is not room:
            self.follow()
            raise Refusal(
                "MOVED", "you are being moved to where the room is now; try again in a moment"
            )

    # The room has moved.

    def follow(self) -> None:
        """Bring the people to where the room is now."""
        if self._left and (self._moving is None or self._moving.done()):
            self._moving = asyncio.create_task(self._move(), name=f"moving {self.name}")

    @property
    def _left(self) -> list[Client]:
        """List the clients that are not where the room is, but for those who are just entering."""
        return [
            client
            for client, place in self._places.items()
            if place.is_over and client not in self._entering
        ]

    async def _move(self) -> None:
        began, is_told = _now(), False
        while self._left:
            try:
                room = await self._nodes.find(self.name)
                for client in self._left:
                    await self._bring(client, room)
            except (OwnerUnreachable, Refusal) as why:
                log.debug("%s cannot be reached: %s", self.name, why)
                await asyncio.sleep(RETRY_INTERVAL_S)
            if _now() > began + MOVE_TIMEOUT_S:
                for client in self._left:
                    client.close(TRY_AGAIN_LATER, gettext("the room cannot be reached"))
                return
            if _now() > began + QUIET_MOVE_S and not is_told:
                is_told = True
                line = gettext("the room is moving to another server; try again in a moment")
                for client in self._left:
                    client.send(encode(Note(about="people", lines=(line,)), client.style))

    async def _bring(self, client: Client, room: RoomPlace) -> None:
        before = self._places.get(client)
        if before is None:
            return
        if client not in before:  # sent away, or replaced, there: their connection just ends
            del self._places[client]
            return
        known, heard = before.identity_of(client), before.last_seen_seq(client)
        self._nodes.check_current(room)
        try:
            await room.rejoin(client, known, heard, is_brought=True)
        except Refusal as no:
            if no.code in RETRY_CODES:
                if client in room:  # told all, but not stored: next they are brought from there
                    self._note_place(client, room)
                raise
            self._places.pop(client, None)
            client.close(TRY_AGAIN_LATER, str(no))
            return
        if client not in self._places:  # gone meanwhile
            await room.leave(client)
        else:
            self._note_place(client, room)

    def _note_place(self, client: Client, room: RoomPlace) -> None:
        """Note whether a client is in the room."""
        if client in room:
            self._places[client] = room
        else:
            self._places.pop(client, None)


def _now() -> float:
    return asyncio.get_running_loop().time()
