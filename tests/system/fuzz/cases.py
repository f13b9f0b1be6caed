"""One case after the other, watched for time and memory."""

import faulthandler
import gc
import resource
import sys
import time
import traceback
from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

LONGEST: Final = 60
"""Seconds that some cases together may take."""

_TOGETHER: Final = 500
_TELL_EVERY: Final = 10.0


class Budget(NamedTuple):
    """Cases with seeds from *seed* on: *cases* of them, or as many as *seconds* allow."""

    seed: int
    cases: int
    seconds: float


class _Memory(NamedTuple):
    blocks: int
    kilobytes: int

    @classmethod
    def now(cls) -> "_Memory":
        gc.collect()
        return cls(sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def repeat(case: Callable[[Random], None], budget: Budget) -> int:
    """Try the cases; returns the status of the command.

    What the first third of them takes, for caches and the like, may be kept. If memory grows from
    then on by more than noise, that is a finding as well.
    """
    first, end = budget.seed, budget.seed + budget.cases
    began = told = time.monotonic()
    seed, seconds, before = first, 0.0, None
    while seed < end and seconds < budget.seconds:
        if before is None and 3 * max((seed - first) / budget.cases, seconds / budget.seconds) >= 1:
            before = _Memory.now()
        some = range(seed, min(seed + _TOGETHER, end))
        if not _try(case, some):
            return 1
        seed, seconds = some.stop, time.monotonic() - began
        if began + seconds > told + _TELL_EVERY:
            told = began + seconds
            print(f"{seed - first} cases, {(seed - first) / seconds:.0f} a second", flush=True)
    found = _growth(before)
    print(
        f"{seed - first} cases, seeds {first} to {seed - 1}, {seconds:.0f} seconds: "
        f"{found or 'nothing found'}"
    )
    return 1 if found else 0


def _try(case: Callable[[Random], None], seeds: range) -> bool:
    """Did nothing come of these cases? What did is printed."""
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    for seed in seeds:
        try:
            case(Random(seed))
        except Exception:  # noqa: BLE001 - whatever was not expected is a finding
            traceback.print_exc(file=sys.stdout)
            print(f"seed {seed}: see above")
            return False
    faulthandler.cancel_dump_traceback_later()
    return True


def _growth(before: _Memory | None) -> str:
    after = _Memory.now()
    # With sanitizers nothing is a block, freed memory is held back, and leaks are told elsewhere.
    if before is None or not after.blocks:
        return ""
    blocks, kilobytes = after.blocks - before.blocks, after.kilobytes - before.kilobytes
    if blocks > 2000 or kilobytes > 20_000:
        return f"memory grows, by {blocks} blocks and {kilobytes} kB"
    return ""
