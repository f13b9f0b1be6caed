"""What a server says of itself: counts, health, a late loop, and logs without secrets."""

import asyncio
import json
import logging
import re
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from crossroom_protocol.events import room
from crossroom_server.app import App
from crossroom_server.config import logging as logs
from crossroom_server.monitoring.loop_monitor import LoopMonitor
from crossroom_server.monitoring.metrics import Histogram, Metrics
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.sqlite.store import SqliteStore
from tests.integration.test_http import fetch
from tests.support.serve_process import run_serve as serving_process
from tests.support.server import LOOPBACK, SessionDriver, new_server_state, run_server

prometheus = pytest.importorskip("prometheus_client.parser", reason="no prometheus-client here")


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


async def read(app: App) -> dict[str, float]:
    """The samples of /metrics by name and labels, as Prometheus' own library reads them."""
    answer = await fetch(app, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        " ".join(
            [sample.name, *(f"{k}={v}" for k, v in sorted(sample.labels.items()))]
        ): sample.value
        for family in prometheus.text_string_to_metric_families(answer.body)
        for sample in family.samples
    }


async def hear(socket: ClientConnection, wanted: str) -> str:
    async with asyncio.timeout(30):
        while wanted not in (line := str(await socket.recv())):
            pass
    return line


@pytest.fixture
async def table(app: App) -> AsyncIterator[tuple[ClientConnection, ClientConnection]]:
    """Two people in a game."""
    address = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
    async with connect(address, max_queue=None) as ann, connect(address, max_queue=None) as bob:
        for name, socket in (("ann", ann), ("bob", bob)):
            await socket.send(f"/name {name}")
            await hear(socket, "takes seat")
        for socket in (ann, bob):
            await socket.send("/ready")
        for socket in (ann, bob):
            await hear(socket, "= rack")
        yield ann, bob


async def test_what_happens_is_counted(
    app: App, table: tuple[ClientConnection, ClientConnection]
) -> None:
    before = await read(app)
    ann, bob = table
    await ann.send("is anybody here?")
    await hear(bob, "anybody here")
    await ann.send("/ping nonsense")
    await hear(ann, "BAD_ARGS")
    after = await read(app)
    assert before["crossroom_connections"] == before["crossroom_connections_total"] == 2
    assert (before["crossroom_rooms"], before["crossroom_games"]) == (1, 1)
    assert before["crossroom_events_stored_total"] > 4
    grown = {name: value - before.get(name, 0) for name, value in after.items()}
    assert grown["crossroom_events_stored_total"] == 1
    assert grown["crossroom_lines_total"] == 2
    assert grown["crossroom_frames_total"] == 3
    assert grown["crossroom_refusals_total code=BAD_ARGS"] == 1
    assert grown["crossroom_commit_seconds_count"] == 1
    assert grown["crossroom_delivery_seconds_count"] == 1
    assert after["crossroom_commits_waiting"] == after["crossroom_mailbox_jobs"] == 0


async def test_ends_are_counted_by_how() -> None:
    server_state = new_server_state()
    quitter, leaver, sleeper = [await SessionDriver(server_state).join() for _ in range(3)]
    await quitter.say("/quit")
    sleeper.transport.was_aborted = True
    for client in (leaver, sleeper):
        await client.disconnect()
    assert server_state.metrics.connections_ended == {"1000": 1, "peer": 1, "cut": 1}


async def test_thoughts_are_counted() -> None:
    metrics = Metrics()
    thinkers = WorkerPool(1, metrics)
    thought = asyncio.create_task(thinkers.run(lambda _: time.sleep(0.1), 1))
    await asyncio.sleep(0.02)
    assert (metrics.thinking_jobs, metrics.thinking_time.count) == (1, 0)
    await thought
    assert (metrics.thinking_jobs, metrics.thinking_time.count) == (0, 1)


def test_a_histogram_counts_what_is_at_most_its_bound() -> None:
    histogram = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(seconds)
    assert list(histogram.samples("x")) == [
        'x_bucket{le="0.1"} 2',
        'x_bucket{le="1.0"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 7.65",
        "x_count 4",
    ]


