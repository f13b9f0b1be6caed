"""A table as pure functions: the moves of a game, and what waits until it is over."""

import re
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core import data
from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import Challenged, Ended, Event, Played
from crossroom_engine.core.moves import CallTime
from crossroom_engine.game.game import replay
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.room import Moved, RoomEvent
from crossroom_server.table import table
from crossroom_server.table.state import Person, Table
from tests.support.examples import examples
from tests.support.table_driver import (
    OLD,
    TableDriver,
    table_after_game,
    table_in_game,
    with_rack,
)


def game_events(happenings: tuple[RoomEvent, ...]) -> tuple[Event, ...]:
    (moved,) = happenings
    assert isinstance(moved, Moved)
    return moved.events


def test_a_move_is_one_entry_with_all_that_follows() -> None:
    driver = with_rack(table_in_game(), "HORNSTU")
    (moved,) = driver.type("ann", "/play 8F HORN")
    assert isinstance(moved, Moved)
    assert (moved.game, moved.seat) == (1, 0)
    assert [event.kind for event in moved.events] == ["played", "drew", "turn_began"]


def test_a_game_keeps_the_words_it_began_with() -> None:
    driver = with_rack(table_in_game(), "HORNSTU")
    driver.lists.by_name["tiny"] = OLD
    driver.type("ann", "/play 8F HORN")
    (challenged, *_) = game_events(driver.type("bob", "/challenge"))
    assert isinstance(challenged, Challenged)
    assert challenged.bad == ()


def test_without_its_words_a_game_waits() -> None:
    driver = table_in_game()
    driver.lists.by_name["tiny"], driver.lists.kept = OLD, {}
    with driver.refuses("NO_LEXICON"):
        driver.type("ann", "/pass")


@pytest.mark.parametrize(
    "line", ["/play 8H AT", "/pass", "/exchange none", "/challenge", "/accept"]
)
def test_before_the_first_game_there_is_nothing_to_move(line: str) -> None:
    driver = TableDriver("ann", "bob")
    with driver.refuses("NO_GAME", "/ready"):
        driver.type("ann", line)


@pytest.mark.parametrize("line", ["/pass", "/exchange none", "/play 8H AT"])
def test_a_move_may_name_its_turn(line: str) -> None:
    driver = with_rack(table_in_game(), "AT?????")
    driver.type("ann", f"{line} turn=1")
    with driver.refuses("STALE_TURN", "was for turn 1; it is turn 2 now"):
        driver.type("ann", f"{line} turn=1")
    with driver.refuses("STALE_TURN", "was for turn 1"):
        driver.type("bob", f"{line} turn=1")
    driver.type("bob", "/pass turn=2")


def test_a_challenge_of_the_turn_before_is_stale() -> None:
    driver = with_rack(table_in_game(), "AT?????")
    driver.type("ann", "/play 8H AT")
    with driver.refuses("STALE_TURN"):
        driver.type("bob", "/challenge turn=1")
    driver.type("bob", "/challenge turn=2")


def test_a_refused_move_says_whose_turn_it_still_is() -> None:
    driver = with_rack(table_in_game(), "AT?????")
    with driver.refuses("BAD_PLAY", "still your turn 1$"):
        driver.type("ann", "/play 1A AT")
    with driver.refuses("NOT_IN_RACK", "still your turn 1$"):
        driver.type("ann", "/play 8H BIT")
    with driver.refuses("NOT_YOUR_TURN", "it is ann's turn; wait, or talk meanwhile$"):
        driver.type("bob", "/pass")


def test_small_letters_by_habit_get_a_hint() -> None:
    driver = with_rack(table_in_game(), "REINXYZ")
    with driver.refuses("NOT_IN_RACK", r"perhaps you mean REIN; still your turn 1$"):
        driver.type("ann", "/play 8H rein")


