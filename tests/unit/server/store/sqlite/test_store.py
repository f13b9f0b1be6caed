"""The file of the SQLite store: who may open it, which version it has, what is wrong with it."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossroom_server.store.contract import CodeOwner, Conflict, Damaged, InUse, TooNew, Unavailable
from crossroom_server.store.sqlite import file as file
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import chat_entries, run_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "rooms.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    store.close()


async def test_of_many_appends_at_once_only_those_fail_that_do_not_fit(store: SqliteStore) -> None:
    ends = [3 if number == 7 else 0 for number in range(20)]
    appends = [
        store.append(f"r{number}", end, chat_entries(end + 1)) for number, end in enumerate(ends)
    ]
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert [type(one) for one in results] == [Conflict if end else type(None) for end in ends]
    for number, end in enumerate(ends):
        assert await store.read(f"r{number}") == ([] if end else chat_entries(1))
    both = (store.append("r0", 1, chat_entries(2, 3)) for _ in range(2))
    assert [type(one) for one in await asyncio.gather(*both, return_exceptions=True)] == [
        type(None),
        Conflict,
    ]
    assert await store.read("r0") == chat_entries(1, 2, 3)


# The file.


async def test_a_log_survives_reopening(path: Path) -> None:
    member = CodeOwner("kitchen", "m1", "Zoë")
    first = SqliteStore(path)
    await first.append("kitchen", 0, chat_entries(1, 2))
    await first.save_code("1" * 64, member)
    first.close()
    second = SqliteStore(path)
    await second.append("kitchen", 2, chat_entries(3))
    assert await second.read("kitchen") == chat_entries(1, 2, 3)
    assert await second.find_code("1" * 64) == member
    assert await second.rooms() == ["kitchen"]
    second.close()


async def test_commits_reach_the_disk(store: SqliteStore, path: Path) -> None:
    found: dict[str, object] = {}

    def look(db: sqlite3.Connection) -> None:
        for name in ("synchronous", "journal_mode"):
            (found[name],) = db.execute(f"PRAGMA {name}").fetchone()

    await store._writer.do(look)
    assert found == {"synchronous": 2, "journal_mode": "wal"}
    assert run_sql(path, "PRAGMA user_version") == [(len(file.MIGRATIONS),)]


def test_closing_leaves_the_database_and_its_lock(path: Path) -> None:
    def files() -> set[str]:
        return {entry.name for entry in path.parent.iterdir()}

    store = SqliteStore(path)
    assert files() <= {"rooms.db", "rooms.db-lock", "rooms.db-wal", "rooms.db-shm"}
    store.close()
    assert files() == {"rooms.db", "rooms.db-lock"}


async def test_an_older_file_is_brought_forward(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = SqliteStore(path)
    await old.append("kitchen", 0, chat_entries(1))
    old.close()
    version = len(file.MIGRATIONS)
    steps = (
        ("CREATE TABLE mood (room TEXT)", "INSERT INTO mood VALUES ('kitchen')"),
        ("ALTER TABLE mood ADD COLUMN happy INTEGER DEFAULT 1",),
    )
    monkeypatch.setattr(file, "MIGRATIONS", file.MIGRATIONS + steps)
    new = SqliteStore(path)
    assert await new.read("kitchen") == chat_entries(1)
    new.close()
    SqliteStore(path).close()  # a step is taken once
    assert run_sql(path, "PRAGMA user_version") == [(version + 2,)]
    assert run_sql(path, "SELECT room, happy FROM mood") == [("kitchen", 1)]


def test_a_step_that_fails_is_not_taken_by_halves(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteStore(path).close()
    version = len(file.MIGRATIONS)
    with monkeypatch.context() as patch:
        steps = (("CREATE TABLE mood (room TEXT)", "INSERT INTO nowhere VALUES (1)"),)
        patch.setattr(file, "MIGRATIONS", file.MIGRATIONS + steps)
        with pytest.raises(Unavailable, match="nowhere"):
            SqliteStore(path)
    SqliteStore(path).close()
    assert run_sql(path, "PRAGMA user_version") == [(version,)]
    assert run_sql(path, "SELECT name FROM sqlite_master WHERE name = 'mood'") == []


def test_a_newer_file_is_refused_with_the_way_out(path: Path) -> None:
    SqliteStore(path).close()
    run_sql(path, "PRAGMA user_version = 999")
    with pytest.raises(TooNew, match=r"rooms\.db: .*999.*update crossroom"):
        SqliteStore(path)
    assert run_sql(path, "PRAGMA user_version") == [(999,)]


def test_the_database_of_another_program_is_not_touched(path: Path) -> None:
    run_sql(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="belongs to another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_rubbish_is_refused_and_not_touched(path: Path) -> None:
    rubbish = bytes(range(256)) * 64
    path.write_bytes(rubbish)
    with pytest.raises(Damaged, match=r"rooms\.db: .*not a store"):
        SqliteStore(path)
    assert path.read_bytes() == rubbish


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="is the folder there"):
        SqliteStore(tmp_path / "nowhere" / "rooms.db")


def new_file_size(path: Path) -> int:
    """Bytes of a store in which nothing is."""
    SqliteStore(path).close()
    return path.stat().st_size


def rot(path: Path, behind: int) -> None:
    """Overwrite every byte behind so many."""
    data = path.read_bytes()
    path.write_bytes(data[:behind].ljust(len(data), b"\xa5"))


async def test_pages_that_rot_are_told(path: Path) -> None:
    new = new_file_size(path)
    store = SqliteStore(path)
    await store.append("kitchen", 0, chat_entries(*range(1, 500)))
    store.close()
    rot(path, new)
    store = SqliteStore(path)
    with pytest.raises(Damaged, match="a backup is needed"):
        await store.read("kitchen")
    with pytest.raises(Damaged, match="a backup is needed"):
        await store.append("kitchen", 499, chat_entries(500))
    store.close()


@pytest.mark.parametrize(
    "change",
    ["entry = '{\"seq\": 2'", "entry = CAST(x'ff22' AS TEXT)", "entry = '{}'", "entry = x'00'"],
)
async def test_an_entry_nobody_understands_is_named(
    store: SqliteStore, path: Path, change: str
) -> None:
    await store.append("kitchen", 0, chat_entries(1, 2, 3))
    run_sql(path, f"UPDATE entries SET {change} WHERE seq = 2")
    with pytest.raises(Damaged, match="entry 2 in the log of room kitchen"):
        await store.read("kitchen")
    assert await store.read("kitchen", 2) == chat_entries(3)


async def test_an_entry_that_is_missing_is_named(store: SqliteStore, path: Path) -> None:
    await store.append("kitchen", 0, chat_entries(1, 2, 3))
    run_sql(path, "DELETE FROM entries WHERE seq = 2")
    with pytest.raises(Damaged, match="entry 2 is missing in the log of room kitchen"):
        await store.read("kitchen")


# One process.

OPEN = """
import pathlib, sys
from crossroom_server.store.contract import InUse
from crossroom_server.store.sqlite.store import SqliteStore
try:
    SqliteStore(pathlib.Path(sys.argv[1])).close()
except InUse as error:
    sys.exit(f"in use: {error}")
"""


def open_elsewhere(path: Path) -> str:
    """What another process says when it opens *path*; empty if nothing is wrong."""
    command = [sys.executable, "-c", OPEN, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


async def test_a_second_process_is_refused_until_the_first_has_closed(path: Path) -> None:
    store = SqliteStore(path)
    assert open_elsewhere(path).startswith(f"in use: {path}: a running server")
    await store.append("kitchen", 0, chat_entries(1))
    store.close()
    assert open_elsewhere(path) == ""


def test_a_file_has_one_lock_whatever_it_is_called(store: SqliteStore, path: Path) -> None:
    alias = path.with_name("alias.db")
    alias.symlink_to(path)
    began = time.monotonic()
    with pytest.raises(InUse):
        SqliteStore(alias)
    assert time.monotonic() - began < 3  # seconds; SQLite's own patience is 5
