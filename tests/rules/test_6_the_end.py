"""RULES 6: the end; test_6_time.py has 6.5 to 6.7."""

from typing import Any

import pytest

from crossroom_engine.core.events import Awarded, Retired, TargetReached, TurnBegan
from tests.support.game_driver import GameDriver, kinds

BAG = "E" * 20


def end_of(table: GameDriver) -> tuple[str, tuple[int, ...]]:
    assert table.game.phase == "over"
    assert table.game.ended is not None
    return table.game.ended.why, table.game.ended.winners


# 6.1


def test_6_1_bag_and_a_rack_empty() -> None:
    table = GameDriver("race", ["CAT", "DOG"], "")
    table.play(0, "8H", "CAT")
    assert end_of(table) == ("out", (0,))


def test_6_1_a_rack_empty_is_not_enough_while_the_bag_lasts() -> None:
    table = GameDriver("race", ["CAT", "DOGS"], "E")
    table.play(0, "8H", "CAT")
    assert (table.game.phase, table.racks[0], table.bag) == ("playing", "E", "")


def test_6_1_no_possible_play_is_left_and_the_table_need_not_pass_round() -> None:
    table = GameDriver("race", ["CATQ", "VVV"], "")
    assert kinds(table.play(0, "8H", "CAT")) == ["played", "ended"]
    assert end_of(table) == ("no_plays", (0,))


def test_6_1_one_player_with_a_play_is_enough() -> None:
    table = GameDriver("race", ["CATQ", "VVV", "VVS"], "")
    table.play(0, "8H", "CAT")
    assert table.game.phase == "playing"
    table.pass_(1)
    table.play(2, "8K", "S")
    assert end_of(table)[0] == "no_plays"


def test_6_1_a_phony_is_no_possible_play_but_the_last_play_may_be_challenged() -> None:
    table = GameDriver("official", ["CATQ", "VVV"], "")
    assert kinds(table.play(0, "8H", "CAT")) == ["played", "last_word_awaited"]
    assert table.game.pending == "no_plays"
    table.accept(1)
    assert (end_of(table)[0], table.scores) == ("no_plays", [10 - 10, -12])


def test_6_1_where_no_plays_goes_on_the_game_waits_for_a_last_phony() -> None:
    table = GameDriver("official", ["CATQ", "VVV"], "", no_plays="goes_on")
    assert kinds(table.play(0, "8H", "CAT")) == ["played", "turn_began"]
    table.play(1, "8K", "VV")
    assert table.game.phase == "playing"


def test_6_1_a_reclaimed_blank_may_make_a_play_possible() -> None:
    # Only with the blank of CaT, in exchange for the A, can bob make CATS.
    racks, words = ["CT?Q", "AV"], "CAT CATS"
    table = GameDriver("race", racks, "", words=words, reclaim="any")
    table.play(0, "8H", "CaT")
    assert table.game.phase == "playing"
    table.play(1, "8K", "s", "8I")
    table = GameDriver("race", racks, "", words=words, reclaim="off")
    table.play(0, "8H", "CaT")
    assert end_of(table)[0] == "no_plays"


def test_6_1_with_tiles_in_the_bag_nobody_looks() -> None:
    table = GameDriver("race", ["CATQ", "VVV"], "Q" * 9)
    table.play(0, "8H", "CAT")
    assert table.game.phase == "playing"


# 6.2


def scoreless(table: GameDriver) -> int:
    return table.game.scoreless


def test_6_2_a_pass_an_exchange_and_a_play_taken_back_count() -> None:
    table = GameDriver("official", ["CAXIIII", "DOGIIII"], BAG)
    table.pass_(0)
    assert scoreless(table) == 1
    table.exchange(1, "D")
    assert scoreless(table) == 2
    table.play(0, "8H", "CAX")
    table.challenge(1)
    assert scoreless(table) == 3


@pytest.mark.parametrize("challenger", [1, 2])
def test_6_2_a_turn_lost_to_a_challenge_counts_when_it_is_lost(challenger: int) -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII", "HORNIII"], BAG)
    table.play(0, "8H", "CAT")
    table.challenge(challenger)
    assert scoreless(table) == (1 if challenger == 1 else 0)
    table.pass_(table.game.on_turn)
    assert scoreless(table) == 2


def test_6_2_a_play_starts_the_count_anew_even_one_worth_nothing() -> None:
    table = GameDriver("official", ["??IIIII", "DOGIIII"], BAG)
    table.pass_(0)
    table.pass_(1)
    table.play(0, "8H", "at")
    assert (table.last_play.points, scoreless(table)) == (0, 0)


