"""Rooms in which nobody is: they leave memory, and nobody can tell."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random
from typing import TypeAlias

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.room import LogEntry
from crossroom_server.room.room import Room
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.integration.test_metrics_and_logs import read
from tests.support.room_driver import (
    FlakyStore,
    RoomDriver,
    any_contains,
    entry_refusal,
    open_room,
    start_game,
)
from tests.support.server import SessionDriver, new_lobby, new_server_state, run_server
from tests.unit.server.room.test_clock_timers import crash

Scene: TypeAlias = AbstractAsyncContextManager[RoomDriver]


async def go_all(driver: RoomDriver) -> None:
    for name in driver.clients:
        await driver.disconnect(name)


def is_in_memory(driver: RoomDriver) -> bool:
    return driver.lobby.find("kitchen") is not None


async def test_a_game_without_a_clock_comes_back_as_it_was() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/exchange none")
    await go_all(driver)
    room, before = await driver.room(), await driver.table()
    await driver.lobby.unload_idle_rooms(0)
    assert not is_in_memory(driver)
    assert driver.lobby.rooms() == []
    driver.now += 10_000
    await driver.reconnect("ann")
    assert await driver.room() is not room
    assert await driver.table() == before
    await driver.reconnect("bob")
    await driver.type("bob", "/exchange none")
    assert (await driver.table()).seq == before.seq + 1


@pytest.mark.parametrize("how", ["rest", "restart", "crash"])
async def test_without_a_clock_nobody_is_charged_for_the_time_away(how: str) -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/exchange none")
    driver.now += 5_000
    await driver.type("ann", "any time")
    if how == "rest":
        await go_all(driver)
        await driver.lobby.unload_idle_rooms(0)
    elif how == "restart":
        await driver.restart_server()
    else:
        crash(driver)
    driver.now += 86_400_000
    await driver.reconnect("bob")
    driver.now += 7_000
    assert any_contains(await driver.type("bob", "/clock"), "bob: 0:08 used, running")
    await driver.reconnect("ann")
    await driver.type("bob", "/exchange none")
    game = (await driver.table()).game
    assert game is not None
    assert game.players[1].used == 9_000
    driver.now += 3_600_000
    await driver.type("ann", "/exchange none")
    game = (await driver.table()).game
    assert game is not None
    assert game.players[0].used > 3_600_000


async def test_who_keeps_order_and_the_lock_come_back_too() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/lock sesame")
    await go_all(driver)
    before = await driver.table()
    await driver.lobby.unload_idle_rooms(0)
    assert await driver.table() == before
    assert await entry_refusal(driver, "eve", "please") == "NEED_KEY"


async def test_a_room_rests_only_after_a_while() -> None:
    driver = await open_room("ann")
    await driver.disconnect("ann")
    await driver.lobby.unload_idle_rooms(60)
    assert is_in_memory(driver)
    await asyncio.sleep(0.05)
    await driver.lobby.unload_idle_rooms(0.05)
    assert not is_in_memory(driver)
    assert driver.lobby.metrics.rooms_unloaded == 1


@asynccontextmanager
async def somebody_there() -> AsyncIterator[RoomDriver]:
    yield await open_room("watcher")


@asynccontextmanager
async def a_clock_running() -> AsyncIterator[RoomDriver]:
    driver = await start_game("ann", "bob", clock=60)
    await go_all(driver)
    yield driver


@asynccontextmanager
async def an_open_offer() -> AsyncIterator[RoomDriver]:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/abort")
    await go_all(driver)
    yield driver


@asynccontextmanager
async def a_bot_thinking() -> AsyncIterator[RoomDriver]:
    driver = await open_room("ann")
    await driver.type("ann", "/set first-player seat")
    await driver.type("ann", "/bot add")
    await driver.type("ann", "/ready")
    await driver.type("ann", "/exchange none")
    await go_all(driver)
    yield driver


@asynccontextmanager
async def a_store_out_of_order() -> AsyncIterator[RoomDriver]:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store)
    store.write_error = Unavailable("the disk is full")
    await driver.type("ann", "is anybody here?")
    await go_all(driver)
    yield driver
    store.write_error = None


@asynccontextmanager
async def somebody_coming_in() -> AsyncIterator[RoomDriver]:
    store = FlakyStore()
    driver = await open_room("ann", store=store)
    await driver.type("ann", "/lock")
    await driver.type("ann", "/invite")
    token = driver.clients["ann"].code
    await go_all(driver)
    store.open.clear()
    coming = asyncio.create_task(driver.join("eve", key=token))
    await asyncio.sleep(0.01)
    yield driver
    store.open.set()
    await coming


@asynccontextmanager
async def somebody_at_the_door() -> AsyncIterator[RoomDriver]:
    driver = await open_room("ann")
    await go_all(driver)
    with (await driver.room()).pinned():
        yield driver


@pytest.mark.parametrize(
    "reason",
    [
        somebody_there,
        a_clock_running,
        an_open_offer,
        a_bot_thinking,
        a_store_out_of_order,
        somebody_coming_in,
        somebody_at_the_door,
    ],
)
async def test_what_keeps_a_room_awake(reason: Callable[[], Scene]) -> None:
    async with reason() as driver:
        await driver.lobby.unload_idle_rooms(0)
        assert is_in_memory(driver)
    await driver.lobby.close()


async def test_nobody_who_comes_meets_a_room_that_goes_to_rest() -> None:
    """Many come and go, again and again, while every idle room is put to rest at once."""
    store, dice = FlakyStore(), Random(4)
    lobby = new_lobby(store)
    server_state = new_server_state(lobby=lobby)
    is_over = asyncio.Event()

    async def rest() -> None:
        while not is_over.is_set():
            await lobby.unload_idle_rooms(0)
            await asyncio.sleep(0)

    async def live(name: str) -> list[str]:
        client, heard = await SessionDriver(server_state).join(), []
        heard += await client.say(f"/name {name}")
        for _ in range(30):
            heard += await client.say(f"/join room{dice.randrange(3)}")
            for _ in range(dice.randrange(4)):
                await asyncio.sleep(0)
            heard += await client.say("hello", "/leave")
        await client.disconnect()
        return heard

    resting = asyncio.create_task(rest())
    heard = await asyncio.gather(*(live(f"n{number}") for number in range(5)))
    is_over.set()
    await resting
    assert lobby.metrics.rooms_unloaded > 20
    assert [line for lines in heard for line in lines if line.startswith("!")] == []
    said = [
        entry
        for room in await store.rooms()
        for entry in await store.read(room)
        if getattr(entry.what, "text", None) == "hello"
    ]
    assert len(said) == 5 * 30
    await lobby.close()


async def test_a_password_that_takes_long_to_check_keeps_the_room() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/lock sesame")
    await go_all(driver)
    client = await SessionDriver(new_server_state(lobby=driver.lobby)).join()
    joining = asyncio.create_task(client.say("/join kitchen sesame"))
    while not joining.done():
        await driver.lobby.unload_idle_rooms(0)
        await asyncio.sleep(0)
    assert not any_contains(await joining, "!")
    assert client.session in await driver.room()
    await client.disconnect()
    await driver.lobby.close()


async def test_a_lobby_that_closes_meanwhile() -> None:
    lobby = new_lobby()
    for number in range(20):
        await lobby.room(f"room{number}")
    await asyncio.gather(lobby.unload_idle_rooms(0), lobby.close())
    assert list(lobby) == []
    with pytest.raises(Refusal, match="the server is stopping"):
        await lobby.room("room1")


async def test_a_server_puts_its_rooms_to_rest() -> None:
    async with run_server(rest_after=0.2) as app:
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", app.line_port)
            writer.write(b"/name ann\r\n/join kitchen\r\n")
            async with asyncio.timeout(30):
                while b"takes seat" not in await reader.readline():
                    pass
            assert (await read(app))["crossroom_rooms"] == 1
            writer.close()
            while (await read(app))["crossroom_rooms"]:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert (await read(app))["crossroom_rooms_rested_total"] == 2


async def test_a_room_that_takes_long_to_open_keeps_nobody_else_waiting() -> None:
    store = SlowToRead("attic")
    lobby = new_lobby(store)
    kitchen = await lobby.room("kitchen")
    openings = [asyncio.create_task(lobby.room("attic")) for _ in range(2)]
    async with asyncio.timeout(30):
        await store.asked.wait()
        assert await lobby.room("kitchen") is kitchen
        await lobby.room("cellar")
        await lobby.unload_idle_rooms(0)
        assert [room.name for room in lobby] == []
        closing = asyncio.create_task(lobby.close())
        await asyncio.sleep(0.01)
        assert not closing.done()
        store.ready.set()
        first, second = await asyncio.gather(*openings, return_exceptions=True)
        await closing
    assert isinstance(first, Room)
    assert second is first or isinstance(second, Refusal)
    assert list(lobby) == []


class SlowToRead(MemoryStore):
    """A store that reads the log of one room when it is told to."""

    def __init__(self, room: str) -> None:
        super().__init__()
        self._room = room
        self.asked, self.ready = asyncio.Event(), asyncio.Event()

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        if room == self._room:
            self.asked.set()
            await self.ready.wait()
        return await super().read(room, after, limit)
