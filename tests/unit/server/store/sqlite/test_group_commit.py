"""The thread of the SQLite store: what it commits together, what it survives."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from crossroom_server.store.contract import Conflict, Unavailable
from crossroom_server.store.sqlite.file import connect
from crossroom_server.store.sqlite.group_commit import SqliteGroupCommit, Work
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import chat_entries


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rooms.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    store.close()


class BlockedWriter:
    """Work that keeps the writer's thread busy until :meth:`end`."""

    def __init__(self) -> None:
        self._begun, self._over = threading.Event(), threading.Event()

    def __call__(self, _: sqlite3.Connection) -> None:
        self._begun.set()
        assert self._over.wait(30)

    async def begun(self) -> None:
        assert await asyncio.to_thread(self._begun.wait, 30)

    def end(self) -> None:
        self._over.set()


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(connect(Path(":memory:"))) as db:
        db.execute("CREATE TABLE numbers (number INTEGER UNIQUE)")
        yield db


def insert(db: sqlite3.Connection, number: int) -> None:
    db.execute("INSERT INTO numbers VALUES (?)", (number,))


async def test_what_waits_is_committed_together(db: sqlite3.Connection) -> None:
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    writer, pause = SqliteGroupCommit(db), BlockedWriter()
    busy = asyncio.create_task(writer.do(pause))
    await pause.begun()
    waiting = [asyncio.create_task(writer.do(partial(insert, number=n))) for n in range(50)]
    await asyncio.sleep(0)
    pause.end()
    await asyncio.gather(busy, *waiting)
    writer.close()
    assert statements.count("COMMIT") == 2
    assert db.execute("SELECT count(*) FROM numbers").fetchone() == (50,)


async def test_what_fails_takes_no_other_with_it(db: sqlite3.Connection) -> None:
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    writer, pause = SqliteGroupCommit(db), BlockedWriter()

    def by_halves(db: sqlite3.Connection) -> None:
        insert(db, 8)
        raise Conflict("kitchen", 1, 2)

    works: list[Work] = [
        pause,
        lambda db: insert(db, 1),
        by_halves,
        lambda db: insert(db, 1),
        lambda db: 1 / 0,
    ]
    tasks = [asyncio.create_task(writer.do(work)) for work in works]
    await pause.begun()
    await asyncio.sleep(0)
    pause.end()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    writer.close()
    assert [type(outcome) for outcome in outcomes] == [
        type(None),
        type(None),
        Conflict,
        Unavailable,
        ZeroDivisionError,
    ]
    assert db.execute("SELECT number FROM numbers").fetchall() == [(1,)]
    assert statements.count("COMMIT") <= 2


async def test_a_cancelled_append_is_carried_out_in_full(store: SqliteStore) -> None:
    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))
    pause = BlockedWriter()
    busy = asyncio.create_task(store._writer.do(pause))
    await pause.begun()
    append = asyncio.create_task(store.append("kitchen", 0, chat_entries(1, 2)))
    await asyncio.sleep(0)
    append.cancel()
    pause.end()
    await busy
    with pytest.raises(asyncio.CancelledError):
        await append
    await store.append("kitchen", 2, chat_entries(3))
    assert await store.read("kitchen") == chat_entries(1, 2, 3)
    assert not complaints


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("store")}


async def test_closing_finishes_what_was_begun(path: Path) -> None:
    before = threads()
    store, pause = SqliteStore(path), BlockedWriter()
    busy = asyncio.create_task(store._writer.do(pause))
    await pause.begun()
    append = asyncio.create_task(store.append("kitchen", 0, chat_entries(1)))
    await asyncio.sleep(0)
    threading.Timer(0.05, pause.end).start()
    store.close()
    await asyncio.gather(busy, append)
    assert not threads() - before
    again = SqliteStore(path)
    assert await again.read("kitchen") == chat_entries(1)
    again.close()


def test_a_loop_that_is_gone_does_not_stop_the_thread(store: SqliteStore) -> None:
    pause = BlockedWriter()

    async def give_up() -> None:
        busy = asyncio.create_task(store._writer.do(pause))
        await pause.begun()
        busy.cancel()

    asyncio.run(give_up())
    pause.end()
    asyncio.run(store.append("kitchen", 0, chat_entries(1)))
    assert asyncio.run(store.read("kitchen")) == chat_entries(1)


async def test_a_read_neither_waits_for_a_commit_nor_sees_half_of_one(store: SqliteStore) -> None:
    await store.append("kitchen", 0, chat_entries(1))
    pause = BlockedWriter()

    def half(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO entries (room, seq, entry) VALUES ('kitchen', 2, '{}')")
        pause(db)
        raise Conflict("kitchen", 1, 1)

    busy = asyncio.create_task(store._writer.do(half))
    await pause.begun()
    assert await store.read("kitchen") == chat_entries(1)
    assert not busy.done()
    pause.end()
    with pytest.raises(Conflict):
        await busy


# A full disk.


async def limit(store: SqliteStore, pages: int) -> None:
    """Let the database grow by that many pages (4 KiB each) and no more."""

    def work(db: sqlite3.Connection) -> None:
        (count,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {count + pages}")

    await store._writer.do(work)


async def test_a_full_disk_stores_nothing_and_heals(store: SqliteStore) -> None:
    await store.append("kitchen", 0, chat_entries(1))
    await limit(store, 2)
    large = chat_entries(2, 3, 4, text="x" * 5000)
    for _ in range(3):
        with pytest.raises(Unavailable, match="disk of the server is full"):
            await store.append("kitchen", 1, large)
    assert await store.read("kitchen") == chat_entries(1)
    await limit(store, 1000)
    await store.append("kitchen", 1, large)
    assert await store.read("kitchen") == chat_entries(1) + large


async def test_on_a_full_disk_every_answer_is_true(store: SqliteStore) -> None:
    await limit(store, 12)
    rooms = [f"room-{number}" for number in range(24)]
    batch = chat_entries(1, 2, text="x" * 1500)
    outcomes: list[BaseException | None] = []
    for first in range(0, len(rooms), 4):
        appends = (store.append(room, 0, batch) for room in rooms[first : first + 4])
        outcomes += await asyncio.gather(*appends, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {type(None), Unavailable}
    kept = {room for room, outcome in zip(rooms, outcomes, strict=True) if outcome is None}
    assert set(await store.rooms()) == kept
    for room in rooms:
        assert await store.read(room) == (batch if room in kept else [])
