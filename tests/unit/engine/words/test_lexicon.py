"""Word lists: membership, the automaton, the file, and what happens to damaged ones."""

import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import TileKind, Tiles, TileSet
from crossroom_engine.words import dawg
from crossroom_engine.words.lexicon import MAX_WORD_LENGTH, Lexicon, pack_words, split_word

ENGLISH = data.tileset("english")
FEW = ["AB", "ABA", "ABACI", "BACK", "BACKS", "CAB", "CABS", "LAB", "LACK", "LACKS"]


def tile_set(*tiles: str) -> TileSet:
    return TileSet("test", tuple(TileKind(tile, 1, 0) for tile in (*tiles, "?")))


SPANISH = tile_set("A", "C", "CH", "H", "I", "L", "LL", "O")
WIDE = tile_set(*(chr(ord("À") + place) for place in range(23)), *"ABCDEFGHIJK")

words_of_few_letters = st.sets(st.text("ABCD", min_size=1, max_size=6))


def read_by_the_book(lexicon: Lexicon, state: int = 0, beginning: Tiles = ()) -> Iterator[Tiles]:
    """All words, by the formula of the documentation and nothing else."""
    for place, letter in enumerate(lexicon.letters):
        if lexicon.accept_masks[state] >> place & 1:
            yield (*beginning, letter)
        mask = lexicon.child_masks[state]
        if mask >> place & 1:
            smaller = (mask & ((1 << place) - 1)).bit_count()
            after = lexicon.children[lexicon.bases[state] + smaller]
            longer = list(read_by_the_book(lexicon, after, (*beginning, letter)))
            assert longer, "a child without continuations"
            yield from longer


def with_crc(content: bytes) -> bytes:
    """The file with the checksum that fits what follows it."""
    return content[:8] + zlib.crc32(content[12:]).to_bytes(4, "little") + content[12:]


@given(words_of_few_letters, words_of_few_letters)
def test_holds_exactly_its_words(words: set[str], others: set[str]) -> None:
    lexicon = Lexicon.from_words("some", words, ENGLISH)
    assert list(lexicon) == sorted(words)
    assert len(lexicon) == len(words)
    assert {word for word in words | others if word in lexicon} == words


@given(words_of_few_letters)
def test_masks_and_children_are_read_as_documented(words: set[str]) -> None:
    lexicon = Lexicon.from_words("some", words, ENGLISH)
    assert lexicon.letters == ENGLISH.letters
    assert ["".join(word) for word in read_by_the_book(lexicon)] == sorted(words)


@given(words_of_few_letters)
def test_no_two_states_have_the_same_endings(words: set[str]) -> None:
    beginnings = {word[:end] for word in words for end in range(len(word))} | {""}
    endings = {
        frozenset(
            word[len(start) :]
            for word in words
            if len(word) > len(start) and word.startswith(start)
        )
        for start in beginnings
    }
    assert len(Lexicon.from_words("some", words, ENGLISH).bases) == len(endings)


@pytest.mark.parametrize(
    "stranger",
    ["", "?", "A?", "ab", "AB ", "A", "ABAC", "ABACIS", "ÄB", "[AB]", "[A", "]", 5, None],
)
def test_anything_else_is_no_word(stranger: object) -> None:
    assert stranger not in Lexicon.from_words("few", FEW, ENGLISH)


def test_brackets_around_one_letter_change_nothing() -> None:
    assert "[A]B" in Lexicon.from_words("few", FEW, ENGLISH)


def test_tiles_of_several_letters_are_letters() -> None:
    lexicon = Lexicon.from_words("es", ["CHAL", "[CH]ICO", "LLAC"], SPANISH)
    assert list(lexicon) == ["[CH]AL", "[CH]ICO", "[LL]AC"]
    assert "CHICO" in lexicon
    assert "[CH]ICO" in lexicon
    assert "[C]HICO" not in lexicon
    assert lexicon.accepts(("CH", "I", "C", "O"))
    assert not lexicon.accepts(("C", "H", "I", "C", "O"))
    assert not lexicon.accepts(())


def test_spelling_prefers_long_tiles_unless_told() -> None:
    assert split_word("CHAL", SPANISH) == ("CH", "A", "L")
    assert split_word("[C]HAL", SPANISH) == ("C", "H", "A", "L")
    assert split_word("[CHA]L", SPANISH) is None
    assert split_word("[?]AL", SPANISH) is None


