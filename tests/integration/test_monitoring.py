"""Metrics on a port of their own, and `docker/monitoring`: its rules and its dashboard."""

import asyncio
import http.client
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
import yaml

from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.integration.test_http import fetch
from tests.support.paths import ROOT
from tests.support.server import LOOPBACK, run_server

FOLDER: Final = ROOT / "docker" / "monitoring"
NAME: Final = re.compile(r"\b((?:crossroom|process)_[a-z_]+)\b")
ELSEWHERE: Final = {"crossroom_nodes"}
"""What only a node of a cluster has."""


async def ask(port: int | None, path: str, method: str = "GET") -> tuple[int, str]:
    def asking() -> tuple[int, str]:
        peer = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
        peer.request(method, path, headers={"Host": "crossroom:9765"})
        response = peer.getresponse()
        try:
            return response.status, response.read().decode()
        finally:
            peer.close()

    return await asyncio.to_thread(asking)


async def served(folder: Path) -> dict[str, str]:
    """The type of each metric of a server that keeps its games, with a copy of them."""
    async with run_server(keep=True, data=folder, metrics_port=0) as app:
        (folder / "backups").mkdir()
        (folder / "backups" / "copy.db").touch()
        status, body = await ask(app.metrics_port, "/metrics")
    assert status == 200
    return dict(re.findall(r"^# TYPE (\S+) (\S+)$", body, re.MULTILINE))


async def test_a_port_of_their_own_takes_them_from_the_pages() -> None:
    async with run_server(metrics_port=0, open_metrics=True) as app:
        assert (await fetch(app, "/metrics")).status == 404
        status, body = await ask(app.metrics_port, "/metrics")
        assert (status, "crossroom_connections 0" in body) == (200, True)
        assert (await ask(app.metrics_port, "/"))[0] == 404
        assert (await ask(app.metrics_port, "/t/kitchen"))[0] == 404
        assert (await ask(app.metrics_port, "/healthz")) == (200, "ok\n")


async def test_a_port_that_is_taken_is_named() -> None:
    async with run_server(metrics_port=0) as app:
        with pytest.raises(OSError, match=f"port {app.metrics_port} is in use.*--metrics-port"):
            async with run_server(metrics_port=app.metrics_port):
                pass


async def test_liveness_does_not_depend_on_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise Unavailable("the disk is full")

    async with run_server(metrics_port=0) as app:
        monkeypatch.setattr(MemoryStore, "check_writable", broken)
        assert (await fetch(app, "/healthz", Host="10.0.0.7")).status == 503
        assert (await fetch(app, "/livez")).status == 200
        assert "crossroom_healthy 0" in (await ask(app.metrics_port, "/metrics"))[1]


async def test_what_prometheus_expects_of_a_process(tmp_path: Path) -> None:
    types = await served(tmp_path / "data")
    assert types["process_cpu_seconds_total"] == "counter"
    assert types["process_start_time_seconds"] == "gauge"
    wanted = {"crossroom_build_info", "crossroom_store_bytes", "crossroom_disk_free_bytes"}
    assert wanted <= set(types)


def names_in(expressions: list[str]) -> set[str]:
    """The metrics that expressions name, histograms without the endings of their series."""
    found = {name for text in expressions for name in NAME.findall(text)}
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


def shown() -> list[str]:
    """All expressions of the dashboard."""
    board = json.loads((FOLDER / "dashboard.json").read_text())
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def alerting() -> list[str]:
    """All expressions of the alert rules."""
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return [rule["expr"] for group in groups for rule in group["rules"]]


async def test_rules_and_dashboard_ask_for_what_there_is(tmp_path: Path) -> None:
    there = set(await served(tmp_path / "data"))
    assert len(shown()) > 20
    assert len(alerting()) > 10
    assert names_in([*shown(), *alerting()]) <= there | ELSEWHERE


def test_panels_do_not_overlap() -> None:
    board = json.loads((FOLDER / "dashboard.json").read_text())
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        squares = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not squares & taken
        taken |= squares
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_finds_nothing_wrong(tmp_path: Path) -> None:
    queries = [
        expression.replace("$__rate_interval", "5m").replace("$instance", ".*")
        for expression in shown()
    ]
    rules = [{"record": f"panel:{n}", "expr": text} for n, text in enumerate(queries)]
    panels = tmp_path / "panels.yml"
    panels.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    for line in (
        ["check", "config", "prometheus.yml"],
        ["test", "rules", "alerts.test.yml"],
        ["check", "rules", str(panels)],
    ):
        done = subprocess.run(
            ["promtool", *line], cwd=FOLDER, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_is_tested_and_says_what_it_is_about() -> None:
    tested = (FOLDER / "alerts.test.yml").read_text()
    for rule in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]:
        assert f'alertname="{rule["alert"]}"' in tested or f"alertname: {rule['alert']}" in tested
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_scrape_asks_the_port_that_the_documents_name() -> None:
    scrape = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"][0]
    assert scrape["static_configs"][0]["targets"] == ["127.0.0.1:9765"]
    assert "--metrics-port 9765" in (ROOT / "docs/host/monitoring.md").read_text()
