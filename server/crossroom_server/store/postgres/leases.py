"""The leases of rooms in a PostgreSQL database.

Queries have connections of their own, and the heartbeat has another, so that it waits for nothing.
Every statement may be repeated, if its answer was lost.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, TypeAlias

from crossroom_server.store.contract import Superseded, Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S, Leases, NodeStatus
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery
from crossroom_server.store.postgres.schema import Connection
from crossroom_server.store.postgres.write_fence import ClusterWriter

_Answer: TypeAlias = "asyncio.Future[str | Unavailable]"

_ALIVE: Final = "seen > clock_timestamp() - make_interval(secs => {})"

_BEAT: Final = f"""
    UPDATE crossroom.nodes
    SET seen = clock_timestamp(), heard = clock_timestamp() - make_interval(secs => $2)
    WHERE node = $1
    RETURNING extract(epoch FROM clock_timestamp() - (
        SELECT max(others.heard) FROM crossroom.nodes AS others
        WHERE others.node <> $1 AND others.{_ALIVE.format("$3")}
    ))::float
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
_KEPT: Final = """
    SELECT room FROM unnest($2::text[], $3::bigint[]) AS ours (room, epoch)
    JOIN crossroom.leases USING (room, epoch)
    WHERE owner = $1 AND room = ANY ($2::text[])
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


class PostgresLeases(Leases):
    """Stores the leases of all nodes; claims that arrive while one is under way share a statement.

    Args:
        fence: Of this node; is told which leases it has.
        ask: Runs a query.
        ask_soon: Runs a query beside all others, and gives up soon.
        run: Runs a coroutine in the loop of the store.
    """

    def __init__(
        self, fence: ClusterWriter, ask: RunQuery, ask_soon: RunQuery, run: RunInStoreLoop
    ) -> None:
        self._fence, self._ask, self._ask_soon, self._run = fence, ask, ask_soon, run
        self._waiting: dict[str, _Answer] = {}
        self._turn = asyncio.Lock()

    @property
    def node(self) -> str:
        return self._fence.node

    async def heartbeat(self, silence: float = 0.0) -> float | None:
        beat = self._ask_soon(_BEAT, self.node, silence, LEASE_LIFETIME_S)
        rows = await self._run(beat)
        if not rows:
            raise _superseded()
        age: float | None = rows[0][0]
        return age

    async def claim(self, room: str) -> str:
        return await self._run(self._claim(room))

    async def kept(self, *rooms: str) -> set[str]:
        epochs = [self._fence.lease(room) for room in rooms]
        rows = await self._run(self._ask(_KEPT, self.node, list(rooms), epochs))
        return {row["room"] for row in rows}

    async def release(self, *rooms: str) -> None:
        await self._run(self._release(rooms))

    async def owner(self, room: str) -> str | None:
        rows = await self._run(self._ask(_OWNER, room, LEASE_LIFETIME_S))
        return rows[0]["node"] if rows else None

    async def nodes(self) -> list[NodeStatus]:
        return [NodeStatus(*row) for row in await self._run(self._ask(_NODES, LEASE_LIFETIME_S))]

    async def retire(self) -> None:
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
                    raise _superseded()
                for room, owner, epoch in rows[:-1]:
                    self._fence.set_lease(room, epoch if owner == self.node else 0)
                    left.pop(room).set_result(owner)
        except Unavailable as error:
            for answer in left.values():
                answer.set_result(error)

    async def _release(self, rooms: tuple[str, ...]) -> None:
        for room in rooms:
            self._fence.set_lease(room, 0)
        await self._ask(_RELEASE, self.node, rooms)


async def find_owner(db: Connection, room: str) -> str | None:
    """Return the node that has the room and lives."""
    found: str | None = await db.fetchval(_OWNER, room, LEASE_LIFETIME_S)
    return found


def _superseded() -> Superseded:
    return Superseded("this server has left the others, or was forgotten by them")
