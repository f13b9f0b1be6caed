"""Questions to a PostgreSQL database, which may be asked again if the answer was lost."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.postgres.finished_table import ENDING_LOCK
from crossroom_server.store.postgres.schema import (
    ANSWER_TIMEOUT_S,
    RECONNECT_TIMEOUT_S,
    is_lost,
    to_unavailable,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

RunQuery: TypeAlias = Callable[..., Coroutine[Any, Any, list[Any]]]
"""Asks: given a statement and its values, the rows."""


class RunInStoreLoop(Protocol):
    """Runs a coroutine in the loop of the store; even if whoever waits for it is cancelled."""

    async def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of it."""


_RETRY_S: Final = 0.1
"""Seconds from one try to the next."""
_POLL_INTERVAL_S: Final = 0.005
"""Seconds from one look at the writes under way to the next."""

_DRAWN: Final = "SELECT last_value FROM crossroom.entries_id_seq"
_ENDING: Final = f"""
    SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = {ENDING_LOCK}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def query_pool(
    pool: Any, query: str, *values: object, within: float | None = None
) -> list[Any]:
    """The rows; a database that restarts within :data:`RECONNECT_TIMEOUT_S` is not noticed.

    Args:
        pool: Of connections.
        query: One statement that does no harm if it is done twice.
        values: Its own.
        within: Seconds for one answer; None: as many as for any.

    Raises:
        Unavailable: or one of its kinds.
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
    """A number up to which no finished game is missing, nor will one ever come in.

    The number of a game is drawn while it is written, so that of two nodes that write at the same
    time the later number may be seen first. Whoever reads on from there would never see the other
    game. So who writes one holds a lock from before the draw until the end, and here those are
    waited for that hold it after the number was read; nobody has to wait for who reads.

    Raises:
        Unavailable: or one of its kinds.
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
