"""Time at the table: flags fall, acceptance ends, and nobody pays while the server is away."""

import asyncio
from typing import Any

import pytest

from crossroom_engine.game.game import Game
from crossroom_engine.game.views import view
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.clock_tasks import RETURN_GRACE_S
from crossroom_server.room.timers import RETRY_S
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.fake_bots import phony_line
from tests.support.room_driver import SHIPPED_LEXICA, RoomDriver, any_contains, start_game
from tests.support.virtual_time import autojump


async def timed(*names: str, pace: float = 1.0, **settings: Any) -> RoomDriver:
    """A game in which the server's clock runs."""
    driver = await start_game(*names, **settings)
    driver.pace = pace
    await driver.type(names[0], "/pass")
    for client in driver.clients.values():
        client.take_received()
    return driver


async def game_of(driver: RoomDriver) -> Game:
    game = (await driver.table()).game
    assert game is not None
    return game


async def awaiting(*names: str, **settings: Any) -> RoomDriver:
    """A game in which somebody has just gone out, and the others may challenge."""
    short: dict[str, Any] = {"tiles": "english-short", "rack": 9, "scoreless_limit": 99}
    driver = await start_game(*names, **short, **settings)
    driver.pace = 1.0
    game = await game_of(driver)
    while game.phase == "playing":
        line = phony_line(view(game, game.on_turn), game.rules, SHIPPED_LEXICA.get("english"))
        assert line is not None
        await driver.type(game.players[game.on_turn].name, line)
        game = await game_of(driver)
    for client in driver.clients.values():
        client.take_received()
    return driver


@autojump
async def test_a_flag_falls_when_nobody_does_anything() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=30)
    await asyncio.sleep(89)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(2)
    assert any_contains(driver.clients["ann"].received, "bob is out of time and loses")
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_with_three_the_others_play_on() -> None:
    driver = await timed("ann", "bob", "cat", clock=60, overtime=30)
    await asyncio.sleep(91)
    game = await game_of(driver)
    assert (game.active, game.on_turn, game.phase) == ((0, 2), 2, "playing")
    await asyncio.sleep(91)
    assert (await game_of(driver)).phase == "over"
    assert any_contains(driver.clients["bob"].received[-3:], "; ann wins")


@autojump
async def test_a_move_in_time_sets_the_next_alarm() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    for name in ("bob", "ann") * 2:
        await asyncio.sleep(25)
        await driver.type(name, "/pass")
    await asyncio.sleep(6)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(4)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_without_a_clock_nothing_happens_by_itself() -> None:
    driver = await timed("ann", "bob")
    seq = (await driver.table()).seq
    await asyncio.sleep(1_000_000)
    assert (await driver.table()).seq == seq


@pytest.mark.parametrize("pace", [0.99, 1.01])
@autojump
async def test_clocks_that_drift_apart_do_not_stop_the_alarm(pace: float) -> None:
    driver = await timed("ann", "bob", pace=pace, clock=6000, overtime=0)
    await asyncio.sleep(6000 / min(pace, 1) + 1)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_a_clock_set_back_only_delays_the_alarm() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    driver.now -= 100_000
    await asyncio.sleep(100)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(25)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_a_clock_set_ahead_takes_effect_with_the_next_thing_done() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    driver.now += 100_000
    heard = await driver.type("bob", "/pass")
    assert "bob is out of time" in heard[0]


@autojump
async def test_an_alarm_that_could_not_be_heeded_rings_again() -> None:
    class FullStore(MemoryStore):
        async def append(self, *args: object) -> None:
            raise Unavailable("the disk is full")

    driver = await timed("ann", "bob", clock=60, overtime=0)
    room, store = await driver.room(), driver.store
    room._log.store = FullStore()
    await asyncio.sleep(70)
    assert (await game_of(driver)).phase == "playing"
    room._log.store = store
    await asyncio.sleep(RETRY_S + 1)
    assert (await game_of(driver)).phase == "over"


# The last word.


@autojump
async def test_who_says_nothing_accepts() -> None:
    driver = await awaiting("ann", "bob", acceptance=20)
    await asyncio.sleep(18)
    assert (await game_of(driver)).phase == "last_word"
    await asyncio.sleep(3)
    assert (await game_of(driver)).phase == "over"
    assert "did not challenge in time" in driver.clients["ann"].received[0]


