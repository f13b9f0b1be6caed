"""A file of every former format is upgraded, gone back to, and said to cost what it costs."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from crossroom_clients.cli.main import main
from crossroom_server.config.settings import COPIES
from crossroom_server.monitoring.process_stats import Storage
from crossroom_server.store.contract import TooNew, Unavailable
from crossroom_server.store.open import open_store
from crossroom_server.store.sqlite import file
from tests.support.log_entries import OLD_FILES, chat_entries, restore_old_file, run_sql

FORMATS: Final = range(1, len(list(OLD_FILES.glob("version*.sql"))) + 1)
"""The formats of which there are old files."""


def content(path: Path) -> list[str]:
    """Everything in a file, as SQL."""
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def kept(games: Path) -> list[Path]:
    return sorted((games.parent / COPIES).glob("*"))


@contextmanager
def release_with(number: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A release that knows no later format than *number*."""
    with monkeypatch.context() as patched:
        patched.setattr(file, "MIGRATIONS", file.MIGRATIONS[:number])
        yield


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "data"
    folder.mkdir()
    return folder / "games.db"


@pytest.mark.parametrize("number", FORMATS)
def test_there_and_back(number: int, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restore_old_file(games, f"version{number}")
    former = content(games)
    with closing(open_store(games)) as store:
        (room,) = asyncio.run(store.rooms())
        last = asyncio.run(store.read(room))[-1].seq
        asyncio.run(store.append(room, last, chat_entries(last + 1)))
    (copy,) = kept(games)
    assert copy.name.startswith(f"games-format{number}-")
    assert copy.stat().st_mode & 0o077 == 0
    assert content(copy) == former
    open_store(games).close()
    assert kept(games) == [copy]  # once is enough
    with release_with(number, monkeypatch):
        with pytest.raises(TooNew, match=f"restore the copy in {COPIES}"):
            file.file_version(sqlite3.connect(games))
        assert main(["restore", str(copy), "--data", str(games.parent)]) == 0
        with closing(sqlite3.connect(games)) as db:
            assert file.file_version(db) == number
    assert content(games) == former
    # and forward again, with what was played meanwhile
    (newer,) = games.parent.glob("games-*.db")
    assert main(["restore", str(newer), "--data", str(games.parent)]) == 0
    with closing(open_store(games)) as store:
        assert asyncio.run(store.read(room))[-1].seq == last + 1


def test_a_new_store_needs_no_copy(games: Path) -> None:
    open_store(games).close()
    assert kept(games) == []


def test_without_space_for_the_copy_nothing_changes(games: Path) -> None:
    restore_old_file(games, "version1")
    former = content(games)
    (games.parent / COPIES).touch()  # a file, where the folder should be
    with pytest.raises(Unavailable, match="before it is brought to the newest a copy is made"):
        open_store(games)
    assert content(games) == former


def test_the_host_is_told_before_the_format_changes(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restore_old_file(games, "version1")
    main(["doctor", "--data", str(games.parent), "--port", "0", "--host", "127.0.0.1"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"in format 1; the next start brings it to {len(file.MIGRATIONS)}" in told
    assert kept(games) == []


# What a move costs.


def test_a_move_says_first_what_it_takes(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    restore_old_file(games, "finished")
    target = games.parent / "new.db"
    line = ["migrate", "--from", f"sqlite:{games}", "--to", f"sqlite:{target}"]
    with closing(open_store(games)):  # a server
        assert main([*line, "--dry-run"]) == 0
    entries = run_sql(games, "SELECT count(*) FROM entries")[0][0]
    cost, space = capsys.readouterr().out.splitlines()
    assert f"{entries} entries; to move them takes about 1 s" in cost
    assert space.startswith(f"{target} needs about ")
    assert not target.exists()
    assert main(line) == 0
    assert capsys.readouterr().out.startswith(f"{cost}\n")


def test_a_move_without_space_is_not_begun(
    games: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    restore_old_file(games, "finished")
    monkeypatch.setattr(Storage, "free_bytes", lambda _: 100)
    target = games.parent / "new.db"
    assert main(["migrate", "--from", f"sqlite:{games}", "--to", f"sqlite:{target}"]) == 1
    assert "there is not enough space" in capsys.readouterr().err
    assert not target.exists()
