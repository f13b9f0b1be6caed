"""`docker/monitoring` in a real Prometheus: it scrapes, and every panel and rule has an answer."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.integration.test_monitoring import FOLDER, shown
from tests.support.ports import free_port
from tests.support.serve_process import LOOPBACK, run_serve

PROMETHEUS: Final = shutil.which("prometheus")
pytestmark = pytest.mark.skipif(PROMETHEUS is None, reason="prometheus is not installed")
SELDOM: Final = "connections_ended"
"""What only begins when somebody leaves."""


def until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds; what it returns."""
    for _ in range(300):
        try:
            if found := condition():
                return found
        except OSError:  # it does not listen yet
            pass
        time.sleep(0.1)
    raise AssertionError("it never came")


def test_every_panel_and_rule_has_an_answer(tmp_path: Path) -> None:
    assert PROMETHEUS is not None
    at = f"{LOOPBACK}:{free_port()}"

    def ask(path: str, **query: str) -> Any:
        with urlopen(f"http://{at}/api/v1/{path}?{urlencode(query)}", timeout=10) as answer:
            return json.load(answer)["data"]

    def answered(query: str) -> Any:
        return ask("query", query=query)["result"]

    with run_serve(tmp_path / "data", "--metrics-port", "0") as server, server.dial() as ann:
        target = f"{LOOPBACK}:{server.listening['metrics_port']}"
        config = (FOLDER / "prometheus.yml").read_text()
        assert "127.0.0.1:9765" in config
        shutil.copy(FOLDER / "alerts.yml", tmp_path)
        changed = config.replace("127.0.0.1:9765", target).replace("15s", "1s")
        (tmp_path / "prometheus.yml").write_text(changed)
        flags = {
            "config.file": tmp_path / "prometheus.yml",
            "storage.tsdb.path": tmp_path / "series",
            "web.listen-address": at,
        }
        command = [PROMETHEUS, *(f"--{name}={value}" for name, value in flags.items())]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as prometheus:
            try:
                ann.send("/name ann")
                for panel in shown():
                    query = panel.replace("$__rate_interval", "1m").replace("$instance", ".*")
                    if SELDOM not in query:
                        ann.send("hello")
                        until(partial(answered, query))
                rules = ask("rules")["groups"][0]["rules"]
                assert {(rule["health"], rule["state"]) for rule in rules} == {("ok", "inactive")}
            finally:
                prometheus.terminate()
