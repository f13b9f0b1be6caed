"""The tile sets of languages, and the ways in which their tiles are written."""

# ruff: noqa: RUF001 - the letters of other scripts are what this is about

from collections import Counter

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.tiles import BLANK, Letter, TileSet, multiset, spell, unspell
from crossroom_engine.words.lexicon import Lexicon

NAMES = data.list_names("tiles", ".csv")

# Alphabets in their order, each tile with its count and its points, as they were read in a second
# source: not the one that the files were made from.
ALPHABETS = {
    "bulgarian": "А9.1 Б3.2 В4.2 Г3.3 Д4.2 Е8.1 Ж2.4 З2.4 И8.1 Й1.5 К3.2 Л3.2 М4.2 Н4.1 О9.1 П4.1 "
    "Р4.1 С4.1 Т5.1 У3.5 Ф1.10 Х1.5 Ц1.8 Ч2.5 Ш1.8 Щ1.10 Ъ2.3 Ь1.10 Ю1.8 Я2.5 ?2.0",
    "catalan": "A12.1 B2.3 C3.2 Ç1.10 D3.2 E13.1 F1.4 G2.3 H1.8 I8.1 J1.8 L4.1 L·L1.10 M3.2 N6.1 "
    "NY1.10 O5.1 P2.3 QU1.8 R8.1 S8.1 T5.1 U4.1 V1.4 X1.10 Z1.8 ?2.0",
    "croatian": "A11.1 B1.3 C1.4 Č1.3 Ć1.5 D3.3 DŽ1.10 Đ1.10 E9.1 F1.8 G2.3 H1.4 I10.1 J4.1 K3.2 "
    "L2.3 LJ1.4 M3.2 N6.1 NJ1.4 O9.1 P3.2 R5.1 S5.1 Š1.4 T5.1 U4.1 V3.2 Z2.3 Ž1.4 ?2.0",
    "czech": "A5.1 Á2.2 B2.3 C3.2 Č1.4 D3.1 Ď1.8 E5.1 É2.3 Ě2.3 F1.5 G1.5 H3.2 I4.1 Í3.2 J2.2 K3.1 "
    "L3.1 M3.2 N5.1 Ň1.6 O6.1 Ó1.7 P3.1 R3.1 Ř2.4 S4.1 Š2.4 T4.1 Ť1.7 U3.2 Ú1.5 Ů1.4 V4.1 X1.10 "
    "Y2.2 Ý2.4 Z2.2 Ž1.4 ?2.0",
    "danish": "A7.1 B4.3 C2.8 D5.2 E9.1 F3.3 G3.3 H2.4 I4.3 J2.4 K4.3 L5.2 M3.3 N6.1 O5.2 P2.4 "
    "R6.1 S5.2 T5.2 U3.3 V3.3 X1.8 Y2.4 Z1.8 Æ2.4 Ø2.4 Å2.4 ?2.0",
    "dutch": "A6.1 B2.3 C2.5 D5.2 E18.1 F2.4 G3.3 H2.4 I4.1 J2.4 K3.3 L3.3 M3.3 N10.1 O6.1 P2.3 "
    "Q1.10 R5.2 S5.2 T5.2 U3.4 V2.4 W2.5 X1.8 Y1.8 Z2.4 ?2.0",
    "english": "A9.1 B2.3 C2.3 D4.2 E12.1 F2.4 G3.2 H2.4 I9.1 J1.8 K1.5 L4.1 M2.3 N6.1 O8.1 P2.3 "
    "Q1.10 R6.1 S4.1 T6.1 U4.1 V2.4 W2.4 X1.8 Y2.4 Z1.10 ?2.0",
    "english-super": "A16.1 B4.3 C6.3 D8.2 E24.1 F4.4 G5.2 H5.4 I13.1 J2.8 K2.5 L7.1 M6.3 N13.1 "
    "O15.1 P4.3 Q2.10 R13.1 S10.1 T15.1 U7.1 V3.4 W4.4 X2.8 Y4.4 Z2.10 ?4.0",
    "finnish": "A10.1 B1.8 C1.10 D1.7 E8.1 F1.8 G1.8 H2.4 I10.1 J2.4 K5.2 L5.2 M3.3 N9.1 O5.2 P2.4 "
    "R2.4 S7.1 T9.1 U4.3 V2.4 W1.8 Y2.4 Ä5.2 Ö1.7 ?2.0",
    "french": "A9.1 B2.3 C2.3 D3.2 E15.1 F2.4 G2.2 H2.4 I8.1 J1.8 K1.10 L5.1 M3.2 N6.1 O6.1 P2.3 "
    "Q1.8 R6.1 S6.1 T6.1 U6.1 V2.4 W1.10 X1.10 Y1.10 Z1.10 ?2.0",
    "german": "A5.1 Ä1.6 B2.3 C2.4 D4.1 E15.1 F2.4 G3.2 H4.2 I6.1 J1.6 K2.4 L3.2 M4.3 N9.1 O3.2 "
    "Ö1.8 P1.4 Q1.10 R6.1 S7.1 T6.1 U6.1 Ü1.6 V1.6 W1.3 X1.8 Y1.10 Z1.3 ?2.0",
    "greek": "Α12.1 Β1.8 Γ2.4 Δ2.4 Ε8.1 Ζ1.10 Η7.1 Θ1.10 Ι8.1 Κ4.2 Λ3.3 Μ3.3 Ν6.1 Ξ1.10 Ο9.1 Π4.2 "
    "Ρ5.2 Σ7.1 Τ8.1 Υ4.2 Φ1.8 Χ1.8 Ψ1.10 Ω3.3 ?2.0",
    "hungarian": "A6.1 Á4.1 B3.2 C1.5 CS1.7 D3.2 E6.1 É3.3 F2.4 G3.2 GY2.4 H2.3 I3.1 Í1.5 J2.4 "
    "K6.1 L4.1 LY1.8 M3.1 N4.1 NY1.5 O3.1 Ó3.2 Ö2.4 Ő1.7 P2.4 R4.1 S3.1 SZ2.3 T5.1 TY1.10 U2.4 "
    "Ú1.7 Ü2.4 Ű1.7 V2.3 Z2.4 ZS1.8 ?2.0",
    "italian": "A14.1 B3.5 C6.2 D3.5 E11.1 F3.5 G2.8 H2.8 I12.1 L5.3 M5.3 N5.3 O15.1 P3.5 Q1.10 "
    "R6.2 S6.2 T6.2 U5.3 V3.5 Z2.8 ?2.0",
    "norwegian": "A7.1 B3.4 C1.10 D5.1 E9.1 F4.2 G4.2 H3.3 I5.1 J2.4 K4.2 L5.1 M3.2 N6.1 O4.2 P2.4 "
    "Q0.0 R6.1 S6.1 T6.1 U3.4 V3.4 W1.8 X0.0 Y1.6 Ü0.0 Z0.0 Æ1.6 Ä0.0 Ø2.5 Ö0.0 Å2.4 ?2.0",
    "polish": "A9.1 Ą1.5 B2.3 C3.2 Ć1.6 D3.2 E7.1 Ę1.5 F1.5 G2.3 H2.3 I8.1 J2.3 K3.2 L3.2 Ł2.3 "
    "M3.2 N5.1 Ń1.7 O6.1 Ó1.5 P3.2 R4.1 S4.1 Ś1.5 T3.2 U2.3 W4.1 Y4.2 Z5.1 Ź1.9 Ż1.5 ?2.0",
    "portuguese": "A14.1 B3.3 C4.2 Ç2.3 D5.2 E11.1 F2.4 G2.4 H2.4 I10.1 J2.5 L5.2 M6.1 N4.3 O10.1 "
    "P4.2 Q1.6 R6.1 S8.1 T5.1 U7.1 V2.4 X1.8 Z1.8 ?3.0",
    "russian": "А8.1 Б2.3 В4.1 Г2.3 Д4.2 Е8.1 Ё1.3 Ж1.5 З2.5 И5.1 Й1.4 К4.2 Л4.2 М3.2 Н5.1 О10.1 "
    "П4.2 Р5.1 С5.1 Т5.1 У4.2 Ф1.10 Х1.5 Ц1.5 Ч1.5 Ш1.8 Щ1.10 Ъ1.10 Ы2.4 Ь2.3 Э1.8 Ю1.8 Я2.3 "
    "?2.0",
    "slovak": "A9.1 Á1.4 Ä1.10 B2.4 C1.4 Č1.5 D3.2 Ď1.8 E8.1 É1.7 Ě0.0 F1.8 G1.8 H1.4 I5.1 Í1.5 "
    "J2.3 K3.2 L3.2 Ĺ1.10 Ľ1.7 M4.2 N5.1 Ň1.8 O9.1 Ó1.10 Ô1.8 Ö0.0 P3.2 Q0.0 R4.1 Ŕ1.10 Ř0.0 S4.1 "
    "Š1.5 T4.1 Ť1.7 U2.3 Ú1.7 Ü0.0 V4.1 W0.0 X1.10 Y1.4 Ý1.5 Z1.4 Ž1.5 ?2.0",
    "slovene": "A10.1 B2.4 C1.8 Č1.5 D4.2 E11.1 F1.10 G2.4 H1.5 I9.1 J4.1 K3.3 L4.1 M2.3 N7.1 O8.1 "
    "P2.3 Q0.0 R6.1 S6.1 Š1.6 T4.1 U2.3 V4.2 W0.0 X0.0 Y0.0 Z2.4 Ž1.10 ?2.0",
    "spanish": "A12.1 B2.3 C4.3 CH1.5 D5.2 E12.1 F1.4 G2.2 H2.4 I6.1 J1.8 L4.1 LL1.8 M2.3 N5.1 "
    "Ñ1.8 O9.1 P2.3 Q1.5 R5.1 RR1.8 S6.1 T4.1 U5.1 V1.4 X1.8 Y1.4 Z1.10 ?2.0",
    "swedish": "A8.1 B2.4 C1.8 D5.1 E7.1 F2.3 G3.2 H2.2 I5.1 J1.7 K3.2 L5.1 M3.2 N6.1 O5.2 P2.4 "
    "Q0.0 R8.1 S8.1 T8.1 U3.4 V2.3 W0.0 X1.8 Y1.7 Ü0.0 Z1.10 Å2.4 Ä2.3 Æ0.0 Ö2.4 ?2.0",
    "welsh": "A10.1 B2.3 C2.4 CH1.5 D6.1 DD4.1 E8.1 F3.2 FF2.4 G3.2 NG1.10 H2.4 I7.1 J1.8 L3.2 "
    "LL1.5 M2.3 N8.1 O6.1 P1.5 R7.1 RH1.10 S3.3 T2.3 TH2.4 U3.2 W5.1 Y7.1 ?2.0",
}

