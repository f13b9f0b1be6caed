"""The time of a room never goes back, whatever the clock of the machine does."""

from itertools import pairwise

from crossroom_server.lobby.lobby import Lobby
from tests.support.room_driver import RoomDriver, start_game
from tests.unit.server.room.test_clock_timers import crash


async def times(stage: RoomDriver) -> list[int]:
    """When everything in the log happened, the turns of the game included."""
    told = []
    for entry in await stage.store.read("kitchen"):
        inside = [at for e in getattr(entry.what, "events", ()) if (at := getattr(e, "at", None))]
        told += [*inside, entry.at]
    return told


def runs_back(told: list[int]) -> bool:
    return any(one > other for one, other in pairwise(told))


async def used(stage: RoomDriver) -> list[int]:
    game = (await stage.table()).game
    assert game is not None
    return [player.used for player in game.players]


async def test_a_clock_set_back_stands_still_until_it_has_caught_up() -> None:
    stage = await start_game("ann", "bob", clock=60)
    stage.now += 10_000
    await stage.type("ann", "/pass")
    assert await used(stage) == [11_000, 0]
    room, at = await stage.room(), stage.now
    stage.now -= 30_000
    assert room.now() == at
    for name in ("bob", "ann", "bob"):
        await stage.type(name, "/pass")
    assert await used(stage) == [11_000, 0]
    stage.now = at + 5_000
    await stage.type("ann", "/pass")
    assert await used(stage) == [17_000, 0]
    assert not runs_back(await times(stage))


async def test_a_room_that_comes_from_a_machine_whose_clock_is_ahead() -> None:
    stage = await start_game("ann", "bob", clock=60)
    await stage.type("ann", "/pass")
    crash(stage)
    stage.now -= 3_600_000
    behind = stage.now
    await stage.reconnect("bob")
    await stage.reconnect("ann")
    for name in ("bob", "ann"):
        await stage.type(name, "/pass")
    assert await used(stage) == [1_000, 0]
    assert not runs_back(await times(stage))
    assert stage.now < behind + 10_000
    stage.lobby = Lobby(stage.store, stage.sources)
    assert (await stage.room()).now() == (await times(stage))[-1]


async def test_what_is_said_slowly_and_offered_keeps_to_that_time() -> None:
    stage = await start_game("ann", "bob")
    await stage.type("ann", "/set slow 10")
    await stage.type("bob", "/adjourn")
    offer = (await stage.table()).offer
    assert offer is not None
    stage.now -= 7_200_000
    assert not runs_back(await times(stage))
    await stage.type("ann", "/decline")
    await stage.type("bob", "oh")
    assert not runs_back(await times(stage))
