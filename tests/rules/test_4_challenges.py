"""RULES 4: challenges; test_4_last_word.py has 4.4 and 4.5."""

from typing import Any

import pytest

from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Retired,
    TurnBegan,
    TurnForfeited,
    TurnSkipped,
    Withdrawn,
)
from tests.support.game_driver import GameDriver, kinds

BAG = "E" * 20


def with_play(good: bool, rule: str = "double", players: int = 2, **changes: Any) -> GameDriver:
    """Ann has played CAT, or CAX, for 10 or 24 points; it is bob's turn."""
    racks = ["CATXIII", "DOGSOOO", "HORNAAA", "FARMUUU"][:players]
    table = GameDriver("official", racks, BAG, challenge=rule, **changes)
    table.play(0, "8H", "CAT" if good else "CAX")
    return table


def won_by(table: GameDriver) -> tuple[str, tuple[int, ...]]:
    assert table.game.ended is not None
    return table.game.ended.why, table.game.ended.winners


# 4.1


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_4_1_any_other_player_may_challenge(seat: int) -> None:
    table = with_play(good=False, players=4)
    assert table.challenge(seat)[:1] == [Challenged(seat, 0, ("CAX",), ("CAX",))]


def test_4_1_until_the_next_player_has_moved() -> None:
    table = with_play(good=False, players=3)
    table.play(1, "H7", "D.G")
    assert table.challenge(2)[:1] == [Challenged(2, 1, ("DCG",), ("DCG",))]
    for move in (GameDriver.pass_, lambda table, seat: table.exchange(seat, "D")):
        table = with_play(good=False, players=3)
        move(table, 1)
        with table.refuses("NOTHING_TO_CHALLENGE", "no play that could"):
            table.challenge(2)


def test_4_1_a_turn_that_is_lost_is_no_move() -> None:
    table = with_play(good=True, players=3)
    table.challenge(2)
    table.play(1, "H7", "O.O")
    assert table.game.on_turn == 0
    assert table.challenge(2)[0] == Challenged(2, 1, ("OCO",), ("OCO",))


def test_4_1_leaving_is_no_move() -> None:
    table = with_play(good=False, players=3)
    table.resign(1)
    assert "withdrawn" in kinds(table.challenge(2))


def test_4_1_the_play_of_a_player_who_has_left_stands() -> None:
    table = with_play(good=False, players=3)
    table.resign(0)
    with table.refuses("NOTHING_TO_CHALLENGE"):
        table.challenge(1)
    assert table.on("8J") is not None


def test_4_1_once_only() -> None:
    table = with_play(good=True, players=3, rule="free")
    table.challenge(1)
    with table.refuses("NOTHING_TO_CHALLENGE", "challenged already"):
        table.challenge(2)


# 4.2


def test_4_2_one_bad_word_takes_the_whole_play_back_and_one_turn_is_lost() -> None:
    table = GameDriver("official", ["DOGOO", "SS"], BAG, board={"8H": "CAT"})
    table.play(0, "9H", "DOG")
    assert table.last_play.words == ("DOG", "CD", "AO", "TG")
    events = table.challenge(1)
    assert events[0] == Challenged(1, 0, ("DOG", "CD", "AO", "TG"), ("CD", "AO", "TG"))
    assert kinds(events) == ["challenged", "withdrawn"]
    assert table.game.scoreless == 1
    assert [table.on(square) for square in ("9H", "9I", "9J")] == [None, None, None]


# 4.3


@pytest.mark.parametrize("rule", ["free", "double", "five", "ten"])
def test_4_3_a_bad_play_comes_back_and_loses_the_turn(rule: str) -> None:
    table = GameDriver("official", ["CAXIIII", "DOG"], BAG, challenge=rule)
    before = table.game
    table.play(0, "8H", "CAX")
    assert table.racks[0] == "EEEIIII"
    events = table.challenge(1)
    assert events[1:] == [Withdrawn(0, 24, ("E", "E", "E"))]
    assert (table.racks[0], table.bag, table.scores) == ("ACIIIIX", BAG, [0, 0])
    assert table.game.board == before.board
    assert (table.game.on_turn, table.game.turn) == (1, 2)


def test_4_3_of_more_tiles_in_the_rack_the_drawn_ones_go_back() -> None:
    table = GameDriver("official", ["CAXABDE", "DOG"], "FGH")
    table.play(0, "8H", "CAX")
    assert table.racks[0] == "ABDEFGH"
    table.challenge(1)
    assert (table.racks[0], table.bag) == ("AABCDEX", "FGH")


def test_4_3_the_next_player_who_has_begun_keeps_the_turn() -> None:
    table = with_play(good=False, players=3)
    assert kinds(table.challenge(2)) == ["challenged", "withdrawn"]
    assert (table.game.on_turn, table.game.turn) == (1, 2)
    table.play(1, "8H", "DOG")


