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
from crossroom_server.table.state import Chair, Person
from tests.support.fake_room_context import Desk, finished, playing

# Seats.


def test_seats_are_taken_in_order_until_all_are() -> None:
    desk = Desk("ann", "bob", players=3)
    assert desk.type("cat", "/sit") == (SeatTaken(2, "id-cat", "cat"),)
    with desk.refuses("ROOM_FULL", "all 3 seats"):
        desk.type("dan", "/sit")
    with desk.refuses("ROOM_FULL"):
        desk.add_bot()


def test_nobody_sits_twice() -> None:
    desk = Desk("ann")
    with desk.refuses("BAD_ARGS", "you have a seat"):
        desk.type("ann", "/sit")


def test_who_leaves_a_seat_lets_the_others_move_up() -> None:
    desk = Desk("ann", "bob", "cat")
    assert desk.type("ann", "/watch") == (SeatLeft(0, "ann"),)
    assert desk.names == ["bob", "cat"]
    assert desk.table.chair_of("id-cat") == 1
    assert desk.table.chair_of("id-ann") is None
    assert desk.type("ann", "/sit") == (SeatTaken(2, "id-ann", "ann"),)


def test_the_seats_of_those_who_are_gone_are_freed_at_once() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.add_bot()
    left = desk.happen(*table.vacate(desk.table, {"id-bob"}))
    assert left == (SeatLeft(2, "cat"), SeatLeft(0, "ann"))
    assert desk.names == ["bob", "bot"]
    assert table.vacate(desk.table, {"id-bob"}) == ()


def test_in_a_game_no_seat_is_freed() -> None:
    assert table.vacate(playing().table, set()) == ()


def test_a_new_name_stays_on_the_chair() -> None:
    bea = Person("id-bob", "bea")
    desk = Desk("ann", "bob")
    desk.type("bob", "/ready")
    assert desk.happen(*table.rename(desk.table, 1, bea)) == (Renamed(1, "bob", "bea"),)
    assert desk.table.chairs[1] == Chair("id-bob", "bea", agreed=True)
    assert table.rename(desk.table, 1, bea) == ()


@pytest.mark.parametrize(
    "line", ["/watch", "/ready", "/play 8H AT", "/pass", "/exchange A", "/challenge", "/resign"]
)
def test_who_watches_is_told_how_to_get_a_seat(line: str) -> None:
    for desk in (Desk("ann"), playing(), finished()):
        with desk.refuses("NEED_SEAT", "/sit"):
            desk.type("eve", line)


def test_everybody_may_talk() -> None:
    desk = playing()
    assert desk.type("eve", "good luck") == (Said("eve", "good luck"),)
    assert desk.type("bob", "/me yawns") == (Said("bob", "yawns", me=True),)


# Settings.


def test_a_change_of_the_rules_takes_every_agreement_back() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    (changed,) = desk.type("bob", "/set bingo 40")
    assert isinstance(changed, RulesChanged)
    assert (changed.name, changed.setting, changed.value) == ("bob", "bingo", "40")
    assert desk.table.rules.bingo == 40
    assert desk.ready == [False, False, False]


def test_settings_may_be_written_with_dashes_and_capitals() -> None:
    desk = Desk("ann")
    desk.type("ann", "/set Exchange-Bag 7")
    assert desk.table.rules.exchange_bag == 7


def test_those_who_sit_set_the_rules_and_at_an_empty_table_anybody() -> None:
    desk = Desk()
    desk.type("eve", "/set bingo 40")
    desk.type("ann", "/sit")
    with desk.refuses("NEED_SEAT", "those who sit"):
        desk.type("eve", "/set bingo 50")


