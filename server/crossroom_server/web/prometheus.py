"""The metrics of a server in the text format of Prometheus."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final

from crossroom_server.monitoring.metrics import Histogram
from crossroom_server.monitoring.process_stats import Storage, build_info, process_stats
from crossroom_server.session.server_state import ServerState
from crossroom_server.web.health import Health

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The content type of Prometheus' text format."""


class MetricsText:
    """All metrics of a server as text.

    Args:
        server: Its connections and rooms are counted.
        health: Is it well?
        storage: Where it keeps its games; None: nowhere.
    """

    def __init__(self, server: ServerState, health: Health, storage: Storage | None = None) -> None:
        self._server, self._health, self._storage = server, health, storage

    async def read(self) -> str:
        """Return the metrics as they are now."""
        lines = [
            *_process_lines(),
            *_gauge("crossroom_healthy", "1 while /healthz answers ok", await self._is_well()),
            *(await asyncio.to_thread(_storage_lines, self._storage) if self._storage else ()),
            *_server_lines(self._server),
        ]
        return "".join(f"{line}\n" for line in lines)

    async def _is_well(self) -> int:
        return int(await self._health.problem() is None)


def _process_lines() -> Iterator[str]:
    """The names that Prometheus' own libraries give them."""
    stats = process_stats()
    yield from _head("process_cpu_seconds_total", "processor time of this process", "counter")
    yield f"process_cpu_seconds_total {stats.cpu_s:.2f}"
    for name, about, value in (
        ("start_time_seconds", "when this process was started, in s since 1970", stats.started),
        ("resident_memory_bytes", "memory of this process", stats.resident_bytes),
        ("virtual_memory_bytes", "address space of this process", stats.virtual_bytes),
        ("open_fds", "open files and sockets", stats.open_files),
        ("max_fds", "files and sockets that may be open", stats.max_files),
    ):
        if value is not None:
            yield from _gauge(f"process_{name}", about, value)
    labels = ",".join(f'{name}="{value}"' for name, value in build_info())
    yield from _head("crossroom_build_info", "always 1; the labels say what is running", "gauge")
    yield f"crossroom_build_info{{{labels}}} 1"


def _storage_lines(storage: Storage) -> list[str]:
    copied = storage.newest_copy()
    return [
        line
        for name, about, value in (
            ("store_bytes", "size of the file of the games", storage.store_bytes()),
            ("disk_free_bytes", "free space where the games are", storage.free_bytes()),
            (
                "newest_copy_timestamp_seconds",
                "when the newest copy in the folder of copies was made, in s since 1970",
                copied,
            ),
        )
        if value is not None
        for line in _gauge(f"crossroom_{name}", about, value)
    ]


def _server_lines(server: ServerState) -> Iterator[str]:
    metrics, rooms = server.metrics, list(server.lobby)
    waiting = [room.queued_jobs for room in rooms]
    unread = [session.unread for session in server.sessions]
    playing = sum(room.table.playing is not None for room in rooms)
    yield from _gauge("crossroom_connections", "open connections", len(server.sessions))
    yield from _counter(
        "connections", "connections opened since the start", metrics.connections_opened
    )
    yield from _labelled(
        "connections_ended", "connections ended, by cause", "how", metrics.connections_ended
    )
    yield from _gauge("crossroom_rooms", "rooms in memory", len(rooms))
    yield from _counter("rooms_rested", "idle rooms unloaded from memory", metrics.rooms_unloaded)
    yield from _counter("rooms_forgotten", "vacant rooms deleted", metrics.rooms_deleted)
    yield from _gauge("crossroom_games", "games in progress", playing)
    yield from _counter("lines", "lines and messages received", metrics.lines_received)
    yield from _labelled(
        "refusals",
        "refused commands and connections, by code",
        "code",
        {"INTERNAL": 0, **metrics.refusals},
    )
    yield from _counter("frames", "frames sent", metrics.frames_sent)
    yield from _counter("events_stored", "log entries stored", metrics.entries_stored)
    yield from _gauge("crossroom_mailbox_jobs", "jobs queued in all rooms", sum(waiting))
    yield from _gauge(
        "crossroom_mailbox_longest", "jobs in the longest queue of a room", max(waiting, default=0)
    )
    yield from _gauge(
        "crossroom_commits_waiting", "store commits in progress", metrics.commits_waiting
    )
    yield from _gauge("crossroom_unread_bytes", "bytes queued for all connections", sum(unread))
    yield from _gauge(
        "crossroom_unread_bytes_most",
        "bytes queued for the slowest connection",
        max(unread, default=0),
    )
    yield from _counter(
        "forwarded_unlisted",
        "requests forwarded by proxies that are not listed",
        server.proxies.unlisted.total(),
    )
    yield from _gauge(
        "crossroom_thoughts", "bot and analysis jobs running or queued", metrics.thinking_jobs
    )
    if (others := server.lobby.cluster) is not None:
        traffic = others.traffic()
        yield from _gauge(
            "crossroom_nodes", "live nodes of the cluster, this one included", traffic.nodes
        )
        yield from _gauge(
            "crossroom_rooms_elsewhere",
            "rooms of other nodes that connections here are in",
            traffic.rooms,
        )
        yield from _gauge(
            "crossroom_people_elsewhere",
            "connections here that are in rooms of other nodes",
            traffic.people,
        )
        yield from _counter("envelopes", "cluster messages sent to other nodes", traffic.envelopes)
        yield from _counter("links_lost", "cluster links reset after message loss", traffic.breaks)
    yield from _histogram(
        "commit_seconds", "time to store log entries durably", metrics.commit_time
    )
    yield from _histogram(
        "delivery_seconds",
        "time from a command to its delivery to everybody",
        metrics.delivery_time,
    )
    yield from _histogram(
        "thinking_seconds", "time that bot and analysis jobs computed", metrics.thinking_time
    )
    yield from _histogram("loop_lag_seconds", "lateness of the event loop", metrics.lag)


def _head(name: str, about: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _gauge(name: str, about: str, value: float) -> Iterator[str]:
    yield from _head(name, about, "gauge")
    yield f"{name} {value}"


def _counter(name: str, about: str, value: int) -> Iterator[str]:
    yield from _head(f"crossroom_{name}_total", about, "counter")
    yield f"crossroom_{name}_total {value}"


def _labelled(name: str, about: str, label: str, values: Mapping[str, int]) -> Iterator[str]:
    yield from _head(f"crossroom_{name}_total", about, "counter")
    for key, value in sorted(values.items()):
        yield f'crossroom_{name}_total{{{label}="{key}"}} {value}'


def _histogram(name: str, about: str, histogram: Histogram) -> Iterator[str]:
    yield from _head(f"crossroom_{name}", about, "histogram")
    yield from histogram.samples(f"crossroom_{name}")
