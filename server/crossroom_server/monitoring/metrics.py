"""Counters of a running server; :mod:`crossroom_server.web.prometheus` prints them.

One object for each server, handed to whoever has something to count. Counting is a few additions on
the event loop; what can be looked up when somebody asks (rooms, queues) is not counted but read
then. No name of a person or a room is ever part of it, and no label takes values from outside.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Final

FAST_BOUNDS_S: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SLOW_BOUNDS_S: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)
"""Bounds of histograms in seconds: of what should take no time, and of thoughts."""


class Histogram:
    """Counts durations in buckets.

    Args:
        bounds: Upper bounds of the buckets, ascending; what takes longer is counted, too.
    """

    def __init__(self, bounds: tuple[float, ...] = FAST_BOUNDS_S) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count how long the block takes, whether it succeeds or not."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - begun)

    @property
    def count(self) -> int:
        """Return the number of durations."""
        return sum(self._counts)

    def samples(self, name: str) -> Iterator[str]:
        """Its lines in the text format."""
        totals = list(accumulate(self._counts))
        for bound, total in zip((*map(str, self._bounds), "+Inf"), totals, strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum!r}"
        yield f"{name}_count {totals[-1]}"


class Metrics:
    """Everything that one server counts."""

    def __init__(self) -> None:
        self.connections_opened = 0
        self.connections_ended: Counter[str] = Counter()
        """Connections by how they ended: ``peer``, ``cut`` (they did not read), or a close code."""
        self.lines_received = 0
        self.refusals: Counter[str] = Counter()
        """Refusals by code, those at the door included."""
        self.frames_sent = 0
        """Frames told to anybody."""
        self.entries_stored = 0
        """Entries of logs, durable."""
        self.rooms_unloaded = 0
        """Rooms that have left memory because nobody was there."""
        self.rooms_deleted = 0
        """Vacant rooms that the store has forgotten."""
        self.commits_waiting = 0
        self.commit_time = Histogram()
        """From asking the store until an entry is durable."""
        self.delivery_time = Histogram()
        """From a command's arrival at its room until everybody has been told what came of it."""
        self.thinking_time = Histogram(SLOW_BOUNDS_S)
        """Thoughts of bots, hints and analyses, without waiting for a place."""
        self.thinking_jobs = 0
        """Thoughts under way or waiting for a place."""
        self.lag = Histogram()
        """Lag of the event loop."""

    @contextmanager
    def committing(self, entries: int) -> Iterator[None]:
        """Around the storing of so many entries."""
        self.commits_waiting += 1
        try:
            with self.commit_time.timed():
                yield
            self.entries_stored += entries
        finally:
            self.commits_waiting -= 1
