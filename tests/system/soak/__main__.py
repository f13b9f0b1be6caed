"""Let a server be used for a long time, and look whether it grows (Linux).

``python -m tests.system.soak --minutes 30``, in the root of the tree: a server process in which
people play, talk, watch, drop, come back and leave, in rooms that open and go to rest. Every minute
it tells how much there is of everything. Memory is flat if the median of the last quarter of the
run is at most 5 % over that of the second quarter. Then all people leave, and no room, connection,
task or file may stay. Otherwise, or if the server has complained in its log, the status is 1.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple

from tests.system.soak.measured_server import MeasuredServer, Sample, run_measured_server
from tests.system.soak.traffic import Traffic

MOST: Final = 5.0
"""Percent that memory may grow from the second quarter to the last."""
RESTS_AFTER: Final = 20.0
"""Seconds after which an idle room leaves memory."""
KEPT_OPEN: Final = 8
"""Files that stay open once they were needed: those beside the store, and word lists."""
PARTS: Final = 120
"""Looks at the server in a run."""
ALL_GONE: Final = 90.0
"""Seconds until everything must be gone after the last has left."""


class SoakReport(NamedTuple):
    """What was seen: when nobody was there, while all went on, and when all had left."""

    before: Sample
    samples: list[Sample]
    after: Sample
    complaints: list[str]

    @property
    def growth(self) -> float:
        """Percent by which memory grew from the second quarter to the last."""
        quarter = len(self.samples) // 4
        early = median(one.memory for one in self.samples[quarter : 2 * quarter])
        late = median(one.memory for one in self.samples[-quarter:])
        return 100 * (late / early - 1)

    @property
    def faults(self) -> list[str]:
        """What is to be said against the server."""
        faults = [f"it complained: {line}" for line in self.complaints[:5]]
        if self.growth > MOST:
            faults.append(f"memory grew by {self.growth:.1f} % from the second quarter to the last")
        for what in ("rooms", "connections", "tasks", "files"):
            left = getattr(self.after, what) - getattr(self.before, what)
            if left > (KEPT_OPEN if what == "files" else 0):
                faults.append(f"{left} {what} are left when all have gone")
        return faults


async def soak(
    minutes: float, rooms: int, seed: int, rests_after: float = RESTS_AFTER
) -> SoakReport:
    """Let a server be used for so long."""
    with run_measured_server(rests_after) as server:
        before = await asyncio.to_thread(server.sample)
        town = Traffic(server.port, rooms, seed)
        living = asyncio.create_task(town.run())
        samples = await _watch(server, living, 60 * minutes)
        living.cancel()
        await asyncio.wait([living])
        print(f"all leave, after {town.evenings} evenings and {town.resumed} returns", flush=True)
        after = await _end(server, before, rests_after + ALL_GONE)
        return SoakReport(before, samples, after, server.complaints)


async def _watch(
    server: MeasuredServer, living: asyncio.Task[None], seconds: float
) -> list[Sample]:
    begun, samples, minute = time.monotonic(), list[Sample](), 0
    while (now := time.monotonic() - begun) < seconds:
        await asyncio.wait([living], timeout=seconds / PARTS)
        if living.done():  # a loss
            await living
        samples.append(await asyncio.to_thread(server.sample))
        if now >= 60 * minute:
            print(f"minute {minute:3}: {samples[-1]}", flush=True)
            minute += 1
    return samples


async def _end(server: MeasuredServer, before: Sample, patience: float) -> Sample:
    """How much there is when all have left: as much as *before*, or what is left after a while."""
    deadline = time.monotonic() + patience
    while True:
        left = await asyncio.to_thread(server.sample)
        is_clean = left.rooms == left.connections == 0 and left.tasks <= before.tasks
        if is_clean or time.monotonic() > deadline:
            return left
        await asyncio.sleep(0.5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(prog="python -m tests.system.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="(default: %(default)s)")
    parser.add_argument("--rooms", type=int, default=40, help="at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is left to chance here")
    asked = parser.parse_args(arguments)
    outcome = asyncio.run(soak(asked.minutes, asked.rooms, asked.seed))
    print(f"before:     {outcome.before}\nafter:      {outcome.after}")
    print(f"memory from the second quarter to the last: {outcome.growth:+.1f} %")
    for fault in outcome.faults:
        print(fault)
    print("FLAT: nothing grows" if not outcome.faults else "NOT FLAT")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