def in_spanish() -> TableDriver:
    driver = table_in_game(tiles=data.tileset("spanish"), lexicon="spanish")
    return with_rack(driver, "[CH]ICOXYZ")


@pytest.mark.parametrize("word", ["CHICO", "chico", "CHICo"])
def test_letters_that_are_one_tile_get_a_hint(word: str) -> None:
    meant = "[CH]ICO" if word != "CHICo" else None
    driver = in_spanish()
    prose = rf"perhaps you mean {re.escape(meant)}; still" if meant else r"you do not have [^?]*$"
    with driver.refuses("NOT_IN_RACK", prose):
        driver.type("ann", f"/play 8H {word}")
    driver.type("ann", "/play 8H [CH]ICO")


@pytest.mark.parametrize("word", ["[CH]ICO", "chico", "CHICO", "[ch]ico"])
def test_a_challenge_may_spell_a_tile_of_two_letters(word: str) -> None:
    driver = in_spanish()
    driver.type("ann", "/play 8H [CH]ICO")
    driver.type("bob", f"/challenge {word}")


@pytest.mark.parametrize("name", ["bob", "CAT", "A[TT", "8H"])
def test_a_challenge_is_of_words_and_not_of_people(name: str) -> None:
    driver = with_rack(table_in_game(), "AT?????")
    with driver.refuses("BAD_ARGS", "is not a word of the latest play"):
        driver.type("bob", f"/challenge {name}")
    driver.type("ann", "/play 8H AT")
    with driver.refuses("BAD_ARGS", f"{re.escape(name)} is not a word of the latest play"):
        driver.type("bob", f"/challenge {name}")


@pytest.mark.parametrize("line", ["/challenge", "/challenge AT", "/challenge at"])
def test_a_challenge_may_name_a_word_of_the_play(line: str) -> None:
    driver = with_rack(table_in_game(), "AT?????")
    driver.type("ann", "/play 8H AT")
    assert game_events(driver.type("bob", line))[0].kind == "challenged"


def test_blanks_are_taken_back_by_their_squares() -> None:
    driver = with_rack(table_in_game(reclaim="any"), "AT?????")
    driver.type("ann", "/play 8H at")
    driver.type("bob", "/pass")
    driver = with_rack(driver, "ATIBCDE")
    (played, *_) = game_events(driver.type("ann", "/play 9I is swap=8H,i8"))
    assert isinstance(played, Played)
    assert [str(swap.square) for swap in played.swapped] == ["8H", "8I"]


@pytest.mark.parametrize("swap", ["99Z", "8H,", ",", "8H,,9H", "H"])
def test_a_swap_that_is_no_square(swap: str) -> None:
    driver = table_in_game(reclaim="any")
    with driver.refuses("BAD_ARGS", "is not a square"):
        driver.type("ann", f"/play 8H AT swap={swap}")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/exchange A1", "BAD_ARGS"),
        ("/exchange [", "BAD_ARGS"),
        ("/exchange ZZZZZZZ", "NOT_IN_RACK"),
        ("/play 8H A[T", "BAD_PLAY"),
        ("/play 8H ....", "BAD_PLAY"),
    ],
)
def test_notation_that_cannot_be_read(line: str, code: str) -> None:
    driver = with_rack(table_in_game(), "ABCDEFG")
    with driver.refuses(code):
        driver.type("ann", line)


def test_a_log_that_begins_in_the_middle_of_a_game_is_damaged() -> None:
    driver = table_in_game()
    driver.type("ann", "/pass")
    with pytest.raises(CorruptLog, match="passed before the first game"):
        table.apply(Table(), driver.log[-1])


# While a game is on, and after it.


@pytest.mark.parametrize("line", ["/watch", "/ready", "/ready no", "/set bingo 40"])
def test_what_waits_until_the_game_is_over(line: str) -> None:
    driver = table_in_game()
    with driver.refuses("GAME_ON"):
        driver.type("bob", line)