TOTALS = {
    "bulgarian": (102, 227, 2),
    "catalan": (100, 189, 2),
    "croatian": (103, 182, 2),
    "czech": (100, 205, 2),
    "danish": (100, 247, 2),
    "dutch": (102, 230, 2),
    "english": (100, 187, 2),
    "english-short": (54, 115, 2),
    "english-super": (200, 381, 4),
    "finnish": (101, 218, 2),
    "french": (102, 197, 2),
    "german": (102, 202, 2),
    "greek": (104, 206, 2),
    "hungarian": (100, 235, 2),
    "italian": (120, 293, 2),
    "norwegian": (100, 202, 2),
    "polish": (100, 190, 2),
    "portuguese": (120, 204, 3),
    "russian": (104, 224, 2),
    "slovak": (100, 267, 2),
    "slovene": (100, 180, 2),
    "spanish": (100, 192, 2),
    "swedish": (100, 194, 2),
    "welsh": (105, 194, 2),
}
"""Tiles, points of all of them together, and blanks."""

DIGRAPHS = {
    "catalan": {"L·L", "NY", "QU"},
    "croatian": {"DŽ", "LJ", "NJ"},
    "hungarian": {"CS", "GY", "LY", "NY", "SZ", "TY", "ZS"},
    "spanish": {"CH", "LL", "RR"},
    "welsh": {"CH", "DD", "FF", "LL", "NG", "RH", "TH"},
}


