"""Queries to PostgreSQL that may be repeated if the answer was lost."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from crossroom_server.store.contract import Unavailable
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
_POLL_INTERVAL_S: Final = 0.005
"""Between two looks at the writes under way."""

_DRAWN: Final = "SELECT last_value FROM crossroom.entries_id_seq"
_ENDING: Final = f"""
    SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = {ENDING_LOCK}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def query_pool(
    pool: Any, query: str, *values: object, within: float | None = None
) -> list[Any]:
    """Return the rows; a restart of the database within :data:`RECONNECT_TIMEOUT_S` goes unnoticed.

    Args:
        pool: The connections.
        query: One statement that may be repeated.
        values: Its values.
        within: Seconds to wait for an answer; None: the usual.

    Raises:
        Unavailable: or a subclass.
    """
    until = time.monotonic() + RECONNECT_TIMEOUT_S
    while True:
        try:
            async with asyncio.timeout(within or ANSWER_TIMEOUT_S):
                return await _fetch(pool, query, values)
        except Exception as error:
            if pool.is_closing():
                raise Unavailable("the store is closed") from error
            if not is_lost(error) or time.monotonic() > until:
                cause = to_unavailable(error)
                log.error("the database has not answered: %s", cause)
                raise cause from error
        await asyncio.sleep(_RETRY_S)


async def _fetch(pool: Any, query: str, values: Sequence[object]) -> list[Any]:
    db = await pool.acquire()
    try:
        rows: list[Any] = await db.fetch(query, *values)
        return rows
    except asyncio.CancelledError:
        db.terminate()  # it may be dead, and would be asked in vain to leave off
        raise
    finally:
        await pool.release(db)


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
