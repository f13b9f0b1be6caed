"""The table of snapshots in PostgreSQL; see :mod:`..sqlite.snapshot_table`.

Whoever writes has applied just these entries, so that no lease is needed: any two write the same.
"""

from typing import Final

from crossroom_server.store.derived_contract import ENTRIES_PER_SNAPSHOT, Snapshot, Snapshots
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery

_SAVE: Final = f"""
    WITH thinned AS (
        DELETE FROM crossroom.snapshots
        WHERE room = $1 AND seq < $2
        AND seq >= $2::integer / {ENTRIES_PER_SNAPSHOT} * {ENTRIES_PER_SNAPSHOT}
    )
    INSERT INTO crossroom.snapshots (id, room, seq, state)
    SELECT id, room, seq, $3 FROM crossroom.entries WHERE room = $1 AND seq = $2::integer
    ON CONFLICT (id) DO UPDATE SET state = excluded.state
"""
_FIND: Final = """
    SELECT snapshots.seq, state
    FROM crossroom.snapshots JOIN crossroom.entries USING (id, room, seq)
    WHERE snapshots.room = $1 AND snapshots.seq <= coalesce($2::integer, snapshots.seq)
    ORDER BY snapshots.seq DESC LIMIT 1
"""


class PostgresSnapshots(Snapshots):
    """Stores snapshots in the database of the games.

    Args:
        ask: Reads.
        write: Runs a statement that may be repeated.
        run: Runs a coroutine in the loop of the store.
    """

    def __init__(self, ask: RunQuery, write: RunQuery, run: RunInStoreLoop) -> None:
        self._ask, self._write, self._run = ask, write, run

    async def save(self, room: str, snapshot: Snapshot) -> None:
        await self._run(self._write(_SAVE, room, snapshot.seq, snapshot.text))

    async def find(self, room: str, upto: int | None = None) -> Snapshot | None:
        rows = await self._ask(_FIND, room, upto)
        return Snapshot(*rows[0]) if rows else None
