"""The contract of what a store does for one person: finding what is theirs, and forgetting it."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry


class StoredCode(NamedTuple):
    """A resume code of somebody: their room, who they are there, and its last use.

    ``since`` is in ms since 1970; 0: it never expires, and its use is not written down.
    ``registered``: they had proved the name.
    """

    room: str
    member: str
    name: str
    since: int
    registered: bool


CODE_COLUMNS: Final = "room, member, name, since, registered"


def stored_code(room: str, member: str, name: str, since: int, registered: int) -> StoredCode:
    """Return a code from :data:`CODE_COLUMNS`."""
    return StoredCode(room, member, name, since, bool(registered))


class People(Protocol):
    """What a store keeps of one person.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`.
    """

    async def codes(self, names: Collection[str]) -> list[StoredCode]:
        """Return the codes of all who are called so, in the order of their rooms."""

    async def rewrite(
        self,
        room: str,
        entries: Sequence[LogEntry],
        games: Sequence[FinishedGame],
        names: Collection[str],
    ) -> None:
        """Replace entries and finished games of a room; durable on return, all of it or nothing.

        Snapshots of the room, and the codes there of people with these *names*, are deleted. The
        room must not be open.

        Args:
            room: Its name.
            entries: In the place of those with the same numbers.
            games: In the place of those with the same pages.
            names: Exactly as the codes have them.
        """

    async def forget_account(self, key: str) -> None:
        """Delete the account under a comparison key; the sums of players are made anew."""
