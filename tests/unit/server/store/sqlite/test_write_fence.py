"""One process writes, whatever happens to the lock or to the file; and files of former versions."""

import shutil
import sqlite3
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest

from crossroom_server.identity.codes import code_digest
from crossroom_server.store.contract import CodeOwner, Superseded
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite import file as file
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply
from tests.support.log_entries import OLD_FILES, chat_entries, restore_old_file, run_sql
from tests.support.room_driver import open_room

FORMER = sorted(file.stem for file in OLD_FILES.glob("version*.sql"))

TAKE_OVER = """
import asyncio, pathlib, sys
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.store.sqlite.store import SqliteStore

store = SqliteStore(pathlib.Path(sys.argv[1]))
asyncio.run(store.append("attic", 0, [LogEntry(1, 1, Said("Zoe", "mine"))]))
store.close()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "rooms.db"


def take_over(path: Path) -> None:
    """Let another process write, as happens where there are no locks."""
    path.with_name("rooms.db-lock").unlink()
    subprocess.run([sys.executable, "-c", TAKE_OVER, str(path)], check=True)


def move(path: Path, name: str) -> Path:
    return path.rename(path.with_name(name))


async def test_who_lost_the_lock_writes_no_more(path: Path) -> None:
    store = SqliteStore(path)
    await store.append("kitchen", 0, chat_entries(1))
    take_over(path)
    for room, after in (("kitchen", 1), ("cellar", 0)):
        with pytest.raises(Superseded, match="another server has taken over"):
            await store.append(room, after, chat_entries(after + 1))
    with pytest.raises(Superseded):
        await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ada"))
    with pytest.raises(Superseded):
        await store.check_writable()
    assert set(await store.rooms()) == {"kitchen", "attic"}
    store.close()
    again = SqliteStore(path)
    assert await again.read("kitchen") == chat_entries(1)
    await again.append("kitchen", 1, chat_entries(2))
    again.close()


@pytest.mark.parametrize("is_replaced", [True, False])
async def test_a_file_that_is_not_there_any_more_is_not_written(
    path: Path, *, is_replaced: bool
) -> None:
    store = SqliteStore(path)
    await store.append("kitchen", 0, chat_entries(1))
    aside = move(path, "aside.db")
    if is_replaced:
        shutil.copy(aside, path)
    with pytest.raises(Superseded, match="moved or replaced"):
        await store.append("kitchen", 1, chat_entries(2))
    move(aside, path.name)  # the mistake is mended: nobody was told anything that is lost
    await store.append("kitchen", 1, chat_entries(2))
    assert await store.read("kitchen") == chat_entries(1, 2)
    store.close()


@pytest.fixture
def full(path: Path, monkeypatch: pytest.MonkeyPatch) -> SqliteStore:
    """A store that was opened while the disk was full."""
    check = file.OpenFile.check_owner
    failures = [sqlite3.OperationalError("database or disk is full")]

    def fails(opened: file.OpenFile, db: sqlite3.Connection) -> None:
        if not failures:
            return check(opened, db)
        error = failures.pop()
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    SqliteStore(path).close()
    monkeypatch.setattr(file.OpenFile, "check_owner", fails)
    return SqliteStore(path)


async def test_a_store_opened_on_a_full_disk_writes_when_it_can(
    full: SqliteStore, path: Path
) -> None:
    await full.append("kitchen", 0, chat_entries(1))
    take_over(path)
    with pytest.raises(Superseded):
        await full.append("kitchen", 1, chat_entries(2))
    full.close()


async def test_a_store_opened_on_a_full_disk_comes_after_whoever_could_write(
    full: SqliteStore, path: Path
) -> None:
    take_over(path)
    with pytest.raises(Superseded):
        await full.append("kitchen", 0, chat_entries(1))
    full.close()


def test_there_is_a_file_of_every_former_version() -> None:
    assert [f"version{n}" for n in range(1, len(file.MIGRATIONS))] == FORMER


@pytest.mark.parametrize("version", FORMER)
async def test_a_file_of_a_former_version_is_brought_forward_and_played_on(
    path: Path, version: str
) -> None:
    restore_old_file(path, version)
    store = SqliteStore(path)
    log = await store.read("kitchen")
    kept = await store.find_code(code_digest("2c3q-pqfy-bp54"))
    store.close()
    assert run_sql(path, "PRAGMA user_version") == [(len(file.MIGRATIONS),)]
    assert kept == CodeOwner("kitchen", "16278b96f0feb3e8", "ann")
    table = reduce(apply, log, Table())
    assert table.playing is not None
    assert [player.score for player in table.playing.players] == [30, 0]
    assert table.playing.turn == 4
    memory = MemoryStore()
    await memory.append("kitchen", 0, log)
    await memory.save_code(code_digest("2c3q-pqfy-bp54"), kept)
    driver = await open_room(store=memory)
    _, known = await driver.lobby.find_by_code("2c3q-pqfy-bp54")
    assert ((await driver.table()).seq, known.person.name) == (13, "ann")
