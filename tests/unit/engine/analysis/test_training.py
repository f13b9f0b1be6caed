"""Statistics of games, and the table that comes of them."""

from random import Random

import pytest

from crossroom_engine.analysis.selfplay import SelfPlayTurn
from crossroom_engine.analysis.training import GainSums, add_gains, fit_leaves, merge_gains
from crossroom_engine.movegen.leaves import Leaves

WORTH = Leaves("before", {"S": 5_000, "V": -4_000}, {("S", "V"): 1_000})
TILES = ("?", "A", "Q", "S", "U")


def turn(seat: int, bag: int, points: int, kept: str) -> SelfPlayTurn:
    return SelfPlayTurn(seat, bag, points, 7 - len(kept), 0, tuple(kept))


def test_a_gain_is_the_next_play_less_the_others_in_between() -> None:
    notes: GainSums = {}
    turns = [turn(0, 86, 10, "S"), turn(1, 80, 20, "V"), turn(0, 75, 40, "SV"), turn(1, 70, 7, "")]
    add_gains(notes, turns, WORTH, rack=7)
    assert notes == {
        # 40 points and SV, less the 20 points and the V of the other
        (86 // 7, ("S",)): (1, 40_000 + 2_000 - (20_000 - 4_000)),
        # 7 points and nothing, less 40 points and SV, of which S was there before
        (80 // 7, ("V",)): (1, 7_000 - (40_000 + 2_000 - 5_000)),
    }


def test_the_end_of_the_game_is_left_out() -> None:
    notes: GainSums = {}
    turns = [turn(at % 2, bag, 10, "A") for at, bag in enumerate((29, 22, 15, 14, 8, 4))]
    add_gains(notes, turns, WORTH, rack=7)
    assert sorted(notes) == [(bag // 7, ("A",)) for bag in (15, 22, 29)]
    assert {count for count, _ in notes.values()} == {1}


def test_equal_leaves_are_added_up() -> None:
    notes: GainSums = {(12, ("S",)): (3, 600)}
    merge_gains(notes, {(12, ("S",)): (2, -100), (11, ("S",)): (1, 5)})
    assert notes == {(12, ("S",)): (5, 500), (11, ("S",)): (1, 5)}


def planted(times: int) -> GainSums:
    """Leaves that brought just what a model says, at two stages of the game."""
    random, notes = Random(1), GainSums()
    for _ in range(times):
        kept = tuple(sorted(random.sample(TILES * 2, random.randint(0, 5))))
        stage = random.choice([3, 9])
        gain = 1_000 * stage + 25_000 * kept.count("?") - 6_000 * kept.count("Q")
        gain += 9_000 * kept.count("Q") * kept.count("U")
        merge_gains(notes, {(stage, kept): (100, 100 * gain)})
    return notes


def test_the_table_explains_the_gains() -> None:
    table = fit_leaves("planted", TILES, planted(3000))
    assert table.name == "planted"
    assert table.tiles["?"] == pytest.approx(25_000, rel=0.02)
    assert table.tiles["Q"] == pytest.approx(-6_000, rel=0.05)
    assert table.pairs["Q", "U"] == pytest.approx(9_000, rel=0.05)
    assert abs(table.tiles["A"]) < 200
    assert len(table.pairs) == 15


def test_what_was_seldom_seen_is_hardly_believed() -> None:
    seldom: GainSums = {(5, ()): (10_000, 0), (5, ("A", "S")): (2, 2 * 50_000)}
    assert 0 < fit_leaves("seldom", TILES, seldom).pairs["A", "S"] < 500
    often: GainSums = {(5, ()): (10_000, 0), (5, ("A", "S")): (20_000, 20_000 * 50_000)}
    assert fit_leaves("often", TILES, often).value(("A", "S")) == pytest.approx(50_000, rel=0.02)


def test_what_was_never_seen_is_worth_nothing() -> None:
    table = fit_leaves("never", TILES, {(5, ("A",)): (10, 10_000), (5, ()): (10, 0)})
    assert table.tiles["Q"] == table.pairs["Q", "U"] == 0


def test_the_order_of_the_games_does_not_matter() -> None:
    notes = planted(200)
    backwards = dict(reversed(notes.items()))
    assert fit_leaves("one", TILES, notes).to_csv() == fit_leaves("one", TILES, backwards).to_csv()
