"""A connection to a room that survives drops by itself: nothing is lost, nothing told twice.

Iterate :meth:`Connection.listen` for what there is to show. A drop is told once, as :class:`Lost`;
then the server is tried again and again, and after :class:`Back` it goes on where it had stopped.
Only a definite no, or leaving, makes an end.
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
from crossroom_clients.connection.codec import Spelling, Tagged
from crossroom_clients.connection.dial import Unreachable, reach
from crossroom_clients.connection.game_status import Standing
from crossroom_clients.connection.message import RESUME, STEPS
from crossroom_clients.connection.message import Heard as Heard
from crossroom_clients.connection.resume_state import Bookmark
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import current_language, gettext, translate
from crossroom_protocol.commands.parser import MAX_LINE_BYTES

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

BYE: Final = 1000
FINAL: Final = {
    BYE: "",
    1008: Phrase("the server has closed the connection"),
    4001: Phrase("you are connected from somewhere else now, and this connection is over"),
    4003: Phrase("you were sent away"),
}
"""Close codes after which nobody tries again, and what to say if the server says nothing."""
_TOO_LONG: Final = Phrase("a line holds at most {most} bytes; it was not sent")
LAPSED: Final = ("BAD_TOKEN", "NAME_TAKEN", "NAME_PROTECTED")
"""Refusals of a resume code that is good for nothing any more."""
HOPELESS: Final = (*LAPSED, "BANNED")
"""Refusals of a resume code that stay the same however often one asks."""
GONE: Final = "GONE"
"""Why it ends when there is no server to come back to."""
LONGEST_PAUSE: Final = 15.0
"""Seconds between two attempts to connect again, at most."""


@dataclass(frozen=True)
class Lost:
    """The connection is gone and being tried again.

    Whether the lines that were typed but not answered have been carried out will show.
    """

    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Back:
    """The connection is there again; what was missed follows."""


@dataclass(frozen=True)
class Ended:
    """It is over.

    ``code`` is the close code, the code of a refusal, or :data:`GONE`; ``reason`` is for people.
    """

    code: int | str
    reason: str


Told: TypeAlias = Heard | Lost | Back | Ended

Answered: TypeAlias = asyncio.Future[Heard | None]
"""Done when a line that was sent has been carried out or refused: the line that says so, marked
``.`` or ``!``; None if the connection was lost before."""


class NotSent(Exception):
    """A line was not sent; the message says why, to the person who typed it."""


def pauses() -> Iterator[float]:
    """Seconds to wait before each attempt to connect again.

    Twice as long every time, up to a limit, and random, so that a server that starts again does not
    meet everybody at once.
    """
    for attempt in count():
        most = min(LONGEST_PAUSE, 0.5 * 2.0 ** min(attempt, 10))
        yield uniform(most / 2, most)


class Connection:
    """One person's way to one room.

    Args:
        address: The server, and the room to enter.
        mark: Where the person is; if it holds a code, they come back to that seat.
        name: What they want to be called, where they have no seat yet.
        waits: Seconds before each new attempt, anew after every success. It may raise
            :exc:`Unreachable` when there is no more hope.
        spelling: How it is spelt on the wire.
    """

    def __init__(
        self,
        address: Address,
        mark: Bookmark,
        name: str | None = None,
        waits: Callable[[], Iterator[float]] = pauses,
        spelling: Spelling | None = None,
    ) -> None:
        self.address, self.mark, self.name = address, mark, name
        self._waits, self._spelling = waits, spelling or Tagged()
        self._pending: dict[str, tuple[str | None, Answered]] = {}
        self._labels = map(str, count(1))
        self._socket: ClientConnection | None = None
        self._entering = ""
        self.standing = Standing()
        """Where the game stands, as far as it was told."""
        self.connected = asyncio.Event()
        """Set while lines can be sent."""
        self.entered = asyncio.Event()
        """Set when the person is where they wanted to be, or has been told why not."""
        self._refused: Ended | None = None
        self._left = asyncio.Event()

    async def open(self) -> None:
        """Connect for the first time.

        Raises:
            Unreachable: nobody is there; a first attempt is not repeated.
        """
        await self._open()
        self.connected.set()

    async def send(self, line: str, *, typed: bool = True) -> Answered:
        """Send a line; returns what will hold the end of its answer.

        What nobody has *typed* is not told either if it stays without an answer (:class:`Lost`).

        Raises:
            NotSent: it was not sent, and will not be.
        """
        if not self.connected.is_set():
            raise NotSent(gettext("not connected; try again in a moment"))
        if len(line.encode()) > MAX_LINE_BYTES:
            raise NotSent(gettext(_TOO_LONG, most=MAX_LINE_BYTES))
        label = next(self._labels)
        try:
            frame = self._spelling.write(label, line, in_room=self.mark.room is not None)
        except Refusal as no:
            raise NotSent(translate(no.prose, current_language())) from None
        answered: Answered = asyncio.get_running_loop().create_future()
        self._pending[label] = line if typed else None, answered
        self.mark.notice(line)
        await self._say(frame)
        return answered

    async def close(self) -> None:
        """Hang up; :meth:`listen` then ends."""
        self._left.set()
        if self._socket is not None:
            await self._socket.close()

    async def listen(self) -> AsyncIterator[Told]:
        """What happens, until the end; the last item is :class:`Ended`."""
        waits = self._waits()
        while True:
            async for heard in self._hear():
                if not self.connected.is_set() and (heard or not self._entering):
                    self.connected.set()
                    waits = self._waits()
                    yield Back()
                if heard is not None:
                    yield heard
            if (ended := self._ending()) is not None:
                self._give_up_waiting()
                yield ended
                return
            if self.connected.is_set():
                self.connected.clear()
                yield Lost(self._give_up_waiting())
            if (ended := await self._reopen(waits)) is not None:
                yield ended
                return

    def _give_up_waiting(self) -> tuple[str, ...]:
        """Nothing that was sent will be answered any more; returns what was typed of it."""
        lines = tuple(line for line, _ in self._pending.values() if line is not None)
        for _, answered in self._pending.values():
            if not answered.done():
                answered.set_result(None)
        self._pending.clear()
        return lines

    async def _hear(self) -> AsyncIterator[Heard | None]:
        """The lines of one websocket, until it closes; None for what tells a person nothing."""
        socket = self._socket
        assert socket is not None
        try:
            while self._refused is None:
                frame = await socket.recv()
                yield self._read(frame) if isinstance(frame, str) else None
            await socket.close()
        except ConnectionClosed:
            return

    def _ending(self) -> Ended | None:
        """Why this is the end; None if it is worth trying again."""
        refused, self._refused = self._refused, None
        if self._left.is_set():
            return Ended(BYE, "")
        if refused is not None:
            return refused if refused.code in HOPELESS else None
        assert self._socket is not None
        code, reason = self._socket.close_code, self._socket.close_reason
        return Ended(code, reason or gettext(FINAL[code])) if code in FINAL else None

    async def _reopen(self, waits: Iterator[float]) -> Ended | None:
        """Try until there is a connection again, or nobody wants one or hopes for one any more."""
        trying = asyncio.create_task(self._try(waits))
        leaving = asyncio.create_task(self._left.wait())
        try:
            await asyncio.wait((trying, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            trying.cancel()
            (failure,) = await asyncio.gather(trying, return_exceptions=True)
        if self._left.is_set():
            await self.close()
            return Ended(BYE, "")
        return Ended(GONE, str(failure)) if isinstance(failure, Unreachable) else None

    async def _try(self, waits: Iterator[float]) -> None:
        for pause in waits:
            await asyncio.sleep(pause)
            with suppress(Unreachable):
                await self._open()
                return

    async def _open(self) -> None:
        language = self.mark.language or current_language()
        self._socket = await reach(self.address, self._spelling.subprotocol, language)
        steps = self._steps()
        self._entering = steps[-1][0] if steps else ""
        if not steps:
            self.entered.set()
        for label, line in steps:
            await self._say(self._spelling.write(label, line, in_room=False))

    def _steps(self) -> list[tuple[str, str]]:
        """What leads from the door to where the person was, or wants to be."""
        if (resume := self.mark.request) is not None:
            return [(RESUME, resume)]
        wanted = self.address.room if not self.entered.is_set() else None
        room = self.mark.room or wanted
        steps = [("name", f"/name {self.name}")] if self.name is not None else []
        key = self.address.key if room == self.address.room else None
        join = f"/join {room} {key}" if key is not None else f"/join {room}"
        return [*steps, ("join", join)] if room is not None else steps

    async def _say(self, frame: str) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):  # which the listener is about to notice
            await self._socket.send(frame)

    # What comes in.

    def _read(self, frame: str) -> Heard | None:
        """What a frame tells the person; None if nothing."""
        heard = self._spelling.read(frame)
        if heard is None:
            return None
        known = heard.tags
        if heard.label in STEPS:
            return self._step(heard)
        if self._entering and "protocol" in known and "room" not in known:
            return None  # the door, on the way through
        if not self.mark.read(known, heard.text):
            return None
        if self._entering and "live" in known and not self._spelling.draws:
            return None
        self.standing.read(known, heard.text)
        if heard.mark in (".", "!") and heard.label in self._pending:
            _, answered = self._pending.pop(heard.label)
            if not answered.done():
                answered.set_result(heard)
        return heard

    def _step(self, heard: Heard) -> Heard | None:
        """Hear how one of our own steps went."""
        if heard.mark not in (".", "!"):
            return None
        if heard.mark == "!" and heard.label == RESUME:
            code, why = heard.tags.get("code", ""), heard.text.partition(": ")[2]
            self._refused = Ended(code, why)
            return None
        if heard.label == self._entering:
            self._entering = ""
            self.entered.set()
        return heard if heard.mark == "!" else None
