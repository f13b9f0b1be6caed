"""A store of a node that claims whatever room is written to."""

from collections.abc import Sequence

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_server.config.store_url import Database
from crossroom_server.store.postgres.store import PostgresStore


class AutoClaimStore(PostgresStore):
    """For those who know nothing of leases."""

    def __init__(self, database: Database, node: str) -> None:
        super().__init__(database, node)
        self._claimed: set[str] = set()

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        """Append to the room, which is claimed first if it never was."""
        if room not in self._claimed:
            await self.leases.claim(room)
            self._claimed.add(room)
        await super().append(room, after, entries, over)

    async def delete_vacant(self, room: str, before: int) -> bool:
        """Forget the room, and with it that it was claimed."""
        was_vacant = await super().delete_vacant(room, before)
        if was_vacant:
            self._claimed.discard(room)
        return was_vacant
