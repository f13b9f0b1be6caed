"""The leases of rooms in a PostgreSQL database.

What is asked here has connections of its own, and what says that the node lives has one more: it
must be heard of whatever else waits. Every statement may be sent twice, so an answer that was lost
is no matter.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, TypeAlias

from crossroom_server.store.contract import Superseded, Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S, NodeStatus
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery
from crossroom_server.store.postgres.schema import Connection
from crossroom_server.store.postgres.write_fence import ClusterWriter

_Answer: TypeAlias = "asyncio.Future[str | Unavailable]"

_ALIVE: Final = "seen > clock_timestamp() - make_interval(secs => {})"

_BEAT: Final = """
    UPDATE crossroom.nodes SET seen = clock_timestamp() WHERE node = $1 RETURNING 1
"""
# Rooms are named twice where they are joined: a plan that was made for the empty table must not
# read all of a full one. A room is taken only if its lease is still as it was when nobody alive
# was found there: of two who find that at the same time, the second waits for the first and gets
# no row; it asks again.
_CLAIM: Final = f"""
    WITH me AS MATERIALIZED (
        SELECT node FROM crossroom.nodes WHERE node = $1 FOR KEY SHARE
    ), asked AS MATERIALIZED (
        SELECT room, owner, epoch, owner IS NOT NULL AND (owner = $1 OR EXISTS (
            SELECT FROM crossroom.nodes WHERE node = owner AND {_ALIVE.format("$3")}
        )) AS is_had
        FROM me, unnest($2::text[]) AS new (room) LEFT JOIN (
            SELECT * FROM crossroom.leases WHERE room = ANY ($2::text[])
        ) AS held USING (room)
    ), claimed AS (
        INSERT INTO crossroom.leases AS held (room, owner, epoch)
        SELECT room, $1, coalesce(epoch, 0) + 1 FROM asked WHERE NOT is_had ORDER BY room
        ON CONFLICT (room) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch
        WHERE held.epoch = excluded.epoch - 1
        RETURNING room, owner, epoch
    )
    SELECT room, owner, epoch FROM claimed
    UNION ALL
    SELECT room, owner, epoch FROM asked WHERE is_had
    UNION ALL
    SELECT '', NULL, NULL FROM me
"""
_RELEASE: Final = """
    WITH ours AS MATERIALIZED (
        SELECT room FROM crossroom.leases
        WHERE room = ANY ($2::text[]) AND owner = $1 ORDER BY room FOR NO KEY UPDATE
    )
    UPDATE crossroom.leases SET owner = '' FROM ours
    WHERE leases.room = ours.room AND leases.room = ANY ($2::text[])
"""
_RETIRE: Final = """
    WITH me AS MATERIALIZED (
        SELECT node FROM crossroom.nodes WHERE node = $1 FOR UPDATE
    ), ours AS MATERIALIZED (
        SELECT room FROM me, crossroom.leases
        WHERE owner = node AND owner <> '' ORDER BY room FOR NO KEY UPDATE OF leases
    ), released AS (
        UPDATE crossroom.leases SET owner = '' FROM ours WHERE leases.room = ours.room
    )
    DELETE FROM crossroom.nodes USING me WHERE nodes.node = me.node
"""
_OWNER: Final = f"""
    SELECT node FROM crossroom.leases JOIN crossroom.nodes ON node = owner
    WHERE room = $1 AND {_ALIVE.format("$2")}
"""
_NODES: Final = f"""
    SELECT node, count(room), extract(epoch FROM clock_timestamp() - seen)::float
    FROM crossroom.nodes LEFT JOIN crossroom.leases ON owner = node AND owner <> ''
    WHERE {_ALIVE.format("$1")}
    GROUP BY node ORDER BY node
"""


class PostgresLeases:
    """Keeps the contract of :class:`~crossroom_server.store.lease_contract.Leases`.

    Claims that come in while one is under way share the next statement.

    Args:
        right: Of the node; is told which leases it has.
        ask: Asks the database.
        ask_soon: Asks it whatever else is asked, and does not wait long for an answer.
        run: Runs what asks, in the one loop where that may be done, for whichever loop wants it.
    """

    def __init__(
        self, right: ClusterWriter, ask: RunQuery, ask_soon: RunQuery, run: RunInStoreLoop
    ) -> None:
        self._right, self._ask, self._ask_soon, self._run = right, ask, ask_soon, run
        self._waiting: dict[str, _Answer] = {}
        self._turn = asyncio.Lock()

    @property
    def node(self) -> str:
        """See :attr:`Leases.node`."""
        return self._right.node

    async def heartbeat(self) -> None:
        """See :meth:`Leases.heartbeat`."""
        if not await self._run(self._ask_soon(_BEAT, self.node)):
            raise _gone()

    async def claim(self, room: str) -> str:
        """See :meth:`Leases.claim`."""
        return await self._run(self._claim(room))

    async def release(self, *rooms: str) -> None:
        """See :meth:`Leases.release`."""
        await self._run(self._release(rooms))

    async def owner(self, room: str) -> str | None:
        """See :meth:`Leases.owner`."""
        rows = await self._run(self._ask(_OWNER, room, LEASE_LIFETIME_S))
        return rows[0]["node"] if rows else None

    async def nodes(self) -> list[NodeStatus]:
        """See :meth:`Leases.nodes`."""
        return [NodeStatus(*row) for row in await self._run(self._ask(_NODES, LEASE_LIFETIME_S))]

    async def retire(self) -> None:
        """See :meth:`Leases.retire`."""
        await self._run(self._ask(_RETIRE, self.node))

    async def _claim(self, room: str) -> str:
        answer = self._waiting.setdefault(room, asyncio.get_running_loop().create_future())
        async with self._turn:
            if not answer.done():
                group, self._waiting = self._waiting, {}
                await self._claim_all(group)
        outcome = answer.result()
        if isinstance(outcome, Unavailable):
            raise outcome
        return outcome

    async def _claim_all(self, answers: Mapping[str, _Answer]) -> None:
        left = dict(answers)
        try:
            while left:
                rows = await self._ask(_CLAIM, self.node, list(left), LEASE_LIFETIME_S)
                if not rows:
                    raise _gone()
                for room, owner, epoch in rows[:-1]:
                    self._right.know(room, epoch if owner == self.node else 0)
                    left.pop(room).set_result(owner)
        except Unavailable as error:
            for answer in left.values():
                answer.set_result(error)

    async def _release(self, rooms: tuple[str, ...]) -> None:
        for room in rooms:
            self._right.know(room, 0)
        await self._ask(_RELEASE, self.node, rooms)


async def owner(db: Connection, room: str) -> str | None:
    """The node that has the room and lives, on a connection of one's own."""
    found: str | None = await db.fetchval(_OWNER, room, LEASE_LIFETIME_S)
    return found


def _gone() -> Superseded:
    return Superseded("this server has left the others, or was forgotten by them")
