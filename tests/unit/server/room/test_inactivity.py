"""Time at a table where nobody acts: who is gone, what lapses, whose clock runs down."""

import asyncio
from typing import Any

import pytest

from crossroom_server.room.clock_tasks import RETURN_GRACE_S
from crossroom_server.room.inactivity import ABSENCE_GRACE_S
from crossroom_server.room.timers import RETRY_S
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import RoomDriver, any_contains, start_game
from tests.support.virtual_time import autojump
from tests.unit.server.room.test_clock_timers import crash, game_of


async def waiting(*names: str, **settings: Any) -> RoomDriver:
    """A game with a running clock in which the first has just left, on turn."""
    driver = await start_game(*names, **{"absence_after": 30, **settings})
    driver.pace = 1.0
    await driver.disconnect(names[0])
    return driver


@autojump
async def test_who_is_back_soon_is_not_spoken_of() -> None:
    driver = await waiting("ann", "bob", absence="forfeit")
    await asyncio.sleep(ABSENCE_GRACE_S - 1)
    await driver.reconnect("ann")
    await asyncio.sleep(100)
    assert not any_contains(driver.clients["bob"].received, "away")
    assert (await game_of(driver)).phase == "playing"


@autojump
async def test_everybody_is_warned_first_then_the_rule_is_followed() -> None:
    driver = await waiting("ann", "bob", absence="forfeit")
    await asyncio.sleep(ABSENCE_GRACE_S + 1)
    assert "within 0:30, ann loses the game" in driver.clients["bob"].received[-1]
    await asyncio.sleep(28)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(2)
    game = await game_of(driver)
    assert game.ended is not None
    assert game.ended.why == "cancelled"


@autojump
async def test_with_nobody_there_to_wait_nothing_happens() -> None:
    driver = await waiting("ann", "bob", absence="forfeit")
    await driver.disconnect("bob")
    await asyncio.sleep(10_000)
    assert (await game_of(driver)).phase == "playing"
    await driver.reconnect("bob")
    await asyncio.sleep(ABSENCE_GRACE_S + 29)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(2)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_nobody_waits_for_who_is_not_on_turn() -> None:
    driver = await waiting("ann", "bob", "cat", absence="forfeit")
    await driver.reconnect("ann")
    await driver.disconnect("cat")
    await asyncio.sleep(1000)
    assert not any_contains(driver.clients["ann"].received, "away:")
    assert (await game_of(driver)).phase == "playing"


@autojump
async def test_wait_lets_the_others_agree_without_the_one_away() -> None:
    driver = await waiting("ann", "bob")
    await driver.type("bob", "/abort")
    await driver.type("bob", "/decline")
    await asyncio.sleep(ABSENCE_GRACE_S + 61)
    assert any_contains(driver.clients["bob"].received, "/adjourn or /abort does not need them")
    heard = await driver.type("bob", "/abort")
    assert any_contains(heard, "ended by agreement")


@autojump
async def test_an_adjournment_for_want_of_a_player_ends_when_all_are_ready() -> None:
    driver = await waiting("ann", "bob", absence="adjourn", clock=600)
    await asyncio.sleep(ABSENCE_GRACE_S + 31)
    used = (await game_of(driver)).players[0].used
    await driver.reconnect("ann")
    await asyncio.sleep(10 * RETURN_GRACE_S)
    assert (await game_of(driver)).adjourned
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    game = await game_of(driver)
    assert (game.adjourned, game.players[0].used) == (False, used)


@autojump
async def test_what_could_not_be_stored_is_tried_again() -> None:
    class FullDiskStore(MemoryStore):
        async def append(self, *args: object) -> None:
            raise Unavailable("the disk is full")

    driver = await waiting("ann", "bob", absence="forfeit")
    room, store = await driver.room(), driver.store
    room._log.store = FullDiskStore()
    await asyncio.sleep(ABSENCE_GRACE_S + 31)
    assert (await game_of(driver)).phase == "playing"
    room._log.store = store
    await asyncio.sleep(RETRY_S + 1)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_after_a_crash_waiting_begins_anew() -> None:
    driver = await waiting("ann", "bob", absence="forfeit")
    await asyncio.sleep(ABSENCE_GRACE_S + 20)
    crash(driver)
    await driver.reconnect("bob")
    await asyncio.sleep(20)
    assert (await game_of(driver)).phase == "playing"
    await asyncio.sleep(ABSENCE_GRACE_S + 12)
    assert (await game_of(driver)).phase == "over"


@autojump
async def test_where_a_turn_may_take_days_nobody_is_away() -> None:
    driver = await waiting("ann", "bob", absence="forfeit", turn_limit=86400)
    await asyncio.sleep(3600)
    assert not any_contains(driver.clients["bob"].received, "away")
    assert (await game_of(driver)).phase == "playing"
    assert not any_contains(await driver.type("bob", "/abort"), "ended by agreement")
    await asyncio.sleep(86400)
    assert (await game_of(driver)).phase == "over"


