"""A table as pure functions: who sits there, by which rules, and how a game begins."""

from dataclasses import replace

import pytest

from crossroom_engine.core.events import Started
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.events.room import (
    Agreed,
    Moved,
    Renamed,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
)
from crossroom_server.table import table
from crossroom_server.table.state import Person, SeatState
from tests.support.table_driver import TableDriver, table_after_game, table_in_game

# Seats.


def test_seats_are_taken_in_order_until_all_are() -> None:
    driver = TableDriver("ann", "bob", players=3)
    assert driver.type("cat", "/sit") == (SeatTaken(2, "id-cat", "cat"),)
    with driver.refuses("ROOM_FULL", "all 3 seats"):
        driver.type("dan", "/sit")
    with driver.refuses("ROOM_FULL"):
        driver.add_bot()


def test_nobody_sits_twice() -> None:
    driver = TableDriver("ann")
    with driver.refuses("BAD_ARGS", "you have a seat"):
        driver.type("ann", "/sit")


def test_who_leaves_a_seat_lets_the_others_move_up() -> None:
    driver = TableDriver("ann", "bob", "cat")
    assert driver.type("ann", "/watch") == (SeatLeft(0, "ann"),)
    assert driver.names == ["bob", "cat"]
    assert driver.table.seat_of("id-cat") == 1
    assert driver.table.seat_of("id-ann") is None
    assert driver.type("ann", "/sit") == (SeatTaken(2, "id-ann", "ann"),)


def test_the_seats_of_those_who_are_gone_are_freed_at_once() -> None:
    driver = TableDriver("ann", "bob", "cat")
    driver.add_bot()
    left = driver.record(*table.free_seats(driver.table, {"id-bob"}))
    assert left == (SeatLeft(2, "cat"), SeatLeft(0, "ann"))
    assert driver.names == ["bob", "bot"]
    assert table.free_seats(driver.table, {"id-bob"}) == ()


def test_in_a_game_no_seat_is_freed() -> None:
    assert table.free_seats(table_in_game().table, set()) == ()


def test_a_new_name_stays_on_the_chair() -> None:
    bea = Person("id-bob", "bea")
    driver = TableDriver("ann", "bob")
    driver.type("bob", "/ready")
    assert driver.record(*table.rename(driver.table, 1, bea)) == (Renamed(1, "bob", "bea"),)
    assert driver.table.seats[1] == SeatState("id-bob", "bea", agreed=True)
    assert table.rename(driver.table, 1, bea) == ()


@pytest.mark.parametrize(
    "line", ["/watch", "/ready", "/play 8H AT", "/pass", "/exchange A", "/challenge", "/resign yes"]
)
def test_who_watches_is_told_how_to_get_a_seat(line: str) -> None:
    for driver in (TableDriver("ann"), table_in_game(), table_after_game()):
        with driver.refuses("NEED_SEAT", "/sit"):
            driver.type("eve", line)


def test_everybody_may_talk() -> None:
    driver = table_in_game()
    assert driver.type("eve", "good luck") == (Said("eve", "good luck"),)
    assert driver.type("bob", "/me yawns") == (Said("bob", "yawns", me=True),)


# Settings.


def test_a_change_of_the_rules_takes_every_agreement_back() -> None:
    driver = TableDriver("ann", "bob", "cat")
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    (changed,) = driver.type("bob", "/set bingo 40")
    assert isinstance(changed, RulesChanged)
    assert (changed.name, changed.setting, changed.value) == ("bob", "bingo", "40")
    assert driver.table.rules.bingo == 40
    assert driver.ready == [False, False, False]


def test_settings_may_be_written_with_dashes_and_capitals() -> None:
    driver = TableDriver("ann")
    driver.type("ann", "/set Exchange-Bag 7")
    assert driver.table.rules.exchange_bag == 7


def test_a_time_by_name_sets_all_times_and_only_those() -> None:
    driver = TableDriver("ann")
    driver.type("ann", "/set bingo 40")
    driver.type("ann", "/set clock 20m")
    (changed,) = driver.type("ann", "/set time 3d")
    assert isinstance(changed, RulesChanged)
    assert (changed.setting, changed.value) == ("time", "3d")
    rules = driver.table.rules
    assert (rules.clock, rules.turn_limit, rules.bingo) == (None, 259200, 40)
    driver.type("ann", "/set time none")
    assert driver.table.rules == replace(PRESETS["official"], lexicon=rules.lexicon, bingo=40)


def test_those_who_sit_set_the_rules_and_at_an_empty_table_anybody() -> None:
    driver = TableDriver()
    driver.type("eve", "/set bingo 40")
    driver.type("ann", "/sit")
    with driver.refuses("NEED_SEAT", "only players"):
        driver.type("eve", "/set bingo 50")


