"""Building a word list: the dictionary rule (RULES 8.2), and what word files look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import TileKind, TileSet
from crossroom_engine.words.build import (
    EXCLUSION_REASONS,
    BuildReport,
    build_lexicon,
    decode_word_file,
    summarize,
)
from crossroom_engine.words.lexicon import Lexicon

ENGLISH = data.tileset("english")
SPANISH = TileSet(
    "es", tuple(TileKind(tile, 1, 0) for tile in ("A", "C", "CH", "H", "I", "Ñ", "O"))
)

small_files = st.lists(st.text("abAB -'é\t#", max_size=6), max_size=20)


def words(
    *lines: str, tiles: TileSet = ENGLISH, longest: int = 15, fold: bool = False
) -> list[str]:
    built = build_lexicon(lines, tiles, longest=longest, fold=fold)
    return list(Lexicon("built", built.data))


def left_out(*lines: str) -> dict[str, tuple[str, ...]]:
    """The entries left out, by reason, of a file that also holds the words ``ab`` and ``abc``."""
    report = build_lexicon(["ab", "abc", *lines], ENGLISH).report
    assert report.words == 2
    assert report.left_out == {reason: len(held) for reason, held in report.examples.items()}
    return {reason: tuple(held) for reason, held in report.examples.items()}


@pytest.mark.parametrize(
    ("reason", "entries"),
    [
        ("capitals", ("Paris", "NATO", "iPad")),
        ("apostrophe", ("don't", "o\u2019clock", "\u2018tis")),
        ("hyphen", ("well-known", "-ish", "pre\u2010war")),
        ("space", ("ice cream", "a  b")),
        ("letters", ("café", "h2o", "c.o.d", "a?b", "naïve")),
        ("short", ("a",)),
        ("long", ("a" * 16,)),
        ("duplicate", ("ab", "abc")),
    ],
)
def test_8_2_entries_are_left_out_and_counted_by_reason(
    reason: str, entries: tuple[str, ...]
) -> None:
    assert left_out(*entries) == {reason: entries}


def test_8_2_an_entry_has_the_first_reason_only() -> None:
    assert left_out("O'Neill's -", "a-b c'd", "é é", "a-b") == {
        "capitals": ("O'Neill's -",),
        "apostrophe": ("a-b c'd",),
        "hyphen": ("a-b",),
        "space": ("é é",),
    }
    entries = ("a", "é", "é é", "é-", "é'", "É")
    assert [*left_out(*entries)] == [*EXCLUSION_REASONS][:6]
    assert [*left_out(*entries).values()] == [(entry,) for entry in reversed(entries)]


def test_8_2_the_report_counts_beyond_its_examples() -> None:
    report = build_lexicon(["ab", *(f"x{number}" for number in range(9))], ENGLISH).report
    assert report == BuildReport(
        entries=10,
        words=1,
        left_out={"letters": 9},
        examples={"letters": ("x0", "x1", "x2", "x3", "x4")},
        definitions=0,
        in_capitals=False,
    )
    assert summarize(report) == "of 10 entries 9 are left out, letters 9"


@given(small_files)
def test_8_2_every_entry_is_a_word_or_counted(lines: list[str]) -> None:
    report = build_lexicon(["zzz", "zz", *lines], ENGLISH).report
    entries = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
    assert report.entries == len(entries) + 2 == report.words + sum(report.left_out.values())


@given(small_files)
def test_the_same_words_make_the_same_bytes(lines: list[str]) -> None:
    built = build_lexicon(["zz", *lines, "zz", "zz"], ENGLISH)
    again = sorted({*Lexicon("built", built.data)}, reverse=True)
    assert build_lexicon(again, ENGLISH).data == built.data


def test_8_2_a_file_all_in_capitals_holds_words() -> None:
    assert words("AB", "ABC", "Paris", "CAB'S", "bad") == ["AB", "ABC", "BAD"]
    report = build_lexicon(["AB", "ABC", "Paris", "bad"], ENGLISH).report
    assert report.in_capitals
    assert report.left_out == {"capitals": 1}


def test_8_2_capitals_among_as_many_small_letters_are_names() -> None:
    report = build_lexicon(["ab", "NATO"], ENGLISH).report
    assert not report.in_capitals
    assert report.left_out == {"capitals": 1}


def test_definitions_are_not_kept() -> None:
    assert words("ab\ta muscle", "abc \t", "ice\tCREAM ice") == ["AB", "ABC", "ICE"]
    assert build_lexicon(["ab\ta muscle", "abc"], ENGLISH).report.definitions == 1


def test_definitions_behind_a_space_need_capitals_before_them() -> None:
    capitals = build_lexicon(
        ["AA rough lava", "AB (abdominal)", "ICE CREAM", "BAD 17"], ENGLISH
    ).report
    assert (capitals.words, capitals.definitions) == (3, 3)
    assert capitals.examples == {"space": ("ICE CREAM",)}
    with pytest.raises(BadText, match="of 2 entries 2 are left out, space 2"):
        build_lexicon(["aa rough lava", "ab muscle"], ENGLISH)


def test_comments_and_empty_lines_are_no_entries() -> None:
    report = build_lexicon(["# ab", "", "  ", " # x", "ab"], ENGLISH).report
    assert (report.entries, report.words) == (1, 1)


def test_8_2_length_is_counted_in_tiles() -> None:
    assert words("ch", "cho", "ach", tiles=SPANISH, longest=2) == ["ACH"[:1] + "[CH]", "[CH]O"]
    report = build_lexicon(["ch", "cho", "chich"], SPANISH, longest=2).report
    assert report.left_out == {"short": 1, "long": 1}


def test_words_of_digraphs_are_split_longest_first() -> None:
    assert words("chico", "año", tiles=TileSet("es", SPANISH.kinds)) == ["AÑO", "[CH]ICO"]
    assert words("[c]hoo", "[ch]oo", tiles=SPANISH) == ["CHOO", "[CH]OO"]


@pytest.mark.parametrize(("longest", "kept"), [(2, 2), (15, 15), (21, 21)])
def test_8_2_words_may_be_as_long_as_asked_for(longest: int, kept: int) -> None:
    lines = ["a" * length for length in range(1, 30)]
    assert words(*lines, longest=longest) == ["A" * length for length in range(2, kept + 1)]


@pytest.mark.parametrize("longest", [1, 22])
def test_no_board_has_room_for_other_lengths(longest: int) -> None:
    with pytest.raises(BadText, match="2 to 21 letters"):
        build_lexicon(["ab"], ENGLISH, longest=longest)


def test_accents_are_taken_off_where_the_tiles_have_none() -> None:
    assert words("café", "naïve", "smörgås", fold=True) == ["CAFE", "NAIVE", "SMORGAS"]
    assert words("año", "óñá", tiles=SPANISH, fold=True) == ["AÑO", "OÑA"]
    with pytest.raises(BadText, match="letters 1"):
        build_lexicon(["smørbrød"], ENGLISH, fold=True)


def test_a_file_without_words_says_why() -> None:
    with pytest.raises(BadText, match="no word in it; of 0 entries"):
        build_lexicon([], ENGLISH)


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    build_lexicon(
        ["ab", *["abc"] * 9000], ENGLISH, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(0, 9001), (4096, 9001), (8192, 9001), (9001, 9001)]


def test_what_people_should_know_is_kept() -> None:
    info = {"licence": "fréé", "source": "us"}
    assert Lexicon("built", build_lexicon(["ab"], ENGLISH, info=info).data).info == info


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"ab\nabc", "utf-8"),
        (b"\xef\xbb\xbfab\r\nabc", "utf-8"),
        (b"ab\rabc", "utf-8"),
        ("ab\nabc".encode("utf-16"), "utf-16"),
    ],
)
def test_lines_are_read_from_every_system(content: bytes, encoding: str) -> None:
    assert decode_word_file(content, encoding) == ["ab", "abc"]


def test_letters_are_composed() -> None:
    assert decode_word_file("cafe\N{COMBINING ACUTE ACCENT}".encode()) == ["café"]


def test_bytes_of_another_encoding_are_named() -> None:
    with pytest.raises(BadText, match=r"line 3 is not utf-8; .*latin-1"):
        decode_word_file("ab\nabc\ncafé\n".encode("latin-1"))
    assert decode_word_file("café".encode("latin-1"), "latin-1") == ["café"]
    with pytest.raises(BadText, match="no encoding 'klingon'"):
        decode_word_file(b"ab", "klingon")
