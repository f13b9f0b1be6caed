"""The measurement of durable moves, on a few rooms: every move it counts is in the file."""

from pathlib import Path

from tools.bench_moves_durable import measure


async def test_moves_that_are_measured_are_stored(tmp_path: Path) -> None:
    found = await measure(3, tmp_path)
    assert len({pace.what for pace in found}) == 4
    assert all(pace.by_clock > 0 for pace in found)
