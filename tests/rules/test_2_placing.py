"""RULES 2: placing tiles."""

from collections.abc import Callable

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.board import Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.tiles import Letter
from tests.support.game_driver import GameDriver

HORN = {"8F": "HORN"}


# 2.1


def test_2_1_the_first_play_has_two_tiles_or_more() -> None:
    table = GameDriver(racks=["HORN", ""])
    with table.refuses("BAD_PLAY", "two or more"):
        table.play(0, "8H", "H")
    table.play(0, "8H", "ON")
    assert table.on("8I") == Letter("N")


@pytest.mark.parametrize("at", ["8E", "8H", "H5", "H8"])
def test_2_1_the_first_play_covers_the_start_square(at: str) -> None:
    table = GameDriver(racks=["HORN", ""])
    table.play(0, at, "HORN")
    assert table.on("8H") is not None


@pytest.mark.parametrize("at", ["8D", "8I", "H4", "7H", "G8", "1A"])
def test_2_1_the_first_play_does_not_lie_elsewhere(at: str) -> None:
    table = GameDriver(racks=["HORN", ""])
    with table.refuses("BAD_PLAY", "start square, 8H"):
        table.play(0, at, "HORN")


def test_2_1_the_play_after_one_taken_back_is_a_first_play_again() -> None:
    table = GameDriver(racks=["HORNXXX", "FARM"], bag="EEEEEEE")
    table.play(0, "8H", "XH")
    table.challenge(1)
    with table.refuses("BAD_PLAY", "start square"):
        table.play(1, "8I", "FARM")


# 2.2


def test_2_2_a_later_play_lays_one_tile_or_more() -> None:
    table = GameDriver(racks=["S", ""], board=HORN)
    with table.refuses("BAD_PLAY", "at least one tile"):
        table.play(0, "8F", "....")
    table.play(0, "8J", "S")
    assert table.last_play.words == ("HORNS",)


@pytest.mark.parametrize("text", ["", "HORN", "(HORN)", "H(OR)N", "...."])
def test_2_2_a_play_without_a_tile_is_none(text: str) -> None:
    table = GameDriver(racks=["HORN", ""], board=HORN)
    with table.refuses("BAD_PLAY", "at least one tile"):
        table.play(0, "8F", text)


@pytest.mark.parametrize(("at", "text"), [("9G", "NO"), ("7E", "CAT"), ("G7", "COB"), ("8J", "S")])
def test_2_2_a_later_play_touches_a_tile(at: str, text: str) -> None:
    table = GameDriver(racks=["NOCATBS", ""], board=HORN)
    table.play(0, at, text)
    assert table.game.turn == 2


@pytest.mark.parametrize(
    ("at", "text"), [("1A", "CAT"), ("8K", "CAT"), ("10F", "CAT"), ("9J", "CAT"), ("7C", "CAT")]
)
def test_2_2_a_play_apart_is_refused_even_at_a_corner(at: str, text: str) -> None:
    table = GameDriver(racks=["CAT", ""], board=HORN)
    with table.refuses("BAD_PLAY", "does not touch"):
        table.play(0, at, text)


def test_2_2_there_is_no_gap() -> None:
    table = GameDriver(racks=["CATS", ""], board=HORN)
    with table.refuses("BAD_PLAY", "no tile on 8K"):
        table.play(0, "8J", "C.T")
    with table.refuses("BAD_PLAY", "no tile on 8K"):
        table.play(0, "8J", "C(A)T")


def test_2_2_squares_between_may_hold_tiles_that_lay_there() -> None:
    table = GameDriver(racks=["FMFAM", ""], board={"8F": "AR", "7H": "R"})
    table.play(0, "8E", "F..M")
    assert [str(laid.square) for laid in table.last_play.laid] == ["8E", "8H"]


@pytest.mark.parametrize("text", ["F..M", "FARM", "F(AR)M", "F(A).M", "FA(R)M"])
def test_2_2_tiles_lying_there_are_written_as_one_likes(text: str) -> None:
    table = GameDriver(racks=["FM", ""], board={"8F": "AR"})
    table.play(0, "8E", text)
    assert (table.last_play.text, table.last_play.words) == ("F..M", ("FARM",))


