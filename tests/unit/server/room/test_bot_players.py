"""Bots at a table: they sit, play, challenge and accept, come and go."""

import asyncio
from collections.abc import Sequence

import pytest

from crossroom_engine.bots import LEVELS
from crossroom_engine.core.events import Played
from crossroom_engine.core.moves import Challenge, Pass
from crossroom_engine.game.views import view
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.room import bot_players
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.bot_matches import (
    game_of,
    install_level,
    record_of,
    remove_pauses,
    start_bot_game,
    wait_for_turn,
)
from tests.support.fake_bots import phony_line
from tests.support.room_driver import SHIPPED_LEXICA, open_room
from tests.support.virtual_time import until


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_pauses(monkeypatch)


async def test_a_bot_plays_when_it_is_its_turn() -> None:
    driver = await start_bot_game("greedy")
    await driver.type("ann", "/pass")
    await wait_for_turn(driver, 3)
    (played,) = (event for event in record_of(driver) if isinstance(event, Played))
    assert played.seat == 1
    assert all(word in SHIPPED_LEXICA.get("english") for word in played.words)
    await driver.lobby.close()


async def test_bots_play_a_whole_game_by_themselves() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/set tiles english-short")
    await driver.type("ann", "/watch")
    await driver.type("ann", "/bot add novice")
    await driver.type("ann", "/bot add greedy")
    await until(lambda: game_of(driver).phase == "over", seconds=60)
    lines = await driver.type("ann", "/export gcg")
    report = check_record(
        read_gcg("".join(line[2:] + "\n" for line in lines)), SHIPPED_LEXICA.get("english")
    )
    assert (report.findings, report.complete) == ((), True)
    await asyncio.sleep(0.05)
    assert (await driver.table()).games == 1
    await driver.lobby.close()


async def test_a_bot_challenges_what_is_no_word() -> None:
    driver = await start_bot_game("greedy")
    game = game_of(driver)
    line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
    assert line is not None
    await driver.type("ann", line)
    await until(lambda: any("challenges" in line for line in driver.clients["ann"].received))
    await wait_for_turn(driver, 3)
    assert game_of(driver).players[0].score == 0
    await driver.lobby.close()


async def test_a_bot_lets_the_last_play_stand() -> None:
    driver = await start_bot_game("novice", tiles="english-short", rack=9, challenge="free")
    game = game_of(driver)
    while game.phase != "over":
        if game.phase == "playing" and game.on_turn == 0:
            line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
            await driver.type("ann", line or "/pass")
        elif 0 in game.awaited:
            await driver.type("ann", "/accept")
        else:
            await asyncio.sleep(0.005)
        game = game_of(driver)
    assert game.ended is not None
    assert game.ended.why == "out"
    await driver.lobby.close()


async def test_a_bot_sees_what_its_seat_may_see(monkeypatch: pytest.MonkeyPatch) -> None:
    brain = install_level(monkeypatch, lambda seen: Pass() if seen.on_turn == seen.seat else None)
    driver = await start_bot_game("brain")
    await driver.type("ann", "/pass")
    await wait_for_turn(driver, 3)
    for seen in brain.seen:
        assert seen.seat == 1
        assert seen.players[0].rack is None
        assert seen.rack == game_of(driver).players[1].rack
    await driver.lobby.close()


async def test_a_store_in_trouble_neither_freezes_a_bot_nor_spoils_its_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver = await start_bot_game("greedy")
    append, failures = MemoryStore.append, iter([Unavailable("the disk is full")] * 4)

    async def failing(
        self: MemoryStore,
        room: str,
        after: int,
        entries: Sequence[LogEntry],
        over: Sequence[FinishedGame] = (),
    ) -> None:
        what = entries[0].what
        if isinstance(what, Moved) and what.seat == 1 and (failure := next(failures, None)):
            raise failure
        await append(self, room, after, entries, over)

    monkeypatch.setattr(MemoryStore, "append", failing)
    await driver.type("ann", "/pass")
    await wait_for_turn(driver, 3)
    assert next(failures, None) is None
    assert any(
        "* " in line and "greedy-bot " in line and " → " in line
        for line in driver.clients["ann"].received
    )
    await driver.lobby.close()


# After a restart.


async def test_a_bot_on_turn_goes_on_when_somebody_comes() -> None:
    driver = await start_bot_game("greedy")
    await driver.type("ann", "/pass")
    await driver.restart_server()
    await driver.reconnect("ann")
    await wait_for_turn(driver, 3)
    await driver.lobby.close()


