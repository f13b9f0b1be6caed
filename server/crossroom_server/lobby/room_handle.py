"""The interface of a room to connections, the same for a room here and one at another node."""

from contextlib import AbstractContextManager
from typing import Protocol

from crossroom_protocol.commands.parser import Request
from crossroom_server.room.client import Client, Identity
from crossroom_server.table.permissions import EntryProof


class RoomHandle(Protocol):
    """The operations of :class:`~crossroom_server.room.room.Room` that a session needs.

    Each coroutine returns when the room has carried it out, and raises
    :exc:`~crossroom_protocol.base.refusals.Refusal` if the room refuses.
    """

    name: str

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        """Return what *key* proves."""

    async def redeem_link(self, token: str) -> str:
        """Return a resume code for the one-time *token* of a link to a seat."""

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        """Let a client in."""

    async def rejoin(self, client: Client, known: Identity, since: int | None) -> None:
        """Let a client in again as somebody known, and send all entries after *since*."""

    async def mark_registered(self, client: Client) -> None:
        """Record that this client has registered their name."""

    async def leave(self, client: Client) -> None:
        """Remove a client."""

    async def ask(self, client: Client, request: Request) -> None:
        """Carry out a command."""

    async def is_seated(self, member: str) -> bool:
        """Does this member sit at the table?"""

    async def preset(self) -> str:
        """Return the preset that the rules are made from."""

    async def restyle(self, client: Client) -> None:
        """Keep what a client has just set of its display, and the names that it has just proved."""

    def pinned(self) -> AbstractContextManager[None]:
        """Keep the room in memory during the block, for callers who are not in it."""

    def __contains__(self, client: object) -> bool: ...
