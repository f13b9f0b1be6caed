"""A bot that plays for somebody who stays away, and one that waits for an answer."""

import asyncio

import pytest

from crossroom_engine.core.moves import Pass
from crossroom_server.room import inactivity
from crossroom_server.room.inactivity import absentee
from tests.support.bot_matches import game_of, install_level, remove_pauses
from tests.support.room_driver import RoomDriver, any_contains, start_game
from tests.support.virtual_time import until


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_pauses(monkeypatch)
    monkeypatch.setattr(inactivity, "ABSENCE_GRACE_S", 0.01)


async def replaced(driver: RoomDriver, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody leaves, and the time to wait for them is over."""
    room = await driver.room()
    await driver.disconnect(name)
    await room._post_decision(room._inactivity._give_up)
    assert absentee(room.table, room._audience.members) is None


async def test_it_plays_until_the_player_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = await start_game("ann", "bob", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    assert any_contains(
        driver.clients["bob"].received, "ann stays away; until they are back, a bot plays"
    )
    await until(lambda: game_of(driver).turn == 2)
    seats = await driver.type("bob", "/seats")
    assert "ann, away, a bot plays for them, level regular" in seats[0]
    await driver.reconnect("ann")
    assert any_contains(driver.clients["ann"].received, "ann plays again, in place of the bot")
    await driver.type("bob", "/pass")
    await asyncio.sleep(0.05)
    assert game_of(driver).turn == 3
    await driver.lobby.close()


async def test_its_thought_is_forgotten_when_the_player_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_level(monkeypatch, lambda seen: Pass())
    monkeypatch.setattr(inactivity, "STAND_IN_LEVEL", "brain")
    monkeypatch.setattr("crossroom_server.room.bot_players.MOVE_DELAY_S", 0.2)
    driver = await start_game("ann", "bob", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    await asyncio.sleep(0.05)
    await driver.reconnect("ann")
    await asyncio.sleep(0.3)
    assert game_of(driver).turn == 1
    await driver.lobby.close()


async def test_a_move_that_comes_too_late_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossroom_server.room.bot_players.MOVE_DELAY_S", 1.0)
    driver = await start_game("ann", "bob", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    await driver.reconnect("ann")
    room = await driver.room()
    await room._move_bot(room.table.seats[0].member, game_of(driver).version, Pass())
    assert game_of(driver).turn == 1
    await driver.lobby.close()


async def test_who_leaves_again_in_the_same_turn_is_replaced_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crossroom_server.room.bot_players.MOVE_DELAY_S", 0.2)
    driver = await start_game("ann", "bob", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    await driver.reconnect("ann")
    await asyncio.sleep(0.5)  # whatever the first bot was up to
    assert game_of(driver).turn == 1
    await replaced(driver, "ann", monkeypatch)
    await until(lambda: game_of(driver).turn == 2)
    await driver.lobby.close()


async def test_it_plays_on_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossroom_server.room.bot_players.MOVE_DELAY_S", 1.0)
    driver = await start_game("ann", "bob", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    await driver.restart_server()
    monkeypatch.setattr("crossroom_server.room.bot_players.MOVE_DELAY_S", 0.01)
    await driver.reconnect("bob")
    await until(lambda: game_of(driver).turn == 2)
    await driver.lobby.close()


async def test_it_is_gone_when_the_game_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = await start_game("ann", "bob", "cat", absence="bot")
    await replaced(driver, "ann", monkeypatch)
    await driver.type("bob", "/abort")
    await driver.type("cat", "/agree")
    table = await driver.table()
    assert table.playing is None
    assert all(chair.bot_level is None for chair in table.seats)
    await driver.lobby.close()


async def test_bots_wait_while_a_turn_may_be_taken_back() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/abort")
    await driver.type("bob", "/agree")
    await driver.type("ann", "/bot add greedy")
    await driver.type("ann", "/set challenge void")
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    await driver.type("ann", "/pass")
    await driver.type("bob", "/pass")
    await driver.type("bob", "/undo")
    turn = game_of(driver).turn
    await asyncio.sleep(0.1)
    assert game_of(driver).turn == turn
    await driver.type("ann", "/decline")
    await until(lambda: game_of(driver).turn > turn)
    await driver.lobby.close()