async def test_a_bot_does_not_start_the_clock_of_people_who_are_away() -> None:
    driver = await start_bot_game("greedy", people=("ann", "bob"), clock=60)
    await driver.type("ann", "/pass")
    await driver.type("bob", "/pass")
    await driver.restart_server()
    await driver.reconnect("ann")
    await asyncio.sleep(0.1)
    assert (game_of(driver).turn, game_of(driver).since) == (3, None)
    await driver.reconnect("bob")
    await wait_for_turn(driver, 4)
    await driver.lobby.close()


async def test_a_bot_of_a_level_that_is_no_more_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = await start_bot_game("greedy")
    await driver.type("ann", "/pass")
    await driver.restart_server()
    monkeypatch.setattr(bot_players, "LEVELS", {"novice": LEVELS["novice"]})
    await driver.reconnect("ann")
    await wait_for_turn(driver, 3)
    await driver.lobby.close()


# Coming and going.


async def test_bots_have_names_of_their_own() -> None:
    driver = await open_room("ann")
    with pytest.raises(Refusal, match="could be taken for the server or a bot"):
        await driver.join("novice-bot")
    for _ in range(3):
        await driver.type("ann", "/bot add novice")
    names = [chair.name for chair in (await driver.table()).seats]
    assert names == ["ann", "novice-bot", "novice-bot-2", "novice-bot-3"]
    assert (await driver.type("ann", "/bot add"))[0].startswith("! ROOM_FULL bot: ")
    assert "leaves seat 3" in (await driver.type("ann", "/bot remove Novice-Bot-2"))[0]
    (answer,) = await driver.type("ann", "/bot remove ann")
    assert answer == "! BAD_ARGS bot: no bot here is called 'ann'; /seats shows them"
    (answer,) = await driver.type("ann", "/bot add wizard")
    assert answer.startswith("! BAD_ARGS bot: there is no level 'wizard'; there are: novice, ")


async def test_in_a_game_bots_stay() -> None:
    driver = await start_bot_game("greedy")
    (answer,) = await driver.type("ann", "/bot remove greedy-bot")
    assert answer.startswith("! GAME_ON bot: seats are kept until the game is over")
    await driver.lobby.close()


@pytest.mark.parametrize(
    ("people", "plays", "is_long"),
    [(("ann",), True, False), (("ann", "bob"), True, True), (("ann", "bob"), False, False)],
)
async def test_a_bot_leaves_people_time_to_challenge(
    people: Sequence[str], plays: bool, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_players, "CHALLENGE_DELAY_S", 8.0)
    driver = await start_bot_game("novice", people=people)
    game = game_of(driver)
    line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
    assert line is not None
    await driver.type("ann", line if plays else "/pass")
    assert bot_players._move_delay(game_of(driver), await driver.table()) == (
        8.0 if is_long else 0.01
    )
    await driver.lobby.close()


async def test_who_has_resigned_needs_no_time_to_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "CHALLENGE_DELAY_S", 8.0)
    driver = await start_bot_game("novice", people=("ann", "bob"))
    await driver.type("bob", "/resign yes")
    line = phony_line(
        view(game_of(driver), 0), game_of(driver).rules, SHIPPED_LEXICA.get("english")
    )
    assert line is not None
    await driver.type("ann", line)
    assert bot_players._move_delay(game_of(driver), await driver.table()) == 0.01
    await driver.lobby.close()


async def test_a_bot_challenges_without_waiting_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_players, "CHALLENGE_DELAY_S", 60.0)
    install_level(monkeypatch, lambda seen: Challenge() if "challenge" in seen.options else None)
    driver = await start_bot_game("brain", people=("ann", "bob"))
    game = game_of(driver)
    line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
    assert line is not None
    await driver.type("ann", line)
    await until(
        lambda: any("brain-bot challenges" in line for line in driver.clients["bob"].received)
    )
    await driver.lobby.close()


async def test_people_are_told_once_that_a_bot_has_little_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_level(monkeypatch, lambda seen: Pass() if seen.on_turn == seen.seat else None)
    monkeypatch.setattr(WorkerPool, "share", lambda _, seconds: seconds / 4)
    driver = await start_bot_game("brain")
    for turn in (3, 5):
        await driver.type("ann", "/pass")
        await wait_for_turn(driver, turn)
    told = [line for line in driver.clients["ann"].received if "many bots" in line]
    assert told == [
        "- many bots are thinking on this server: brain-bot takes 1.2 s for a move now, not 5 s"
    ]
    await driver.lobby.close()


async def test_a_bot_with_all_its_time_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    install_level(monkeypatch, lambda seen: Pass() if seen.on_turn == seen.seat else None)
    driver = await start_bot_game("brain")
    await driver.type("ann", "/pass")
    await wait_for_turn(driver, 3)
    assert not any("many bots" in line for line in driver.clients["ann"].received)
    await driver.lobby.close()
