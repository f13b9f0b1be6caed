"""RULES 6.5 to 6.7: the clock, games without a move, adjournments."""

from dataclasses import replace
from typing import Any

import pytest

from crossroom_engine.core.events import (
    Adjourned,
    Awarded,
    Continued,
    Ended,
    EndReason,
    Retired,
)
from crossroom_engine.game.timing import due_at
from tests.support.game_driver import GameDriver, kinds

BAG = "E" * 20


def end_of(table: GameDriver) -> tuple[str, tuple[int, ...]]:
    assert table.game.phase == "over"
    assert table.game.ended is not None
    return table.game.ended.why, table.game.ended.winners


# 6.5


def timed(*seconds: float, **changes: Any) -> GameDriver:
    """Ann and bob pass after so many seconds each, until the scoreless limit."""
    table = GameDriver("tournament", ["?", "?"], BAG, clock=60, **changes)
    for turn, wait in enumerate(seconds):
        table.now += round(wait * 1000)
        table.pass_(turn % 2)
    return table


@pytest.mark.parametrize(
    ("used", "points"), [(60, 0), (60.001, -10), (120, -10), (120.001, -20), (660, -100)]
)
def test_6_5_each_started_minute_costs_ten_points(used: float, points: int) -> None:
    table = timed(0, 0, 0, 0, used, 0)
    assert (end_of(table)[0], table.scores) == ("scoreless", [points, 0])


def test_6_5_where_overtime_is_free_nothing_is_said_of_it() -> None:
    table = timed(0, 0, 0, 0, 100, 0, overtime_points=0)
    assert "awarded" not in kinds(table.log)
    assert "awarded" not in kinds(timed(0, 0, 0, 0, 60, 0).log)


def test_6_5_turns_add_up() -> None:
    table = timed(20, 1, 20, 1, 20.5, 1)
    assert table.scores == [-10, 0]
    assert [player.used for player in table.game.players] == [60_500, 3_000]


def test_6_5_overtime_comes_after_the_end_adjustment() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], "", clock=60, challenge="void")
    table.now += 61_000
    events = table.play(0, "8H", "CAT")
    assert events[1:-1] == [Awarded(0, 10, "went_out"), Awarded(0, -10, "overtime")]


def test_6_5_more_than_the_allowed_overtime_loses() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60)
    table.pass_(0)
    assert due_at(table.game) == table.now + 660_001
    assert table.wait(660) == []
    assert kinds(table.wait(0.001)) == ["retired", "ended"]
    assert end_of(table) == ("time", (0,))


def test_6_5_the_turns_before_count_too() -> None:
    table = timed(100, 5)
    assert due_at(table.game) == table.now + 560_001


def test_6_5_of_three_the_others_play_on() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], BAG, clock=60, players=3)
    table.pass_(0)
    assert table.wait(661)[0] == Retired(1, "time", ("D", "G", "O"))
    assert (table.game.phase, table.game.on_turn) == ("playing", 2)


def test_6_5_a_move_that_comes_after_that_is_not_made() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60)
    table.pass_(0)
    table.now += 661_000
    assert kinds(table.pass_(1)) == ["retired", "ended"]


def test_6_5_the_move_of_another_is_made_if_it_still_can_be() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], BAG, clock=60, players=3)
    table.pass_(0)
    table.now += 661_000
    assert kinds(table.pass_(2)) == ["retired", "turn_began", "passed", "turn_began"]
    assert (table.game.on_turn, table.game.active) == (0, (0, 2))


def test_6_5_without_a_clock_nothing_is_due() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    assert due_at(table.game) is None
    assert table.wait(10**6) == []


# 6.6


def left_early(early_exit: str, *, rated: bool = False, **timed: Any) -> tuple[EndReason, ...]:
    """Why games ended that were resigned, or left by absence, before anybody had moved."""
    ends = []
    for leave in (GameDriver.resign, GameDriver.forfeit):
        table = GameDriver("official", ["CAT", "DOG"], BAG, early_exit=early_exit, **timed)
        table.game = replace(table.game, rated=rated)
        end = leave(table, 1)[-1]
        assert isinstance(end, Ended)
        assert end.winners == (() if end.why == "cancelled" else (0,))
        ends.append(end.why)
    return tuple(ends)