def test_2_2_a_tile_lying_there_is_not_another() -> None:
    table = GameDriver(racks=["FEM", ""], board={"8F": "AR"})
    with table.refuses("BAD_PLAY", "8F already holds A"):
        table.play(0, "8E", "FERM")


@pytest.mark.parametrize(("at", "text"), [("8M", "HORN"), ("H13", "HORN"), ("16A", "HORN")])
def test_2_2_a_play_stays_on_the_board(at: str, text: str) -> None:
    table = GameDriver(racks=["HORN", ""])
    with table.refuses("BAD_PLAY", "off the board"):
        table.play(0, at, text)


@pytest.mark.parametrize("text", ["HÖRN", "HO-RN", "H RN", "(HORN", "HORN)", "[HORN", "[]"])
def test_2_2_what_is_no_tile_is_refused(text: str) -> None:
    table = GameDriver(racks=["HORN", ""])
    with table.refuses("BAD_PLAY"):
        table.play(0, "8F", text)


def test_2_2_tiles_come_from_the_own_rack() -> None:
    table = GameDriver(racks=["HOR", "N"])
    with table.refuses("NOT_IN_RACK", "you do not have N"):
        table.play(0, "8F", "HORN")
    table = GameDriver(racks=["HORN", ""], board=HORN)
    with table.refuses("NOT_IN_RACK", "you do not have O$"):
        table.play(0, "9F", "OO")


# 2.3


def test_2_3_the_main_word_is_the_whole_run() -> None:
    table = GameDriver(racks=["ASEE", ""], board={"8F": "F", "8H": "RM"})
    table.play(0, "8G", "A..S")
    assert table.last_play.words == ("FARMS",)
    assert (str(table.last_play.spot), table.last_play.text) == ("8F", ".A..S")


def test_2_3_crossing_runs_of_two_letters_are_words_too() -> None:
    table = GameDriver(racks=["PASTE", ""], board={"8F": "HORN", "H6": "FARM"})
    table.play(0, "10F", "PASTE")
    assert table.last_play.words == ("PASTE", "FARMS")


@pytest.mark.parametrize("at", ["9G", "G9"])
def test_2_3_a_single_tile_has_no_direction(at: str) -> None:
    table = GameDriver("classic", racks=["O", ""], board={"8G": "C", "9F": "N", "9H": "T"})
    table.play(0, at, "O")
    play = table.last_play
    assert (str(play.spot), play.text) == ("9F", ".O.")
    assert (play.words, play.points) == (("NOT", "CO"), 9)


@pytest.mark.parametrize("at", ["9G", "G9"])
def test_2_3_of_two_short_words_the_one_across_is_the_main_word(at: str) -> None:
    table = GameDriver("classic", racks=["O", ""], board={"8G": "C", "9F": "N"})
    table.play(0, at, "O")
    assert (str(table.last_play.spot), table.last_play.words) == ("9F", ("NO", "CO"))


@pytest.mark.parametrize("at", ["9F", "F9"])
def test_2_3_a_single_tile_with_one_word_down_takes_that(at: str) -> None:
    table = GameDriver(racks=["E", ""], board=HORN)
    table.play(0, at, "E")
    assert (str(table.last_play.spot), table.last_play.words) == ("F8", ("HE",))


# 2.4


def test_2_4_a_tile_played_is_not_replaced() -> None:
    table = GameDriver("classic", racks=["CAT?", ""], board=HORN, reclaim="off")
    for text in ("CAT", "c"):
        with table.refuses("BAD_PLAY", "8F already holds H"):
            table.play(0, "8F", text)


def test_2_4_the_letter_of_a_blank_is_said_and_stays() -> None:
    table = GameDriver(racks=["CA?", "BS"], bag="E" * 12)
    with table.refuses("BAD_PLAY", "lower case"):
        table.play(0, "8H", "CA?")
    table.play(0, "8H", "CAt")
    assert table.on("8J") == Letter("T", blank=True)
    with table.refuses("BAD_PLAY", "8J already holds T"):
        table.play(1, "8H", "CABS")
    table.play(1, "8K", "S")
    assert table.last_play.words == ("CATS",)
    assert table.on("8J") == Letter("T", blank=True)


