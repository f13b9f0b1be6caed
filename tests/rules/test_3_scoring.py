"""RULES 3: scoring."""

import pytest

from crossroom_engine.core import data
from tests.support.game_driver import GameDriver

HORN = {"8F": "HORN"}


def points(table: GameDriver, seat: int, at: str, text: str) -> int:
    table.play(seat, at, text)
    return table.last_play.points


def words(table: GameDriver) -> tuple[str, ...]:
    return table.last_play.words


# 3.1


def test_3_1_the_letter_values() -> None:
    tiles = data.tileset("english")
    values = {1: "AEILNORSTU", 2: "DG", 3: "BCMP", 4: "FHVWY", 5: "K", 8: "JX", 10: "QZ", 0: "?"}
    assert {tile: tiles.points(tile) for tile in set(tiles.distribution)} == {
        tile: value for value, letters in values.items() for tile in letters
    }


def test_3_1_the_distribution() -> None:
    distribution = data.tileset("english").distribution
    counts = " ".join(f"{tile}{distribution.count(tile)}" for tile in sorted(set(distribution)))
    assert counts == (
        "?2 A9 B2 C2 D4 E12 F2 G3 H2 I9 J1 K1 L4 M2 N6 O8 P2 Q1 R6 S4 T6 U4 V2 W2 X1 Y2 Z1"
    )
    assert len(distribution) == 100


# 3.2


def test_3_2_letter_premiums_come_before_word_premiums() -> None:
    # 1A triples the word; 1D, under the T, doubles the letter.
    table = GameDriver(racks=["FAST", ""], board={"2A": "O"})
    assert points(table, 0, "1A", "FAST") == (4 + 1 + 1 + 2 * 1) * 3 + (4 + 1) * 3


def test_3_2_two_double_words_are_four_times() -> None:
    # 2B and 2N
    table = GameDriver("classic", racks=["DE", ""], board={"2C": "ABCDEABCDEA"})
    lying = 1 + 3 + 3 + 2 + 1 + 1 + 3 + 3 + 2 + 1 + 1
    assert points(table, 0, "2B", "D...........E") == (2 + lying + 1) * 4


def test_3_2_two_triple_words_are_nine_times() -> None:
    # 1A and 1H
    table = GameDriver("classic", racks=["DE", ""], board={"1B": "ABCDEA"})
    assert points(table, 0, "1A", "D......E") == (2 + 11 + 1) * 9


# 3.3


def test_3_3_a_premium_counts_in_the_turn_that_covers_it_only() -> None:
    # The word premium of the start square first; then S on plain 8J.
    table = GameDriver(racks=["HORN", "S"])
    assert points(table, 0, "8F", "HORN") == (4 + 1 + 1 + 1) * 2
    assert points(table, 1, "8J", "S") == 4 + 1 + 1 + 1 + 1


def test_3_3_a_premium_counts_in_every_word_through_its_square() -> None:
    # 9G and 9I double letters: O in OAT and in OO, T in OAT and in NT.
    table = GameDriver(racks=["OAT", ""], board=HORN)
    assert points(table, 0, "9G", "OAT") == (2 + 1 + 2) + (1 + 2) + (1 + 1) + (1 + 2)


def test_3_3_the_premiums_of_a_play_taken_back_count_again() -> None:
    table = GameDriver(racks=["XU", "AT"], bag="EEEE")
    assert points(table, 0, "8H", "UX") == 18
    table.challenge(1)
    assert points(table, 1, "8H", "AT") == 4


# 3.4


def test_3_4_a_blank_is_worth_nothing_but_carries_the_word_premium() -> None:
    table = GameDriver(racks=["H?RN", ""])
    assert points(table, 0, "8G", "HoRN") == (4 + 0 + 1 + 1) * 2


def test_3_4_a_blank_gains_nothing_from_a_letter_premium() -> None:
    # 9G doubles the letter.
    table = GameDriver("classic", racks=["?", ""], board={"9F": "N", "9H": "T"})
    assert points(table, 0, "9F", "NoT") == 2


# 3.5


def test_3_5_every_word_made_or_changed_scores_and_common_letters_twice() -> None:
    table = GameDriver(racks=["S?", ""], board={"8F": "HORN", "9J": "IT"})
    assert points(table, 0, "J8", "S.") == (4 + 1 + 1 + 1 + 1) + (1 + 1)
    assert words(table) == ("HORNS", "SI")


# 3.6


@pytest.mark.parametrize(("preset", "bonus"), [("official", 50), ("race", 15)])
def test_3_6_the_bonus_for_a_full_rack_comes_last(preset: str, bonus: int) -> None:
    table = GameDriver(preset, racks=["HORNIST", ""], words="HORNIST", target=None)
    assert points(table, 0, "8H", "HORNIST") == (4 + 1 + 1 + 1 + 2 * 1 + 1 + 1) * 2 + bonus


def test_3_6_the_last_tiles_of_a_short_rack_are_no_full_rack() -> None:
    table = GameDriver(racks=["HORN", "Z"], bag="")
    assert points(table, 0, "8F", "HORN") == 14


def test_3_6_a_full_rack_is_what_the_rules_say() -> None:
    table = GameDriver(racks=["HORN", ""], rack=4)
    assert points(table, 0, "8F", "HORN") == 14 + 50


# 3.7


def test_3_7_worked_example() -> None:
    # Racks of nine and a bag of three give the players the tiles they need.
    table = GameDriver("classic", racks=["HORNPASTE", "FAMOBEEEE"], bag="BIT", rack=9)
    assert points(table, 0, "8F", "HORN") == 14
    assert points(table, 1, "H6", "FA.M") == 9
    assert points(table, 0, "10F", "PASTE") == 25
    assert words(table) == ("PASTE", "FARMS")
    assert points(table, 1, "9H", ".OB") == 16
    assert words(table) == ("MOB", "NOT", "BE")
    assert points(table, 0, "11E", "BIT") == 16
    assert words(table) == ("BIT", "PI", "AT")
    assert table.scores == [14 + 25 + 16, 9 + 16]
