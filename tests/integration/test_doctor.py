"""`crossroom doctor` finds what is wrong, and says how to mend it."""

import asyncio
import json
import socket
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import trustme

from crossroom_clients.cli.main import main
from crossroom_protocol.events import room
from crossroom_server.cli.checks import machine, reach, storage
from crossroom_server.cli.checks.certificate import check_certificate
from crossroom_server.cli.checks.finding import Finding
from crossroom_server.config.certificate import Certificate
from crossroom_server.config.settings import COPIES, Settings
from crossroom_server.identity.client_address import read_network
from crossroom_server.monitoring.process_stats import Storage
from crossroom_server.store.sqlite.store import SqliteStore
from tests.integration.test_http import fetch
from tests.support.server import LOOPBACK, run_server


@pytest.fixture(autouse=True)
def ordinary_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of mounts for all that is looked at: one disk."""
    table = tmp_path / "mounts"
    table.write_text("/dev/sda1 / ext4 rw 0 0\n")
    monkeypatch.setattr(storage, "_MOUNTS", table)
    return table


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return folder


def levels(found: Iterable[Finding]) -> dict[str, str]:
    return {finding.topic: finding.level for finding in found}


async def examined(
    capsys: pytest.CaptureFixture[str], data: Path, *flags: str
) -> tuple[int, dict[str, dict[str, Any]]]:
    """The status of the command, and what it found by topic."""
    capsys.readouterr()
    line = ["doctor", "--json", "--data", str(data), "--host", LOOPBACK, *flags]
    status = await asyncio.to_thread(main, line)
    return status, {found["topic"]: found for found in json.loads(capsys.readouterr().out)}


async def test_a_server_that_is_well(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server(keep=True, data=data) as app:
        url = f"ws://{LOOPBACK}:{app.port}"
        port = ("--port", str(app.port))
        status, found = await examined(capsys, data, *port, "--url", url, "--proxy", "127.0.0.1")
    assert status == 0
    wanted = ("settings", "server", "public address", "proxy", "data", "disk", "games")
    assert [found[topic]["level"] for topic in wanted] == ["ok"] * len(wanted)


async def test_an_unlisted_proxy_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server(keep=True, data=data) as app:
        await fetch(app, "/", **{"X-Forwarded-For": "203.0.113.7"})
        status, found = await examined(capsys, data, "--port", str(app.port))
    assert status == 0
    assert found["proxy"]["level"] == "warning"
    assert "--proxy 127.0.0.1" in found["proxy"]["mend"]
    assert found["addresses"]["said"] == "only programs on this machine can reach it"


async def test_nothing_runs_yet(
    data: Path, capsys: pytest.CaptureFixture[str], unused_tcp_port: int
) -> None:
    status, found = await examined(capsys, data, "--port", str(unused_tcp_port))
    assert (status, found["server"]["level"]) == (0, "note")


async def test_another_program_has_the_port(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((LOOPBACK, 0)) as other:
        port = other.getsockname()[1]

        def hang_up() -> None:
            other.accept()[0].close()

        Thread(target=hang_up, daemon=True).start()
        status, found = await examined(capsys, data, "--port", str(port))
    assert status == 1
    assert found["server"]["said"] == f"another program has {LOOPBACK}, port {port}"


async def test_wrong_settings_are_all_there_is(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSROOM_PORT", "many")
    status, found = await examined(capsys, data)
    assert (status, list(found)) == (1, ["settings"])


def test_people_are_told_in_lines(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.chmod(0o755)
    assert main(["doctor", "--data", str(data), "--host", LOOPBACK, "--port", "0"]) == 1
    told = capsys.readouterr().out
    assert f" -> chmod 700 {data} " in " ".join(told.split())
    lines = told.splitlines()
    assert lines[-1].startswith("problems: 1, ")


# The public address.


class PagesOnly(BaseHTTPRequestHandler):
    """A proxy that passes no websockets on, and shows metrics."""

    def do_GET(self) -> None:
        body = b"crossroom_rooms 1\n" if self.path == "/metrics" else b"ok\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_proxy_without_websockets() -> None:
    with ThreadingHTTPServer((LOOPBACK, 0), PagesOnly) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        (found,) = reach.check_url(Settings(url=f"ws://{LOOPBACK}:{server.server_port}"))
        server.shutdown()
    assert found.level == "problem"
    assert "takes no websockets" in found.said
    assert "Upgrade" in found.mend


async def test_metrics_for_everybody_are_noticed() -> None:
    async with run_server(open_metrics=True) as app:
        settings = Settings(url=f"ws://{LOOPBACK}:{app.port}")
        found = await asyncio.to_thread(lambda: list(reach.check_url(settings)))
    assert levels(found) == {"public address": "ok", "metrics": "warning"}


async def test_a_path_that_nothing_takes_off() -> None:
    async with run_server() as app:
        settings = Settings(url=f"ws://{LOOPBACK}:{app.port}/words")
        (found,) = await asyncio.to_thread(lambda: list(reach.check_url(settings)))
    assert found.level == "problem"
    assert "instead of ok" in found.said


def test_nobody_listens_there(unused_tcp_port: int) -> None:
    (found,) = reach.check_url(Settings(url=f"ws://{LOOPBACK}:{unused_tcp_port}"))
    assert found.level == "problem"
    assert "Connection refused" in found.said
    assert "start the proxy" in found.mend


def test_who_has_no_proxy_listed_is_warned() -> None:
    behind = Settings(url="wss://games.example")
    assert levels(reach.check_proxies(behind, ())) == {"proxy": "warning"}
    listed = Settings(url="wss://games.example", proxies=(read_network("10.0.0.1"),))
    assert levels(reach.check_proxies(listed, ())) == {"proxy": "ok"}


@pytest.mark.parametrize(
    ("host", "is_container", "said"),
    [
        ("203.0.114.7", False, "an address of the internet"),
        ("192.168.1.7", False, "for your own network"),
        ("192.168.1.7", True, "this is a container"),
        (None, False, "in no network"),
    ],
)
def test_from_where_it_can_be_reached(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: str | None,
    is_container: bool,
    said: str,
) -> None:
    monkeypatch.setattr(reach, "own_address", lambda: host)
    monkeypatch.setattr(reach, "_CONTAINER", (tmp_path,) if is_container else ())
    (found,) = reach.check_addresses(Settings(), is_running=False)
    assert said in found.said


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("127.0.0.1", "in no network"),
        ("192.168.1.7", "your own network"),
        ("fd00::2", "your own network"),
        ("100.101.1.2", "the same VPN"),
        ("8.8.8.8", "open to the internet"),
        ("2600::1", "open to the internet"),
        ("words.example.org", "open to the internet"),
    ],
)
def test_who_reaches_an_address(host: str, said: str) -> None:
    assert said in reach.who_reaches(host)


# What is on the disk.


@pytest.mark.parametrize(
    ("kind", "level"),
    [("tmpfs", "problem"), ("overlay", "problem"), ("nfs4", "warning"), ("xfs", "ok")],
)
def test_the_kind_of_disk(data: Path, ordinary_disk: Path, kind: str, level: str) -> None:
    ordinary_disk.write_text(f"a / ext4 rw 0 0\nb {data} {kind} rw 0 0\n")
    assert next(storage.check_disk(Settings(data=data))).level == level


@pytest.mark.parametrize(
    ("free", "level"), [(10_000_000, "problem"), (500_000_000, "warning"), (5_000_000_000, "ok")]
)
def test_what_is_free(data: Path, monkeypatch: pytest.MonkeyPatch, free: int, level: str) -> None:
    monkeypatch.setattr(Storage, "free_bytes", lambda _: free)
    assert levels(storage.check_disk(Settings(data=data))) == {"disk": level}


def test_a_file_of_a_later_version(data: Path) -> None:
    SqliteStore(data / "games.db").close()
    with closing(sqlite3.connect(data / "games.db")) as db:
        db.execute("PRAGMA user_version = 999")
    (found,) = storage.check_store(Settings(data=data))
    assert found.level == "problem"
    assert "update crossroom" in found.said


def test_the_age_of_the_newest_copy(data: Path) -> None:
    SqliteStore(data / "games.db").close()
    assert levels(storage.check_store(Settings(data=data))) == {"games": "ok", "copies": "note"}
    (data / COPIES).mkdir()
    (data / COPIES / "a.db").touch()
    assert levels(storage.check_store(Settings(data=data)))["copies"] == "ok"


async def test_a_clock_that_is_behind_the_newest_move(data: Path) -> None:
    store = SqliteStore(data / "games.db")
    late = datetime.now(UTC) + timedelta(days=1)
    entry = room.LogEntry(1, round(late.timestamp() * 1000), room.Said("ann", "hello"))
    await store.append("kitchen", 0, [entry])
    store.close()
    newest = storage.newest_entry(Settings(data=data))
    assert newest == round(late.timestamp() * 1000)
    assert machine.check_clock(newest).level == "problem"
    assert machine.check_clock(None).level != "problem"


# Certificates.


def written(folder: Path, *, days: float) -> Certificate:
    made = trustme.CA().issue_cert(
        "games.example", not_after=datetime.now(UTC) + timedelta(days=days)
    )
    cert, key = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    key.write_bytes(made.private_key_pem.bytes())
    key.chmod(0o600)
    return Certificate(cert, key)


@pytest.mark.parametrize(("days", "level"), [(90, "ok"), (5, "warning"), (-1, "problem")])
def test_how_long_a_certificate_lasts(tmp_path: Path, days: int, level: str) -> None:
    (found,) = check_certificate(written(tmp_path, days=days))
    assert found.level == level, found


def test_a_certificate_that_is_not_there(tmp_path: Path) -> None:
    (found,) = check_certificate(Certificate(tmp_path / "cert.pem", tmp_path / "key.pem"))
    assert found.level == "problem"


def test_a_key_that_others_may_read(data: Path) -> None:
    pair = written(data, days=90)
    pair.key.chmod(0o644)
    found = storage.check_folder(Settings(data=data, cert=pair.cert, key=pair.key))
    assert levels(found) == {"data": "ok", "key": "problem"}
