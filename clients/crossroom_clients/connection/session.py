"""One person's visit to a server, from finding their seat to leaving it, on whatever screen."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.codec import Codec
from crossroom_clients.connection.reconnecting import (
    LAPSED_CODES,
    Closed,
    Connection,
    ConnectionEvent,
    retry_pauses,
)
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.connection.saved_seats import SavedSeats
from crossroom_clients.support.errors import describe_error
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext

UNKNOWN_SEAT: Final = Phrase(
    "this server does not know your seat any more; --new comes as somebody new"
)
"""The text for a code that is unknown because another server answers there now."""

OnEntered: TypeAlias = Callable[[Connection], Awaitable[None]]
"""A callback for when the visitor has entered."""


async def do_nothing(connection: Connection) -> None:
    """Do nothing."""


class Screen(Protocol):
    """A screen that shows a session and takes the lines typed.

    ``codec`` is what it wants to hear; None: lines with tags.
    """

    codec: Codec | None

    async def run(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        """Show what is told and send what is typed, until the end."""
        ...

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        ...

    def print_resume_hints(self, ways: Sequence[str]) -> None:
        """Say, at the very end, how to come back."""
        ...


class ClientSession:
    """A visit to *address*.

    Args:
        address: The server, and the room if one is wanted.
        screen: Where it takes place.
        seats: The seats this person has on that server; those taken now are kept there.
        name: What they want to be called; None: they will say.
        pauses: When to try again after a drop; see :class:`Connection`.
        reader: Do they listen to what is told?
    """

    def __init__(
        self,
        address: Address,
        screen: Screen,
        seats: SavedSeats,
        name: str | None = None,
        pauses: Callable[[], Iterator[float]] = retry_pauses,
        *,
        reader: bool = False,
    ) -> None:
        self.screen, self._reader = screen, reader
        self.resume = ResumeState()
        """The place of the person, and the code that brings them back."""
        self._address, self._seats, self._name, self._pauses = address, seats, name, pauses
        self._kept: tuple[str, str, str] | None = None

    async def run(self, seat: ResumeState | None) -> Closed:
        """Come in, to one's own *seat* if there is one, and stay until the end.

        Raises:
            ServerUnreachable: the server is not there.
        """
        self.resume = seat or ResumeState()
        self.resume.reader = self._reader
        name = None if seat is not None else self._name
        connection = Connection(self._address, self.resume, name, self._pauses, self.screen.codec)
        await connection.open()
        try:
            ended = await self.screen.run(connection, self._listen(connection))
        finally:
            await connection.close()
            self._save_seat()
        if seat is None and ended.code == "BAD_TOKEN" and not self._address.is_seat_link:
            return Closed(ended.code, gettext(UNKNOWN_SEAT))
        if seat is None or ended.code not in LAPSED_CODES:
            return ended
        self._seats.remove(seat)
        self._name = self._name or seat.name
        self.screen.note(
            gettext(
                "your seat is no longer kept there ({reason}); joining as somebody new",
                reason=ended.reason,
            )
        )
        return await self.run(None)

    async def _listen(self, connection: Connection) -> AsyncIterator[ConnectionEvent]:
        async for item in connection.listen():
            if self.resume.seat not in (None, self._kept):
                self._save_seat()
            yield item

    def _save_seat(self) -> None:
        """Write the seat down. Who cannot is told once; the game goes on.

        Who has taken another name has one seat still, under that name.
        """
        try:
            self._seats.save(self.resume)
            if self._kept is not None and self.resume.seat is not None:
                room, name, code = self._kept
                if code == self.resume.code and name != self.resume.name:
                    self._seats.remove(ResumeState(room, name, code))
        except OSError as error:
            if self._kept is None:
                self.screen.note(
                    gettext(
                        "your seat cannot be written down here: {told}", told=describe_error(error)
                    )
                )
        self._kept = self.resume.seat
