"""A store that forgets: for tests, and for a server that should keep nothing."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.store.contract import (
    MAX_VACANT_ENTRIES,
    Account,
    CodeOwner,
    Conflict,
    Unavailable,
    check_sequence,
)


class MemoryStore:
    """A :class:`~crossroom_server.store.contract.Store` in memory: everything but durability."""

    def __init__(self) -> None:
        self._logs: dict[str, list[LogEntry]] = {}  # the room appended to last is the last key
        self._codes: dict[str, CodeOwner] = {}
        self._claims: dict[str, Account] = {}
        self._over: list[FinishedGame] = []
        self._closed = False

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        """See :meth:`crossroom_server.store.contract.Store.append`."""
        check_sequence(after, entries)
        self._check_open()
        log = self._logs.get(room, [])
        if len(log) != after:
            raise Conflict(room, after, len(log))
        if entries:
            self._logs.pop(room, None)
            self._logs[room] = log
            log.extend(entries)
            self._over.extend(over)

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """See :meth:`crossroom_server.store.contract.Store.read`."""
        self._check_open()
        return self._logs.get(room, [])[after:][:limit]

    async def rooms(self, limit: int = 100) -> list[str]:
        """See :meth:`crossroom_server.store.contract.Store.rooms`."""
        self._check_open()
        return list(reversed(self._logs))[:limit]

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        """See :meth:`crossroom_server.store.contract.Store.scan_vacant`."""
        self._check_open()
        rooms = sorted(room for room in self._logs if room > behind)
        return {room: self._is_vacant(room, before) for room in rooms[:most]}

    async def delete_vacant(self, room: str, before: int) -> bool:
        """See :meth:`crossroom_server.store.contract.Store.delete_vacant`."""
        self._check_open()
        if not self._is_vacant(room, before):
            return False
        del self._logs[room]
        self._codes = {digest: one for digest, one in self._codes.items() if one.room != room}
        return True

    def _is_vacant(self, room: str, before: int) -> bool:
        log = self._logs.get(room, [])
        return (
            0 < len(log) <= MAX_VACANT_ENTRIES
            and log[-1].at < before
            and not any(one.room == room and one.since >= before for one in self._codes.values())
            and not any(isinstance(entry.what, Moved) for entry in log)
        )

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        """See :meth:`crossroom_server.store.contract.Store.save_code`."""
        self._check_open()
        self._codes.pop(digest, None)
        self._codes[digest] = member

    async def find_code(self, digest: str) -> CodeOwner | None:
        """See :meth:`crossroom_server.store.contract.Store.find_code`."""
        self._check_open()
        return self._codes.get(digest)

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        """See :meth:`crossroom_server.store.contract.Store.expired_codes`."""
        self._check_open()
        found = (pair for pair in self._codes.items() if 0 < pair[1].since < before)
        return dict(islice(found, limit))

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        """See :meth:`crossroom_server.store.contract.Store.resolve_expired_codes`."""
        self._check_open()
        for digest in self._codes.keys() & kept:
            self._codes[digest] = replace(self._codes[digest], since=0)
        for digest in self._codes.keys() & gone:
            if 0 < self._codes[digest].since < before:
                del self._codes[digest]

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        """See :meth:`crossroom_server.store.contract.Store.rooms_of_name`."""
        self._check_open()
        newest_first = reversed(self._codes.values())
        return list({m.room: None for m in newest_first if m.name == name})[:limit]

    async def finished(self, after: int = 0) -> list[tuple[int, FinishedGame]]:
        """See :meth:`crossroom_server.store.contract.Store.finished`."""
        self._check_open()
        return list(enumerate(self._over, 1))[after:]

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        """See :meth:`crossroom_server.store.contract.Store.finished_in`."""
        self._check_open()
        return [game for game in reversed(self._over) if game.room == room][:last]

    async def find_finished(self, page: str) -> FinishedGame | None:
        """See :meth:`crossroom_server.store.contract.Store.find_finished`."""
        self._check_open()
        return next((game for game in self._over if game.page == page), None)

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        """See :meth:`crossroom_server.store.contract.Store.save_account`."""
        self._check_open()
        if not anew and key in self._claims:
            return self._claims[key]
        self._claims[key] = claim
        return None

    async def find_account(self, key: str) -> Account | None:
        """See :meth:`crossroom_server.store.contract.Store.find_account`."""
        self._check_open()
        return self._claims.get(key)

    async def check_writable(self) -> None:
        """See :meth:`crossroom_server.store.contract.Store.check_writable`."""
        self._check_open()

    def close(self) -> None:
        """See :meth:`crossroom_server.store.contract.Store.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("the store is closed")