@pytest.mark.parametrize(
    ("line", "code", "prose"),
    [
        ("/set colour red", "BAD_SETTING", "there are: .*challenge"),
        ("/set challenge maybe", "BAD_SETTING", "void or free"),
        ("/set players 5", "BAD_SETTING", "2 to 4"),
        ("/set players 2", "BAD_SETTING", "3 people sit"),
        ("/set rack 9999999999", "BAD_SETTING", "2 to 9"),
        ("/set preset blitz", "BAD_SETTING", "official, classic, race, tournament, super"),
        ("/set preset tournament", "BAD_SETTING", "3 people sit"),
        ("/set time 2d", "BAD_SETTING", "none, 10m, 15m, 25m, 1d, 3d, 7d"),
        ("/set clock soon", "BAD_SETTING", "as in 90s, 25m, 3d, or off"),
        ("/set lexicon ../secret", "NO_LEXICON", "there is no"),
    ],
)
def test_settings_that_cannot_be(line: str, code: str, prose: str) -> None:
    driver = TableDriver("ann", "bob", "cat")
    with driver.refuses(code, prose):
        driver.type("ann", line)


def test_a_preset_replaces_every_setting_but_the_list() -> None:
    driver = TableDriver("ann", "bob")
    driver.type("ann", "/set lexicon old")
    driver.type("ann", "/set clock 60")
    driver.type("ann", "/set preset classic")
    assert driver.table.rules == replace(PRESETS["classic"], lexicon="old")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_had_and_played(preset: str) -> None:
    driver = TableDriver("ann", "bob")
    driver.type("ann", f"/set preset {preset}")
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    assert driver.table.playing is not None
    assert driver.table.playing.rules.preset == preset


def test_a_list_for_other_tiles_is_refused_when_the_game_would_begin() -> None:
    driver = TableDriver("ann", "bob")
    driver.type("ann", "/set lexicon german")
    driver.type("ann", "/ready")
    with driver.refuses("BAD_SETTING", "does not fit tile set english"):
        driver.type("bob", "/ready")
    driver.type("bob", "/set tiles german")
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    assert driver.table.playing is not None


# Agreement, and the beginning.


def test_the_game_begins_when_all_agree() -> None:
    driver = TableDriver("ann", "bob", "cat")
    assert driver.type("cat", "/ready") == (Agreed(2, "cat", ready=True),)
    assert driver.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    agreed, begun = driver.type("bob", "/ready")
    assert agreed == Agreed(1, "bob", ready=True)
    assert isinstance(begun, Moved)
    assert (begun.game, begun.seat) == (1, None)
    opening = begun.events[0]
    assert isinstance(opening, Started)
    assert opening.players == ("ann", "bob", "cat")
    assert driver.table.members == ("id-ann", "id-bob", "id-cat")


def test_one_cannot_play_alone() -> None:
    driver = TableDriver("ann")
    assert driver.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    with driver.refuses("BAD_ARGS", "waiting for the others"):
        driver.type("ann", "/ready")


def test_an_agreement_can_be_taken_back() -> None:
    driver = TableDriver("ann", "bob")
    with driver.refuses("BAD_ARGS", "you are not ready"):
        driver.type("ann", "/ready no")
    driver.type("ann", "/ready")
    assert driver.type("ann", "/ready no") == (Agreed(0, "ann", ready=False),)
    driver.type("bob", "/ready")
    assert driver.table.playing is None


def test_when_the_one_they_waited_for_has_left_the_others_can_begin() -> None:
    driver = TableDriver("ann", "bob", "cat")
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    driver.type("cat", "/watch")
    (begun,) = driver.type("ann", "/ready")
    assert isinstance(begun, Moved)
    assert driver.names == ["ann", "bob"]


def test_a_bot_comes_to_somebody_who_waits() -> None:
    driver = TableDriver("ann")
    driver.type("ann", "/ready")
    seated, begun = driver.add_bot()
    assert seated == SeatTaken(1, "id-bot", "bot", "greedy")
    assert isinstance(begun, Moved)


def test_a_bot_waits_for_somebody_who_is_not_ready() -> None:
    driver = TableDriver("ann")
    assert driver.add_bot() == (SeatTaken(1, "id-bot", "bot", "greedy"),)
    assert driver.ready == [False, True]
    assert [type(what) for what in driver.type("ann", "/ready")] == [Agreed, Moved]


def test_bots_stay_ready_whatever_changes() -> None:
    driver = TableDriver("ann")
    driver.add_bot()
    driver.type("ann", "/set bingo 40")
    assert driver.ready == [False, True]


def test_two_bots_play_by_themselves() -> None:
    driver = TableDriver()
    assert len(driver.add_bot("one")) == 1
    assert isinstance(driver.add_bot("two")[-1], Moved)
