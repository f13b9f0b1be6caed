"""A room whose store is out of order: it says so, nothing is lost, and it goes on by itself."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.room import store_outage
from crossroom_server.store.contract import Damaged, Superseded, Unavailable
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.room_driver import FlakyStore, RoomDriver, open_room, start_game

FULL = Unavailable("the disk is full")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is tried again at once."""
    monkeypatch.setattr(store_outage, "RETRY_S", 0.01)


async def over(driver: RoomDriver) -> None:
    for _ in range(1000):
        if (await driver.room())._outage.since is None:
            return
        await asyncio.sleep(0.005)
    pytest.fail("it is never over")


def take(driver: RoomDriver) -> dict[str, list[str]]:
    return {name: client.take_received() for name, client in driver.clients.items()}


@pytest.mark.usefixtures("soon")
async def test_everybody_is_told_once_and_when_it_is_over() -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", "watcher", store=store)
    await driver.type("ann", "one")
    take(driver)
    store.write_error = FULL
    for name in ("ann", "bob", "bob"):
        heard = await driver.type(name, "two")
        assert heard[-1] == "! INTERNAL say: nothing was done: the disk is full"
    told = take(driver)
    assert told["watcher"] == [
        "- nothing can be stored now: the disk is full",
        "- nothing is lost, and no clock runs; the server tries again by itself",
    ]
    assert [line for line in told["bob"] if line.startswith("- ")] == told["watcher"]
    await asyncio.sleep(0.05)
    assert take(driver)["watcher"] == []
    store.write_error = None
    await over(driver)
    assert set(map(tuple, take(driver).values())) == {(f"- {store_outage.STORE_IS_BACK}",)}
    assert (await driver.type("bob", "three"))[-1].endswith("bob: three")
    said = [e.what.text for e in await store.read("kitchen") if isinstance(e.what, Said)]
    assert said == ["one", "three"]


@pytest.mark.usefixtures("soon")
async def test_no_clock_runs_meanwhile_and_no_flag_falls() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock="60", overtime="0")
    driver.now += 10_000
    store.write_error = FULL
    await driver.type("ann", "/pass")
    driver.now += 1_000_000
    await asyncio.sleep(0.05)
    store.write_error = None
    await over(driver)
    game = (await driver.table()).playing
    assert game is not None
    assert game.since == driver.now
    assert game.players[0].used == 11_000
    assert "ann passes" in (await driver.type("ann", "/pass"))[0]


async def test_whoever_comes_first_finds_it_mended() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock="60", overtime="0")
    store.write_error = FULL
    await driver.type("ann", "/pass")
    store.write_error = None
    driver.now += 1_000_000
    heard = await driver.type("ann", "/pass")
    assert heard[0].endswith("the clock is stopped")
    assert heard[1] == f"- {store_outage.STORE_IS_BACK}"
    assert "the clock runs again" in heard[2]
    assert "ann passes" in heard[3]
    await driver.lobby.close()


@pytest.mark.parametrize("failure", [Damaged("damaged"), Superseded("taken over")])
async def test_what_does_not_heal_by_itself_is_not_promised(failure: Unavailable) -> None:
    store = FlakyStore()
    driver = await open_room("ann", store=store)
    store.write_error = failure
    heard = await driver.type("ann", "hello")
    assert heard[0] == f"- nothing can be stored now: {failure}"
    assert heard[1].endswith("only the host can repair this")
    await driver.lobby.close()


async def test_a_room_that_closes_tries_no_more(caplog: pytest.LogCaptureFixture) -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock="60")
    store.write_error = FULL
    await driver.type("ann", "/pass")
    await driver.lobby.close()
    assert "its clock could not be stopped" in caplog.text
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


# A disk that is full indeed.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB; only root can have one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk, and only on Linux")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if (
        shutil.which("mount") is None
        or subprocess.run(mount, capture_output=True, check=False).returncode != 0
    ):
        pytest.skip("a small disk cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def said(room: str, number: int) -> LogEntry:
    return LogEntry(number, number, Said(room, "x" * 2000))


async def fill(store: SqliteStore, kept: dict[str, int]) -> int:
    """Let eight rooms talk until each has been refused thrice; counts what was stored."""

    async def talk(room: str) -> int:
        stored = refused = 0
        while refused < 3:
            try:
                await store.append(room, kept[room], [said(room, kept[room] + 1)])
            except Unavailable:
                refused += 1
            else:
                kept[room] += 1
                stored += 1
        return stored

    return sum(await asyncio.gather(*map(talk, kept)))


async def check(store: SqliteStore, kept: dict[str, int]) -> None:
    for room, end in kept.items():
        log = await store.read(room)
        assert log == [said(room, number) for number in range(1, end + 1)]


async def test_on_a_disk_that_fills_up_every_answer_is_true(small_disk: Path) -> None:
    ballast, reserve, path = (small_disk / name for name in ("ballast", "reserve", "rooms.db"))
    for file in (ballast, reserve):
        file.write_bytes(bytes(200_000))
    kept = {f"room-{number}": 0 for number in range(8)}
    store = SqliteStore(path)
    assert await fill(store, kept) > 10
    await check(store, kept)
    ballast.unlink()
    assert await fill(store, kept) > 10
    await check(store, kept)
    store.close()
    reserve.unlink()
    store = SqliteStore(path)
    await check(store, kept)
    assert await fill(store, kept) > 10
    await check(store, kept)
    store.close()


async def test_on_a_disk_that_may_not_be_written_a_server_does_not_begin(small_disk: Path) -> None:
    path = small_disk / "rooms.db"
    store = SqliteStore(path)
    await store.append("kitchen", 0, [said("kitchen", 1)])
    store.close()
    remount(small_disk, "ro")
    with pytest.raises(Unavailable, match=r"rooms\.db: cannot be opened: is the folder there"):
        SqliteStore(path)
    remount(small_disk, "rw")
    store = SqliteStore(path)
    assert await store.read("kitchen") == [said("kitchen", 1)]
    store.close()


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


# A disk that may be read only, for a while.


async def test_what_may_only_be_read_is_written_when_it_may(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "rooms.db")
    await store.append("kitchen", 0, [said("kitchen", 1)])
    store._writer._db.execute("PRAGMA query_only = 1")
    for call in (store.append("kitchen", 1, [said("kitchen", 2)]), store.check_writable()):
        with pytest.raises(
            Unavailable, match=r"^the server may read what is stored, but not write$"
        ):
            await call
    assert await store.read("kitchen") == [said("kitchen", 1)]
    store._writer._db.execute("PRAGMA query_only = 0")
    await store.check_writable()
    await store.append("kitchen", 1, [said("kitchen", 2)])
    assert len(await store.read("kitchen")) == 2
    store.close()