@pytest.mark.parametrize(("tiles", "size"), [(ENGLISH, 4), (WIDE, 8)])
def test_masks_are_as_wide_as_the_alphabet_needs(tiles: TileSet, size: int) -> None:
    word = tiles.letters[0] + tiles.letters[-1]
    lexicon = Lexicon.from_words("wide", [word], tiles)
    assert [*lexicon] == [word]
    assert lexicon.child_masks.itemsize == size
    assert lexicon.children.itemsize == 4


@pytest.mark.parametrize("letters", [31, 32, 33, 62])
def test_alphabets_of_any_size_to_62(letters: int) -> None:
    pairs = [first + second for first in "ABCDEFGH" for second in "ABCDEFGH"]
    tiles = tile_set(*pairs[:letters])
    words = [f"[{tiles.letters[0]}][{tile}]" for tile in tiles.letters]
    assert list(Lexicon.from_words("large", words, tiles)) == words


def test_words_must_be_spelt_in_the_tiles() -> None:
    for word in ("", "ab", "A" * (MAX_WORD_LENGTH + 1)):
        with pytest.raises(BadText, match="no word of 1 to 21 letters"):
            Lexicon.from_words("bad", [word], ENGLISH)


def test_digest_is_that_of_the_sorted_words_and_of_nothing_else() -> None:
    expected = sha256("".join(f"{word}\n" for word in FEW).encode()).hexdigest()
    spelt = [tuple(word) for word in FEW]
    assert Lexicon.from_words("few", reversed(FEW), ENGLISH).digest == expected
    told = Lexicon("told", pack_words(spelt, ENGLISH.letters, {"source": "a friend"}))
    assert (told.digest, told.info) == (expected, {"source": "a friend"})
    assert (
        Lexicon("other", pack_words(spelt, (*WIDE.letters[-11:], "L", "S"), {})).digest == expected
    )
    assert Lexicon.from_words("fewer", FEW[1:], ENGLISH).digest != expected


def test_verify_finds_words_that_are_not_those_of_the_digest(few: bytes) -> None:
    Lexicon("few", few).verify()
    digest = Lexicon("few", few).digest.encode()
    lying = Lexicon("few", with_crc(few.replace(digest, b"0" * 64)))
    with pytest.raises(BadText, match="has not the words"):
        lying.verify()


@pytest.fixture(scope="module")
def few() -> bytes:
    return pack_words([tuple(word) for word in FEW], ENGLISH.letters, {"source": "us"})


def test_a_file_is_mapped_and_let_go(few: bytes, tmp_path: Path) -> None:
    path = tmp_path / "few.lex"
    path.write_bytes(few)
    with Lexicon.open(str(path)) as lexicon:
        assert (lexicon.name, list(lexicon)) == ("few", FEW)
        columns = (lexicon.child_masks, lexicon.accept_masks, lexicon.bases, lexicon.children)
    for column in columns:
        with pytest.raises(ValueError, match="released"):
            column[0]


def test_closing_waits_for_who_still_reads(few: bytes, tmp_path: Path) -> None:
    path = tmp_path / "few.lex"
    path.write_bytes(few)
    lexicon = Lexicon.open(path)
    reader = memoryview(lexicon.children)
    lexicon.close()
    assert reader[0] < 99


def test_a_file_that_is_not_there_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Lexicon.open(tmp_path / "none.lex")


def unreadable(content: bytes) -> str:
    with pytest.raises(BadText) as refusal:
        Lexicon("broken", content)
    return str(refusal.value)


def test_an_empty_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "empty.lex").touch()
    with pytest.raises(BadText, match=r"'empty'.*crossroom lexicon build"):
        Lexicon.open(tmp_path / "empty.lex")


def test_every_cut_is_noticed(few: bytes) -> None:
    for length in range(len(few)):
        assert "'broken'" in unreadable(few[:length])
    assert "damaged" in unreadable(few + b"\0")


def test_every_flipped_bit_is_noticed(few: bytes) -> None:
    for place in range(len(few)):
        flipped = bytearray(few)
        flipped[place] ^= 1 << place % 8
        assert "'broken'" in unreadable(bytes(flipped))


@given(st.binary(max_size=200))
def test_rubbish_is_refused(rubbish: bytes) -> None:
    unreadable(rubbish)
    unreadable(with_crc(dawg.MAGIC + b"1234" + rubbish))


