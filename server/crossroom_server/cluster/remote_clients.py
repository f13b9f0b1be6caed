"""The people at other nodes who are in rooms of this one."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import ENGLISH, translate
from crossroom_protocol.commands.parser import Request
from crossroom_server.cluster import messages as to
from crossroom_server.cluster.link import Link
from crossroom_server.cluster.remote_room import OwnerUnreachable
from crossroom_server.cluster.routed_room import AWAY
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.room import Room

log = logging.getLogger(__name__)

FINISH_TIMEOUT_S: Final = 2.0
"""Seconds for calls under way when this node stops."""
_FROM_INSIDE: Final = (to.RunCommand, to.MarkRegistered, to.UpdateClient)
"""Requests of people who are in the room."""
FAULT: Final = Phrase("an internal error; it has been logged")


class RemoteClient:
    """Somebody at another node: the ``Client`` of :mod:`crossroom_server.room.audience`.

    When the link between the nodes breaks, it sends no more: the person enters anew.
    """

    def __init__(self, card: to.ClientInfo, room: Room, link: Link) -> None:
        self.room, self.link = room, link
        self._number, self._generation = card.number, link.generation
        self.is_caught_up = False
        self.address, self.base_url = card.address, card.base_url
        self.become(card)

    def become(self, card: to.ClientInfo) -> None:
        """Take over the display settings and the proven names."""
        self.style, self.proven = card.style, set(card.proven)

    def send(self, frames: Sequence[str]) -> None:
        """Send frames; a client that has caught up has then received every entry."""
        seq = self.room.table.seq if self.is_caught_up else 0
        self._say(to.FramesTold((self._number,), list(frames), seq))

    def close(self, code: int, reason: str) -> None:
        """Have the gateway close the connection."""
        said = translate(reason, self.style.language)
        self._say(to.ConnectionClosed(self._number, code, str(said)))

    def _say(self, message: to.Message) -> None:
        if self.link.generation == self._generation:
            self.link.say(message)


class RemoteClients:
    """Carries out the calls of other nodes to the rooms here.

    Args:
        lobby: The rooms.
        check_current: Raises :exc:`OwnerUnreachable` if another node may have had a room.
    """

    def __init__(self, lobby: Lobby, check_current: Callable[[Room], None]) -> None:
        self._lobby, self._check_current = lobby, check_current
        self._clients: dict[tuple[str, str, int], RemoteClient] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, link: Link, call: to.Call) -> None:
        """Begin to carry out a call; answer when it is done."""
        self._do(self._answer(link, call, link.generation))

    def fail(self, link: Link) -> None:
        """Remove all clients of *link* from their rooms."""
        for key, client in list(self._clients.items()):
            if client.link is link:
                del self._clients[key]
                self._do(client.room.leave(client))

    def forget(self, room: Room, *, is_lost: bool = False) -> None:
        """Tell the nodes whose people are in a room that it is not here any more.

        With *is_lost* another node has it already; calls under way may stay without an answer.
        """
        gone = {key: client for key, client in self._clients.items() if client.room is room}
        for key in gone:
            del self._clients[key]
        for link in {client.link for client in gone.values()}:
            link.say(to.RoomGone(room.name, is_lost))

    async def finish(self) -> None:
        """Wait for calls under way; cancel those that take long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_TIMEOUT_S)
        for task in self._tasks:
            task.cancel()

    def _do(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, link: Link, call: to.Call, generation: int) -> None:
        value: str | bool | None = None
        refusal: Refusal | None = None
        client: RemoteClient | None = None
        try:
            room = await self._lobby.room(call.room)
            if link.generation != generation:
                return  # nobody waits for this any more
            with room.pinned():
                if isinstance(call.errand, to.EnterRoom | to.ResumeRoom):
                    self._check_current(room)
                elif isinstance(call.errand, _FROM_INSIDE):
                    self._check_brought(link, call, room)
                client = self._client(link, call, room)
                value = await _carry_out(room, client, call.errand)
        except OwnerUnreachable:
            refusal = Refusal("MOVED", AWAY)
        except Refusal as no:
            refusal = no
        except Exception:
            log.exception("%s, asked by %s, failed", call.errand.do, link.peer)
            refusal = Refusal("INTERNAL", FAULT)
        if link.generation != generation:  # nobody hears the answer
            return
        refused = None
        if refusal is not None:
            language = call.card.style.language if call.card is not None else ENGLISH
            refused = refusal.code, str(translate(refusal.prose, language))
        answer = to.CallAnswer(call.number, value=value, refused=refused)
        if client is not None:
            answer = self._with_place(link, call, client, answer)
        link.say(answer)

    def _check_brought(self, link: Link, call: to.Call, room: Room) -> None:
        """Check that whoever calls from inside is in the room as it is now.

        It may have been away from this node, and be back, while the call was on its way.

        Raises:
            Refusal: ``MOVED``, so that they are brought here first.
        """
        assert call.card is not None
        known = self._clients.get((link.peer, call.room, call.card.number))
        if call.card.is_inside and (known is None or known.room is not room):
            raise Refusal(
                "MOVED", "you are being moved to where the room is now; try again in a moment"
            )

    def _client(self, link: Link, call: to.Call, room: Room) -> RemoteClient | None:
        """Return the client of a call; it is known before it enters, as a link can break then."""
        if call.card is None:
            return None
        key = link.peer, call.room, call.card.number
        known = self._clients.get(key)
        if known is None or known.room is not room:
            known = self._clients[key] = RemoteClient(call.card, room, link)
        known.become(call.card)
        return known

    def _with_place(
        self, link: Link, call: to.Call, client: RemoteClient, answer: to.CallAnswer
    ) -> to.CallAnswer:
        """Add to an answer whether its client is in the room, and as whom."""
        assert call.card is not None
        key, room = (link.peer, call.room, call.card.number), client.room
        if client not in room:
            self._clients.pop(key, None)
            return replace(answer, is_inside=False)
        client.is_caught_up = True
        return replace(answer, is_inside=True, known=room.identity_of(client), seq=room.table.seq)


async def _carry_out(
    room: Room, client: RemoteClient | None, errand: to.RoomRequest
) -> str | bool | None:
    match errand:
        case to.IsSeated(member=member):
            return await room.is_seated(member)
        case to.GetPreset():
            return await room.preset()
        case to.RedeemLink(token=token):
            return await room.redeem_link(token)
    assert client is not None
    match errand:
        case to.CheckKey(key=key):
            return await room.check_key(client, key)
        case to.EnterRoom(name=name, proof=proof):
            await room.enter(client, name, proof)
        case to.ResumeRoom(known=known, since=since, is_brought=is_brought):
            client.is_caught_up = False  # a watcher who returns to a seat has the log told anew
            await room.rejoin(client, known, since, is_brought=is_brought)
        case to.LeaveRoom():
            await room.leave(client)
        case to.MarkRegistered():
            await room.mark_registered(client)
        case to.RunCommand(command=command, label=label, shown=shown):
            await room.ask(client, Request(command, label, shown))
        case to.UpdateClient():
            await room.restyle(client)
        case _:
            assert_never(errand)
    return None
