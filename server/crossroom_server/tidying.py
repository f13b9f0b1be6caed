"""Collecting garbage without long pauses.

Python looks for unreachable cycles by itself, and through *all* objects whenever their number has
grown by a quarter: with two thousand connections that is a pause of some tenths of a second, right
when many people come in. Young objects go on being collected as ever, which is quick and frees
nearly everything; when to look through all of them is decided here, by what that takes.
"""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator
from typing import Final

log = logging.getLogger(__name__)

SHARE: Final = 2000
"""A pause of 20 ms is followed by 40 s without one."""
LEAST: Final = 30.0
"""Seconds between two pauses, however short they are."""
GROWN: Final = 50
"""Collections of middle-aged objects after which all are looked through, whatever the time.

Each stands for 7,000 objects more than before: together some ten megabytes.
"""
DENSE: Final = 250
"""The same for each second that it takes: a server with much in memory may have more to collect."""
ROUND: Final = 1.0
"""Seconds between two looks whether it is time."""
NEVER: Final = 1 << 30


@contextlib.asynccontextmanager
async def tidying() -> AsyncIterator[None]:
    """Decide, while inside, when all garbage of this process is collected."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what is loaded by now stays
    gc.set_threshold(*thresholds[:2], NEVER)
    tidying = asyncio.create_task(_tidy(), name="tidying")
    try:
        yield
    finally:
        tidying.cancel()
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _tidy() -> None:
    due, most = time.monotonic() + LEAST, GROWN
    while True:
        await asyncio.sleep(ROUND)
        if time.monotonic() >= due or gc.get_count()[2] >= most:
            took = collect()
            due, most = time.monotonic() + pause_after(took), max(GROWN, round(took * DENSE))


def collect() -> float:
    """Look through all objects; says how many seconds that took."""
    begun = time.perf_counter()
    found = gc.collect()
    took = time.perf_counter() - begun
    told = {"found": found, "ms": 1000 * took}
    log.debug("%(found)d unreachable objects found in %(ms).0f ms", told)
    return took


def pause_after(took: float) -> float:
    """Seconds until the next look through all objects, if one *took* so many."""
    return max(LEAST, took * SHARE)
