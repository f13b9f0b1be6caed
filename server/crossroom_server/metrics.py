"""What a server counts while it runs, and how Prometheus reads it.

One object for each server, handed to whoever has something to count. Counting is a few additions on
the event loop; what can be looked up when somebody asks (rooms, queues) is not counted but read
then. No name of a person or a room is ever part of it, and no label takes values from outside.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from crossroom_server.house import House

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""Of Prometheus' text format."""

FAST: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SLOW: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)
"""Bounds of histograms in seconds: of what should take no time, and of thoughts."""


class Histogram:
    """How many times something took how many seconds.

    Args:
        bounds: Upper bounds of the buckets, ascending; what takes longer is counted, too.
    """

    def __init__(self, bounds: tuple[float, ...] = FAST) -> None:
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
        """How many times."""
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
        self.arrived = 0
        self.ended: Counter[str] = Counter()
        """Connections by how they ended: ``peer``, ``cut`` (they did not read), or a close code."""
        self.lines = 0
        self.refused: Counter[str] = Counter()
        """Refusals by code, those at the door included."""
        self.frames = 0
        """Frames told to anybody."""
        self.stored = 0
        """Entries of logs, durable."""
        self.rested = 0
        """Rooms that have left memory because nobody was there."""
        self.commits_waiting = 0
        self.commit = Histogram()
        """From asking the store until an entry is durable."""
        self.delivery = Histogram()
        """From a command's arrival at its room until everybody has been told what came of it."""
        self.thinking = Histogram(SLOW)
        """Thoughts of bots, hints and analyses, without waiting for a place."""
        self.thoughts = 0
        """Thoughts under way or waiting for a place."""
        self.lag = Histogram()
        """How late the event loop does what is due."""

    @contextmanager
    def committing(self, entries: int) -> Iterator[None]:
        """Around the storing of so many entries."""
        self.commits_waiting += 1
        try:
            with self.commit.timed():
                yield
            self.stored += entries
        finally:
            self.commits_waiting -= 1


def exposition(house: "House") -> str:
    """All metrics of a server in Prometheus' text format."""
    return "".join(f"{line}\n" for line in _lines(house))


def _lines(house: "House") -> Iterator[str]:
    metrics, rooms = house.metrics, list(house.lobby)
    waiting = [room.waiting for room in rooms]
    unread = [session.unread for session in house.sessions]
    playing = sum(room.table.playing is not None for room in rooms)
    yield from _gauge("connections", "open connections", len(house.sessions))
    yield from _counter("connections", "connections so far", metrics.arrived)
    yield from _labelled(
        "connections_ended", "connections that have ended, by how", "how", metrics.ended
    )
    yield from _gauge("rooms", "rooms in memory", len(rooms))
    yield from _counter("rooms_rested", "idle rooms that have left memory", metrics.rested)
    yield from _gauge("games", "games being played", playing)
    yield from _counter("lines", "lines and messages heard", metrics.lines)
    yield from _labelled("refusals", "refusals, by code", "code", metrics.refused)
    yield from _counter("frames", "frames told", metrics.frames)
    yield from _counter("events_stored", "entries of logs made durable", metrics.stored)
    yield from _gauge("mailbox_jobs", "jobs that wait in rooms", sum(waiting))
    yield from _gauge(
        "mailbox_longest", "jobs in the longest queue of a room", max(waiting, default=0)
    )
    yield from _gauge("commits_waiting", "commits under way", metrics.commits_waiting)
    yield from _gauge("unread_bytes", "bytes that wait for readers", sum(unread))
    yield from _gauge(
        "unread_bytes_most", "bytes that wait for the slowest", max(unread, default=0)
    )
    yield from _gauge("thoughts", "thoughts under way or waiting for a place", metrics.thoughts)
    if (others := house.lobby.others) is not None:
        traffic = others.traffic()
        yield from _gauge("nodes", "nodes heard of, this one included", traffic.nodes)
        yield from _gauge("rooms_elsewhere", "rooms of other nodes with people here", traffic.rooms)
        yield from _gauge("people_elsewhere", "people here in rooms elsewhere", traffic.people)
        yield from _counter("envelopes", "envelopes sent to other nodes", traffic.envelopes)
        yield from _counter("links_lost", "times that envelopes were lost", traffic.breaks)
    yield from _histogram("commit_seconds", "until an entry was durable", metrics.commit)
    yield from _histogram(
        "delivery_seconds", "from a command to all having been told", metrics.delivery
    )
    yield from _histogram("thinking_seconds", "thoughts of bots and analyses", metrics.thinking)
    yield from _histogram("loop_lag_seconds", "lateness of the event loop", metrics.lag)


def _head(name: str, about: str, kind: str) -> Iterator[str]:
    yield f"# HELP crossroom_{name} {about}"
    yield f"# TYPE crossroom_{name} {kind}"


def _gauge(name: str, about: str, value: int) -> Iterator[str]:
    yield from _head(name, about, "gauge")
    yield f"crossroom_{name} {value}"


def _counter(name: str, about: str, value: int) -> Iterator[str]:
    yield from _head(f"{name}_total", about, "counter")
    yield f"crossroom_{name}_total {value}"


def _labelled(name: str, about: str, label: str, values: Mapping[str, int]) -> Iterator[str]:
    yield from _head(f"{name}_total", about, "counter")
    for key, value in sorted(values.items()):
        yield f'crossroom_{name}_total{{{label}="{key}"}} {value}'


def _histogram(name: str, about: str, histogram: Histogram) -> Iterator[str]:
    yield from _head(name, about, "histogram")
    yield from histogram.samples(f"crossroom_{name}")