def test_6_2_a_play_taken_back_puts_the_count_where_it_was_and_skips_stay() -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII", "SIIIIII", "TIIIIII"], BAG)
    table.play(0, "8H", "CAT")
    table.challenge(2)
    table.play(1, "8K", "I")
    assert scoreless(table) == 1
    table.challenge(0)
    assert scoreless(table) == 2
    table = GameDriver("official", ["CATIIII", "DGIIIII"], BAG)
    table.pass_(0)
    table.play(1, "8H", "DG")
    table.challenge(0)
    assert scoreless(table) == 2


def test_6_2_at_the_limit_nobody_gains_and_each_loses_the_own_rack() -> None:
    table = GameDriver("tournament", ["QE", "F?"], BAG)
    for turn in range(5):
        table.pass_(turn % 2)
    events = table.pass_(1)
    assert events[1:-1] == [Awarded(0, -11, "left_over"), Awarded(1, -4, "left_over")]
    assert end_of(table) == ("scoreless", (1,))


def test_6_2_a_challenge_may_bring_the_limit() -> None:
    table = GameDriver("official", ["CAXIIII", "DOGIIII"], BAG, scoreless_limit=2)
    table.pass_(0)
    table.play(1, "8H", "DG")
    assert kinds(table.challenge(0))[-1] == "ended"
    assert end_of(table)[0] == "scoreless"


def test_6_2_skips_may_bring_the_limit_and_with_it_the_last_word() -> None:
    racks = ["SIIIIII", "XIIIIII", "DOGIIII", "CATIIII"]
    table = GameDriver("official", racks, BAG, scoreless_limit=2, first=3)
    table.play(3, "8H", "CAT")
    table.challenge(2)
    table.play(0, "8K", "S")
    table.challenge(3)
    events = table.play(1, "8L", "X")
    assert kinds(events)[2:] == ["turn_skipped", "turn_skipped", "last_word_awaited"]
    assert kinds(table.challenge(0))[:2] == ["challenged", "withdrawn"]
    assert end_of(table)[0] == "scoreless"


def test_6_2_the_limit_is_by_the_players_who_began() -> None:
    table = GameDriver("official", ["CAT", "DOG", "HORN"], BAG)
    table.resign(2)
    for _ in range(8):
        table.pass_(table.game.on_turn)
    assert table.game.phase == "playing"
    table.pass_(table.game.on_turn)
    assert end_of(table)[0] == "scoreless"


# 6.3


def race(first: int = 0, players: int = 3, **changes: Any) -> GameDriver:
    """Ann may earn 10 with CAT; the target is 9."""
    racks = ["CATIIII", "SHEIIII", "DOIIIII"][:players]
    words = "CAT CATS HE DO HAT"
    return GameDriver("race", racks, BAG, words=words, first=first, **{"target": 9, **changes})


def test_6_3_the_round_is_finished_once_the_target_is_reached() -> None:
    table = race()
    assert table.play(0, "8H", "CAT")[2:] == [TargetReached(0), TurnBegan(1, 2, table.now)]
    assert table.pass_(1)[1:] == [TurnBegan(2, 3, table.now)]
    assert kinds(table.pass_(2)) == ["passed", "ended"]
    assert (end_of(table), table.scores) == (("target", (0,)), [10, 0, 0])


def test_6_3_only_those_who_have_not_moved_in_this_round_move() -> None:
    table = race(first=1)
    table.pass_(1)
    table.pass_(2)
    assert kinds(table.play(0, "8H", "CAT"))[-2:] == ["target_reached", "ended"]


def test_6_3_the_highest_score_wins_whoever_came_first() -> None:
    table = race(players=2)
    table.play(0, "8H", "CAT")
    table.play(1, "8K", "S")
    assert table.scores == [10, 6]
    table = GameDriver("race", ["ATIIIII", "SOEIIII"], BAG, words="AT ATS SO", target=4)
    table.play(0, "8H", "AT")
    table.play(1, "J8", "SO")
    assert (end_of(table), table.scores) == (("target", (1,)), [4, 5])


@pytest.mark.parametrize(("winner", "seat"), [("highest", 1), ("first", 0)])
def test_6_3_target_winner_tells_who_wins(winner: str, seat: int) -> None:
    table = GameDriver(
        "race", ["ATIIIII", "SOEIIII"], BAG, words="AT ATS SO", target=4, target_winner=winner
    )
    table.play(0, "8H", "AT")
    table.play(1, "J8", "SO")
    assert (end_of(table), table.scores) == (("target", (seat,)), [4, 5])


def test_6_3_without_anybody_at_the_target_the_highest_score_wins() -> None:
    table = GameDriver("race", ["CAT", "DOG"], "", target=200, target_winner="first")
    table.play(0, "8H", "CAT")
    assert end_of(table) == ("out", (0,))


