"""What a room refuses, in the words that people read."""

import pytest

from crossroom_protocol.notices import ReaderSettings
from tests.support.room_driver import any_contains, open_room, start_game


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("ann", "/exchange", "! BAD_ARGS exchange: which tiles? Write /exchange ABC"),
        ("ann", "/resign", "! NOT_CONFIRMED resign: that gives up this game; /resign yes"),
        ("bob", "/resign", "! NOT_CONFIRMED resign: that gives up this game; /resign yes"),
    ],
)
async def test_a_slip_of_the_keyboard_costs_no_turn_and_no_game(
    name: str, line: str, told: str
) -> None:
    driver = await start_game("ann", "bob")
    assert any_contains(await driver.type(name, line), told)
    game = (await driver.table()).playing
    assert game is not None
    assert game.turn == 1


@pytest.mark.parametrize("line", ["/undo", "/adjourn"])
async def test_an_adjourned_game_knows_no_offer_but_to_end_it(line: str) -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/adjourn")
    await driver.type("bob", "/agree")
    told = "! ADJOURNED {do}: the game is adjourned; it goes on when all say /ready"
    assert any_contains(await driver.type("ann", line), told.format(do=line[1:]))
    assert any_contains(await driver.type("ann", "/abort"), "ann asks to end the game")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/unlock", "! BAD_ARGS unlock: the room is not locked"),
        ("/unmute bob", "! BAD_ARGS unmute: bob is not muted"),
        ("/kick ann", "! BAD_ARGS kick: that is you"),
        ("/mute ann", "! BAD_ARGS mute: that is you"),
        ("/set slow 99999", "! BAD_SETTING set: slow is"),
        ("/set slow -1", "! BAD_SETTING set: slow is"),
        ("/set slow x", "! BAD_SETTING set: slow is"),
    ],
)
async def test_an_order_that_makes_no_sense_changes_nothing(line: str, told: str) -> None:
    driver = await open_room("ann", "bob")
    before = (await driver.table()).permissions
    assert any_contains(await driver.type("ann", line), told)
    assert (await driver.table()).permissions == before


async def test_whoever_watches_invites_to_open_rooms_alone() -> None:
    driver = await open_room("ann", "bob")
    eve = await driver.join("eve", ReaderSettings("plain"))
    await driver.type("eve", "/watch")
    assert not any_contains(await driver.type("eve", "/invite"), "!")
    await driver.type("ann", "/lock")
    eve.received.clear()
    assert any_contains(await driver.type("eve", "/invite"), "! NEED_ROLE invite")
