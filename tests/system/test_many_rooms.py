"""Stores with many rooms: the script that measures them, and how the store finds things in one."""

from pathlib import Path

from crossroom_server.store.contract import CodeOwner
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import run_sql
from tools.bench_many_rooms import measure


def test_what_is_measured_is_asked_of_a_server(tmp_path: Path) -> None:
    costs = measure(tmp_path, rooms=20, times=1)
    assert all(seconds > 0 for seconds in costs)
    assert max(costs) == costs.start


async def test_games_are_found_by_an_index(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.db")
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "ann"))
    assert await store.rooms_of_name("ann") == ["kitchen"]
    store.close()
    query = "SELECT DISTINCT room FROM codes WHERE name = 'ann' ORDER BY rowid DESC LIMIT 10"
    plan = run_sql(tmp_path / "games.db", f"EXPLAIN QUERY PLAN {query}")
    assert "USING INDEX codes_by_name" in str(plan)
    assert "ORDER BY" not in str(plan)
