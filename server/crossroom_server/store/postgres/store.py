"""The store of a single server, or of a cluster, in a PostgreSQL database."""

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry
from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import Account, CodeOwner, Store, Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S
from crossroom_server.store.postgres.bans import PostgresBans
from crossroom_server.store.postgres.group_commit import PostgresGroupCommit
from crossroom_server.store.postgres.leases import PostgresLeases
from crossroom_server.store.postgres.people_table import PostgresPeople
from crossroom_server.store.postgres.queries import QueryConnection, last_settled
from crossroom_server.store.postgres.room_cleanup import SCAN_VACANT
from crossroom_server.store.postgres.schema import (
    RECONNECT_TIMEOUT_S,
    naming_errors,
    pool,
    to_unavailable,
)
from crossroom_server.store.postgres.snapshot_table import PostgresSnapshots
from crossroom_server.store.postgres.standings_table import PostgresStandings
from crossroom_server.store.postgres.write_connection import WriteConnection
from crossroom_server.store.postgres.write_fence import ClusterWriter, SoleWriter
from crossroom_server.store.postgres.write_jobs import (
    AppendJob,
    DeleteVacantJob,
    ProbeJob,
    ResolveCodesJob,
    SaveAccountJob,
    SaveCodeJob,
)
from crossroom_server.store.rows import (
    OWNER_COLUMNS,
    code_owner,
    decode_finished,
    decode_log,
    encode_entries,
)

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

# From name to next name by the index, then only the newest entry of each: the cost grows with the
# number of rooms, not with the length of their logs.
_ROOMS: Final = """
    WITH RECURSIVE names (room) AS (
        SELECT min(room) FROM crossroom.entries
        UNION ALL
        SELECT (SELECT min(room) FROM crossroom.entries WHERE room > names.room)
        FROM names WHERE names.room IS NOT NULL
    )
    SELECT room FROM names WHERE room IS NOT NULL
    ORDER BY (
        SELECT id FROM crossroom.entries WHERE entries.room = names.room ORDER BY seq DESC LIMIT 1
    ) DESC
    LIMIT $1
"""
_LOG: Final = """
    SELECT entry FROM crossroom.entries WHERE room = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""
_FINISHED: Final = """
    SELECT id, game FROM crossroom.finished WHERE id > $1 AND id <= coalesce($2, id) ORDER BY id
    LIMIT $3
"""
_GUESTS: Final = f"""
    SELECT digest, {OWNER_COLUMNS} FROM crossroom.codes WHERE since > 0 AND since < $1 LIMIT $2
"""
_ROOMS_OF: Final = """
    SELECT room FROM crossroom.codes WHERE name = $1 GROUP BY room ORDER BY max(id) DESC LIMIT $2
