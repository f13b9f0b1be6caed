"""Collecting garbage without long pauses.

Python looks for unreachable cycles by itself: up to three times at what is new, and through *all*
objects whenever their number has grown by a quarter. With two thousand connections that is a pause
of some tenths of a second, right when many people come in. Here, what is new is looked through
once, before it is much, and what survives that is set aside; without a look as long as samples show
next to no garbage. Now and then everything is looked through: so seldom that it takes no share of
the time worth mentioning, or when there has come to be twice as much.
"""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator
from typing import Final

log = logging.getLogger(__name__)

YOUNG_OBJECTS: Final = 4_000
"""Objects more than at the last look, after which the new ones are looked through: in some 8 ms."""
RARE_GARBAGE: Final = 0.01
"""Share of unreachable objects among new ones below which most of those are set aside unseen."""
SET_ASIDE_UNSEEN: Final = 15
"""Times in a row that this is done before the next sample: a busy room makes no cycles."""
FULL_COLLECT_GROWTH: Final = 300_000
"""Objects beyond twice as many as before, after which all are looked through: some 30 megabytes."""
RECOUNT_GROWTH: Final = 50_000
"""Objects more, at least, before they are counted again: a count walks over all, in some 20 ms."""
SCAN_S_PER_OBJECT: Final = 1e-6
"""Seconds to look at an object, about."""
INTERVAL_PER_SCAN: Final = 2000
"""A look through everything that takes 20 ms is followed by 40 s without one."""
MIN_FULL_INTERVAL_S: Final = 30.0
"""Seconds between two of them, however short they are."""
POLL_INTERVAL_S: Final = 0.05
"""Seconds between two looks whether it is time, while much is new."""
IDLE_POLL_INTERVAL_S: Final = 0.4
"""Seconds between two of them at most: waking up is most of what an idle server does."""


@contextlib.asynccontextmanager
async def managed_gc() -> AsyncIterator[None]:
    """Decide, while inside, when the garbage of this process is collected."""
    was_enabled = gc.isenabled()
    full_collect()
    gc.disable()
    tidying = asyncio.create_task(_collect_when_due(), name="tidying")
    try:
        yield
    finally:
        tidying.cancel()
        if was_enabled:
            gc.enable()
        gc.unfreeze()


async def _collect_when_due() -> None:
    looked, kept = time.monotonic(), gc.get_freeze_count()
    limit = due = 2 * kept + FULL_COLLECT_GROWTH
    pause, before, unseen = POLL_INTERVAL_S, 0, 0
    while True:
        await asyncio.sleep(pause)
        count = gc.get_count()[0]
        pause = next_pause(pause, count - before)
        is_time = time.monotonic() >= looked + full_collect_interval(kept)
        if kept > due:  # or fewer: those that went meanwhile were not noticed
            kept = gc.get_freeze_count()
            is_time = is_time or kept > limit
            due = max(limit, kept + RECOUNT_GROWTH)
        if is_time:
            full_collect()
            looked, kept = time.monotonic(), gc.get_freeze_count()
            limit = due = 2 * kept + FULL_COLLECT_GROWTH
        elif count >= YOUNG_OBJECTS:
            if unseen:
                gc.freeze()
                unseen -= 1
            elif young_collect() < RARE_GARBAGE * count:
                unseen = SET_ASIDE_UNSEEN
            kept += count
        before = gc.get_count()[0]


def next_pause(pause: float, new: int) -> float:
    """Seconds to the next look, after a *pause* in which so many *new* objects came."""
    is_idle = new < YOUNG_OBJECTS // 16
    return min(2 * pause, IDLE_POLL_INTERVAL_S) if is_idle else POLL_INTERVAL_S


def full_collect() -> None:
    """Free everything that is unreachable."""
    gc.unfreeze()
    young_collect()


def young_collect() -> int:
    """Free what is unreachable of that which came since the last look, and set the rest aside.

    Return how many objects were freed.
    """
    begun = time.perf_counter()
    found = gc.collect()
    gc.freeze()
    told = {"found": found, "ms": 1000 * (time.perf_counter() - begun)}
    log.debug("%(found)d unreachable objects found in %(ms).0f ms", told)
    return found


def full_collect_interval(objects: int) -> float:
    """Seconds from one look through so many *objects* to the next."""
    return max(MIN_FULL_INTERVAL_S, objects * SCAN_S_PER_OBJECT * INTERVAL_PER_SCAN)
