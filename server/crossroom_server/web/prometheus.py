"""The metrics of a server in the text format of Prometheus."""

from collections.abc import Iterator, Mapping
from typing import Final

from crossroom_server.monitoring.metrics import Histogram
from crossroom_server.session.server_state import ServerState

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The content type of Prometheus' text format."""


def prometheus_text(server: ServerState) -> str:
    """Return all metrics of a server."""
    return "".join(f"{line}\n" for line in _lines(server))


def _lines(server: ServerState) -> Iterator[str]:
    metrics, rooms = server.metrics, list(server.lobby)
    waiting = [room.queued_jobs for room in rooms]
    unread = [session.unread for session in server.sessions]
    playing = sum(room.table.playing is not None for room in rooms)
    yield from _gauge("connections", "open connections", len(server.sessions))
    yield from _counter(
        "connections", "connections opened since the start", metrics.connections_opened
    )
    yield from _labelled(
        "connections_ended", "connections ended, by cause", "how", metrics.connections_ended
    )
    yield from _gauge("rooms", "rooms in memory", len(rooms))
    yield from _counter("rooms_rested", "idle rooms unloaded from memory", metrics.rooms_unloaded)
    yield from _counter("rooms_forgotten", "vacant rooms deleted", metrics.rooms_deleted)
    yield from _gauge("games", "games in progress", playing)
    yield from _counter("lines", "lines and messages received", metrics.lines_received)
    yield from _labelled(
        "refusals", "refused commands and connections, by code", "code", metrics.refusals
    )
    yield from _counter("frames", "frames sent", metrics.frames_sent)
    yield from _counter("events_stored", "log entries stored", metrics.entries_stored)
    yield from _gauge("mailbox_jobs", "jobs queued in all rooms", sum(waiting))
    yield from _gauge(
        "mailbox_longest", "jobs in the longest queue of a room", max(waiting, default=0)
    )
    yield from _gauge("commits_waiting", "store commits in progress", metrics.commits_waiting)
    yield from _gauge("unread_bytes", "bytes queued for all connections", sum(unread))
    yield from _gauge(
        "unread_bytes_most", "bytes queued for the slowest connection", max(unread, default=0)
    )
    yield from _gauge("thoughts", "bot and analysis jobs running or queued", metrics.thinking_jobs)
    if (others := server.lobby.cluster) is not None:
        traffic = others.traffic()
        yield from _gauge("nodes", "live nodes of the cluster, this one included", traffic.nodes)
        yield from _gauge(
            "rooms_elsewhere", "rooms of other nodes that connections here are in", traffic.rooms
        )
        yield from _gauge(
            "people_elsewhere", "connections here that are in rooms of other nodes", traffic.people
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
