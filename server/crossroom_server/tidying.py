"""Collecting garbage without long pauses.

Python looks for unreachable cycles by itself, and through *all* objects whenever their number has
grown by a quarter: with two thousand connections that is a pause of some tenths of a second, right
when many people come in. Here, what has survived one look is set aside, so that the next is through
what is new only, and short. Now and then everything is looked through: so seldom that it takes no
share of the time worth mentioning, or when there has come to be twice as much.
"""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator
from typing import Final

log = logging.getLogger(__name__)

NEW: Final = 2
"""Collections of middle-aged objects, after which the new ones are looked through.

Each stands for 7,000 objects more than before: together a few hundredths of a second.
"""
GROWN: Final = 300_000
"""Objects beyond twice as many as before, after which all are looked through: some 30 megabytes."""
EACH: Final = 1e-6
"""Seconds to look at an object, about."""
SHARE: Final = 2000
"""A look through everything that takes 20 ms is followed by 40 s without one."""
LEAST: Final = 30.0
"""Seconds between two of them, however short they are."""
ROUND: Final = 1.0
"""Seconds between two looks whether it is time."""
NEVER: Final = 1 << 30


@contextlib.asynccontextmanager
async def tidying() -> AsyncIterator[None]:
    """Decide, while inside, when the garbage of this process is collected."""
    thresholds = gc.get_threshold()
    look_at_all()
    gc.set_threshold(*thresholds[:2], NEVER)
    tidying = asyncio.create_task(_tidy(), name="tidying")
    try:
        yield
    finally:
        tidying.cancel()
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _tidy() -> None:
    looked, before = time.monotonic(), gc.get_freeze_count()
    kept = before
    while True:
        await asyncio.sleep(ROUND)
        if kept > 2 * before + GROWN:
            kept = gc.get_freeze_count()  # walks over all, so only now; some have gone since
        if kept > 2 * before + GROWN or time.monotonic() >= looked + pause_after(kept):
            look_at_all()
            looked, before = time.monotonic(), gc.get_freeze_count()
            kept = before
        elif gc.get_count()[2] >= NEW:
            kept += look_at_new()


def look_at_all() -> None:
    """Free everything that is unreachable."""
    gc.unfreeze()
    _collect()
    gc.freeze()


def look_at_new() -> int:
    """Free what is unreachable of that which came since the last look, and set the rest aside.

    Returns:
        How many objects were set aside.
    """
    _collect()
    number = len(gc.get_objects())
    gc.freeze()
    return number


def _collect() -> None:
    begun = time.perf_counter()
    found = gc.collect()
    told = {"found": found, "ms": 1000 * (time.perf_counter() - begun)}
    log.debug("%(found)d unreachable objects found in %(ms).0f ms", told)


def pause_after(objects: int) -> float:
    """Seconds from one look through so many *objects* to the next."""
    return max(LEAST, objects * EACH * SHARE)
