"""`crossroom backup --every --keep`: copies by the clock, and no more than are wanted."""

import os
import time
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_server.cli import backup
from crossroom_server.store.sqlite.store import SqliteStore


@pytest.fixture
def data(tmp_path: Path) -> Path:
    SqliteStore(tmp_path / "games.db").close()
    return tmp_path


def old_copy(data: Path, name: str, age_s: float = 0) -> Path:
    path = data / "backups" / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.utime(path, (time.time() - age_s,) * 2)
    return path


class Slept(Exception):
    """The command waits."""


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the command slept; the third nap ends it."""
    taken: list[float] = []

    def sleep(seconds: float) -> None:
        taken.append(seconds)
        if len(taken) == 3:
            raise Slept

    monkeypatch.setattr(time, "sleep", sleep)
    return taken


def test_the_newest_are_kept_and_nothing_else_is_deleted(data: Path) -> None:
    old = [old_copy(data, f"games-2026010{day}-030000.db") for day in (1, 2, 3)]
    others = [old_copy(data, name) for name in ("mine.db", "games-format7-20260101-030000.db")]
    assert main(["backup", "--keep", "2", "--data", str(data)]) == 0
    assert [path.exists() for path in old] == [False, False, True]
    assert all(path.exists() for path in others)
    (new,) = set(backup.copies(data / "backups")) - set(old)
    assert main(["verify", str(new)]) == 0
    assert new.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_root_leaves_the_copies_to_the_user_of_the_server(data: Path) -> None:
    for path in (data, data / "games.db"):
        os.chown(path, 12345, 12345)
    assert main(["backup", "--keep", "2", "--data", str(data)]) == 0
    folder = data / "backups"
    assert {path.stat().st_uid for path in (folder, *folder.iterdir())} == {12345}


def test_another_folder(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "copies"
    assert main(["backup", str(folder), "--keep", "1", "--data", str(data)]) == 0
    assert len(backup.copies(folder)) == 1
    assert folder.stat().st_mode & 0o077 == 0


def test_one_copy_is_made_and_then_it_waits(data: Path, naps: list[float]) -> None:
    with pytest.raises(Slept):
        main(["backup", "--every", "1d", "--data", str(data)])
    assert len(backup.copies(data / "backups")) == 1
    assert naps == [backup.NAP_S] * 3


def test_a_restart_makes_no_further_copy(data: Path, naps: list[float]) -> None:
    old_copy(data, "games-20260101-030000.db", age_s=3600)
    with pytest.raises(Slept):
        main(["backup", "--every", "2h", "--data", str(data)])
    assert len(backup.copies(data / "backups")) == 1


def test_what_is_due_is_made_at_once(data: Path, naps: list[float]) -> None:
    old_copy(data, "games-20260101-030000.db", age_s=3 * 3600)
    with pytest.raises(Slept):
        main(["backup", "--every", "2h", "--data", str(data)])
    assert len(backup.copies(data / "backups")) == 2


def test_a_failure_is_told_and_tried_again(
    data: Path, naps: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "games.db").unlink()
    with pytest.raises(Slept):
        main(["backup", "--every", "1d", "--data", str(data)])
    assert naps == [backup.RETRY_S] * 3
    assert capsys.readouterr().err.count("there is no such file") == 3


def test_no_place_is_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "--data", str(data)]) == 1
    assert "--keep 14" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--every=1", "--every=1s", "--every=9999d", "--keep=0"])
def test_what_is_no_time_or_number(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["backup", flag])
    assert flag.partition("=")[2] in capsys.readouterr().err
