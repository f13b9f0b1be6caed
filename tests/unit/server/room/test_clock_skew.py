"""The time of a room never goes back, whatever the clock of the machine does."""

import asyncio
from itertools import pairwise

import pytest

from crossroom_server.lobby.lobby import Lobby
from crossroom_server.store.contract import Unavailable
from tests.support.room_driver import FlakyStore, RoomDriver, any_contains, start_game
from tests.unit.server.room.test_clock_timers import crash


async def times(driver: RoomDriver) -> list[int]:
    """When everything in the log happened, the turns of the game included."""
    told = []
    for entry in await driver.store.read("kitchen"):
        inside = [at for e in getattr(entry.what, "events", ()) if (at := getattr(e, "at", None))]
        told += [*inside, entry.at]
    return told


def runs_back(told: list[int]) -> bool:
    return any(one > other for one, other in pairwise(told))


async def used(driver: RoomDriver) -> list[int]:
    game = (await driver.table()).game
    assert game is not None
    return [player.used for player in game.players]


async def test_a_clock_set_back_goes_on_from_the_newest_entry() -> None:
    driver = await start_game("ann", "bob", clock=60)
    driver.now += 10_000
    await driver.type("ann", "/pass")
    assert await used(driver) == [11_000, 0]
    room, at = await driver.room(), driver.now
    driver.now -= 30_000
    assert room.now() == at
    for name in ("bob", "ann", "bob"):
        await driver.type(name, "/pass")
    assert await used(driver) == [12_000, 2_000]
    assert not runs_back(await times(driver))


@pytest.mark.parametrize("jump", [7_200_000, -7_200_000])
async def test_a_jump_of_the_server_s_time_counts_for_nobody(jump: int) -> None:
    driver = await start_game("ann", "bob", clock=60)
    driver.now += 10_000
    room = await driver.room()
    driver.now += jump
    room.excuse(jump)
    await driver.type("ann", "/pass")  # a second later, and before the jump is in the log
    await asyncio.sleep(0.05)
    assert await used(driver) == [10_000, 0]
    assert any_contains(driver.clients["bob"].received, "nobody loses time by it")
    assert any_contains(driver.clients["bob"].received, "the clock runs again")
    driver.now += 4_000
    await driver.type("bob", "/pass")
    assert await used(driver) == [10_000, 5_000]
    assert not runs_back(await times(driver))
    await driver.restart_and_resume()
    assert await used(driver) == [10_000, 5_000]


async def test_a_turn_of_a_table_without_a_clock_begins_again_after_a_jump() -> None:
    driver = await start_game("ann", "bob")
    room = await driver.room()
    driver.now += 7_200_000
    room.excuse(7_200_000)
    await asyncio.sleep(0.05)
    await driver.type("ann", "/pass")
    assert await used(driver) == [1_000, 0]


async def test_a_jump_while_nothing_can_be_stored_waits_for_the_store() -> None:
    store = FlakyStore()
    driver = await start_game("ann", "bob", store=store, clock=60)
    driver.now += 10_000
    store.write_error = Unavailable("no space left")
    driver.now += 30_000
    (await driver.room()).excuse(30_000)
    await asyncio.sleep(0.05)
    store.write_error = None
    await driver.type("ann", "/pass")
    await asyncio.sleep(0.05)
    assert await used(driver) == [10_000, 0]


async def test_a_room_that_comes_from_a_machine_whose_clock_is_ahead() -> None:
    driver = await start_game("ann", "bob", clock=60)
    await driver.type("ann", "/pass")
    crash(driver)
    driver.now -= 3_600_000
    behind = driver.now
    await driver.reconnect("bob")
    await driver.reconnect("ann")
    for name in ("bob", "ann"):
        await driver.type(name, "/pass")
    assert await used(driver) == [2_000, 1_000]
    assert not runs_back(await times(driver))
    assert driver.now < behind + 10_000
    driver.lobby = Lobby(driver.store, driver.sources)
    assert (await driver.room()).now() == (await times(driver))[-1]


async def test_what_is_said_slowly_and_offered_keeps_to_that_time() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/set slow 10")
    await driver.type("bob", "/adjourn")
    offer = (await driver.table()).offer
    assert offer is not None
    driver.now -= 7_200_000
    assert not runs_back(await times(driver))
    await driver.type("ann", "/decline")
    await driver.type("bob", "oh")
    assert not runs_back(await times(driver))
