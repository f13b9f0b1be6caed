"""The tool that compares two commits: pairs of runs, ratios, and keys of old and new."""

import json

import pytest

from tools import bench_compare
from tools.bench_compare import Comparison, compare, in_turns, read_figures, table

FORMER = {
    "until all are told, p99, ms": {"crossroom": 8.0, "bare websockets": 4.0, "ratio": 2.0},
    "deliveries a second at most, rooms of 4": {
        "crossroom": 3.0,
        "bare websockets": 6.0,
        "ratio": 0.5,
    },
    "  server processor time for each, µs, rooms of 100": {
        "crossroom": 9.0,
        "bare websockets": None,
        "ratio": None,
    },
    "durable moves a second": {"crossroom": 900.0, "bare websockets": None, "ratio": None},
    "something that is gone": {"crossroom": 1.0, "bare websockets": None, "ratio": None},
}


def test_what_former_commits_printed_is_read() -> None:
    assert read_figures(json.dumps({"figures": FORMER})) == {
        "latency_p99_ms": 8.0,
        "latency_p99_ms_to_bare": 2.0,
        "talk_deliveries_per_s": 3.0,
        "talk_deliveries_per_s_to_bare": 0.5,
        "crowd_delivery_cpu_us": 9.0,
        "moves_per_s": 900.0,
    }


def test_what_this_commit_prints_is_read() -> None:
    server = {"latency_p99_ms": {"crossroom": 8.0, "bare": 4.0, "ratio": 2.0}}
    moves = {"start_ms": {"ours": 70.0, "python": None, "ratio": None}}
    assert read_figures(json.dumps({"figures": server | moves})) == {
        "latency_p99_ms": 8.0,
        "latency_p99_ms_to_bare": 2.0,
        "start_ms": 70.0,
    }


def test_each_pair_of_runs_gives_a_ratio() -> None:
    before = [{"a": 1.0, "b": 2.0, "c": 1.0}, {"a": 2.0, "b": 2.0}, {"a": 4.0, "b": 2.0}]
    after = [{"a": 2.0, "b": 0.0}, {"a": 3.0, "b": 2.0}, {"a": 4.0, "b": 2.0}]
    (one,) = compare(before, after)
    assert one == Comparison("a", 2.0, 3.0, (1.0, 1.5, 2.0))
    assert list(table([one]))[1].split() == ["a", "2", "3", "1.500", "1.000", "to", "2.000"]


def test_the_commits_take_turns() -> None:
    told: list[str] = []

    def run(name: str) -> dict[str, float]:
        told.append(name)
        return {"a": float(len(told))}

    old, new = in_turns(lambda: run("old"), lambda: run("new"), 2, told.append)
    assert [one for one in told if len(one) == 3] == ["old", "new", "old", "new"]
    assert [run["a"] for run in old] < [run["a"] for run in new]


def test_what_is_no_commit_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["bench_compare", "no-such-commit"])
    assert bench_compare.main() == 1
    assert "Is no-such-commit a commit of this checkout" in capsys.readouterr().err
