"""One person's visit to a server, from finding their seat to leaving it, on whatever screen."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from crossroom_clients.address import Address
from crossroom_clients.bookmark import Bookmark
from crossroom_clients.connection import HOPELESS, Connection, Ended, Told, pauses
from crossroom_clients.seats import Seats

Opening: TypeAlias = Callable[[Connection], Awaitable[None]]
"""What is done for a visitor when they are in."""


async def no_opening(connection: Connection) -> None:
    """Do nothing."""


class Screen(Protocol):
    """Where a visit is seen, and lines are typed."""

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
        connection = Connection(self._address, self.mark, name, self._waits)
        await connection.open()
        try:
            ended = await self.screen.run(connection, self._listen(connection))
        finally:
            await connection.close()
            self._keep()
        if seat is None or ended.code not in HOPELESS:
            return ended
        self._seats.forget(seat)
        self._name = self._name or seat.name
        self.screen.note(f"your seat is not kept there any more ({ended.reason}); coming in anew")
        return await self.run(None)

    async def _listen(self, connection: Connection) -> AsyncIterator[Told]:
        async for told in connection.listen():
            if self.mark.seat not in (None, self._kept):
                self._keep()
            yield told

    def _keep(self) -> None:
        """Write the seat down. Who cannot is told once; the game goes on."""
        try:
            self._seats.keep(self.mark)
        except OSError as error:
            if self._kept is None:
                self.screen.note(f"your seat cannot be written down here: {error}")
        self._kept = self.mark.seat
