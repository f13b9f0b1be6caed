"""Where the logs of rooms live: the contract, whoever keeps it.

A log is all that is durable. A room appends to it before it tells anybody, and reads it to come
back. Beside the logs there are two small tables that follow from nothing else: whom a resume code
belongs to, and whom a name. A third, of the games that are over, follows from the logs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry

MAX_VACANT_ENTRIES: Final = 1000
"""Entries; a room with more of them is never vacant, whatever they are."""


class Conflict(Exception):
    """The log does not end where the writer believes: somebody else has appended.

    Nothing was stored. Whoever gets this reads the log again.

    Args:
        room: Whose log it is.
        after: The number of its last entry, as the writer believes.
        end: The number of its last entry; 0 if there is none.
    """

    def __init__(self, room: str, after: int, end: int) -> None:
        super().__init__(room, after, end)
        self.room, self.after, self.end = room, after, end

    def __str__(self) -> str:
        return f"the log of room {self.room} ends at {self.end}, not at {self.after}"


class Unavailable(OSError):
    """The store cannot do this now, and has done nothing. As text: one sentence for people.

    It says nothing of the server's folders, so it may be shown to players, unless the store was
    just being opened: then it begins with the file or database, for the person at the server, and
    ``is_named`` is true. ``path`` is the file.
    """

    path: Path | None = None
    is_named = False


class Damaged(Unavailable):
    """What is stored cannot be understood. Waiting does not help; a backup does."""


class TooNew(Unavailable):
    """A later version of the program has written the store."""


class InUse(Unavailable):
    """Another process has the store open."""


class Superseded(Unavailable):
    """Another process writes to the store now, or its file is another: this one is out for good."""


@dataclass(frozen=True)
class CodeOwner:
    """Whom a resume code belongs to: in ``room``, the person ``member``, last called ``name``.

    ``registered``: they had proved that this name is theirs. ``since`` is when the code was last
    used, in ms since 1970, as long as it may be forgotten; 0: it is kept for good.
    """

    room: str
    member: str
    name: str
    registered: bool = False
    since: int = 0


@dataclass(frozen=True)
class Account:
    """Somebody's name, as they spelt it, with the digest of its code.

    ``since`` is in ms since 1970.
    """

    name: str
    digest: str
    since: int


class Store(Protocol):
    """Logs by room, resume codes by digest, and names by what they look like.

    Every method may raise :exc:`Unavailable`. An ``append`` or ``keep_...`` whose waiter is
    cancelled is carried out all the same, in full: cancelling gives up the answer, not the write.
    A call begun after another has returned sees what that one stored.
    """

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        """Add *entries*, numbered ``after + 1`` and on, all or none; durable when it returns.

        With them the games that are *over* by them: one is never kept without the other.

        Raises:
            Conflict: the log does not end at *after*.
            ValueError: the entries are not numbered like this.
        """

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """The first *limit* entries behind number *after*, in order; None: all there are.

        Raises:
            Damaged: an entry is missing or cannot be understood.
        """

    async def rooms(self, limit: int = 100) -> list[str]:
        """The names of at most *limit* rooms that have a log, the one appended to last first."""

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        """The next rooms *behind* that name, at most so many, in order: is each of them vacant?

        A room is vacant if no game was ever begun there, the newest entry of its log is from
        *before* that time, in ms since 1970, and none of its codes was used since. One of more than
        :data:`MAX_VACANT_ENTRIES` entries is not: it takes long to look through, or to forget, and
        whoever talks so much gains nothing by new rooms.
        """

    async def delete_vacant(self, room: str, before: int) -> bool:
        """Forget a room that is vacant, its log and its codes, all or nothing; was it vacant?

        The room must not be open; who has it open all the same can append to it no more.
        """

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        """Remember whom the code with this digest belongs to, instead of anybody before.

        A store never sees a code itself; durable when it returns.
        """

    async def find_code(self, digest: str) -> CodeOwner | None:
        """Whom the code with this digest belongs to; None if it is not known."""

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        """At most *limit* codes that may be forgotten, by digest: last used before that time."""

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        """Keep some codes for good, by their digests, and forget those that are *gone*.

        Of these only such as may be forgotten, and were last used *before* that time.
        """

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        """At most *limit* rooms where somebody has a code under that *name*, the newest first."""

    async def finished(self, after: int = 0) -> list[tuple[int, FinishedGame]]:
        """The games that are over, in the order in which they ended, each with its number.

        Numbers grow, and stay the same; *after* is one, and only games behind it are told.
        """

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        """The *last* games of a room that are over, the newest first."""

    async def find_finished(self, page: str) -> FinishedGame | None:
        """The game whose page has this address."""

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        """Let the names with this *key* be somebody's, and return None; durable then.

        If they are somebody's already, nothing changes, and their claim is returned; unless it is
        to be replaced by this one, *anew*.
        """

    async def find_account(self, key: str) -> Account | None:
        """Whose the names with this *key* are."""

    async def check_writable(self) -> None:
        """Return if the store can be read and written to, now; costs about as much as a write."""

    def close(self) -> None:
        """Finish what was begun, then let go of everything. Blocks; harmless a second time."""


def check_sequence(after: int, entries: Sequence[LogEntry]) -> None:
    """Raise :exc:`ValueError` unless *entries* are numbered ``after + 1`` and on."""
    numbers = [entry.seq for entry in entries]
    if numbers != list(range(after + 1, after + 1 + len(entries))):
        raise ValueError(f"entries numbered {numbers} cannot follow number {after}")