@pytest.mark.parametrize(
    ("line", "code", "prose"),
    [
        ("/set colour red", "BAD_SETTING", "there are: .*challenge"),
        ("/set challenge maybe", "BAD_SETTING", "void or free"),
        ("/set challenge", "BAD_SETTING", "void or free"),
        ("/set players 5", "BAD_SETTING", "2 to 4"),
        ("/set players 2", "BAD_SETTING", "3 people sit"),
        ("/set rack 9999999999", "BAD_SETTING", "2 to 9"),
        ("/set preset blitz", "BAD_SETTING", "official, classic, race, tournament, super"),
        ("/set preset tournament", "BAD_SETTING", "3 people sit"),
        ("/set lexicon ../secret", "NO_LEXICON", "there is no"),
    ],
)
def test_settings_that_cannot_be(line: str, code: str, prose: str) -> None:
    desk = Desk("ann", "bob", "cat")
    with desk.refuses(code, prose):
        desk.type("ann", line)


def test_a_preset_replaces_every_setting_but_the_list() -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", "/set lexicon old")
    desk.type("ann", "/set clock 60")
    desk.type("ann", "/set preset classic")
    assert desk.table.rules == replace(PRESETS["classic"], lexicon="old")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_had_and_played(preset: str) -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", f"/set preset {preset}")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    assert desk.table.playing is not None
    assert desk.table.playing.rules.preset == preset


def test_a_list_for_other_tiles_is_refused_when_the_game_would_begin() -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", "/set lexicon german")
    desk.type("ann", "/ready")
    with desk.refuses("BAD_SETTING", "not for the tile set english"):
        desk.type("bob", "/ready")
    desk.type("bob", "/set tiles german")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    assert desk.table.playing is not None


# Agreement, and the beginning.


def test_the_game_begins_when_all_agree() -> None:
    desk = Desk("ann", "bob", "cat")
    assert desk.type("cat", "/ready") == (Agreed(2, "cat", ready=True),)
    assert desk.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    agreed, begun = desk.type("bob", "/ready")
    assert agreed == Agreed(1, "bob", ready=True)
    assert isinstance(begun, Moved)
    assert (begun.game, begun.seat) == (1, None)
    opening = begun.events[0]
    assert isinstance(opening, Started)
    assert opening.players == ("ann", "bob", "cat")
    assert desk.table.members == ("id-ann", "id-bob", "id-cat")


def test_one_cannot_play_alone() -> None:
    desk = Desk("ann")
    assert desk.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    with desk.refuses("BAD_ARGS", "waiting for the others"):
        desk.type("ann", "/ready")


def test_an_agreement_can_be_taken_back() -> None:
    desk = Desk("ann", "bob")
    with desk.refuses("BAD_ARGS", "you are not ready"):
        desk.type("ann", "/ready no")
    desk.type("ann", "/ready")
    assert desk.type("ann", "/ready no") == (Agreed(0, "ann", ready=False),)
    desk.type("bob", "/ready")
    assert desk.table.playing is None


def test_when_the_one_they_waited_for_has_left_the_others_can_begin() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    desk.type("cat", "/watch")
    (begun,) = desk.type("ann", "/ready")
    assert isinstance(begun, Moved)
    assert desk.names == ["ann", "bob"]


def test_a_bot_comes_to_somebody_who_waits() -> None:
    desk = Desk("ann")
    desk.type("ann", "/ready")
    seated, begun = desk.add_bot()
    assert seated == SeatTaken(1, "id-bot", "bot", "greedy")
    assert isinstance(begun, Moved)


def test_a_bot_waits_for_somebody_who_is_not_ready() -> None:
    desk = Desk("ann")
    assert desk.add_bot() == (SeatTaken(1, "id-bot", "bot", "greedy"),)
    assert desk.ready == [False, True]
    assert [type(what) for what in desk.type("ann", "/ready")] == [Agreed, Moved]


def test_bots_stay_ready_whatever_changes() -> None:
    desk = Desk("ann")
    desk.add_bot()
    desk.type("ann", "/set bingo 40")
    assert desk.ready == [False, True]


def test_two_bots_play_by_themselves() -> None:
    desk = Desk()
    assert len(desk.add_bot("one")) == 1
    assert isinstance(desk.add_bot("two")[-1], Moved)
