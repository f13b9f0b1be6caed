"""Collecting garbage without long pauses.

Python looks for unreachable cycles by itself: up to three times at what is new, and through *all*
objects whenever their number has grown by a quarter. With two thousand connections that is a pause
of some tenths of a second, right when many people come in. Here, what is new is looked through
once, before it is much, and what survives that is set aside. Now and then everything is looked
through: so seldom that it takes no share of the time worth mentioning, or when there has come to be
twice as much.
"""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator
from typing import Final

log = logging.getLogger(__name__)

NEW: Final = 4_000
"""Objects more than at the last look, after which the new ones are looked through: in some 8 ms."""
GROWN: Final = 300_000
"""Objects beyond twice as many as before, after which all are looked through: some 30 megabytes."""
COUNT: Final = 50_000
"""Objects more, at least, before they are counted again: a count walks over all, in some 20 ms."""
EACH: Final = 1e-6
"""Seconds to look at an object, about."""
SHARE: Final = 2000
"""A look through everything that takes 20 ms is followed by 40 s without one."""
LEAST: Final = 30.0
"""Seconds between two of them, however short they are."""
ROUND: Final = 0.05
"""Seconds between two looks whether it is time."""


@contextlib.asynccontextmanager
async def tidying() -> AsyncIterator[None]:
    """Decide, while inside, when the garbage of this process is collected."""
    was_enabled = gc.isenabled()
    look_at_all()
    gc.disable()
    tidying = asyncio.create_task(_tidy(), name="tidying")
    try:
        yield
    finally:
        tidying.cancel()
        if was_enabled:
            gc.enable()
        gc.unfreeze()


async def _tidy() -> None:
    looked, kept = time.monotonic(), gc.get_freeze_count()
    limit = due = 2 * kept + GROWN
    while True:
        await asyncio.sleep(ROUND)
        is_time = time.monotonic() >= looked + pause_after(kept)
        if kept > due:  # or fewer: those that went meanwhile were not noticed
            kept = gc.get_freeze_count()
            is_time = is_time or kept > limit
            due = max(limit, kept + COUNT)
        if is_time:
            look_at_all()
            looked, kept = time.monotonic(), gc.get_freeze_count()
            limit = due = 2 * kept + GROWN
        elif (new := gc.get_count()[0]) >= NEW:
            look_at_new()
            kept += new


def look_at_all() -> None:
    """Free everything that is unreachable."""
    gc.unfreeze()
    look_at_new()


def look_at_new() -> None:
    """Free what is unreachable of that which came since the last look, and set the rest aside."""
    begun = time.perf_counter()
    found = gc.collect()
    gc.freeze()
    told = {"found": found, "ms": 1000 * (time.perf_counter() - begun)}
    log.debug("%(found)d unreachable objects found in %(ms).0f ms", told)


def pause_after(objects: int) -> float:
    """Seconds from one look through so many *objects* to the next."""
    return max(LEAST, objects * EACH * SHARE)
