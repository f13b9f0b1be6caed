"""The word lists that come with the engine, how they were made, and where lists are found."""

from itertools import product
from pathlib import Path
from string import ascii_uppercase

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.words import catalog, scowl
from crossroom_engine.words.lexicon import Lexicon, pack_words
from crossroom_engine.words.scowl import Patch

SCOWL = Path("/usr/share/dict/scowl")

STANDARD_TWOS = """
    AA AB AD AE AG AH AI AL AM AN AR AS AT AW AX AY BA BE BI BO BY DE DO ED EF EH EL EM EN ER ES ET
    EX FA GO HA HE HI HM HO ID IF IN IS IT JO KA LA LI LO MA ME MI MM MO MU MY NA NE NO NU OD OE OF
    OH OM ON OP OR OS OW OX OY PA PE PI RE SH SI SO TA TI TO UH UM UN UP US UT WE WO XI XU YA YE YO
"""
FURTHER_TWOS = "DA EA FE FY GI GU IO JA KI KO KY NY OI OO OU PO QI TE UG UR YU ZA ZO"


def write(folder: Path, name: str, *words: str) -> Lexicon:
    """A word list in *folder*."""
    path = folder / f"{name}.lex"
    path.write_bytes(
        pack_words([tuple(word) for word in words], data.tileset("english").letters, {})
    )
    return Lexicon.open(path)


def test_two_letter_words_of_english_are_right() -> None:
    expected = {*STANDARD_TWOS.split(), *FURTHER_TWOS.split()}
    with catalog.open_lexicon("english") as english:
        assert {
            a + b for a, b in product(ascii_uppercase, repeat=2) if a + b in english
        } == expected


@pytest.mark.parametrize("name", ["english", "english-common"])
def test_shipped_lists_are_whole_and_say_where_they_come_from(name: str) -> None:
    with catalog.open_lexicon(name) as lexicon:
        lexicon.verify()
        assert lexicon.letters == data.tileset("english").letters
        assert {len(word) for word in lexicon} == set(range(2, 16))
        assert "J Ross Beresford 1993-1999" in lexicon.info["copyright"]
        assert "modified" in lexicon.info["source"]
    assert "ENABLE" in (catalog.LEXICA_FOLDER / "LICENSE-SCOWL.txt").read_text(encoding="utf-8")


def test_common_words_are_words() -> None:
    with (
        catalog.open_lexicon("english") as english,
        catalog.open_lexicon("english-common") as common,
    ):
        assert 0 < len(common) < len(english)
        assert all(word in english for word in common)
        assert "FRIEND" in common
        assert "CWM" not in common


@pytest.mark.parametrize(
    "word", ["QUIZ", "CAFE", "COLOUR", "COLOR", "REALISE", "REALIZE", "JUDGEMENT", "HULLO", "MATHS"]
)
def test_all_spellings_are_words(word: str) -> None:
    with catalog.open_lexicon("english") as english:
        assert word in english


def test_every_line_of_the_patch_is_in_effect() -> None:
    patch = Patch.from_text(scowl.PATCH.read_text(encoding="utf-8"))
    with (
        catalog.open_lexicon("english") as english,
        catalog.open_lexicon("english-common") as common,
    ):
        assert not [word for word in patch.removed if word.upper() in english]
        assert not [word for word in patch.added if word.upper() not in english]
        assert not [word for word in patch.common if word.upper() not in common]


@pytest.mark.skipif(not SCOWL.exists(), reason="the Debian package scowl is not installed")
def test_shipped_lists_are_made_again_byte_for_byte() -> None:
    patch = Patch.from_text(scowl.PATCH.read_text(encoding="utf-8"))
    made = {name: built.data for name, built in scowl.build_english_lists(SCOWL, patch).items()}
    assert made == {
        name: catalog.lexicon_path(name).read_bytes() for name in ("english", "english-common")
    }


@pytest.fixture
def small_scowl(tmp_path: Path) -> Path:
    for name, content in {
        "english-words.10": "go\nthe\nBob\n",
        "english-words.50": "caf\xe9\nbob's\n",
        "english-words.80": "zo\n",
        "english-words.95": "rare\n",
        "american-words.50": "color\nbs\n",
        "variant_1-words.50": "colorise\n",
        "variant_3-words.50": "gow\n",
        "english-upper.10": "paris\n",
        "special-hacker.50": "foo\n",
    }.items():
        (tmp_path / name).write_text(content, encoding="latin-1")
    return tmp_path


