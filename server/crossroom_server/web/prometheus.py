"""The metrics of a server in the text format of Prometheus."""

from collections.abc import Iterator, Mapping
from typing import Final

from crossroom_server.monitoring.metrics import Histogram
from crossroom_server.session.server_state import ServerState

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""Of Prometheus' text format."""


def prometheus_text(server: ServerState) -> str:
    """Return all metrics of a server."""
    return "".join(f"{line}\n" for line in _lines(server))


def _lines(server: ServerState) -> Iterator[str]:
    metrics, rooms = server.metrics, list(server.lobby)
    waiting = [room.queued_jobs for room in rooms]
    unread = [session.unread for session in server.sessions]
    playing = sum(room.table.playing is not None for room in rooms)
    yield from _gauge("connections", "open connections", len(server.sessions))
    yield from _counter("connections", "connections so far", metrics.connections_opened)
    yield from _labelled(
        "connections_ended", "connections that have ended, by how", "how", metrics.connections_ended
    )
    yield from _gauge("rooms", "rooms in memory", len(rooms))
    yield from _counter("rooms_rested", "idle rooms that have left memory", metrics.rooms_unloaded)
    yield from _counter("rooms_forgotten", "vacant rooms that are forgotten", metrics.rooms_deleted)
    yield from _gauge("games", "games being played", playing)
    yield from _counter("lines", "lines and messages heard", metrics.lines_received)
    yield from _labelled("refusals", "refusals, by code", "code", metrics.refusals)
    yield from _counter("frames", "frames told", metrics.frames_sent)
    yield from _counter("events_stored", "entries of logs made durable", metrics.entries_stored)
    yield from _gauge("mailbox_jobs", "jobs that wait in rooms", sum(waiting))
    yield from _gauge(
        "mailbox_longest", "jobs in the longest queue of a room", max(waiting, default=0)
    )
    yield from _gauge("commits_waiting", "commits under way", metrics.commits_waiting)
    yield from _gauge("unread_bytes", "bytes that wait for readers", sum(unread))
    yield from _gauge(
        "unread_bytes_most", "bytes that wait for the slowest", max(unread, default=0)
    )
    yield from _gauge(
        "thoughts", "thoughts under way or waiting for a place", metrics.thinking_jobs
    )
    if (others := server.lobby.peers) is not None:
        traffic = others.traffic()
        yield from _gauge("nodes", "nodes heard of, this one included", traffic.nodes)
        yield from _gauge("rooms_elsewhere", "rooms of other nodes with people here", traffic.rooms)
        yield from _gauge("people_elsewhere", "people here in rooms elsewhere", traffic.people)
        yield from _counter("envelopes", "envelopes sent to other nodes", traffic.envelopes)
        yield from _counter("links_lost", "times that envelopes were lost", traffic.breaks)
    yield from _histogram("commit_seconds", "until an entry was durable", metrics.commit_time)
    yield from _histogram(
        "delivery_seconds", "from a command to all having been told", metrics.delivery_time
    )
    yield from _histogram(
        "thinking_seconds", "thoughts of bots and analyses", metrics.thinking_time
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
