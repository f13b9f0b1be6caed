"""Tiles that are laid and not played: where they lie, and how they are written down."""

from random import Random

import pytest

from crossroom_clients.tui.placement import Attempt, TentativePlay
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.tiles import Letter

ROWS = (".......", ".......", ".......", "..CAT..", ".......", ".......", ".......")


def tentative(rack: str = "AERST?X", rows: tuple[str, ...] = ROWS, **more: object) -> TentativePlay:
    made = TentativePlay()
    made.update(rows, list(rack), **more)  # type: ignore[arg-type]
    return made


def go(made: TentativePlay, row: int, column: int, *, across: bool = True) -> TentativePlay:
    made.cursor, made.across = Square(row, column), across
    return made


def spell(made: TentativePlay, keys: str) -> None:
    for key in keys:
        assert made.type(key), key


def test_typing_steps_over_tiles_that_lie_there() -> None:
    made = go(tentative(), 3, 1)
    spell(made, "sx")
    assert list(made.laid) == [(3, 1), (3, 5)]
    assert made.attempt() == Attempt("4B", "S...X", "")
    assert made.left == ["A", "E", "R", "T", "?"]


def test_a_word_down_begins_with_what_lies_above() -> None:
    made = go(tentative(), 4, 4, across=False)
    spell(made, "ar")
    assert made.attempt() == Attempt("E4", ".AR", "")


@pytest.mark.parametrize("across", [True, False])
def test_a_single_tile_is_written_along_the_word_that_it_makes(across: bool) -> None:
    made = go(tentative(), 3, 5, across=across)
    spell(made, "s")
    assert made.attempt() == Attempt("4C", "...S", "")


def test_what_touches_nothing_is_written_as_the_cursor_points() -> None:
    made = go(tentative(), 0, 0, across=False)
    spell(made, "s")
    assert made.attempt() == Attempt("A1", "S", "")


def test_tiles_apart_are_no_play() -> None:
    made = go(tentative(), 0, 0)
    spell(made, "s")
    go(made, 0, 2)
    spell(made, "t")
    assert made.attempt() is None
    made.lift(Square(0, 0))
    assert made.attempt() == Attempt("1C", "T", "")


def test_a_missing_letter_is_a_blank_and_then_nothing() -> None:
    made = go(tentative(), 0, 0)
    spell(made, "q")
    assert made.laid[Square(0, 0)] == Letter("Q", blank=True)
    assert made.attempt() == Attempt("1A", "q", "")
    assert not made.type("z")
    assert len(made.laid) == 1


def test_taking_back_goes_the_way_back() -> None:
    made = go(tentative(), 3, 1)
    spell(made, "sx")
    made.take_back()
    assert made.cursor == (3, 5)
    made.take_back()
    assert made.cursor == (3, 1)
    assert made.laid == {}
    made.take_back()
    assert made.cursor == (3, 0), "with nothing laid it only moves"


def test_the_edge_of_the_board_holds() -> None:
    made = go(tentative(), 0, 6)
    spell(made, "s")
    assert made.cursor == (0, 6)
    assert not made.type("t")
    made.move(-1, 0)
    assert made.cursor == (0, 6)


def test_a_play_of_somebody_else_in_the_same_place_sends_tiles_back() -> None:
    made = go(tentative(), 4, 2)
    spell(made, "at")
    elsewhere = (*ROWS[:5], "..OX...", ROWS[6])
    made.update(elsewhere, "AERST?X")
    assert list(made.laid) == [(4, 2), (4, 3)]
    there = (*ROWS[:4], "..OX...", *ROWS[5:])
    made.update(there, "AERST?X")
    assert made.laid == {}


def test_tiles_that_are_gone_do_not_stay_laid() -> None:
    made = go(tentative(), 4, 2)
    spell(made, "at")
    made.update(ROWS, "EIRSXQ?")
    assert made.laid == {}


def test_the_order_of_a_rack_is_ones_own() -> None:
    made = tentative("ABCDEFG")
    made.shuffle(Random(1))
    order = list(made.rack)
    assert order != list("ABCDEFG")
    made.update(ROWS, "AABCDEZ")
    kept = [tile for tile in order if tile in "ABCDE"]
    assert made.rack[:5] == kept
    assert sorted(made.rack[5:]) == ["A", "Z"]


def test_a_rack_of_one_letter_can_be_shuffled() -> None:
    made = tentative("EEE")
    made.shuffle(Random(1))
    assert made.rack == ["E", "E", "E"]


def test_tiles_of_two_letters() -> None:
    made = go(tentative(rows=("...", "[CH]..", "..."), rack="x"), 0, 0)
    made.rack = ["CH", "C", "H", "LL"]
    spell(made, "cl")
    assert made.attempt() == Attempt("1A", "C[LL]", "")
    assert made.at(Square(1, 0)) == "CH"
    spell(made, "c")
    assert made.laid[Square(0, 2)].letter == "CH", "the only tile left that begins with C"


def test_the_letters_of_one_tile_can_all_be_typed() -> None:
    made = go(tentative(rack="x"), 0, 0)
    made.rack = ["CH", "U", "H", "?"]
    spell(made, "chuh")
    assert made.attempt() == Attempt("1A", "[CH]UH", "")
    made.recall()
    made.rack = ["CH", "C", "U", "?"]
    spell(made, "chuc")
    assert made.attempt() == Attempt("1A", "[CH]UC", ""), "C became CH, and is free again"
    made.recall()
    made.rack = ["CH", "C", "H", "U"]
    spell(made, "chu")
    assert made.attempt() == Attempt("1A", "CHU", ""), "with an H they are two tiles"
    made.recall()
    spell(made, "c")
    made.move(0, 0)
    made.rack = ["CH", "C", "U", "?"]
    spell(made, "h")
    assert made.attempt() == Attempt("1A", "Ch", ""), "not after the cursor was moved"


def test_a_blank_is_taken_back_for_its_letter() -> None:
    rows = (*ROWS[:3], "..CaT..", *ROWS[4:])
    made = go(tentative(rows=rows, reclaimable=[Square(3, 3)]), 3, 3)
    spell(made, "a")
    assert made.swapped == {Square(3, 3): "A"}
    assert made.left.count("?") == 2, "the blank is in hand now"
    go(made, 3, 5)
    spell(made, "q")
    assert made.attempt() == Attempt("4C", "...q", "4D")
    assert made.attempt().line("try") == "/try 4C ...q swap=4D"  # type: ignore[union-attr]
    made.take_back()
    made.take_back()
    assert made.swapped == {}


def test_a_blank_that_is_not_open_is_stepped_over() -> None:
    made = go(tentative(rows=(*ROWS[:3], "..CaT..", *ROWS[4:])), 3, 3)
    spell(made, "a")
    assert made.swapped == {}
    assert list(made.laid) == [(3, 5)]


def test_pointing_twice_turns() -> None:
    made = go(tentative(), 0, 0)
    made.point(Square(1, 1))
    assert (made.cursor, made.across) == ((1, 1), True)
    made.point(Square(1, 1))
    assert not made.across
    made.point(Square(9, 9))
    assert made.cursor == (1, 1)


@pytest.mark.parametrize("rack", [["L·L", "A"], ["L·L", "L", "A"]])
def test_a_tile_with_a_dot_is_typed_letter_by_letter(rack: list[str]) -> None:
    made = go(tentative(rows=("...", "...", "..."), rack="x"), 0, 0)
    made.rack = rack
    spell(made, "l·la")
    assert made.attempt() == Attempt("1A", "[L·L]A", "")
    assert made.left == rack[1:-1]