@given(st.lists(st.tuples(st.integers(12, 10_000), st.binary(min_size=1, max_size=4)), max_size=8))
def test_a_forged_file_is_refused_or_harmless(
    few: bytes, changes: Iterable[tuple[int, bytes]]
) -> None:
    forged = bytearray(few)
    for place, content in changes:
        start = 12 + place % (len(few) - 12)
        forged[start : start + len(content)] = content
    try:
        lexicon = Lexicon("forged", with_crc(bytes(forged)))
        for word in (*FEW, "ZZZZZZ"):
            assert (word in lexicon) in (True, False)
        assert all(len(word) <= 3 * MAX_WORD_LENGTH for word in islice(lexicon, 1000))
    except BadText:
        pass


def forge(few: bytes, old: bytes, new: bytes) -> str:
    assert few.count(old) == 1
    return unreadable(with_crc(few.replace(old, new)))


def test_a_head_of_another_form_is_refused(few: bytes) -> None:
    assert "head" in forge(few, b'{"digest"', b'["digest"')
    assert "head" in forge(few, b'"letters": ["A",', b'"letters": [777,')
    assert "head" in forge(few, b'"letters"', b'"lettuce"')
    assert "digest" in forge(few, b'"digest"', b'"Digest"')
    assert "digest" in forge(few, Lexicon("few", few).digest.encode(), b"z" * 64)
    assert "description" in forge(few, b'"us"', b"[77]")
    assert "twice" in forge(few, b'"A", "B"', b'"A", "A"')
    assert "not a valid line" in forge(few, b'"A", "B"', b'"A", "b"')


def test_numbers_out_of_bounds_are_refused(few: bytes) -> None:
    lexicon = Lexicon("few", few)
    states, children = len(lexicon.bases), len(lexicon.children)
    columns = len(few) - 4 * (3 * states + children)
    beyond = {
        columns: 1 << len(lexicon.letters),  # a child of a letter that is none
        columns + 4 * states: 1 << len(lexicon.letters),
        columns + 8 * states: children - len(lexicon.letters) + 1,
        columns + 12 * states: states,
    }
    for place, number in beyond.items():
        forged = few[:place] + number.to_bytes(4, "little") + few[place + 4 :]
        assert "contradict" in unreadable(with_crc(forged))
        allowed = few[:place] + (number - 1).to_bytes(4, "little") + few[place + 4 :]
        Lexicon("lucky", with_crc(allowed))


@pytest.mark.parametrize("letters", [1, 7, 8, 9, 16, 26, 31, 32, 33, 40, 62])
def test_no_mask_has_a_letter_beyond_the_alphabet(letters: int) -> None:
    pairs = [first + second for first in "ABCDEFGH" for second in "ABCDEFGH"][:letters]
    file = pack_words([(pair, pair) for pair in pairs], pairs, {})
    lexicon = Lexicon("wide", file)
    size, states = lexicon.child_masks.itemsize, len(lexicon.bases)
    columns = len(file) - 4 * len(lexicon.children) - (4 + 2 * size) * states
    for column in (columns, columns + size * states):
        for bit in range(letters, 8 * size):
            forged = bytearray(file)
            forged[column + bit // 8] |= 1 << bit % 8
            assert "contradict" in unreadable(with_crc(bytes(forged)))


def test_numbers_that_do_not_add_up_are_refused(few: bytes) -> None:
    assert "contradict" in unreadable(with_crc(few + bytes(4)))
    assert "contradict" in unreadable(with_crc(few[:-4]))
    states, children, head = (int.from_bytes(few[at : at + 4], "little") for at in (16, 20, 24))
    without_states = few[:16] + bytes(4) + few[20 : 28 + head] + bytes(4 * children)
    assert "contradict" in unreadable(with_crc(without_states))
    without_children = few[:20] + bytes(4) + few[24 : 28 + head] + bytes(12 * states)
    assert "contradict" in unreadable(with_crc(without_children))


def test_reading_never_runs_in_circles(few: bytes) -> None:
    states = len(Lexicon("few", few).bases)
    children = len(few) - 4 * len(Lexicon("few", few).children)
    first_child_is_root = few[:children] + bytes(4) + few[children + 4 :]
    with pytest.raises(BadText, match="leads nowhere"):
        list(Lexicon("circle", with_crc(first_child_is_root)))
    accept_masks = len(few) - 4 * (2 * states + len(Lexicon("few", few).children))
    without_ends = few[:accept_masks] + bytes(4 * states) + few[accept_masks + 4 * states :]
    with pytest.raises(BadText, match="leads nowhere"):
        list(Lexicon("endless", with_crc(without_ends)))


def test_other_machines_are_told(few: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.byteorder", "big")
    assert "big-endian" in unreadable(few)
