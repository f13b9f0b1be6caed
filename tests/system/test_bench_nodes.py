"""`crossroom bench server --nodes`: the same people at one node and at two."""

import json

import pytest

from crossroom_clients.bench.nodes import node_counts
from crossroom_clients.cli.main import main
from crossroom_server.config.store_url import Database
from tests.support.nats_server import NatsServer

pytest.importorskip("asyncpg")
pytest.importorskip("nats")

BRIEF = ["bench", "server", "--rooms", "2", "--seconds", "1", "--every", "0.5"]


def test_nodes_are_doubled() -> None:
    assert [list(node_counts(most)) for most in (1, 2, 3, 4)] == [[1], [1, 2], [1, 2, 3], [1, 2, 4]]


def test_nodes_need_what_they_share(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BRIEF, "--nodes", "2"]) == 1
    assert "--nodes needs --store and --bus" in capsys.readouterr().err


@pytest.mark.timeout(120)
def test_one_node_and_two_are_measured(
    database: Database, nats: NatsServer, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = ["--store", database.url, "--bus", nats.url]
    assert main([*BRIEF, "--nodes", "2", *shared, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    one, two = told["nodes"]["1"], told["nodes"]["2"]
    assert one.keys() == two.keys()
    for figures in (one, two):
        assert 0 < figures["latency_p99_ms"] < 10_000
        assert figures["talk_deliveries_per_s"] > 0
        assert figures["moves_per_s"] > 0
