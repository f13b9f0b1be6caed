"""Tile sets, and the notation of plays and racks; digraphs are tiles like others."""

import re

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.tiles import (
    Letter,
    TileSet,
    TypedSquare,
    multiset,
    spell,
    take_tiles,
    unspell,
)

ENGLISH = data.tileset("english")
SPANISH = TileSet.from_csv(
    "some", "# tile,count,points\nA,3,1\nC,2,3\nCH,1,5\nH,2,4\nÑ,1,8\n?,2,0\n"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A,1,1\nA,2,1", "names a tile twice"),
        ("A,1", "not enough values"),
        ("A,one,1", "invalid literal"),
        ("A,-1,1", "'A' is not a valid line"),
        ("A,1000,1", "'A' is not a valid line"),
        ("A,1,-1", "'A' is not a valid line"),
        ("a,1,1", "'a' is not a valid line"),
        (",1,1", "'' is not a valid line"),
        ("1,1,1", "'1' is not a valid line"),
        ("_,1,1", "'_' is not a valid line"),
        ("A.,1,1", "'A.' is not a valid line"),
        ("?,2,1", "a blank is worth 0 points"),
    ],
)
def test_a_tile_set_that_could_not_be_written_or_counted_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        TileSet.from_csv("odd", text)


def test_letters_are_in_the_order_of_the_set_and_a_blank_comes_before_them() -> None:
    assert SPANISH.letters == ("A", "C", "CH", "H", "Ñ")
    assert sorted(["Ñ", "CH", "?", "H", "C", "A"], key=SPANISH.rank) == [
        "?", "A", "C", "CH", "H", "Ñ",
    ]  # fmt: skip
    assert SPANISH.total_points(("CH", "Ñ", "?")) == 13


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("CH", [TypedSquare(Letter("C")), TypedSquare(Letter("H"))]),
        ("[CH]A", [TypedSquare(Letter("CH")), TypedSquare(Letter("A"))]),
        ("[ch]ñ", [TypedSquare(Letter("CH", blank=True)), TypedSquare(Letter("Ñ", blank=True))]),
        ("A.", [TypedSquare(Letter("A")), TypedSquare(None, through=True)]),
        ("(A[CH])C", [
            TypedSquare(Letter("A"), through=True),
            TypedSquare(Letter("CH"), through=True),
            TypedSquare(Letter("C")),
        ]),
        ("(A.)", [TypedSquare(Letter("A"), through=True), TypedSquare(None, through=True)]),
    ],
)  # fmt: skip
def test_plays_as_people_type_them(text: str, written: list[TypedSquare]) -> None:
    assert list(SPANISH.parse_play(text)) == written


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[Ch]", "no tile Ch"),
        ("[CH", r"not closed by \]"),
        ("((A))", r"no tile \("),
        ("A)", r"no tile \)"),
        ("(A", "not closed"),
        ("B", "no tile B"),
        ("[]", "no tile"),
        ("A?", "lower case"),
        ("*", "lower case"),
    ],
)
def test_plays_that_name_no_tile(text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why) as caught:
        SPANISH.parse_play(text)
    assert caught.value.code == "BAD_PLAY"


def test_a_letter_that_only_looks_like_ours_is_none() -> None:
    long_s = "\u017f"
    assert long_s.upper() == "S"
    with pytest.raises(IllegalMove, match=f"no tile {long_s}"):
        ENGLISH.parse_play(long_s)


def test_a_set_without_blanks_is_written_in_capitals() -> None:
    bare = TileSet.from_csv("bare", "A,1,1\n\nB,1,1\n")
    assert bare.parse_play("AB") == (TypedSquare(Letter("A")), TypedSquare(Letter("B")))
    with pytest.raises(IllegalMove, match="no blanks"):
        bare.parse_play("Ab")


@pytest.mark.parametrize("text", ["a[ch]?", "[CH], A *", "?A[CH]", "*[ch]a"])
def test_racks_as_people_type_them(text: str) -> None:
    assert SPANISH.parse_tiles(text) == ("?", "A", "CH")


@pytest.mark.parametrize("text", ["B", "[CH", "A.", "(A)", "[]"])
def test_racks_that_name_no_tile(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        SPANISH.parse_tiles(text)
    assert caught.value.code == "BAD_ARGS"


def test_what_is_spelt_can_be_read() -> None:
    tiles = ("?", "A", "CH", "Ñ")
    assert spell(tiles) == "?A[CH]Ñ"
    assert unspell(spell(tiles)) == tiles
    assert SPANISH.parse_tiles(spell(tiles)) == tiles


@pytest.mark.parametrize(
    ("word", "tiles"), [("CHACAH", ("CH", "A", "C", "A", "H")), ("CAB", None), ("A?", None)]
)
def test_a_word_is_split_into_the_longest_tiles(word: str, tiles: tuple[str, ...] | None) -> None:
    assert SPANISH.split(word) == tiles


def test_taking_tiles() -> None:
    assert take_tiles(("A", "?"), multiset("AAB?")) == ("A", "B")
    with pytest.raises(IllegalMove, match=r"you do not have B CH$") as caught:
        take_tiles(("B", "CH", "A"), ("A",))
    assert caught.value.code == "NOT_IN_RACK"
    with pytest.raises(IllegalMove, match=r"you do not have C H$"):  # which are not CH
        take_tiles(("C", "H"), ("CH",))


@pytest.mark.parametrize(
    ("wanted", "lacking"),
    [("????", "4 blanks; in a word, "), ("?", "a blank; in a word, "), ("Q??", "Q and 2 blanks; ")],
)
def test_missing_blanks_are_counted_and_explained(wanted: str, lacking: str) -> None:
    with pytest.raises(IllegalMove, match=re.escape(f"you do not have {lacking}")):
        take_tiles(wanted, ("A",))
