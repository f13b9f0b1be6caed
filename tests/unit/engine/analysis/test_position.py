"""What the player to move knows, and what that player can do."""

from random import Random

import pytest

from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.moves import Accept, Exchange, Move, Pass, Place
from crossroom_engine.core.tiles import multiset, take_tiles
from crossroom_engine.game.views import view
from crossroom_engine.movegen.leaves import NO_LEAVES, Leaves
from tests.support.game_driver import GameDriver
from tests.support.tiny_ruleset import RULES, CheckedGame

LIKES_A = Leaves("a", {"A": 9_000, "B": -1_000}, {("A", "A"): -20_000})


def position(table: GameDriver, seat: int = 0) -> Position:
    return Position.from_view(view(table.game, seat), table.rules, table.lexicon)


def ranked(table: GameDriver, leaves: Leaves = NO_LEAVES, n: int = 1000) -> list[Candidate]:
    return candidates(position(table), leaves, n)


def test_a_situation_is_what_the_seat_may_see_in_order_of_play() -> None:
    table = GameDriver(racks=("CAT", "DOGS", "PASTE"), first=1)
    seen = position(table, 1)
    assert (seen.rack, seen.others, seen.bag) == (multiset("DOGS"), (5, 3), 88)
    assert seen.unseen == take_tiles(multiset("DOGS"), table.rules.tiles.distribution)
    assert seen.scores == (0, 0, 0)


def test_who_has_resigned_is_not_in_the_situation_but_their_tiles_are_unseen() -> None:
    table = GameDriver(racks=("CAT", "DOG", "HORN"), bag="E")
    table.play(0, "8G", "CAT")
    table.resign(1)
    seen = position(table, 2)
    assert (seen.others, len(seen.scores)) == ((1,), 2)
    assert len(seen.unseen) == sum(seen.others) + seen.bag


def test_who_begins_the_rounds_is_told_even_if_the_first_player_has_left() -> None:
    table = GameDriver(racks=("CAT", "DOGS", "PASTE"), first=1)
    assert [position(table, seat).begins for seat in range(3)] == [1, 0, 2]
    table.resign(1)
    assert [position(table, seat).begins for seat in (0, 2)] == [1, 0]


def test_without_leaves_points_decide_and_a_play_comes_before_doing_nothing() -> None:
    found = ranked(GameDriver(racks=("CATS?", "DOG")))
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)
    assert isinstance(found[0].move, Place)
    assert isinstance(found[-1].move, Exchange | Pass)


def test_leaves_count() -> None:
    found = ranked(GameDriver(racks=("CATS", "DOG")), Leaves("s", {"S": 90_000}))
    assert all("S" in one.kept for one in found[:5])
    assert found[0].equity == 1000 * found[0].points + 90_000


def test_an_exchange_is_made_when_what_is_kept_is_worth_more() -> None:
    table = GameDriver(racks=("AVVUUII", "AAA"), words="AI")
    clumsy = dict.fromkeys("VUI", -10_000)
    best = ranked(table, Leaves("a", {"A": 30_000, **clumsy}))[0]
    given = multiset("VVUUII")
    assert best == Candidate(Exchange(given), 0, table.game.board, ("A",), given, equity=30_000)


def test_no_more_is_exchanged_than_the_bag_holds_and_nothing_where_the_rules_forbid_it() -> None:
    def given(table: GameDriver) -> set[int]:
        return {len(one.given) for one in ranked(table)}

    racks = ("CATS", "DOG")
    assert given(GameDriver(racks=racks)) == {0, 1, 2, 3, 4}
    assert given(GameDriver(racks=racks, bag="EE")) == {0, 1, 2}
    assert given(GameDriver(racks=racks, bag="")) == {0}
    assert given(GameDriver("tournament", racks=racks, bag="EEEEEE")) == {0}


def test_with_an_empty_bag_tiles_cost_what_the_end_adjustment_takes() -> None:
    racks, board = ("SB", "DOG"), {"8G": "CAT"}
    for end, gained, lost in (("sum", 10, 8), ("double", 10, 8), ("none", 0, 0)):
        table = GameDriver(
            racks=racks, bag="", board=board, words="BE CAT CATS", end_adjustment=end
        )
        equities = {one.move.kind: one.equity - 1000 * one.points for one in ranked(table)}
        assert equities == {"place": -1000 * (lost - 2 if lost else 0), "pass": -1000 * lost}
        table = GameDriver(
            racks=("S", "DOG"), bag="", board=board, words="CATS", end_adjustment=end
        )
        assert ranked(table)[0].equity == 1000 * (ranked(table)[0].points + gained)


def test_a_candidate_knows_the_board_after_it_and_what_stays() -> None:
    for one in ranked(GameDriver(racks=("CATS?", "DOG"), bag="")):
        table = GameDriver(racks=("CATS?", "DOG"), bag="")
        table.attempt(0, one.move)
        assert one.board == table.game.board
        assert one.points == table.scores[0]
        assert one.kept == table.game.players[0].rack


def test_blanks_that_may_be_taken_back_are() -> None:
    table = GameDriver(
        "race", racks=("ZVV", "EEE"), board={"8G": "zA"}, words="ZA ZAX", reclaim="any"
    )
    square = Spot.parse("8G").square
    found = [one for one in ranked(table) if isinstance(one.move, Place) and one.move.swaps]
    assert found
    for one in found:
        assert isinstance(one.move, Place)
        assert one.move.swaps == (square,)
        assert str(one.board[square]) == "Z"
        assert one.kept == multiset("VV")


def test_only_so_many_are_asked_for() -> None:
    table = GameDriver(racks=("CATS?", "DOG"))
    everything = ranked(table, LIKES_A)
    for n in (1, 2, 7):
        assert ranked(table, LIKES_A, n) == everything[:n]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_candidate_is_allowed_in_small_games(name: str, players: int) -> None:
    rules = RULES[name]
    if players > rules.players:
        pytest.skip("not so many may play")
    session = CheckedGame(rules, players, seed=players)
    for turn in range(40):
        game = session.game
        if game.phase == "over":
            break
        seat = game.on_turn if game.phase == "playing" else game.awaited[0]
        move: Move = Accept()
        if game.phase == "playing":
            seen = Position.from_view(view(game, seat), rules, session.lexicon)
            move = Random(turn).choice(candidates(seen, LIKES_A, 6)).move
        assert session.attempt(seat, move)
