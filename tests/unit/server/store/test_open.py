"""Opening the store of a server: what is told of a new one, and who may read it."""

import logging
import sys
from contextlib import closing
from pathlib import Path

import pytest

from crossroom_server.store.open import open_store


def open_and_close(file: Path) -> None:
    with closing(open_store(file)):
        pass


def test_a_new_store_is_told_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    file = tmp_path / "games.db"
    open_and_close(file)
    assert caplog.messages == [f"a new store was begun: {file}"]
    caplog.clear()
    open_and_close(file)
    assert caplog.messages == []


def test_a_store_that_is_gone_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "games.db"
    (tmp_path / "games.db-wal").touch()
    open_and_close(file)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "games.db-wal is beside it: was the file moved or lost?" in record.getMessage()


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_racks_are_for_the_server_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.touch(mode=0o644)
    file.chmod(0o644)
    open_and_close(file)
    assert file.stat().st_mode & 0o777 == 0o600