def test_6_3_a_game_may_end_otherwise_before() -> None:
    table = GameDriver("race", ["CAT", "DOG"], "", target=200)
    table.play(0, "8H", "CAT")
    assert end_of(table)[0] == "out"


def test_6_3_off_there_is_no_target() -> None:
    table = GameDriver("race", ["CATIIII", "DOGIIII"], BAG, target=None)
    table.play(0, "8H", "CAT")
    assert table.game.target_by is None


def test_6_3_a_lost_turn_counts_as_the_move() -> None:
    table = race(challenge="double", players=2)
    table.play(0, "8H", "CAT")
    assert kinds(table.challenge(1))[:3] == ["challenged", "turn_skipped", "ended"]


def test_6_3_points_for_a_challenge_may_reach_the_target() -> None:
    table = GameDriver("race", ["CATIIII", "DOGIIII"], BAG, target=15, challenge="five")
    table.play(0, "8H", "CAT")
    assert table.challenge(1)[1:] == [Awarded(0, 5, "challenge"), TargetReached(0)]
    table.pass_(1)
    assert end_of(table) == ("target", (0,))


def test_6_3_a_play_taken_back_has_not_reached_it() -> None:
    table = race(challenge="free")
    table.play(0, "8H", "TAC")
    assert table.game.target_by == 0
    table.challenge(1)
    assert table.game.target_by is None
    for _ in range(4):
        table.pass_(table.game.on_turn)
    assert table.game.phase == "playing"


def test_6_3_nor_has_a_player_who_left() -> None:
    table = race()
    table.play(0, "8H", "CAT")
    table.resign(0)
    table.pass_(1)
    table.pass_(2)
    assert (table.game.phase, table.game.on_turn) == ("playing", 1)


def test_6_3_but_another_may_have_reached_it_by_then() -> None:
    table = race(target=5)
    table.play(0, "8H", "CAT")
    table.play(1, "8K", "S")
    table.resign(0)
    assert kinds(table.pass_(2)) == ["passed", "target_reached", "ended"]
    assert end_of(table) == ("target", (1,))


def test_6_3_the_round_goes_by_those_who_are_left() -> None:
    table = race()
    table.play(0, "8H", "CAT")
    table.resign(2)
    table.pass_(1)
    assert end_of(table) == ("target", (0,))


# 6.4


@pytest.mark.parametrize("seat", [0, 1])
def test_6_4_of_two_the_other_wins_and_scores_stand(seat: int) -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII"], BAG)
    table.play(0, "8H", "CAT")
    table.resign(seat)
    assert (end_of(table), table.scores) == (("resigned", (1 - seat,)), [10, 0])


def test_6_4_of_three_the_player_is_out_and_the_rack_goes_back() -> None:
    table = GameDriver("official", ["CATIIII", "DOG", "HORN"], "EE")
    assert table.resign(2) == [Retired(2, "resigned", ("H", "N", "O", "R"))]
    assert (table.racks[2], table.bag) == ("", "EEHNOR")
    assert (table.game.on_turn, table.game.active) == (0, (0, 1))
    with table.refuses("WRONG_PHASE", "out of this game"):
        table.resign(2)
    table.pass_(0)
    table.pass_(1)
    assert table.game.on_turn == 0


def test_6_4_who_is_out_has_no_turn_to_lose() -> None:
    table = GameDriver("official", ["CATIIII", "DOG", "HORN"], BAG)
    table.play(0, "8H", "CAT")
    table.challenge(2)
    table.resign(2)
    assert table.game.players[2].forfeits == 0
    assert kinds(table.pass_(1)) == ["passed", "turn_began"]


def test_6_4_on_turn_the_next_one_moves() -> None:
    table = GameDriver("official", ["CATIIII", "DOG", "HORN"], BAG)
    assert table.resign(0)[1:] == [TurnBegan(1, 2, table.now)]


def test_6_4_the_last_one_left_wins_whatever_the_scores() -> None:
    table = GameDriver("official", ["CATIIII", "DOG", "HORN"], BAG)
    table.play(0, "8H", "CAT")
    table.resign(0)
    table.resign(1)
    assert (end_of(table), table.scores) == (("resigned", (2,)), [10, 0, 0])


def test_6_4_who_is_out_does_not_win() -> None:
    table = GameDriver("official", ["CATIIII", "DOG", "HORN"], BAG, scoreless_limit=2)
    table.play(0, "8H", "CAT")
    table.resign(0)
    table.pass_(1)
    table.pass_(2)
    assert (end_of(table), table.scores[0]) == (("scoreless", (1,)), 10)
