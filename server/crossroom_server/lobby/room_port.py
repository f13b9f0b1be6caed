"""A room, as a connection sees it, wherever the room is."""

from contextlib import AbstractContextManager
from typing import Protocol

from crossroom_protocol.commands.parser import Request
from crossroom_server.room.audience import Client, Identity
from crossroom_server.table.permissions import EntryProof


class RoomPort(Protocol):
    """The room operations that a session needs; see :class:`~crossroom_server.room.room.Room`.

    Everything but ``visited`` waits until the room has dealt with it, and raises
    :exc:`~crossroom_protocol.base.refusals.Refusal` if the room says no.
    """

    name: str

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        """Return what *key* proves."""

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        """Come in."""

    async def rejoin(self, client: Client, known: Identity, since: int | None) -> None:
        """Come back as somebody known; hear all after *since*."""

    async def mark_registered(self, client: Client) -> None:
        """Take note that this client has registered their name here."""

    async def leave(self, client: Client) -> None:
        """Go away."""

    async def ask(self, client: Client, request: Request) -> None:
        """Carry out a command."""

    async def is_seated(self, member: str) -> bool:
        """Does this member sit at the table?"""

    async def preset(self) -> str:
        """The preset that the rules are made from."""

    async def restyle(self, client: Client) -> None:
        """Take note that a client wants to be told otherwise, or has proved another name."""

    def pinned(self) -> AbstractContextManager[None]:
        """Around what somebody does with a room they are not in."""

    def __contains__(self, client: object) -> bool: ...
