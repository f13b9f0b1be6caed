"""Queries to PostgreSQL that may be repeated if the answer was lost."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.group_commit import OutageLog
from crossroom_server.store.postgres.schema import (
    ANSWER_TIMEOUT_S,
    ENDING_LOCK,
    RECONNECT_TIMEOUT_S,
    is_lost,
    to_unavailable,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

RunQuery: TypeAlias = Callable[..., Coroutine[Any, Any, list[Any]]]
"""Runs a statement with its values; returns the rows."""


class RunInStoreLoop(Protocol):
    """Runs a coroutine in the loop of the store, to its end even if the caller is cancelled."""

    async def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        """Return its result."""


_RETRY_S: Final = 0.1
"""Between two tries."""
_NAME_LENGTH: Final = 60
"""Characters of a statement that tell which it is; it has no values in it."""
_POLL_INTERVAL_S: Final = 0.005
"""Between two looks at the writes under way."""

_DRAWN: Final = "SELECT last_value FROM crossroom.entries_id_seq"
_ENDING: Final = f"""
    SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = {ENDING_LOCK}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class QueryConnection:
    """A connection for queries that may be repeated; opened when needed, and again when lost.

    A restart of the database within :data:`RECONNECT_TIMEOUT_S` goes unnoticed. The first query
    that fails is logged, and the first that is answered again.

    Args:
        pool: A pool of one connection.
        within: Seconds to wait for an answer on an open connection.
    """

    def __init__(self, pool: Any, within: float = ANSWER_TIMEOUT_S) -> None:
        self._pool, self._within = pool, within
        self._outage = OutageLog("a query failed", "queries are answered again")

    async def __call__(self, query: str, *values: object) -> list[Any]:
        """Return the rows of one statement with its values.

        Raises:
            Unavailable: or a subclass.
        """
        began = time.monotonic()
        while True:
            try:
                rows = await self._fetch(query, values)
            except Exception as error:
                if self._pool.is_closing():
                    raise Unavailable("the store is closed") from error
                waited = time.monotonic() - began
                if not is_lost(error) or waited > RECONNECT_TIMEOUT_S:
                    cause = to_unavailable(error)
                    name = " ".join(query.split())[:_NAME_LENGTH]
                    self._outage.update(f"{cause}, after {waited:.1f} s, {name}")
                    raise cause from error
            else:
                self._outage.update(None)
                return rows
            await asyncio.sleep(_RETRY_S)

    async def _fetch(self, query: str, values: Sequence[object]) -> list[Any]:
        # connecting has a time of its own: who may take no longer for it than for an answer would
        # never come back to a database that is slow for a while
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            db = await self._pool.acquire()
        try:
            async with asyncio.timeout(self._within):
                rows: list[Any] = await db.fetch(query, *values)
            return rows
        except (asyncio.CancelledError, TimeoutError):
            db.terminate()  # it may be dead, and would be asked in vain to leave off
            raise
        finally:
            await self._pool.release(db)

    async def close(self) -> None:
        """Close the connection, at once if it does not answer."""
        try:
            async with asyncio.timeout(RECONNECT_TIMEOUT_S):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()


async def last_settled(ask: RunQuery) -> int:
    """Return a number up to which all finished games can be seen.

    The number of a game is drawn while it is written. So if two nodes write at the same time, the
    later number may appear first, and a reader who went on from there would miss the other game.
    Therefore a writer holds a lock from before the draw until the end, and here those that hold it
    are waited for. No writer waits for a reader.

    Raises:
        Unavailable: or a subclass.
    """
    ((last,),) = await ask(_DRAWN)
    waiting = await _under_way(ask)
    until = time.monotonic() + RECONNECT_TIMEOUT_S
    while waiting:
        if time.monotonic() > until:
            raise Unavailable("the database does not answer")
        await asyncio.sleep(_POLL_INTERVAL_S)
        waiting &= await _under_way(ask)
    return int(last)


async def _under_way(ask: RunQuery) -> set[str]:
    return {name for (name,) in await ask(_ENDING)}