@pytest.mark.parametrize("field", ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP"])
async def test_metrics_are_for_this_machine(app: App, field: str) -> None:
    assert (await fetch(app, "/metrics")).status == 200
    assert (await fetch(app, "/metrics", **{field: "for=127.0.0.1"})).status == 404


async def test_metrics_behind_a_proxy_are_for_whom_the_host_says() -> None:
    async with run_server(url="wss://games.example") as app:
        assert (await fetch(app, "/metrics")).status == 404
    async with run_server(url="wss://games.example", open_metrics=True) as app:
        assert (await fetch(app, "/metrics", **{"X-Forwarded-For": "192.0.2.1"})).status == 200


async def test_metrics_name_nobody(
    app: App, table: tuple[ClientConnection, ClientConnection]
) -> None:
    body = (await fetch(app, "/metrics")).body
    assert "kitchen" not in body
    assert "ann" not in body


async def test_a_late_loop_is_seen_and_told_where(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.monitoring.loop_monitor.LATE_AFTER_S", 0.5)
    metrics, begun = Metrics(), time.monotonic()
    async with LoopMonitor(metrics.lag) as pulse:
        await asyncio.sleep(0.5)
        before = pulse.max_lag
        time.sleep(1.5)  # noqa: ASYNC251 - that is what it is about
        await asyncio.sleep(0.5)
        after = pulse.max_lag
    assert before < 1.2 < after
    told = [record.getMessage() for record in caplog.records]
    here = "the event loop is busy: test_a_late_loop_is_seen_and_told_where ("
    assert sum(line.startswith(here) for line in told) == 1
    late = re.findall(r"the event loop was (\d+\.\d) s late", "\n".join(told))
    assert 1.2 < max(map(float, late)) < time.monotonic() - begun
    assert metrics.lag.count >= 3


async def test_a_late_loop_is_not_healthy(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LoopMonitor, "max_lag", 3.0)
    answer = await fetch(app, "/healthz")
    assert (answer.status, answer.body) == (503, "the event loop was 3.0 s late\n")


async def test_a_store_that_cannot_write_is_not_healthy(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.db")
    await store.check_writable()
    await store._writer.do(lambda db: db.execute("PRAGMA query_only = 1"))
    await store.rooms()  # it can be read
    with pytest.raises(Unavailable, match="read what is stored, but not write"):
        await store.check_writable()
    store.close()


async def test_a_check_goes_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.db")
    log = tmp_path / "games.db-wal"
    await store.check_writable()
    before = log.stat()
    await store.check_writable()
    after = log.stat()
    assert (after.st_size, after.st_mtime_ns) > (before.st_size, before.st_mtime_ns)
    store.close()


def record_of(message: str, fields: dict[str, object]) -> logging.LogRecord:
    return logging.LogRecord("crossroom", logging.WARNING, "f", 1, message, (fields,), None)


def test_a_line_for_programs_has_fields() -> None:
    line = logs.JsonFormatter().format(
        record_of("%(address)s: x\n%(n)s", {"address": "::1", "n": 3})
    )
    assert "\n" not in line
    told = json.loads(line)
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "warning",
        "logger": "crossroom",
        "message": "::1: x\n3",
        "address": "::1",
        "n": 3,
    }


@pytest.mark.parametrize("form", logs.FORMATS)
def test_a_traceback_forges_no_line(form: str) -> None:
    record = record_of("%(a)s", {"a": 1})
    try:
        raise ValueError("x\n2026-11-21 INFO forged\x1b[2J")
    except ValueError:
        record.exc_info = sys.exc_info()
    first, *rest = logs.FORMATS[form].format(record).split("\n")
    assert all(line.startswith("    ") for line in rest)
    assert "\x1b" not in "".join(rest)
    assert "forged" in (json.loads(first)["trace"] if form == "json" else rest[-1])


def play_a_little(folder: Path, *flags: str) -> tuple[set[str], str]:
    """Secrets of a session in which everything is logged, and that log."""
    with serving_process(folder, "--log-level", "debug", *flags) as server:
        with server.dial() as ann, server.dial() as bob:
            secrets = set()
            for name, socket in (("ann", ann), ("bob", bob)):
                socket.send(f"/name {name}")
                while "/resume" not in (line := str(socket.recv(30))):
                    pass
                code = line.split()[-1]
                secrets.add(code)
                socket.send("/ready")
            for socket in (ann, bob):
                while not (line := str(socket.recv(30))).startswith("= rack"):
                    pass
                secrets.add(line.split("   ")[0].removeprefix("= rack "))
            ann.send("/tell bob psst")
            ann.send("my secret remark")
            ann.send(f"/resume {code}x")
            while "BAD_TOKEN" not in str(ann.recv(30)):
                pass
        server.process.terminate()
        return secrets | {"my secret remark"}, server.end()[2]


@pytest.mark.parametrize("form", logs.FORMATS)
def test_no_secret_is_logged(tmp_path: Path, form: str) -> None:
    secrets, log = play_a_little(tmp_path, "--log-format", form)
    assert len(secrets) == 5
    assert "connected" in log
    assert not [secret for secret in secrets if secret in log]
    if form == "json":
        told = [json.loads(line) for line in log.splitlines()]
        assert {"127.0.0.1"} == {line["address"] for line in told if "connected" in line["message"]}


async def test_a_damaged_log_is_told_without_what_is_in_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.db")
    await store.append("kitchen", 0, [room.LogEntry(1, 0, room.Said("ann", "RACKRACK"))])
    store.close()
    db = sqlite3.connect(tmp_path / "games.db")
    db.execute('UPDATE entries SET entry = replace(entry, \'"at":0\', \'"at":"RACKRACK"\')')
    db.commit()
    db.close()
    store = SqliteStore(tmp_path / "games.db")
    with pytest.raises(Unavailable) as failure:
        await store.read("kitchen")
    store.close()
    cause = failure.value.__cause__
    assert str(cause) == "int_parsing at at"
    assert "RACKRACK" not in f"{cause} {cause!r}"
