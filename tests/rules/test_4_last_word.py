"""RULES 4.4 and 4.5: the last word."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from crossroom_engine.core.events import (
    Accepted,
    Awarded,
    Ended,
    Event,
    RackReturned,
    Retired,
    TurnBegan,
    Withdrawn,
)
from crossroom_engine.game.final_scores import end_adjustments
from crossroom_engine.game.game import apply
from crossroom_engine.game.timing import due_at
from tests.support.game_driver import GameDriver, kinds

BAG = "E" * 20


def ending(good: bool = True, rule: str = "double", players: int = 2, **changes: Any) -> GameDriver:
    """Ann has gone out with CAT, or the phony TAC; the others hold DOG and HORN."""
    racks = ["CAT", "DOG", "HORN", "FARM"][:players]
    table = GameDriver("official", racks, "", challenge=rule, **changes)
    table.play(0, "8H", "CAT" if good else "TAC")
    assert table.game.phase == "last_word"
    return table


def won_by(table: GameDriver) -> tuple[str, tuple[int, ...]]:
    assert table.game.ended is not None
    return table.game.ended.why, table.game.ended.winners


# 4.4


@pytest.mark.parametrize("rule", ["free", "double", "five", "ten", "triple"])
def test_4_4_a_play_that_goes_out_awaits_the_last_word(rule: str) -> None:
    table = ending(rule=rule, players=3)
    assert kinds(table.log)[-1] == "last_word_awaited"
    assert table.game.awaited == (1, 2)
    assert table.scores == [10, 0, 0]


def test_4_4_under_void_it_ends_at_once() -> None:
    table = GameDriver("official", ["CAT", "DOG"], "", challenge="void")
    assert kinds(table.play(0, "8H", "CAT"))[-1] == "ended"


@pytest.mark.parametrize(
    "attempt",
    [
        lambda table, seat: table.play(seat, "9G", "DOG"),
        lambda table, seat: table.pass_(seat),
        lambda table, seat: table.exchange(seat, "D"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_4_4_the_others_may_only_accept_or_challenge(
    attempt: Callable[[GameDriver, int], object], seat: int
) -> None:
    table = ending()
    with table.refuses("WRONG_PHASE", "/accept or /challenge"):
        attempt(table, seat)


def test_4_4_it_ends_when_all_have_accepted() -> None:
    table = ending(players=3)
    assert table.accept(2) == [Accepted(2)]
    assert kinds(table.accept(1)) == ["accepted", "awarded", "awarded", "awarded", "ended"]
    assert won_by(table) == ("out", (0,))
    assert (table.game.pending, table.game.open_play, table.game.awaited) == (None, None, ())


def test_4_4_one_accepts_once_and_not_ones_own_play() -> None:
    table = ending(players=3)
    table.accept(2)
    for seat in (0, 2):
        with table.refuses("WRONG_PHASE", "answered this play already"):
            table.accept(seat)


def test_4_4_who_has_accepted_does_not_challenge() -> None:
    table = ending(good=False, players=3)
    table.accept(2)
    with table.refuses("NOTHING_TO_CHALLENGE", "accepted"):
        table.challenge(2)
    assert "withdrawn" in kinds(table.challenge(1))


def test_4_4_there_is_nothing_to_accept_before() -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII"], BAG)
    table.play(0, "8H", "CAT")
    with table.refuses("WRONG_PHASE", "no last play"):
        table.accept(1)


def test_4_4_it_ends_when_the_acceptance_time_is_over() -> None:
    table = ending()
    assert due_at(table.game) == table.now + 20_000
    assert table.wait(19.999) == []
    assert kinds(table.wait(0.001))[:1] == ["accepted"]
    assert won_by(table) == ("out", (0,))


def test_4_4_a_challenge_after_that_time_is_too_late() -> None:
    table = ending(good=False)
    table.now += 20_000
    assert "withdrawn" not in kinds(table.challenge(1))
    assert won_by(table) == ("out", (0,))


def test_4_4_the_next_players_flag_counts_as_acceptance() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], "", clock=60, first=1)
    table.now += 55_000
    table.play(1, "8H", "DO")
    table.play(0, "J8", "CAT")
    assert table.wait(4.999) == []
    assert kinds(table.wait(0.001))[:1] == ["accepted"]
    assert won_by(table)[0] == "out"


def test_4_4_the_flag_speaks_for_the_next_player_only() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], "", clock=60, first=1, players=3)
    table.now += 55_000
    table.play(1, "8H", "DO")
    table.now += 55_000
    table.pass_(2)
    table.play(0, "J8", "CAT")
    assert table.wait(5) == [Accepted(1, late=True)]
    assert table.game.awaited == (2,)
    assert table.wait(14.999) == []
    assert kinds(table.wait(0.001))[-1] == "ended"


def test_4_4_one_players_flag_does_not_swallow_the_challenge_of_another() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], "", clock=60, first=1, players=3)
    table.now += 55_000
    table.play(1, "8H", "DO")
    table.pass_(2)
    table.play(0, "J8", "CAT")
    table.now += 5_000
    assert kinds(table.challenge(2))[:2] == ["accepted", "challenged"]


@pytest.mark.parametrize("used", [60, 61])
def test_4_4_who_is_in_overtime_has_no_flag_left_to_fall(used: int) -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], "", clock=60, first=1)
    table.now += used * 1000
    table.play(1, "8H", "DO")
    table.play(0, "J8", "CAT")
    assert due_at(table.game) == table.now + 20_000


def test_4_4_no_clock_runs_until_all_have_accepted() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], "", clock=60)
    table.now += 59_000
    table.play(0, "8H", "CAT")
    events = table.wait(20)
    assert [(award.seat, award.why) for award in events if isinstance(award, Awarded)] == [
        (0, "went_out")
    ]
    assert [player.used for player in table.game.players] == [59_000, 0]


def test_4_4_no_clock_runs_until_a_challenge() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], "", clock=60)
    table.now += 3_000
    table.play(0, "8H", "TAC")
    table.now += 7_000
    table.challenge(1)
    assert [player.used for player in table.game.players] == [3_000, 0]
    table.now += 2_000
    table.play(1, "8H", "DO")
    assert [player.used for player in table.game.players] == [3_000, 2_000]


@pytest.mark.parametrize("rule", ["free", "double", "five", "ten"])
def test_4_4_a_good_challenge_un_ends_the_game(rule: str) -> None:
    table = GameDriver("official", ["CAT", "DOG"], "", challenge=rule)
    before = table.game
    table.play(0, "8H", "TAC")
    events = table.challenge(1)
    assert events[1:] == [Withdrawn(0, 10, ()), TurnBegan(1, 2, table.now)]
    game = table.game
    assert (game.phase, game.pending, game.accepted, game.open_play) == ("playing", None, (), None)
    ann, bob = game.players
    assert ((replace(ann, turns=0), bob), game.bag) == (before.players, before.bag)
    assert game.board == before.board
    assert game.scoreless == 1
    table.play(1, "8H", "DO")


def test_4_4_earlier_acceptances_do_not_count_for_the_next_last_word() -> None:
    table = ending(good=False, players=3)
    table.accept(2)
    table.challenge(1)
    table.play(1, "8H", "DOG")
    assert table.game.awaited == (0, 2)


def test_4_4_the_end_of_a_round_waits_too() -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII"], BAG, target=5)
    table.play(0, "8H", "CAT")
    assert kinds(table.play(1, "9G", "DOG"))[-1] == "last_word_awaited"
    assert table.game.pending == "target"
    events = table.challenge(0)
    assert (kinds(events)[:2], kinds(events)[-1]) == (["challenged", "withdrawn"], "ended")
    assert won_by(table) == ("target", (0,))


def test_4_4_a_skip_before_the_end_is_not_undone() -> None:
    racks = ["CATIIII", "TATIIII", "SEXIIII", "HIIIIII"]
    table = GameDriver("official", racks, BAG, target=4, first=1)
    table.play(1, "8H", "AT")
    table.challenge(0)
    table.pass_(2)
    events = table.play(3, "8J", "H")
    assert kinds(events)[-2:] == ["turn_skipped", "last_word_awaited"]
    events = table.challenge(2)
    assert (kinds(events)[:2], kinds(events)[-1]) == (["challenged", "withdrawn"], "ended")
    assert won_by(table) == ("target", (1,))


@pytest.mark.parametrize("resigned", [1, 2])
def test_4_4_when_one_of_the_others_resigns_the_rest_are_awaited(resigned: int) -> None:
    table = ending(players=3)
    assert kinds(table.resign(resigned)) == ["retired"]
    assert table.game.awaited == (3 - resigned,)
    assert kinds(table.accept(3 - resigned))[-1] == "ended"


def test_4_4_when_the_only_opponent_resigns_the_scores_stand() -> None:
    table = ending()
    assert kinds(table.resign(1)) == ["retired", "ended"]
    assert (won_by(table), table.scores) == (("resigned", (0,)), [10, 0])


def test_4_4_when_its_player_resigns_the_game_ends_without_that_player() -> None:
    table = ending(good=False, players=3)
    events = table.resign(0)
    assert kinds(events) == ["retired", "awarded", "awarded", "awarded", "ended"]
    assert (won_by(table), table.scores) == (("out", (1,)), [10 + 12, -5, -7])


def test_4_4_when_its_player_resigns_the_scores_are_adjusted_as_ever() -> None:
    table = ending(players=3, end_adjustment="double")
    table.resign(0)
    assert (won_by(table), table.scores) == (("out", (1, 2)), [10 + 2 * 12, 0, 0])


@pytest.mark.parametrize("leave", [GameDriver.resign, GameDriver.forfeit])
def test_4_4_who_leaves_meanwhile_keeps_the_rack_which_counts(
    leave: Callable[[GameDriver, int], list[Event]],
) -> None:
    stayed, left = ending(players=3), ending(players=3)
    stayed.accept(1)
    stayed.accept(2)
    assert kinds(leave(left, 1)) == ["retired"]
    left.accept(2)
    assert left.scores == stayed.scores == [10 + 5 + 7, -5, -7]
    assert (left.bag, left.racks) == ("", ["", "DGO", "HNOR"])
    assert won_by(left) == ("out", (0,))


def test_4_4_the_rack_goes_into_the_bag_only_if_the_game_goes_on() -> None:
    table = ending(good=False, players=3)
    table.resign(1)
    events = table.challenge(2)
    assert events[2] == RackReturned(1, ("D", "G", "O"))
    assert kinds(events) == ["challenged", "withdrawn", "rack_returned", "turn_began"]
    assert (table.bag, table.racks) == ("DGO", ["ACT", "", "HNOR"])
    assert (table.game.departed, table.game.on_turn) == ((), 2)


def test_4_4_a_rack_that_an_older_version_put_into_the_bag_stays_there() -> None:
    table = ending(players=3)
    game = apply(table.game, Retired(1, "resigned", ("D", "G", "O")))
    assert (game.departed, game.bag) == ((), ("D", "G", "O"))
    assert list(end_adjustments(game)) == [Awarded(2, -7, "left_over"), Awarded(0, 7, "went_out")]


# 4.5


def awards(events: list[Event]) -> list[tuple[int, int, str]]:
    return [(e.seat, e.points, e.why) for e in events if isinstance(e, Awarded)]


def test_4_5_the_challenge_comes_before_the_end_adjustment() -> None:
    racks = ["CAT", "DOG"]
    table = GameDriver("tournament", racks, "", challenge="five", clock=60)
    table.now += 61_000
    table.play(0, "8H", "CAT")
    events = table.challenge(1)
    assert awards(events) == [(0, 5, "challenge"), (0, 2 * 5, "went_out"), (0, -10, "overtime")]
    assert isinstance(events[-1], Ended)
    assert table.scores == [10 + 5 + 10 - 10, 0]


def test_4_5_under_double_and_free_a_wrong_challenge_just_ends_the_game() -> None:
    for rule in ("double", "free"):
        events = ending(rule=rule).challenge(1)
        assert kinds(events) == ["challenged", "awarded", "awarded", "ended"]


def test_4_5_under_triple_the_challenger_is_out_first() -> None:
    table = ending(rule="triple", players=3)
    events = table.challenge(1)
    assert kinds(events)[:2] == ["challenged", "retired"]
    assert awards(events) == [(1, -5, "left_over"), (2, -7, "left_over"), (0, 12, "went_out")]
    assert won_by(table) == ("out", (0,))


@pytest.mark.parametrize("challenger", [1, 2])
def test_4_5_under_triple_a_phony_costs_its_player_the_game(challenger: int) -> None:
    table = ending(good=False, rule="triple", players=3)
    events = table.challenge(challenger)
    assert kinds(events) == ["challenged", "withdrawn", "retired", "turn_began"]
    assert (table.game.phase, table.game.on_turn) == ("playing", 1)
