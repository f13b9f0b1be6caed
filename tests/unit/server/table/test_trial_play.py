"""A play that is only thought of is counted for the thinker alone; what was told is told again."""

import json

import pytest

from crossroom_engine.game.views import view
from crossroom_protocol.notices import ReaderSettings
from tests.support.fake_bots import best_play_line
from tests.support.room_driver import (
    SHIPPED_LEXICA,
    RoomDriver,
    any_contains,
    open_room,
    start_game,
)


async def thought(driver: RoomDriver, name: str) -> str:
    """The best play that somebody could make if it were their turn."""
    game = (await driver.table()).game
    assert game is not None
    seat = [player.name for player in game.players].index(name)
    line = best_play_line(view(game, seat), game.rules, SHIPPED_LEXICA.get("english"))
    assert line is not None
    return line


async def test_a_play_is_counted_as_it_would_be_if_it_were_made() -> None:
    driver = await start_game("ann", "bob", "watcher")
    line = await thought(driver, "ann")
    before = await driver.table()
    (heard,) = await driver.type("ann", line.replace("/play", "/try"))
    assert await driver.table() == before
    assert driver.clients["bob"].received == driver.clients["watcher"].received == []
    spot, word = line.split()[1:3]
    played = (await driver.type("ann", line))[0]
    points = heard.removeprefix(f"- {spot} {word} would score ").partition(":")[0]
    assert f" +{points} → {points}" in played


async def test_it_may_be_thought_of_while_others_think() -> None:
    driver = await start_game("ann", "bob")
    line = await thought(driver, "bob")
    assert any_contains(await driver.type("bob", line.replace("/play", "/try")), "would score")
    assert any_contains(await driver.type("bob", line), "! NOT_YOUR_TURN")


async def test_nobody_tries_with_the_tiles_of_others() -> None:
    driver = await start_game("ann", "bob", "watcher")
    line = (await thought(driver, "ann")).replace("/play", "/try")
    assert any_contains(await driver.type("watcher", line), "! NEED_NAME try")
    game = (await driver.table()).game
    assert game is not None
    lacking = next(tile for tile in "QZJXKV" if tile not in game.players[1].rack)
    assert any_contains(
        await driver.type("bob", f"/try 8H {lacking}{lacking}"), "! NOT_IN_RACK try"
    )
    assert any_contains(await driver.type("bob", "/try 1A AA"), "! BAD_PLAY try")
    assert any_contains(
        await driver.type("bob", f"!{line[1:]}"), "your tiles are not for the whole room"
    )


@pytest.mark.parametrize(("challenge", "tells"), [("double", None), ("void", False)])
async def test_words_are_judged_only_where_nobody_could_challenge(
    challenge: str, tells: bool | None
) -> None:
    """RULES 8.3."""
    driver = await start_game("ann", "bob", challenge=challenge)
    game = (await driver.table()).game
    assert game is not None
    tiles = [tile for tile in game.players[0].rack if tile != "?"]
    phony = "".join(sorted(tiles, key="QXZJVKWFYBHMPGUC".find)[-5:])
    driver.clients["ann"].style = ReaderSettings("json")
    (frame,) = await driver.type("ann", f"/try 8H {phony}")
    assert json.loads(frame)["good"] is tells


async def test_nothing_is_tried_without_a_game() -> None:
    driver = await open_room("ann", "bob")
    assert any_contains(await driver.type("ann", "/try 8H WORD"), "! NO_GAME try")


async def test_who_comes_late_hears_what_was_told_as_they_would_have() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/exchange none")
    await driver.type("ann", "/pass")
    await driver.type("bob", "well")
    told = [line for line in driver.clients["bob"].received if line[0] in "*:"]
    assert await driver.type("bob", "/recall 2") == told[-2:]
    late = await driver.join("watcher")
    late.received.clear()
    heard = await driver.type("watcher", "/recall 1000")
    numbers = [line.split()[1] for line in heard if "#" in line[:4]]
    assert numbers == [f"#{n}" for n in range(1, len(numbers) + 1)]
    assert heard[-2:] == told[-2:]
    assert not any_contains(heard, "you draw")


async def test_a_program_gets_the_entries_and_the_words() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "hello")
    (plain,) = await driver.type("ann", "/recall 1")
    driver.clients["ann"].style = ReaderSettings("json")
    (frame,) = await driver.type("ann", "/recall 1")
    told = json.loads(frame)
    (entry,) = told["entries"]
    assert entry["event"] == {"name": "ann", "text": "hello", "me": False, "kind": "said"}
    assert [plain] == told["plain"] == entry["plain"]