"""


class PostgresStore(Store):
    """Keeps everything in a PostgreSQL database.

    One connection writes, another reads, and in a cluster a third tells that this node lives; all
    in a thread of their own. A lost connection is opened
    again, and what became of the writes on it is found out before anybody is told. Every write
    checks that this process is still the one that may write.

    If the database is away for long, an append whose answer was lost is reported as not done, and
    undone when the database is back. If this process ends before, it may turn out to have been
    done.

    Args:
        database: The database; its tables are made in the schema ``crossroom``.
        node: The name of this node if others share the database; no other has it, nor this one
            after its next start. It may append to a room only while it has the lease of it, and is
            refused with :exc:`~crossroom_server.store.lease_contract.LeaseLost` otherwise.

    Raises:
        InUse: a running server has the database; or nodes have, and this is none.
        TooNew: a later version of this program has written it.
        Unavailable: it cannot be reached, or is another program's.
    """

    def __init__(self, database: Database, node: str | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="store", daemon=True)
        self._closed = False
        self._leases: PostgresLeases | None = None
        self._banned: PostgresBans | None = None
        self._fence = SoleWriter() if node is None else ClusterWriter(node)
        self._connection = WriteConnection(database, self._fence)
        self._writer = PostgresGroupCommit(self._connection, self._loop)
        self._thread.start()
        try:
            self._queries, self._writing = self._submit(self._open(database)).result()
        except BaseException as error:
            self._end()
            if not isinstance(error, Exception):
                raise
            with naming_errors(database):
                raise to_unavailable(error) from error

    @property
    def leases(self) -> PostgresLeases:
        """Return the leases of all nodes.

        Raises:
            LookupError: this is the store of a single server.
        """
        if self._leases is None:
            raise LookupError("a server alone has no leases")
        return self._leases

    @property
    def bans(self) -> PostgresBans:
        """Return the bans of all nodes.

        Raises:
            LookupError: this is the store of a single server, which keeps them in a file.
        """
        if self._banned is None:
            raise LookupError("a server alone keeps what it has banned in a file")
        return self._banned

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        texts = encode_entries(after, entries)
        await self._writer.do(AppendJob(key=room, after=after, entries=texts, over=over))

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        rows = await self._read(_LOG, room, after, limit)
        if not rows:
            return []
        return await asyncio.to_thread(decode_log, room, after, [text for (text,) in rows])

    async def rooms(self, limit: int = 100) -> list[str]:
        return [room for (room,) in await self._read(_ROOMS, limit)]

    async def scan_vacant(self, behind: str, most: int, before: int) -> dict[str, bool]:
        rows = await self._read(SCAN_VACANT, behind, most, before)
        return dict(rows)

    async def delete_vacant(self, room: str, before: int) -> bool:
        job = DeleteVacantJob(key=room, before=before)
        await self._writer.do(job)
        return job.was_vacant

    async def save_code(self, digest: str, member: CodeOwner) -> None:
        await self._writer.do(SaveCodeJob(key=digest, owner=member))

    async def find_code(self, digest: str) -> CodeOwner | None:
        rows = await self._read(
            f"SELECT {OWNER_COLUMNS} FROM crossroom.codes WHERE digest = $1", digest
        )
        return code_owner(*rows[0]) if rows else None

    async def expired_codes(self, before: int, limit: int) -> dict[str, CodeOwner]:
        rows = await self._read(_GUESTS, before, limit)
        return {digest: code_owner(*row) for digest, *row in rows}

    async def resolve_expired_codes(
        self, kept: Sequence[str], gone: Sequence[str], before: int
    ) -> None:
        await self._writer.do(ResolveCodesJob(kept=kept, gone=gone, before=before))

    async def rooms_of_name(self, name: str, limit: int = 10) -> list[str]:
        return [room for (room,) in await self._read(_ROOMS_OF, name, limit)]

    async def finished(
        self, after: int = 0, limit: int | None = None
    ) -> list[tuple[int, FinishedGame]]:
        last = None if isinstance(self._fence, SoleWriter) else await last_settled(self._read)
        rows = await self._read(_FINISHED, after, last, limit)
        return list(zip((number for number, _ in rows), decode_finished(rows), strict=True))

    async def finished_in(self, room: str, last: int) -> list[FinishedGame]:
        query = "SELECT game FROM crossroom.finished WHERE room = $1 ORDER BY id DESC LIMIT $2"
        return decode_finished(await self._read(query, room, last))

    async def find_finished(self, page: str) -> FinishedGame | None:
        rows = await self._read("SELECT game FROM crossroom.finished WHERE page = $1", page)
        return next(iter(decode_finished(rows[:1])), None)

    async def save_account(self, key: str, claim: Account, *, anew: bool = False) -> Account | None:
        job = SaveAccountJob(key=key, account=claim, anew=anew)
        await self._writer.do(job)
        return job.taken

    async def find_account(self, key: str) -> Account | None:
        query = "SELECT name, digest, since FROM crossroom.claims WHERE key = $1"
        rows = await self._read(query, key)
        return Account(*rows[0]) if rows else None

    async def check_writable(self) -> None:
        await self._read("SELECT version FROM crossroom.version")
        await self._writer.do(ProbeJob())

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._submit(self._finish()).result()
            self._end()

    async def _open(self, database: Database) -> "tuple[list[QueryConnection], asyncio.Task[None]]":
        await self._connection.open()
        asking = QueryConnection(await pool(database))
        queries = [asking]
        self.snapshots = PostgresSnapshots(self._read, asking, self._run)
        self.standings = PostgresStandings(self._read, asking, self._run)
        self.people = PostgresPeople(self._read, asking, self._run)
        if isinstance(self._fence, ClusterWriter):
            soon = QueryConnection(await pool(database), within=LEASE_LIFETIME_S / 4)
            queries.append(soon)  # signs of life wait for nothing else
            self._leases = PostgresLeases(self._fence, asking, soon, self._run)
            self._banned = PostgresBans(asking, self._run)
        return queries, asyncio.create_task(self._writer.run())

    async def _finish(self) -> None:
        self._writer.close()
        await self._writing
        await self._connection.close()
        for connection in self._queries:
            await connection.close()
        if asking := asyncio.all_tasks() - {asyncio.current_task()}:  # again, as it was in vain
            await asyncio.wait(asking, timeout=RECONNECT_TIMEOUT_S)

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _read(self, query: str, *values: object) -> list[Any]:
        if self._closed:
            raise Unavailable("the store is closed")
        if self._writer.is_unsure:  # nobody may see what is about to be taken back
            await self._writer.do(ProbeJob())
        return await asyncio.wrap_future(self._submit(self._queries[0](query, *values)))

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._closed:
            work.close()
            raise Unavailable("the store is closed")
        done = asyncio.wrap_future(self._submit(work))
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError:
            done.add_done_callback(_ignore_failure)
            raise
        return done.result()


def _ignore_failure(done: "asyncio.Future[Any]") -> None:
    """Take note of a failure that nobody waits for any more, so that none is logged as a fault."""
    if not done.cancelled():
        done.exception()
