"""A connection to a room that survives drops by itself: nothing is lost, nothing told twice.

Iterate :meth:`Connection.listen` for what there is to show. A drop is told once, as
:class:`Disconnected`; then the server is tried again and again, and after :class:`Reconnected` it
goes on where it had stopped. Only a definite no, or leaving, makes an end.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from random import uniform
from typing import TYPE_CHECKING, Final, TypeAlias

from websockets.exceptions import ConnectionClosed

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.codec import Codec, TagsCodec
from crossroom_clients.connection.dial import ServerUnreachable, open_websocket
from crossroom_clients.connection.game_status import GameStatus
from crossroom_clients.connection.message import ENTRY_LABELS, RESUME_LABEL
from crossroom_clients.connection.message import Message as Message
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import current_language, gettext, translate
from crossroom_protocol.commands.parser import MAX_LINE_BYTES, without_secrets

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

NORMAL_CLOSURE: Final = 1000
FINAL_CLOSE_CODES: Final = {
    NORMAL_CLOSURE: "",
    1008: Phrase("the server has closed the connection"),
    4001: Phrase("you have connected from elsewhere, so this connection is closed"),
    4003: Phrase("you were sent away"),
}
"""Close codes after which nobody tries again, and what to say if the server says nothing."""
_TOO_LONG: Final = Phrase("a line holds at most {most} bytes; it was not sent")
LAPSED_CODES: Final = ("BAD_TOKEN", "NAME_TAKEN", "NAME_PROTECTED")
"""Refusals of a resume code that is good for nothing any more."""
FINAL_CODES: Final = (*LAPSED_CODES, "BANNED")
"""Refusals of a resume code that stay the same however often one asks."""
SERVER_GONE: Final = "GONE"
"""Why it ends when there is no server to come back to."""
MAX_RETRY_PAUSE_S: Final = 15.0
"""Seconds between two attempts to connect again, at most."""


@dataclass(frozen=True)
class Disconnected:
    """The connection is gone and being tried again.

    Whether the lines that were typed but not answered have been carried out will show.
    """

    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reconnected:
    """The connection is there again; what was missed follows."""


@dataclass(frozen=True)
class Closed:
    """It is over.

    ``code`` is the close code, the code of a refusal, or :data:`SERVER_GONE`; ``reason`` is for
    people.
    """

    code: int | str
    reason: str


ConnectionEvent: TypeAlias = Message | Disconnected | Reconnected | Closed

AnswerFuture: TypeAlias = asyncio.Future[Message | None]
"""Done when a line that was sent has been carried out or refused: the line that says so, marked
``.`` or ``!``; None if the connection was lost before."""


class NotSent(Exception):
    """A line was not sent; the message says why, to the person who typed it."""


def retry_pauses() -> Iterator[float]:
    """Seconds to wait before each attempt to connect again.

    Twice as long every time, up to a limit, and random, so that a server that starts again does not
    meet everybody at once.
    """
    for attempt in count():
        most = min(MAX_RETRY_PAUSE_S, 0.5 * 2.0 ** min(attempt, 10))
        yield uniform(most / 2, most)


class Connection:
    """One person's way to one room.

    Args:
        address: The server, and the room to enter.
        resume: Where the person is; if it holds a code, they come back to that seat.
        name: What they want to be called, where they have no seat yet.
        pauses: Seconds before each new attempt, anew after every success. It may raise
            :exc:`ServerUnreachable` when there is no more hope.
        codec: How lines are written on the wire.
    """

    def __init__(
        self,
        address: Address,
        resume: ResumeState,
        name: str | None = None,
        pauses: Callable[[], Iterator[float]] = retry_pauses,
        codec: Codec | None = None,
    ) -> None:
        self.address, self.resume, self.name = address, resume, name
        self._pauses, self._codec = pauses, codec or TagsCodec()
        self._pending: dict[str, tuple[str | None, AnswerFuture]] = {}
        self._labels = map(str, count(1))
        self._socket: ClientConnection | None = None
        self._entering = ""
        self.status = GameStatus()
        """The game as far as it was told."""
        self.connected = asyncio.Event()
        """Set while lines can be sent."""
        self.entered = asyncio.Event()
        """Set when the person is where they wanted to be, or has been told why not."""
        self._refused: Closed | None = None
        self._left = asyncio.Event()

    async def open(self) -> None:
        """Connect for the first time.

        Raises:
            ServerUnreachable: nobody is there; a first attempt is not repeated.
        """
        await self._open()
        self.connected.set()

    async def send(self, line: str, *, typed: bool = True) -> AnswerFuture:
        """Send a line; returns what will hold the end of its answer.

        What nobody has *typed* is not told either if it stays without an answer
        (:class:`Disconnected`).

        Raises:
            NotSent: it was not sent, and will not be.
        """
        if not self.connected.is_set():
            raise NotSent(gettext("not connected; try again in a moment"))
        if len(line.encode()) > MAX_LINE_BYTES:
            raise NotSent(gettext(_TOO_LONG, most=MAX_LINE_BYTES))
        label = next(self._labels)
        try:
            frame = self._codec.encode(label, line, in_room=self.resume.room is not None)
        except Refusal as no:
            raise NotSent(translate(no.prose, current_language())) from None
        answered: AnswerFuture = asyncio.get_running_loop().create_future()
        told = without_secrets(line, in_room=self.resume.room is not None)
        self._pending[label] = told if typed else None, answered
        self.resume.note_sent(line)
        await self._send_frame(frame)
        return answered

    async def close(self) -> None:
        """Hang up; :meth:`listen` then ends."""
        self._left.set()
        if self._socket is not None:
            await self._socket.close()

    async def listen(self) -> AsyncIterator[ConnectionEvent]:
        """Yield what happens, until the end; the last item is :class:`Closed`."""
        waits = self._pauses()
        while True:
            async for heard in self._receive():
                if not self.connected.is_set() and (heard or not self._entering):
                    self.connected.set()
                    waits = self._pauses()
                    yield Reconnected()
                if heard is not None:
                    yield heard
            if (ended := self._closed()) is not None:
                self._drop_pending()
                yield ended
                return
            if self.connected.is_set():
                self.connected.clear()
                yield Disconnected(self._drop_pending())
            if (ended := await self._reopen(waits)) is not None:
                yield ended
                return

    def _drop_pending(self) -> tuple[str, ...]:
        """Nothing that was sent will be answered any more; returns what was typed of it."""
        lines = tuple(line for line, _ in self._pending.values() if line is not None)
        for _, answered in self._pending.values():
            if not answered.done():
                answered.set_result(None)
        self._pending.clear()
        return lines

    async def _receive(self) -> AsyncIterator[Message | None]:
        """The lines of one websocket, until it closes; None for what tells a person nothing."""
        socket = self._socket
        assert socket is not None
        try:
            while self._refused is None:
                frame = await socket.recv()
                yield self._handle_frame(frame) if isinstance(frame, str) else None
            await socket.close()
        except ConnectionClosed:
            return

    def _closed(self) -> Closed | None:
        """Why this is the end; None if it is worth trying again."""
        refused, self._refused = self._refused, None
        if self._left.is_set():
            return Closed(NORMAL_CLOSURE, "")
        if refused is not None:
            return refused if refused.code in FINAL_CODES else None
        assert self._socket is not None
        code, reason = self._socket.close_code, self._socket.close_reason
        if code not in FINAL_CLOSE_CODES:
            return None
        return Closed(code, reason or gettext(FINAL_CLOSE_CODES[code]))

    async def _reopen(self, waits: Iterator[float]) -> Closed | None:
        """Try until there is a connection again, or nobody wants one or hopes for one any more."""
        trying = asyncio.create_task(self._retry(waits))
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((trying, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            trying.cancel()
            (failure,) = await asyncio.gather(trying, return_exceptions=True)
        if self._left.is_set():
            await self.close()
            return Closed(NORMAL_CLOSURE, "")
        return Closed(SERVER_GONE, str(failure)) if isinstance(failure, ServerUnreachable) else None

    async def _retry(self, waits: Iterator[float]) -> None:
        for pause in waits:
            await asyncio.sleep(pause)
            with suppress(ServerUnreachable):
                await self._open()
                return

    async def _open(self) -> None:
        language = self.resume.language or current_language()
        self._socket = await open_websocket(self.address, self._codec.subprotocol, language)
        steps = self._entry_lines()
        self._entering = steps[-1][0] if steps else ""
        if not steps:
            self.entered.set()
        for label, line in steps:
            await self._send_frame(self._codec.encode(label, line, in_room=False))

    def _entry_lines(self) -> list[tuple[str, str]]:
        """Return the lines that lead back to where the person was, or wants to be."""
        style = [("reader", "/set reader on")] if self.resume.reader else []
        room, key = self.address.room, self.address.key
        if self.address.is_seat_link and not self.entered.is_set():
            return [*style, ("join", f"/join {room} {key}")]
        if (resume := self.resume.resume_line) is not None:
            return [*style, (RESUME_LABEL, resume)]
        wanted = self.address.room if not self.entered.is_set() else None
        room = self.resume.room or wanted
        steps = [*style, *([("name", f"/name {self.name}")] if self.name is not None else [])]
        key = self.address.key if room == self.address.room else None
        join = f"/join {room} {key}" if key is not None else f"/join {room}"
        return [*steps, ("join", join)] if room is not None else steps

    async def _send_frame(self, frame: str) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):  # which the listener is about to notice
            await self._socket.send(frame)

    # What comes in.

    def _handle_frame(self, frame: str) -> Message | None:
        """Handle a frame; return what it tells the person, None if nothing."""
        heard = self._codec.decode(frame)
        if heard is None:
            return None
        known = heard.tags
        if heard.label in ENTRY_LABELS:
            return self._handle_entry_answer(heard)
        if self._entering and "protocol" in known and "room" not in known:
            return None  # the door, on the way through
        if not self.resume.update(known, heard.text):
            return None
        if self._entering and "live" in known and not self._codec.wants_rules:
            return None
        self.status.update(known, heard.text)
        if heard.mark in (".", "!") and heard.label in self._pending:
            _, answered = self._pending.pop(heard.label)
            if not answered.done():
                answered.set_result(heard)
        return heard

    def _handle_entry_answer(self, heard: Message) -> Message | None:
        """Hear how one of our own steps went."""
        if heard.mark not in (".", "!"):
            return None
        if heard.mark == "!" and heard.label == RESUME_LABEL:
            code, why = heard.tags.get("code", ""), heard.text.partition(": ")[2]
            self._refused = Closed(code, why)
            return None
        if heard.label == self._entering:
            self._entering = ""
            self.entered.set()
        return heard if heard.mark == "!" else None