@autojump
async def test_after_a_challenge_the_time_to_accept_is_forgotten() -> None:
    driver = await awaiting("ann", "bob", "cat", acceptance=20)
    game = await game_of(driver)
    name = game.players[game.awaited[0]].name
    await asyncio.sleep(10)
    await driver.type(name, "/challenge")
    await asyncio.sleep(60)
    assert (await game_of(driver)).phase == "playing"
    assert not [line for line in driver.clients[name].received if "in time" in line]


@autojump
async def test_the_last_word_is_awaited_again_after_a_restart_until_all_are_back() -> None:
    driver = await awaiting("ann", "bob", "cat", acceptance=20)
    before = await game_of(driver)
    await driver.restart_server()
    await asyncio.sleep(3600)
    for name in ("ann", "bob"):
        await driver.reconnect(name)
        await asyncio.sleep(RETURN_GRACE_S / 3)
        game = await game_of(driver)
        assert (game.phase, game.since, game.awaited) == ("last_word", None, before.awaited)
    await driver.reconnect("cat")
    assert "the clock runs again; waiting for" in driver.clients["ann"].received[-1]
    await asyncio.sleep(19)
    assert (await game_of(driver)).phase == "last_word"
    await asyncio.sleep(2)
    game = await game_of(driver)
    assert game.phase == "over"
    assert [p.name for p in game.players] == [p.name for p in before.players]


@autojump
async def test_who_does_not_come_back_is_not_awaited_for_ever() -> None:
    driver = await awaiting("ann", "bob", acceptance=20)
    await driver.restart_server()
    await asyncio.sleep(3600)
    await driver.reconnect("ann")
    await asyncio.sleep(RETURN_GRACE_S - 1)
    assert (await game_of(driver)).since is None
    await asyncio.sleep(2)
    assert (await game_of(driver)).since is not None
    await asyncio.sleep(20)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_a_challenge_may_come_before_all_are_back() -> None:
    driver = await awaiting("ann", "bob", acceptance=20)
    game = await game_of(driver)
    name = game.players[game.awaited[0]].name
    await driver.restart_server()
    await driver.reconnect(name)
    heard = await driver.type(name, "/challenge")
    assert any_contains(heard, "takes it back")
    assert (await game_of(driver)).phase == "playing"


# The server is away.


def crash(driver: RoomDriver) -> None:
    """The server is no more, without another word."""
    for room, task in driver.lobby._rooms.values():
        room._clock.close()
        room._inactivity.close()
        task.cancel()
    driver.lobby = Lobby(driver.store, driver.sources)


@autojump
async def test_nobody_pays_for_the_time_the_server_was_away() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    await asyncio.sleep(10)
    await driver.restart_server()
    await asyncio.sleep(3600)
    await driver.reconnect("bob")
    await asyncio.sleep(10)
    await driver.reconnect("ann")
    used = (await game_of(driver)).players[1].used
    assert 9_000 < used < 13_000
    await asyncio.sleep(45)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(10)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_after_a_crash_time_is_paid_up_to_the_last_line_of_the_log() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    await asyncio.sleep(20)
    await driver.type("ann", "are you asleep?")
    await asyncio.sleep(20)
    crash(driver)
    await asyncio.sleep(3600)
    await driver.reconnect("ann")
    await driver.reconnect("bob")
    assert 19_000 < (await game_of(driver)).players[1].used < 23_000


@autojump
async def test_a_watcher_who_comes_back_is_nobody_to_wait_with() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    await driver.join("eve")
    await driver.restart_server()
    await driver.reconnect("eve")
    await asyncio.sleep(3600)
    game = await game_of(driver)
    assert (game.phase, game.since) == ("playing", None)


@autojump
async def test_who_has_resigned_is_not_waited_for() -> None:
    driver = await timed("ann", "bob", "cat", clock=60, overtime=0)
    await driver.type("cat", "/resign yes")
    await driver.restart_server()
    await driver.reconnect("ann")
    await driver.reconnect("bob")
    assert (await game_of(driver)).since is not None


@autojump
async def test_the_next_game_does_not_inherit_an_alarm() -> None:
    driver = await timed("ann", "bob", clock=60, overtime=0)
    await asyncio.sleep(50)
    await driver.type("ann", "/resign yes")
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    await asyncio.sleep(50)
    game = await game_of(driver)
    assert (game.phase, [player.used for player in game.players]) == ("playing", [0, 0])