def test_2_4_a_blank_taken_back_is_a_mere_blank() -> None:
    table = GameDriver(racks=["CX?", "AT"], bag="")
    table.play(0, "8H", "CXt")
    table.challenge(1)
    assert table.racks[0] == "?CX"


def test_2_4_small_letters_need_blanks() -> None:
    table = GameDriver(racks=["CAT", ""])
    with table.refuses("NOT_IN_RACK"):
        table.play(0, "8H", "caT")
    bare = data.tileset("english").kinds[:-1]
    table = GameDriver(racks=["CAT", ""], tiles=type(table.rules.tiles)("bare", bare))
    with table.refuses("BAD_PLAY", "no blanks"):
        table.play(0, "8H", "caT")


# 2.5: every refusal of these tests is looked at by Table.refuses; here in one place, in order


@pytest.mark.parametrize(
    ("code", "attempt"),
    [
        ("BAD_PLAY", lambda table: table.play(0, "1A", "CAT")),
        ("NOT_IN_RACK", lambda table: table.play(0, "8J", "DOG")),
        ("NOT_A_WORD", lambda table: table.play(0, "8J", "TAC")),
        ("NOT_IN_RACK", lambda table: table.exchange(0, "QQ")),
        ("BAD_ARGS", lambda table: table.exchange(0, "")),
        ("NOT_YOUR_TURN", lambda table: table.play(1, "8J", "S")),
        ("NOT_YOUR_TURN", lambda table: table.pass_(1)),
        ("NOT_YOUR_TURN", lambda table: table.exchange(1, "S")),
        ("NOTHING_TO_CHALLENGE", lambda table: table.challenge(1)),
        ("WRONG_PHASE", lambda table: table.accept(1)),
    ],
)
def test_2_5_a_refusal_changes_nothing(code: str, attempt: Callable[[GameDriver], object]) -> None:
    table = GameDriver("race", racks=["CATS", "S"], board=HORN)
    with table.refuses(code):
        attempt(table)
    assert table.racks == ["ACST", "S"]
    table.play(0, "8J", "S")


# 2.6


def test_2_6_the_board_is_the_standard_one() -> None:
    layout = data.layout("standard")
    assert (layout.height, layout.width, layout.start) == (15, 15, Square(7, 7))
    counts: dict[Premium, int] = {}
    for row in range(15):
        for col in range(15):
            premium = layout.premium(Square(row, col))
            counts[premium] = counts.get(premium, 0) + 1
            for mirrored in (Square(14 - row, col), Square(col, row)):
                assert layout.premium(mirrored) == premium
    assert counts == {
        Premium(): 164,
        Premium(letter=2): 24,
        Premium(letter=3): 12,
        Premium(word=2): 17,
        Premium(word=3): 8,
    }


def test_2_6_the_start_square_doubles_the_first_word() -> None:
    table = GameDriver(racks=["AT", ""])
    table.play(0, "8H", "AT")
    assert table.scores[0] == 4


# 2.7


def test_2_7_void_names_every_bad_word_and_the_turn_goes_on() -> None:
    table = GameDriver("race", racks=["XATB", ""], board={"8F": "HORN"})
    with table.refuses("NOT_A_WORD", "XAT, HX, OA, RT"):
        table.play(0, "9F", "XAT")
    assert (table.game.on_turn, table.game.turn) == (0, 1)


def test_2_7_void_takes_a_play_whose_words_are_all_in_the_list() -> None:
    table = GameDriver("race", racks=["S", ""], board=HORN)
    table.play(0, "8J", "S")
    assert table.last_play.words == ("HORNS",)


def test_2_7_where_challenges_are_on_any_letters_may_be_laid() -> None:
    table = GameDriver("official", racks=["XZQ", ""], board=HORN)
    table.play(0, "8J", "XZQ")
    assert table.last_play.words == ("HORNXZQ",)
