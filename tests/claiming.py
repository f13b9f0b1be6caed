"""A store of a node that claims whatever room is written to."""

from collections.abc import Sequence

from crossroom_protocol.finished import Finished
from crossroom_protocol.room_events import Entry
from crossroom_server.store.postgres import PostgresStore


class ClaimingStore(PostgresStore):
    """For tests that know nothing of leases."""

    async def append(
        self, room: str, after: int, entries: Sequence[Entry], over: Sequence[Finished] = ()
    ) -> None:
        """Append to the room, claimed."""
        await self.leases.claim(room)
        await super().append(room, after, entries, over)
