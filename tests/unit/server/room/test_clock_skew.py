"""The time of a room never goes back, whatever the clock of the machine does."""

from itertools import pairwise

from crossroom_server.lobby.lobby import Lobby
from tests.support.room_driver import RoomDriver, start_game
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


async def test_a_clock_set_back_stands_still_until_it_has_caught_up() -> None:
    driver = await start_game("ann", "bob", clock=60)
    driver.now += 10_000
    await driver.type("ann", "/pass")
    assert await used(driver) == [11_000, 0]
    room, at = await driver.room(), driver.now
    driver.now -= 30_000
    assert room.now() == at
    for name in ("bob", "ann", "bob"):
        await driver.type(name, "/pass")
    assert await used(driver) == [11_000, 0]
    driver.now = at + 5_000
    await driver.type("ann", "/pass")
    assert await used(driver) == [17_000, 0]
    assert not runs_back(await times(driver))


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
    assert await used(driver) == [1_000, 0]
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
