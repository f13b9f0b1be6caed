"""The contract of a store: the logs of rooms, resume codes, accounts and finished games.

A log is all that is durable of a room: it appends before it tells anybody, and reads to come back.
Resume codes and accounts follow from nothing else; finished games follow from the logs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_server.store.derived_contract import Snapshots, Standings
from crossroom_server.store.people_contract import People

MAX_VACANT_ENTRIES: Final = 1000
"""A room with more log entries is never vacant."""


class Conflict(Exception):
    """The log ends elsewhere: somebody else has appended. Nothing was stored; read the log again.

    Args:
        room: The room of the log.
        after: The number of its last entry, as the writer believes.
        end: The number of its last entry; 0 if there is none.
    """

    def __init__(self, room: str, after: int, end: int) -> None:
        super().__init__(room, after, end)
        self.room, self.after, self.end = room, after, end

    def __str__(self) -> str:
        return f"the log of room {self.room} ends at {self.end}, not at {self.after}"


class Unavailable(OSError):
    """The store cannot do this now, and has done nothing. The text is one sentence for people.

    Players may see it, as it names no folder of the server; except while a store is opened: then
    ``is_named``, and it begins with the file (``path``) or database, for the host.
    """

    path: Path | None = None
    is_named = False

    def named(self, place: object) -> "Unavailable":
        """Return the same failure with *place* in front."""
        named = type(self)(f"{place}: {self}")
        named.path, named.is_named = place if isinstance(place, Path) else None, True
        return named


class Damaged(Unavailable):
    """Stored data cannot be understood. Waiting does not help; a backup does."""


class TooNew(Unavailable):
    """The store was written by a later version of this program."""


class InUse(Unavailable):
    """Another process has the store open."""


class Superseded(Unavailable):
    """Another process writes now, or the file was replaced: this process is out for good."""


@dataclass(frozen=True)
class CodeOwner:
    """The owner of a resume code: in ``room`` the person ``member``, last called ``name``.

    ``registered``: they had proved the name. ``since`` is the last use of a code that may expire,
    in ms since 1970; 0: it never expires. ``reader``: they listen, and are told in
    sentences when they return.
    """

    room: str
    member: str
    name: str
    registered: bool = False
    since: int = 0
    reader: bool = False


@dataclass(frozen=True)
class Account:
    """A registered name as its owner spells it, and the digest of its code.

    ``since`` is in ms since 1970.
    """

    name: str
    digest: str
    since: int


class Store(Protocol):
    """Stores logs by room, resume codes by digest, and accounts by comparison key.

    Every method may raise :exc:`Unavailable`. A write goes on, in full, when its waiter is
    cancelled. A call sees what all calls stored that returned before it began. ``snapshots`` and
    ``standings`` save reading logs and finished games; ``people`` finds and forgets one person.
    """

    snapshots: Snapshots
    standings: Standings
    people: People

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        """Append entries, numbered ``after + 1`` and on; durable on return.

        All or nothing is stored, with the finished games (*over*) that end with them.

        Raises:
            Conflict: the log does not end at *after*.
            ValueError: the entries are numbered otherwise.
        """

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """Return the first *limit* entries behind number *after*, or all of them.

        Raises:
            Damaged: an entry is missing or cannot be understood.
        """

    async def rooms(self, limit: int = 100) -> list[str]:
        """Return the names of rooms that have a log, the one appended to last first."""

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        """Return the next rooms in order *behind* a name, each with whether it is vacant.

        A room is vacant if it never began a game, its newest entry is older than *before* (ms since
        1970), no code of it was used since, and it has at most :data:`MAX_VACANT_ENTRIES` entries:
        to scan and to delete a long log is slow.
        """

    async def delete_vacant(self, room: str, before: int) -> bool:
        """Delete the log and the codes of a room, if it is vacant; return whether it was.

        The room must not be open; whoever has it open all the same cannot append any more.
        """

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        """Store the owner of the code with this digest, in place of any other; durable on return.

        A store never sees the code itself.
        """

    async def find_code(self, digest: str) -> CodeOwner | None:
        """Return the owner of the code with this digest, if there is one."""

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        """Return codes that may expire and were last used before that time, by digest."""

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        """Never let the codes with the digests *kept* expire; delete those in *gone*.

        Only codes that may expire, and were last used *before* that time, are deleted.
        """

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        """Return the rooms where a code belongs to somebody of that *name*, the newest first."""

    async def finished(
        self, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, FinishedGame]]:
        """Return finished games in the order of their ends, each with its number.

        Numbers grow and never change; the first *limit* games behind number *after* are returned,
        or all of them.
        """

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        """Return the *last* finished games of a room, the newest first."""

    async def find_finished(self, page: str) -> FinishedGame | None:
        """Return the finished game whose page has this address."""

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        """Store an account under a comparison key, and return None; durable on return.

        If there is one already, nothing changes, and that is returned; *anew* replaces it.
        """

    async def find_account(self, key: str) -> Account | None:
        """Return the account under this comparison key."""

    async def check_writable(self) -> None:
        """Return if the store can be read and written now; costs about as much as a write."""

    def close(self) -> None:
        """Finish what was begun, then release everything. Blocks; harmless a second time."""


def check_sequence(after: int, entries: Sequence[LogEntry]) -> None:
    """Raise :exc:`ValueError` unless *entries* are numbered ``after + 1`` and on."""
    numbers = [entry.seq for entry in entries]
    if numbers != list(range(after + 1, after + 1 + len(entries))):
        raise ValueError(f"entries numbered {numbers} cannot follow number {after}")