PATCH = Patch.from_text("# about\n-BS letters\n\n+AA  lava\n++AB muscle\n")


def test_lists_are_made_of_the_files_of_the_recipe(small_scowl: Path) -> None:
    made = {
        name: Lexicon(name, one.data)
        for name, one in scowl.build_english_lists(small_scowl, PATCH).items()
    }
    common = ["AB", "CAFE", "COLOR", "COLORISE", "GO", "THE"]
    assert list(made["english-common"]) == common
    assert list(made["english"]) == sorted([*common, "AA", "GOW", "ZO"])


@pytest.mark.parametrize("line", ["-RARE not there", "+GO there already", "++THE there already"])
def test_a_patch_that_changes_nothing_is_refused(small_scowl: Path, line: str) -> None:
    with pytest.raises(BadText, match=r"changes nothing about (rare|go|the);"):
        scowl.build_english_lists(small_scowl, Patch.from_text(line))


@pytest.mark.parametrize("text", ["AA lava", "+AA", "+aa lava", "+++AA lava", "+AA one\n-AA two"])
def test_a_patch_gives_sign_word_and_reason(text: str) -> None:
    with pytest.raises(BadText, match="no line of a patch"):
        Patch.from_text(text)


def test_without_scowl_one_is_told_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="apt install scowl"):
        scowl.build_english_lists(tmp_path, PATCH)


def test_own_lists_stand_beside_the_shipped_ones(tmp_path: Path) -> None:
    write(tmp_path, "club", "AB")
    write(tmp_path, "english", "ZZ")
    write(tmp_path, "two words", "AB")
    write(tmp_path, "LOUD", "AB")
    (tmp_path / "notes.txt").touch()
    shipped = {
        name: catalog.LEXICA_FOLDER / f"{name}.lex" for name in ("english", "english-common")
    }
    assert catalog.lexicon_paths() == shipped
    assert catalog.lexicon_paths([tmp_path / "missing"]) == shipped
    assert catalog.lexicon_paths([tmp_path]) == {**shipped, "club": tmp_path / "club.lex"}
    assert "ZZ" not in catalog.open_lexicon("english", [tmp_path])
    assert list(catalog.open_lexicon("Club", [tmp_path])) == ["AB"]


def test_of_two_folders_the_first_counts(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, word in zip(folders, ("AB", "AD"), strict=True):
        folder.mkdir()
        write(folder, "club", word)
    assert list(catalog.open_lexicon("club", folders)) == ["AB"]
    assert list(catalog.open_lexicon("club", reversed(folders))) == ["AD"]


@pytest.mark.parametrize("name", ["klingon", "", "../lexica/english"])
def test_an_unknown_list_names_those_there_are(name: str) -> None:
    with pytest.raises(BadText, match=r"no word list .*; there are: english, english-common$"):
        catalog.open_lexicon(name)


@pytest.mark.parametrize("name", ["", "a b", "A", "../a", ".hidden", "a" * 33, "naïve", "a\n"])
def test_names_are_plain(name: str) -> None:
    with pytest.raises(BadText, match="cannot name a word list"):
        catalog.check_lexicon_name(name)
    assert catalog.check_lexicon_name("twl-06_b.1") == "twl-06_b.1"


def test_8_1_a_pinned_list_is_found_by_its_words(tmp_path: Path) -> None:
    digest = write(tmp_path, "club", "AB", "AD").digest
    assert catalog.open_lexicon("club", [tmp_path], digest=digest).name == "club"
    (tmp_path / "club.lex").rename(tmp_path / "club-old.lex")
    write(tmp_path, "club", "AB")
    (tmp_path / "broken.lex").write_bytes(b"rubbish")
    assert catalog.open_lexicon("club", [tmp_path], digest=digest).name == "club-old"
    assert catalog.open_lexicon("club", [tmp_path]).digest != digest


def test_8_1_a_pinned_list_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(
        BadText, match=r"holds the words that 'english' held \(digest 000000000000\)"
    ):
        catalog.open_lexicon("english", [tmp_path], digest="0" * 64)
