"""One person's visit to a server, from finding their seat to leaving it, on whatever screen."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.codec import Spelling
from crossroom_clients.connection.connection import LAPSED, Connection, Ended, Told, pauses
from crossroom_clients.connection.resume_state import Bookmark
from crossroom_clients.connection.saved_seats import Seats
from crossroom_clients.support.errors import told
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext

STRANGE: Final = Phrase("this server does not know your seat any more; --new comes as somebody new")
"""What to say when a code that was good is no more: another server answers there now."""

Opening: TypeAlias = Callable[[Connection], Awaitable[None]]
"""What is done for a visitor when they are in."""


async def no_opening(connection: Connection) -> None:
    """Do nothing."""


class Screen(Protocol):
    """Where a visit is seen, and lines are typed.

    ``spelling`` is what it wants to hear; None: lines with tags.
    """

    spelling: Spelling | None

    async def run(self, connection: Connection, told: AsyncIterator[Told]) -> Ended:
        """Show what is told and send what is typed, until the end."""
        ...

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        ...

    def remind(self, ways: Sequence[str]) -> None:
        """Say, at the very end, how to come back."""
        ...


class Visit:
    """A visit to *address*.

    Args:
        address: The server, and the room if one is wanted.
        screen: Where it takes place.
        seats: The seats this person has on that server; those taken now are kept there.
        name: What they want to be called; None: they will say.
        waits: When to try again after a drop; see :class:`Connection`.
    """

    def __init__(
        self,
        address: Address,
        screen: Screen,
        seats: Seats,
        name: str | None = None,
        waits: Callable[[], Iterator[float]] = pauses,
    ) -> None:
        self.screen = screen
        self.mark = Bookmark()
        """Where they are, and what brings them back."""
        self._address, self._seats, self._name, self._waits = address, seats, name, waits
        self._kept: tuple[str, str, str] | None = None

    async def run(self, seat: Bookmark | None) -> Ended:
        """Come in, to one's own *seat* if there is one, and stay until the end.

        Raises:
            Unreachable: the server is not there.
        """
        self.mark = seat or Bookmark()
        name = None if seat is not None else self._name
        connection = Connection(self._address, self.mark, name, self._waits, self.screen.spelling)
        await connection.open()
        try:
            ended = await self.screen.run(connection, self._listen(connection))
        finally:
            await connection.close()
            self._keep()
        if seat is None and ended.code == "BAD_TOKEN":
            return Ended(ended.code, gettext(STRANGE))
        if seat is None or ended.code not in LAPSED:
            return ended
        self._seats.forget(seat)
        self._name = self._name or seat.name
        self.screen.note(
            gettext(
                "your seat is not kept there any more ({reason}); coming in anew",
                reason=ended.reason,
            )
        )
        return await self.run(None)

    async def _listen(self, connection: Connection) -> AsyncIterator[Told]:
        async for item in connection.listen():
            if self.mark.seat not in (None, self._kept):
                self._keep()
            yield item

    def _keep(self) -> None:
        """Write the seat down. Who cannot is told once; the game goes on.

        Who has taken another name has one seat still, under that name.
        """
        try:
            self._seats.keep(self.mark)
            if self._kept is not None and self.mark.seat is not None:
                room, name, code = self._kept
                if code == self.mark.code and name != self.mark.name:
                    self._seats.forget(Bookmark(room, name, code))
        except OSError as error:
            if self._kept is None:
                self.screen.note(
                    gettext("your seat cannot be written down here: {told}", told=told(error))
                )
        self._kept = self.mark.seat
