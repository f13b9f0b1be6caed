"""Brains of bots that fail, are slow or late: the table goes on."""

import asyncio
import threading
import time

import pytest

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.events import Exchanged, Played
from crossroom_engine.core.moves import Exchange, Move, Pass, Place
from crossroom_engine.game.views import View, view
from crossroom_server.room import bot_players, worker_pool
from tests.support.bot_matches import (
    Choose,
    ScriptedLevel,
    game_of,
    install_level,
    raise_error,
    record_of,
    remove_pauses,
    start_bot_game,
    wait_for_turn,
)
from tests.support.fake_bots import phony_line
from tests.support.room_driver import SHIPPED_LEXICA, FlakyStore
from tests.support.virtual_time import until


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_pauses(monkeypatch)


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The brain that stands in for one that fails, fails as well."""
    monkeypatch.setattr(bot_players, "FALLBACK_LEVEL", ScriptedLevel(raise_error))


FOOLS: dict[str, Choose] = {
    "raises": raise_error,
    "plays what it has not": lambda seen: Place(Spot.parse("8H"), "QZQZQZ"),
    "plays nowhere": lambda seen: Place(Spot(40, 40, across=True), "AT"),
    "exchanges what it has not": lambda seen: Exchange(("Q", "Q", "Q")),
    "says something else": lambda seen: "good evening",
    "says nothing": lambda seen: None,
}


@pytest.mark.parametrize("fool", FOOLS)
async def test_a_brain_that_fails_is_replaced_for_this_move(
    fool: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    brain = install_level(monkeypatch, FOOLS[fool])
    driver = await start_bot_game("brain")
    for number in (1, 3):
        await wait_for_turn(driver, number)
        await driver.type("ann", "/pass")
    await wait_for_turn(driver, 5)
    assert [event.seat for event in record_of(driver) if isinstance(event, Played)] == [1, 1]
    assert len(brain.seen) >= 2
    assert caplog.records
    await driver.lobby.close()


@pytest.mark.usefixtures("no_fallback")
@pytest.mark.parametrize("fool", FOOLS)
async def test_if_both_brains_fail_that_costs_the_seat_one_turn(
    fool: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    brain = install_level(monkeypatch, FOOLS[fool])
    driver = await start_bot_game("brain")
    for number in (1, 3, 5):
        await wait_for_turn(driver, number)
        await driver.type("ann", "/pass")
    await until(lambda: game_of(driver).phase == "over")
    passed = [line for line in driver.clients["ann"].received if "brain-bot passes" in line]
    assert len(passed) == 3
    assert len(brain.seen) >= 3
    assert "ZeroDivisionError" in caplog.text
    await driver.lobby.close()


@pytest.mark.usefixtures("no_fallback")
async def test_brains_that_fail_let_the_last_play_stand(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install_level(monkeypatch, raise_error)
    driver = await start_bot_game("brain", tiles="english-short", rack=9, scoreless_limit=99)
    game = game_of(driver)
    while game.phase != "over":
        if game.phase == "playing" and game.on_turn == 0:
            line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
            await driver.type("ann", line or "/pass")
        await asyncio.sleep(0.005)
        game = game_of(driver)
    assert "brain-bot accepts" in " ".join(driver.clients["ann"].received)
    await driver.lobby.close()


async def test_a_brain_that_is_too_slow_is_replaced_for_this_move(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(worker_pool, "STOP_GRACE_S", 0.1)
    monkeypatch.setattr(
        bot_players, "FALLBACK_LEVEL", ScriptedLevel(lambda seen: Exchange(seen.rack[:1]))
    )
    gate = threading.Event()
    brain = install_level(monkeypatch, lambda seen: gate.wait(5) and Pass(), budget_s=0.1)
    driver = await start_bot_game("brain")
    driver.lobby._thinkers._slots = asyncio.Semaphore(1)
    for number in (1, 3):
        await wait_for_turn(driver, number)
        await driver.type("ann", "/pass")
    await wait_for_turn(driver, 5)
    assert [event.seat for event in record_of(driver) if isinstance(event, Exchanged)] == [1, 1]
    assert len(brain.seen) == 2
    assert caplog.text.count("brain: a bot found no move: no answer within 0.2 s") == 2
    gate.set()
    await driver.lobby.close()
    assert not thoughts()


async def test_a_brain_hears_when_its_budget_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    brain: ScriptedLevel = install_level(
        monkeypatch, lambda seen: patient(brain, Exchange(seen.rack[:1])), budget_s=0.1
    )
    driver = await start_bot_game("brain")
    await driver.type("ann", "/pass")
    await wait_for_turn(driver, 3)
    assert any("brain-bot exchanges 1 tile" in line for line in driver.clients["ann"].received)
    await driver.lobby.close()


@pytest.mark.parametrize("what", ["resigns", "closes"])
async def test_a_brain_hears_when_nobody_waits_for_it_any_more(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain: ScriptedLevel = install_level(
        monkeypatch, lambda seen: patient(brain, Pass()), budget_s=60.0
    )
    driver = await start_bot_game("brain", people=("ann", "bob"))
    for name in ("ann", "bob"):
        await driver.type(name, "/pass")
    await until(lambda: bool(brain.seen))
    assert thoughts()
    begun = time.monotonic()
    if what == "resigns":
        await driver.type("ann", "/resign yes")
        await driver.type("bob", "/resign yes")
        await until(lambda: not thoughts())
    await driver.lobby.close()
    assert not thoughts()
    assert time.monotonic() - begun < 30, "far less than the thought would have taken"


async def test_the_pause_for_people_is_time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(bot_players, "MOVE_DELAY_S", 0.6)
    brain = install_level(monkeypatch, lambda seen: gate.wait(60) and Pass())
    driver = await start_bot_game("brain")
    now = asyncio.get_running_loop().time
    begun = now()
    await driver.type("ann", "/pass")
    await until(lambda: bool(brain.seen))
    await asyncio.sleep(0.3)
    gate.set()
    await wait_for_turn(driver, 3)
    assert 0.6 <= now() - begun < 0.3 + 0.6
    await driver.lobby.close()


def patient(brain: ScriptedLevel, move: Move) -> Move:
    """Thinks for as long as it may."""
    while not brain.is_over():
        time.sleep(0.01)
    return move


def thoughts() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "thinking"]


# Late results.


async def test_a_move_for_a_game_that_has_gone_on_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, slow = threading.Event(), threading.Event()

    def choose(seen: View) -> Move | None:
        if seen.on_turn != seen.seat:
            return None
        if not slow.is_set():
            slow.set()
            gate.wait(5)
            return Exchange(seen.rack[:1])
        return Pass()

    install_level(monkeypatch, choose)
    driver = await start_bot_game("brain", people=("ann", "bob", "cat"))
    for name in ("ann", "bob", "cat"):
        await driver.type(name, "/pass")
    await asyncio.to_thread(slow.wait, 5)
    await driver.type("bob", "/resign yes")
    await wait_for_turn(driver, 5)
    gate.set()
    await asyncio.sleep(0.05)
    heard = driver.clients["ann"].received
    assert [line for line in heard if "brain-bot passes" in line]
    assert not [line for line in heard if "brain-bot exchanges" in line]
    await driver.lobby.close()


async def test_a_move_that_waits_while_the_game_goes_on_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = FlakyStore()
    install_level(
        monkeypatch, lambda seen: Exchange(seen.rack[:1]) if seen.on_turn == seen.seat else None
    )
    driver = await start_bot_game("brain", people=("ann", "bob", "cat"), store=store)
    for name in ("ann", "bob"):
        await driver.type(name, "/pass")
    bot = (await driver.table()).seats[3].member
    store.open.clear()
    passing = asyncio.create_task(driver.type("cat", "/pass"))
    await asyncio.sleep(0.01)
    early = asyncio.create_task(
        (await driver.room())._move_bot(bot, game_of(driver).version, Pass())
    )
    await asyncio.sleep(0.01)
    store.open.set()
    await asyncio.gather(passing, early)
    await wait_for_turn(driver, 5)
    assert not [line for line in driver.clients["ann"].received if "brain-bot passes" in line]
    await driver.lobby.close()


async def test_talk_does_not_make_a_bot_think_again(monkeypatch: pytest.MonkeyPatch) -> None:
    brain = install_level(monkeypatch, lambda seen: None)
    driver = await start_bot_game("brain", people=("ann", "bob"))
    game = game_of(driver)
    line = phony_line(view(game, 0), game.rules, SHIPPED_LEXICA.get("english"))
    assert line is not None
    await driver.type("ann", line)
    await until(lambda: bool(brain.seen))
    for _ in range(5):
        await driver.type("ann", "and?")
        await asyncio.sleep(0.02)
    assert len(brain.seen) == 1
    await driver.lobby.close()