@pytest.mark.parametrize("ends", ["rest", "crash"])
@autojump
async def test_who_was_gone_long_before_a_restart_is_not_asked_after_it(ends: str) -> None:
    driver = await waiting("ann", "bob", absence_after=3600)
    await driver.disconnect("bob")
    if ends == "rest":
        await driver.lobby.unload_idle_rooms(0)
        assert driver.lobby.find("kitchen") is None
    else:
        crash(driver)
    await asyncio.sleep(7200)
    await driver.reconnect("bob")
    await asyncio.sleep(RETURN_GRACE_S - 5)  # ann may be on her way
    assert not any_contains(await driver.type("bob", "/abort"), "ended by agreement")
    await driver.type("bob", "/decline")
    await asyncio.sleep(RETURN_GRACE_S)
    assert any_contains(await driver.type("bob", "/abort"), "ended by agreement")


@autojump
async def test_a_short_restart_does_not_make_anybody_gone() -> None:
    driver = await waiting("ann", "bob", absence_after=3600)
    await asyncio.sleep(1800)
    crash(driver)
    await driver.reconnect("bob")
    await asyncio.sleep(1000)
    assert not any_contains(await driver.type("bob", "/abort"), "ended by agreement")


@autojump
async def test_a_nudge_a_minute() -> None:
    driver = await start_game("ann", "bob", "watcher")
    assert any_contains(
        await driver.type("ann", "/nudge"), "WRONG_PHASE nudge: the game waits for you"
    )
    assert await driver.type("bob", "/nudge") == ["- bob reminds ann"]
    rack = " ".join((await game_of(driver)).players[0].rack)
    assert driver.clients["ann"].received[-2:] == [
        "- bob reminds ann",
        f"? your turn, rack {rack}: /play, /exchange or /pass",
    ]
    assert any_contains(await driver.type("bob", "/nudge"), "SLOW_DOWN")
    await asyncio.sleep(61)
    await driver.disconnect("ann")
    assert await driver.type("bob", "/nudge") == ["- bob reminds ann; ann cannot hear it"]


@autojump
async def test_offers_lapse_by_themselves() -> None:
    driver = await start_game("ann", "bob")
    driver.pace = 1.0
    await driver.type("ann", "/adjourn")
    await asyncio.sleep(61)
    assert any_contains(driver.clients["bob"].received, "was not answered in time")
    assert (await driver.table()).offer is None


@pytest.mark.parametrize("lived", [20, 70])
@autojump
async def test_a_restart_gives_an_offer_its_time_again_if_it_had_any(lived: int) -> None:
    driver = await start_game("ann", "bob", clock=6000)
    await driver.type("ann", "/adjourn")
    driver.now += lived * 1000
    await driver.type("ann", "are you there?")
    crash(driver)
    driver.now += 3_600_000
    driver.pace = 1.0
    await driver.reconnect("bob", 0)
    if lived < 60:
        await driver.type("bob", "/agree")
        assert (await game_of(driver)).adjourned
    else:
        await asyncio.sleep(0.1)
        assert (await driver.table()).offer is None


@autojump
async def test_a_clock_that_runs_down_is_spoken_of_once() -> None:
    driver = await start_game("ann", "bob", clock=120, overtime=90)
    driver.pace = 1.0
    for _ in range(24):
        await asyncio.sleep(5)
        await driver.type("bob", "tick")
        driver.now -= 1000
    await asyncio.sleep(1)
    cost = "each minute begun costs 10 points"
    told = [line for line in driver.clients["ann"].received if line.startswith("- ")]
    assert told == [
        "- one minute left on your clock",
        "- 10 seconds left on your clock",
        f"- the clock of ann has run out: {cost}, and 1:30 more lose the game",
    ]
    assert [line for line in driver.clients["bob"].received if line.startswith("- ")] == told[2:]


@autojump
async def test_what_was_known_when_the_turn_began_is_not_said_again() -> None:
    driver = await start_game("ann", "bob", clock=65, overtime=0)
    driver.pace = 1.0
    await asyncio.sleep(30)
    await driver.type("ann", "/pass")
    await driver.type("bob", "/pass")
    driver.clients["ann"].take_received()
    await asyncio.sleep(20)
    assert driver.clients["ann"].take_received() == []
    await asyncio.sleep(8)
    assert driver.clients["ann"].take_received() == ["- 10 seconds left, then you lose the game"]


class SlowLevel(MemoryStore):
    """Takes its time."""

    delay = 0.0

    async def append(self, room: str, after: int, entries: Any, over: Any = ()) -> None:
        await asyncio.sleep(self.delay)
        await super().append(room, after, entries, over)


@pytest.mark.parametrize(("delay", "counts"), [(0.5, True), (20.0, False)])
@autojump
async def test_6_7_time_counts_from_when_the_table_was_told(delay: float, counts: bool) -> None:
    driver = await start_game("ann", "bob", store=SlowLevel(), clock=60)
    driver.pace = 1.0
    SlowLevel.delay = delay
    await driver.type("ann", "/pass")
    SlowLevel.delay = 0.0
    begun = driver.time() - round(delay * 1000) * counts
    game = await game_of(driver)
    log = await driver.store.read("kitchen")
    assert game.since is not None
    assert abs(game.since - begun) < (100 if counts else delay * 1000 + 100)
    assert any_contains(driver.clients["bob"].received, "the clock runs again") != counts
    assert log[-1].seq == (await driver.table()).seq