@pytest.mark.parametrize("name", ALPHABETS)
def test_every_tile_its_count_and_its_points(name: str) -> None:
    tiles = data.tileset(name)
    assert " ".join(f"{it.tile}{it.count}.{it.points}" for it in tiles.kinds) == ALPHABETS[name]


@pytest.mark.parametrize("name", NAMES)
def test_as_many_tiles_points_and_blanks_as_the_box_says(name: str) -> None:
    tiles = data.tileset(name)
    bag = tiles.distribution
    assert (len(bag), tiles.total_points(bag), Counter(bag)[BLANK]) == TOTALS[name]


@pytest.mark.parametrize("name", NAMES)
def test_tiles_of_several_characters(name: str) -> None:
    longer = {tile for tile in data.tileset(name).letters if len(tile) > 1}
    assert longer == DIGRAPHS.get(name, set())


# Writing and reading


@pytest.mark.parametrize("name", NAMES)
def test_every_tile_comes_back_as_it_was_written_as_a_tile_and_as_a_blank(name: str) -> None:
    tiles = data.tileset(name)
    for tile in tiles.letters:
        for letter in (Letter(tile), Letter(tile, blank=True)):
            (written,) = tiles.parse_play(str(letter))
            assert written.letter == letter
    alphabet = [str(Letter(tile, blank)) for tile in tiles.letters for blank in (False, True)]
    assert [it.letter for it in tiles.parse_play("".join(alphabet))] == [
        Letter(tile, blank) for tile in tiles.letters for blank in (False, True)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_racks_are_read_in_capitals_and_in_small_letters(name: str) -> None:
    tiles = data.tileset(name)
    text = spell(tiles.distribution)
    assert unspell(text) == tiles.distribution
    assert tiles.parse_tiles(text) == tiles.parse_tiles(text.lower()) == tiles.distribution


@pytest.mark.parametrize("name", NAMES)
def test_capitals_of_one_set_are_not_each_others_small_letters(name: str) -> None:
    letters = data.tileset(name).letters
    small = {tile.lower() for tile in letters}
    assert len(small) == len(letters)
    assert all(tile.lower().upper() == tile for tile in letters)


@pytest.mark.parametrize(
    ("name", "word", "tiles"),
    [
        ("spanish", "CHURRO", ("CH", "U", "RR", "O")),
        ("spanish", "LLLAMA", ("LL", "L", "A", "M", "A")),
        ("catalan", "COL·LEGI", ("C", "O", "L·L", "E", "G", "I")),
        ("catalan", "COLLIR", ("C", "O", "L", "L", "I", "R")),
        ("catalan", "QUINYA", ("QU", "I", "NY", "A")),
        ("croatian", "NJEŽAN", ("NJ", "E", "Ž", "A", "N")),
        ("croatian", "LJUBAV", ("LJ", "U", "B", "A", "V")),
        ("croatian", "DŽEP", ("DŽ", "E", "P")),
        ("hungarian", "EGÉSZSÉG", ("E", "G", "É", "SZ", "S", "É", "G")),
        ("hungarian", "ASSZONY", ("A", "S", "SZ", "O", "NY")),
        ("welsh", "LLANGEFNI", ("LL", "A", "NG", "E", "F", "N", "I")),
        ("welsh", "FFORDD", ("FF", "O", "R", "DD")),
        ("dutch", "IJS", ("I", "J", "S")),
    ],
)
def test_a_dictionary_word_takes_the_longest_tiles_first(
    name: str, word: str, tiles: tuple[str, ...]
) -> None:
    assert data.tileset(name).split(word) == tiles


@pytest.mark.parametrize(
    ("name", "joined", "apart"),
    [
        ("spanish", "[CH]AL", "CHAL"),
        ("welsh", "BA[NG]OR", "BANGOR"),
        ("hungarian", "KÖ[ZS]ÉG", "KÖZSÉG"),
        ("croatian", "I[NJ]E", "INJE"),
        ("catalan", "CE[L·L]A", "CELLA"),
    ],
)
def test_only_brackets_join_letters_in_a_play(name: str, joined: str, apart: str) -> None:
    tiles = data.tileset(name)
    assert len(tiles.parse_play(joined)) < len(tiles.parse_play(apart))
    assert multiset(unspell(joined)) == tiles.parse_tiles(joined)
    words = Lexicon.from_words("one", [joined], tiles)
    assert list(words) == [joined]
    assert words.accepts(unspell(joined))
    assert not words.accepts(unspell(apart))


@pytest.mark.parametrize("symbol", ["[Ch]", "[cH]", "[LJ]", "[C]H]", "[CH"])
def test_a_tile_is_written_all_in_capitals_or_all_small(symbol: str) -> None:
    with pytest.raises(IllegalMove):
        data.tileset("spanish").parse_play(symbol)


def test_the_small_sigma_at_the_end_of_a_word_is_a_sigma() -> None:
    greek = data.tileset("greek")
    sigma = Letter("Σ", blank=True)
    assert [it.letter for it in greek.parse_play("ΛΟΓΟς")][-1] == sigma
    assert [it.letter for it in greek.parse_play("ΛΟΓΟσ")][-1] == sigma
    assert str(sigma) == "σ"
    assert greek.parse_tiles("ς") == ("Σ",)


def test_a_latin_letter_is_not_its_double_in_another_script() -> None:
    for name in ("greek", "bulgarian", "russian"):
        assert not any(tile.isascii() for tile in data.tileset(name).letters)
        with pytest.raises(IllegalMove, match="no tile A"):
            data.tileset(name).parse_play("A")


def test_two_letters_with_one_small_letter_cannot_be_in_a_set() -> None:
    turkish = "I,4,2\nİ,7,1\n?,2,0"
    with pytest.raises(BadText, match="İ"):
        TileSet.from_csv("turkish", turkish)
