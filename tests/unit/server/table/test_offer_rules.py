"""Offers between players, decided at a table without a room."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.encoding import tags
from crossroom_protocol.events.offers import Answered, Lapsed, Offered
from crossroom_protocol.events.room import Agreed, Moved, RoomEvent
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table import offer_rules
from crossroom_server.table.offers import OFFER_INTERVAL_MS, OFFER_LIFETIME_MS
from tests.support.room_driver import start_game as playing_room
from tests.support.table_driver import TableDriver, table_in_game


def say(driver: TableDriver, name: str, line: str, *gone: str) -> tuple[RoomEvent, ...]:
    return driver.type(name, line, gone)


def three(**rules: object) -> TableDriver:
    driver = TableDriver("ann", "bob", "cat", first_player="seat", **rules)
    for name in ("ann", "bob", "cat"):
        driver.type(name, "/ready")
    return driver


@pytest.mark.parametrize(("what", "kind"), [("abort", "ended"), ("adjourn", "adjourned")])
def test_it_is_done_when_the_last_one_agrees(what: str, kind: str) -> None:
    driver = three()
    (offered,) = say(driver, "bob", f"/{what}")
    assert isinstance(offered, Offered)
    assert offered.asked == (0, 2)
    assert say(driver, "cat", "/agree") == (Answered(2, "cat", offered.what, True),)
    _, moved = say(driver, "ann", "/agree")
    assert isinstance(moved, Moved)
    assert [event.kind for event in moved.events] == [kind]
    assert driver.table.offer is None


def test_one_who_declines_ends_it() -> None:
    driver = three()
    say(driver, "bob", "/abort")
    say(driver, "cat", "/decline")
    with driver.refuses("NO_OFFER"):
        say(driver, "ann", "/agree")
    assert driver.table.playing is not None


def test_nobody_answers_twice_nor_what_is_their_own() -> None:
    driver = three()
    say(driver, "bob", "/abort")
    say(driver, "cat", "/agree")
    for line in ("/agree", "/decline"):
        with driver.refuses("NO_OFFER", "you have answered"):
            say(driver, "cat", line)
    with driver.refuses("NO_OFFER", "your own"):
        say(driver, "bob", "/agree")
    assert say(driver, "bob", "/decline") == (Lapsed("bob", "abort", early=True),)


def test_two_who_ask_for_the_same_agree() -> None:
    driver = table_in_game()
    say(driver, "ann", "/adjourn")
    assert isinstance(say(driver, "bob", "/adjourn")[0], Answered)
    assert driver.table.playing is not None
    assert driver.table.playing.adjourned


def test_one_offer_at_a_time() -> None:
    driver = table_in_game()
    say(driver, "ann", "/adjourn")
    with driver.refuses("OFFER_OPEN", "ann asks"):
        say(driver, "bob", "/abort")
    with driver.refuses("OFFER_OPEN", "you have asked"):
        say(driver, "ann", "/abort")


def test_an_offer_lasts_a_minute() -> None:
    driver = table_in_game()
    say(driver, "ann", "/abort")
    driver.now += OFFER_LIFETIME_MS - 1
    assert offer_rules.lapse_if_due(driver.table, driver.now) == ()
    driver.now += 1
    with driver.refuses("NO_OFFER"):
        say(driver, "bob", "/agree")
    driver.record(*offer_rules.lapse_if_due(driver.table, driver.now))
    assert driver.table.offer is None


@pytest.mark.parametrize("ending", ["bob /decline", "ann /decline"])
def test_what_nobody_took_up_is_offered_again_after_a_minute(ending: str) -> None:
    driver = table_in_game()
    say(driver, "ann", "/abort")
    say(driver, *ending.split())
    driver.now += OFFER_INTERVAL_MS - 1500
    with driver.refuses("SLOW_DOWN", "in 2 s"):
        say(driver, "ann", "/abort")
    say(driver, "bob", "/abort")
    say(driver, "bob", "/decline")
    say(driver, "ann", "/adjourn")
    say(driver, "ann", "/decline")
    driver.now += 1500
    say(driver, "ann", "/abort")


def test_an_offer_that_was_agreed_to_delays_no_other() -> None:
    driver = table_in_game()
    say(driver, "ann", "/pass")
    say(driver, "ann", "/undo")
    say(driver, "bob", "/agree")
    say(driver, "ann", "/pass")
    say(driver, "ann", "/undo")
    say(driver, "bob", "/agree")
    say(driver, "ann", "/adjourn")
    say(driver, "bob", "/agree")
    say(driver, "ann", "/abort")


def test_bots_and_those_gone_for_long_are_not_asked() -> None:
    driver = TableDriver("ann", "bob")
    driver.add_bot()
    for name in ("ann", "bob"):
        driver.type(name, "/ready")
    offered, moved = say(driver, "ann", "/adjourn", "bob")
    assert isinstance(offered, Offered)
    assert offered.asked == ()
    assert isinstance(moved, Moved)


def test_who_is_out_is_not_asked_and_offers_nothing() -> None:
    driver = three()
    driver.type("cat", "/resign yes")
    with driver.refuses("WRONG_PHASE"):
        say(driver, "cat", "/abort")
    (offered,) = say(driver, "ann", "/abort")
    assert isinstance(offered, Offered)
    assert offered.asked == (1,)


def test_watchers_and_tables_without_a_game_have_nothing_to_settle() -> None:
    driver = table_in_game()
    with driver.refuses("NEED_SEAT"):
        say(driver, "eve", "/abort")
    with TableDriver("ann", "bob").refuses("NO_GAME"):
        say(TableDriver("ann", "bob"), "ann", "/abort")


def test_the_next_turn_ends_an_offer_to_undo_but_no_other() -> None:
    driver = three()
    driver.type("ann", "/pass")
    say(driver, "ann", "/undo")
    driver.type("bob", "/pass")
    assert driver.table.offer is None
    say(driver, "bob", "/adjourn")
    driver.type("cat", "/pass")
    assert driver.table.offer is not None


def test_the_end_of_the_game_ends_every_offer() -> None:
    driver = table_in_game()
    driver.type("ann", "/pass")
    say(driver, "ann", "/adjourn")
    driver.type("bob", "/resign yes")
    assert driver.table.offer is None


def test_a_turn_is_taken_back() -> None:
    driver = table_in_game()
    with driver.refuses("NOTHING_TO_UNDO"):
        say(driver, "ann", "/undo")
    driver.type("ann", "/pass")
    say(driver, "ann", "/undo")
    say(driver, "bob", "/agree")
    game = driver.table.playing
    assert game is not None
    assert (game.on_turn, game.turn, game.scoreless) == (0, 1, 0)
    assert [event.kind for event in driver.table.record[-3:]] == ["passed", "turn_began", "undone"]


def test_an_adjourned_game_goes_on_when_all_are_ready() -> None:
    driver = three()
    driver.type("cat", "/resign yes")
    say(driver, "ann", "/adjourn")
    say(driver, "bob", "/agree")
    assert driver.ready == [False, False, True]
    with driver.refuses("ADJOURNED"):
        driver.type("ann", "/pass")
    assert say(driver, "ann", "/ready") == (Agreed(0, "ann", True),)
    with driver.refuses("BAD_ARGS", "waiting for the others"):
        say(driver, "ann", "/ready")
    say(driver, "ann", "/ready no")
    say(driver, "bob", "/ready")
    assert offer_rules.revoke_ready(driver.table, {"id-ann"}) == (Agreed(1, "bob", False),)
    _, moved = say(driver, "ann", "/ready")
    assert isinstance(moved, Moved)
    assert driver.table.playing is not None
    assert not driver.table.playing.adjourned
    assert offer_rules.revoke_ready(driver.table, set()) == ()


def test_1_15_a_preset_leaves_the_rules_of_absence_alone() -> None:
    driver = TableDriver("ann", absence="bot", absence_after=77)
    driver.type("ann", "/set preset race")
    assert (driver.table.rules.absence, driver.table.rules.absence_after) == ("bot", 77)


def test_a_refusal_leaves_no_trace() -> None:
    driver = table_in_game()
    with pytest.raises(Refusal):
        say(driver, "ann", "/agree")
    assert driver.table.seats[0].failed_offers == {}


async def test_programs_read_an_offer_from_its_tags() -> None:
    room_driver = await playing_room("ann", "bob")
    dan = await room_driver.join("dan", ReaderSettings("tags"))
    dan.take_received()
    await room_driver.type("ann", "/adjourn")
    await room_driver.type("bob", "/decline")
    offered, declined = (tags.parse_tags(line)[0] for line in dan.take_received())
    assert (offered["event"], offered["offer"], offered["asked"]) == ("offered", "adjourn", "1")
    assert (declined["event"], declined["offer"], declined["agrees"]) == (
        "answered",
        "adjourn",
        "0",
    )
    await room_driver.lobby.close()
