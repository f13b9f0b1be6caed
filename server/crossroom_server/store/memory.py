"""A store in memory, for tests and for servers that keep nothing."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.store.contract import (
    MAX_VACANT_ENTRIES,
    Account,
    CodeOwner,
    Conflict,
    Store,
    Unavailable,
    check_sequence,
)
from crossroom_server.store.memory_derived import MemorySnapshots, MemoryStandings
from crossroom_server.store.people_contract import People, StoredCode


class MemoryStore(Store):
    """Keeps everything but what was promised to be durable."""

    def __init__(self) -> None:
        self._logs: dict[str, list[LogEntry]] = {}  # the room appended to last is the last key
        self._codes: dict[str, CodeOwner] = {}
        self._accounts: dict[str, Account] = {}
        self._finished: list[FinishedGame] = []
        self._closed = False
        self.snapshots = MemorySnapshots()
        self.standings = MemoryStandings(self._finished)
        self.people = MemoryPeople(self)

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        check_sequence(after, entries)
        self._check_open()
        log = self._logs.get(room, [])
        if len(log) != after:
            raise Conflict(room, after, len(log))
        if entries:
            self._logs.pop(room, None)
            self._logs[room] = log
            log.extend(entries)
            self._finished.extend(over)

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        self._check_open()
        return self._logs.get(room, [])[after:][:limit]

    async def rooms(self, limit: int = 100) -> list[str]:
        self._check_open()
        return list(reversed(self._logs))[:limit]

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        self._check_open()
        rooms = sorted(room for room in self._logs if room > behind)
        return {room: self._is_vacant(room, before) for room in rooms[:most]}

    async def delete_vacant(self, room: str, before: int) -> bool:
        self._check_open()
        if not self._is_vacant(room, before):
            return False
        del self._logs[room]
        self.snapshots.forget(room)
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
        self._check_open()
        self._codes.pop(digest, None)
        self._codes[digest] = member

    async def find_code(self, digest: str) -> CodeOwner | None:
        self._check_open()
        return self._codes.get(digest)

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        self._check_open()
        found = (pair for pair in self._codes.items() if 0 < pair[1].since < before)
        return dict(islice(found, limit))

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        self._check_open()
        for digest in self._codes.keys() & kept:
            self._codes[digest] = replace(self._codes[digest], since=0)
        for digest in self._codes.keys() & gone:
            if 0 < self._codes[digest].since < before:
                del self._codes[digest]

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        self._check_open()
        newest_first = reversed(self._codes.values())
        return list({m.room: None for m in newest_first if m.name == name})[:limit]

    async def finished(
        self, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, FinishedGame]]:
        self._check_open()
        return list(enumerate(self._finished[after:][:limit], after + 1))

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        self._check_open()
        return [game for game in reversed(self._finished) if game.room == room][:last]

    async def find_finished(self, page: str) -> FinishedGame | None:
        self._check_open()
        return next((game for game in self._finished if game.page == page), None)

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        self._check_open()
        if not anew and key in self._accounts:
            return self._accounts[key]
        self._accounts[key] = claim
        return None

    async def find_account(self, key: str) -> Account | None:
        self._check_open()
        return self._accounts.get(key)

    async def check_writable(self) -> None:
        self._check_open()

    def close(self) -> None:
        self._closed = True

    def rewrite(
        self,
        room: str,
        entries: Sequence[LogEntry],
        games: Sequence[FinishedGame],
        names: Collection[str],
    ) -> None:
        """See :meth:`People.rewrite`."""
        self._check_open()
        for entry in entries:
            self._logs[room][entry.seq - 1] = entry
        pages = {game.page: game for game in games}
        self._finished[:] = [pages.get(game.page, game) for game in self._finished]
        self.snapshots.forget(room)
        self._codes = {
            digest: one
            for digest, one in self._codes.items()
            if one.room != room or one.name not in names
        }

    def forget_account(self, key: str) -> None:
        """See :meth:`People.forget_account`."""
        self._check_open()
        self._accounts.pop(key, None)
        self.standings.reset_if_counted(key)

    def codes(self, names: Collection[str]) -> list[StoredCode]:
        """See :meth:`People.codes`."""
        self._check_open()
        found = (one for one in self._codes.values() if one.name in names)
        return sorted(
            StoredCode(one.room, one.member, one.name, one.since, one.registered) for one in found
        )

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("the store is closed")


class MemoryPeople(People):
    """Finds and forgets people in memory.

    Args:
        store: Has them.
    """

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def codes(self, names: Collection[str]) -> list[StoredCode]:
        return self._store.codes(names)

    async def rewrite(
        self,
        room: str,
        entries: Sequence[LogEntry],
        games: Sequence[FinishedGame],
        names: Collection[str],
    ) -> None:
        self._store.rewrite(room, entries, games, names)

    async def forget_account(self, key: str) -> None:
        self._store.forget_account(key)