def test_4_3_free_a_good_play_stands_and_nothing_happens() -> None:
    table = with_play(good=True, rule="free")
    assert kinds(table.challenge(1)) == ["challenged"]
    assert (table.game.on_turn, table.game.turn, table.scores) == (1, 2, [10, 0])
    table.pass_(1)


def test_4_3_double_the_challenger_on_turn_is_skipped_now() -> None:
    table = with_play(good=True)
    assert table.challenge(1)[1:] == [TurnSkipped(1), TurnBegan(0, 3, table.now)]
    assert (table.game.on_turn, table.game.scoreless) == (0, 1)


def test_4_3_double_the_challenger_off_turn_is_skipped_when_the_turn_comes() -> None:
    table = with_play(good=True, players=4)
    assert table.challenge(2)[1:] == [TurnForfeited(2)]
    assert (table.game.on_turn, table.game.players[2].forfeits) == (1, 1)
    assert table.pass_(1)[1:] == [TurnSkipped(2), TurnBegan(3, 3, table.now)]
    assert table.game.players[2].forfeits == 0


def test_4_3_double_two_wrong_challenges_cost_two_turns() -> None:
    table = with_play(good=True, players=4)
    table.challenge(3)
    table.play(1, "8K", "S")
    table.challenge(3)
    assert table.game.players[3].forfeits == 2
    order = []
    for _ in range(8):
        order.append(table.game.on_turn)
        table.pass_(table.game.on_turn)
    assert order == [2, 0, 1, 2, 0, 1, 2, 3]


@pytest.mark.parametrize(("rule", "points"), [("five", 5), ("ten", 10)])
def test_4_3_five_and_ten_the_player_of_the_good_play_gains(rule: str, points: int) -> None:
    table = with_play(good=True, rule=rule)
    assert table.challenge(1)[1:] == [Awarded(0, points, "challenge")]
    assert (table.scores, table.game.on_turn) == ([10 + points, 0], 1)


@pytest.mark.parametrize(("good", "winner"), [(True, 0), (False, 1)])
def test_4_3_triple_whoever_is_wrong_loses_the_game(good: bool, winner: int) -> None:
    table = with_play(good, rule="triple")
    table.challenge(1)
    assert won_by(table) == ("challenge", (winner,))


def test_4_3_triple_with_three_the_others_play_on() -> None:
    table = with_play(good=True, rule="triple", players=3)
    events = table.challenge(1)
    assert kinds(events) == ["challenged", "retired", "turn_began"]
    assert table.game.on_turn == 2
    table = with_play(good=True, rule="triple", players=3)
    assert kinds(table.challenge(2)) == ["challenged", "retired"]
    assert table.game.on_turn == 1
    table = with_play(good=False, rule="triple", players=3)
    events = table.challenge(2)
    assert events[2] == Retired(0, "challenge", ("A", "C", "I", "I", "I", "T", "X"))
    assert (table.game.on_turn, table.game.active) == (1, (1, 2))
    assert len(table.game.bag) == len(BAG) + 7


def test_4_3_triple_a_play_taken_back_counts_as_scoreless() -> None:
    table = with_play(good=False, rule="triple", players=3, scoreless_limit=2)
    table.challenge(2)
    table.pass_(1)
    assert won_by(table) == ("scoreless", (1,))


# 4.6


def test_4_6_not_at_the_start() -> None:
    table = GameDriver("official", ["CAT", "DOG"])
    for seat in (0, 1):
        with table.refuses("NOTHING_TO_CHALLENGE", "nothing has been played yet"):
            table.challenge(seat)


def test_4_6_not_after_a_pass_or_an_exchange() -> None:
    table = with_play(good=True)
    table.pass_(1)
    with table.refuses("NOTHING_TO_CHALLENGE", "there is no play that could be challenged now"):
        table.challenge(0)
    table.exchange(0, "X")
    with table.refuses("NOTHING_TO_CHALLENGE", "there is no play that could be challenged now"):
        table.challenge(1)


def test_4_6_not_a_play_that_was_taken_back() -> None:
    table = with_play(good=False, players=3)
    table.challenge(2)
    with table.refuses("NOTHING_TO_CHALLENGE", "there is no play that could be challenged now"):
        table.challenge(1)


def test_4_6_not_ones_own_play() -> None:
    table = with_play(good=False)
    with table.refuses("NOTHING_TO_CHALLENGE", "your own play"):
        table.challenge(0)


def test_4_6_not_under_void() -> None:
    table = GameDriver("race", ["CATIIII", "DOGIIII"], BAG)
    table.play(0, "8H", "CAT")
    with table.refuses("NOTHING_TO_CHALLENGE", "every word is checked"):
        table.challenge(1)