def test_6_6_before_the_first_move_early_exit_decides() -> None:
    assert left_early("cancels", rated=True, clock=60) == ("cancelled", "cancelled")
    assert left_early("loses") == ("resigned", "absent")


def test_6_6_auto_counts_if_the_game_is_rated_or_timed() -> None:
    assert left_early("auto") == ("cancelled", "cancelled")
    for loses in (left_early("auto", rated=True), left_early("auto", clock=60)):
        assert loses == ("resigned", "absent")
    assert left_early("auto", turn_limit=60) == ("resigned", "absent")


def test_6_6_a_flag_before_the_first_move_loses_too() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60)
    assert table.wait(661)[-1] == Ended("time", (1,), table.now)
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60, early_exit="cancels")
    assert table.wait(661)[-1] == Ended("cancelled", (), table.now)


def test_6_6_of_three_the_others_play_on() -> None:
    table = GameDriver("official", ["CAT", "DOG", "HORN"], BAG)
    assert kinds(table.resign(1)) == ["retired"]
    assert table.resign(0)[-1] == Ended("cancelled", (), table.now)


def test_6_6_a_pass_an_exchange_and_a_play_taken_back_are_moves() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    table.pass_(0)
    table.resign(1)
    assert end_of(table) == ("resigned", (0,))


# 6.7


def test_6_7_an_adjournment_stops_the_clock() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG)
    table.now += 5_000
    assert table.adjourn() == [Adjourned(table.now)]
    assert (table.adjourn(), due_at(table.game)) == ([], None)
    assert table.wait(10**6) == []
    assert table.continue_() == [Continued(table.now)]
    assert table.continue_() == []
    table.now += 3_000
    table.pass_(0)
    assert table.game.players[0].used == 8_000


def test_6_7_a_move_ends_it() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG)
    table.adjourn()
    table.now += 5_000
    assert kinds(table.pass_(0)) == ["continued", "passed", "turn_began"]
    assert table.game.since == table.now


def test_6_7_a_refused_move_does_not() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG)
    table.adjourn()
    with table.refuses("NOT_YOUR_TURN"):
        table.pass_(1)
    assert table.game.since is None


def test_6_7_the_wait_for_the_last_word_starts_again() -> None:
    table = GameDriver("official", ["CAT", "DOG"], "")
    table.play(0, "8H", "CAT")
    table.wait(15)
    table.adjourn()
    table.wait(60)
    table.continue_()
    assert table.wait(19) == []
    assert kinds(table.wait(1))[-1] == "ended"


def test_6_7_who_is_out_of_time_is_so_before_it() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], BAG, clock=60, players=3)
    table.now += 661_000
    assert kinds(table.adjourn()) == ["retired", "turn_began", "adjourned"]


def test_6_7_after_the_end_there_is_nothing_to_adjourn() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    table.resign(0)
    assert (table.adjourn(), table.continue_(), table.wait(1)) == ([], [], [])


def test_6_after_the_end_every_move_is_refused() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    table.resign(0)
    for attempt in (GameDriver.pass_, GameDriver.challenge, GameDriver.accept, GameDriver.resign):
        with table.refuses("GAME_OVER"):
            attempt(table, 1)


def test_6_7_a_clock_that_is_set_back_takes_no_time_back() -> None:
    table = timed(10, 5)
    table.now -= 3_600_000
    table.pass_(0)
    assert [player.used for player in table.game.players] == [10_000, 5_000]
    since = table.game.since
    assert since is not None
    table.now -= 1_000
    (adjourned,) = table.adjourn()
    assert adjourned == Adjourned(since)
    table.continue_()
    table.now += 2_000
    table.pass_(1)
    assert [player.used for player in table.game.players] == [10_000, 7_000]