def test_nobody_comes_or_goes_or_is_renamed_while_a_game_is_on() -> None:
    driver = table_in_game()
    with driver.refuses("GAME_ON", "when it is over"):
        driver.type("eve", "/sit")
    with driver.refuses("GAME_ON"):
        driver.add_bot()
    with driver.refuses("GAME_ON", "seats are kept"):
        table.leave_seat(driver.table, 0)
    with driver.refuses("GAME_ON", "names cannot change"):
        table.rename(driver.table, 0, Person("id-ann", "zoe"))


@pytest.mark.parametrize(
    "line", ["/play 8H AT", "/pass", "/exchange none", "/challenge", "/resign yes"]
)
def test_after_the_game_no_move_is_made(line: str) -> None:
    driver = table_after_game()
    with driver.refuses("GAME_OVER", "/ready begins another"):
        driver.type("ann", line)


def test_after_the_game_the_table_keeps_it_until_the_next() -> None:
    driver = table_after_game()
    assert driver.ready == [False, False]
    driver.type("ann", "/watch")
    driver.type("eve", "/sit")
    game = driver.table
    assert game.members == ("id-ann", "id-bob")
    assert [game.game_seat_of(f"id-{name}") for name in ("ann", "bob", "eve")] == [0, 1, None]
    assert [game.seat_of(f"id-{name}") for name in ("ann", "bob", "eve")] == [None, 0, 1]
    assert isinstance(game.record[-1], Ended)


def test_a_rematch_is_a_game_of_its_own_with_those_who_sit_there_now() -> None:
    driver = table_after_game()
    driver.type("ann", "/watch")
    driver.type("ann", "/sit")
    driver.type("ann", "/ready")
    (*_, begun) = driver.type("bob", "/ready")
    assert isinstance(begun, Moved)
    assert begun.game == driver.table.games == 2
    assert driver.table.members == ("id-bob", "id-ann")
    assert driver.table.record == begun.events
    assert driver.table.playing is not None
    assert [player.name for player in driver.table.playing.players] == ["bob", "ann"]
    (moved,) = driver.type("bob", "/pass")
    assert isinstance(moved, Moved)
    assert (moved.game, moved.seat) == (2, 0)


def test_the_server_looks_at_the_clock_for_no_seat() -> None:
    driver = table_in_game(clock=60, overtime=0)
    assert table.apply_official(driver.table, CallTime(), driver.sources) == ()
    driver.type("ann", "/pass")
    driver.now += 61_000
    (moved,) = driver.record(*table.apply_official(driver.table, CallTime(), driver.sources))
    assert isinstance(moved, Moved)
    assert moved.seat is None
    assert table.apply_official(driver.table, CallTime(), driver.sources) == ()


# Whatever people do.

LINES = [
    "/sit", "/watch", "/ready", "/ready", "/ready no", "/pass", "/pass", "/challenge",
    "/resign yes", "/exchange none", "/accept", "/set players 2", "/set bingo 40",
    "/set preset race", "hello", "bot",
]  # fmt: skip


@examples(60)
@given(st.lists(st.tuples(st.sampled_from(["ann", "bob", "cat"]), st.sampled_from(LINES))))
def test_what_is_not_refused_can_be_applied_and_replayed(acts: list[tuple[str, str]]) -> None:
    driver = TableDriver("ann", "bob")
    begun = replace(driver.table, seq=0, seats=())
    for name, line in acts:
        before = driver.table
        try:
            driver.add_bot(f"bot-{len(driver.log)}") if line == "bot" else driver.type(name, line)
        except Refusal:
            assert driver.table is before
        check(driver.table)
    assert reduce(table.apply, driver.log, begun) == driver.table


def check(now: Table) -> None:
    members = [chair.member for chair in now.seats]
    assert len(set(members)) == len(members) <= now.rules.players
    if now.playing is not None:
        assert tuple(members) == now.members
        assert now.playing.rules == now.rules
        assert replay(now.record) == now.playing
