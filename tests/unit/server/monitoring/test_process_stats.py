"""What a process tells of itself."""

import os
import sys
import time
from pathlib import Path

import pytest

from crossroom_server.monitoring.process_stats import Storage, build_info, process_stats

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


@on_linux
def test_the_figures_are_of_this_process() -> None:
    stats = process_stats()
    assert stats.cpu_s > 0
    assert 0 < time.time() - stats.started < 24 * 3600
    assert stats.resident_bytes is not None
    assert stats.virtual_bytes is not None
    assert 5_000_000 < stats.resident_bytes < stats.virtual_bytes
    before = stats.open_files
    with Path(os.devnull).open():
        assert process_stats().open_files == (before or 0) + 1


def test_without_proc_there_is_the_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "crossroom_server.monitoring.process_stats._PROC", Path("there-is-no-such-folder")
    )
    assert process_stats().cpu_s > 0
    assert process_stats().resident_bytes is None


def test_the_log_beside_the_file_counts(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"x" * 100)
    (tmp_path / "games.db-wal").write_bytes(b"x" * 20)
    storage = Storage(tmp_path, tmp_path / "games.db")
    assert storage.store_bytes() == 120
    assert (storage.free_bytes() or 0) > 0
    assert Storage(tmp_path / "none", None).free_bytes() is None


def test_the_build_is_named() -> None:
    assert [name for name, _ in build_info()] == ["version", "python", "engine"]
