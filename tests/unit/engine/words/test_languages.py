"""How languages spell their words in tiles, and the command that makes their word lists."""

# ruff: noqa: RUF001 - the letters of other scripts are what this is about

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, get_args

import pytest

from crossroom_clients.cli import lexicon as command
from crossroom_clients.cli import word_files
from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import spell
from crossroom_engine.words.build import build_lexicon
from crossroom_engine.words.catalog import open_lexicon as find_list
from crossroom_engine.words.languages import MarkRemoval, language_for, languages
from crossroom_engine.words.lexicon import Lexicon
from tests.support.paths import ROOT

Run: TypeAlias = Callable[..., tuple[int, str, str]]


def spelt(language: str, word: str) -> str | None:
    """The word as a list of that language has it; None if it is left out."""
    aa = "аа" if language in ("bulgarian", "russian") else "αα" if language == "greek" else "aa"
    report = build_lexicon([aa, word], data.tileset(language), language=language_for(language))
    words = [it for it in Lexicon("one", report.data) if it != aa.upper()]
    return words[0] if words else None


def test_every_tile_set_but_the_english_ones_has_a_language() -> None:
    sets = [name for name in data.list_names("tiles", ".csv") if not name.startswith("english")]
    assert list(languages()) == sets


@pytest.mark.parametrize("name", languages())
def test_the_table_is_whole(name: str) -> None:
    language = language_for(name)
    assert language.marks in get_args(MarkRemoval)
    alphabet = set("".join(data.tileset(name).letters))
    for written, instead in language.spelt.items():
        assert written == written.upper() not in alphabet
        assert set(instead) <= alphabet
    if words := language.words:
        assert words.licence
        assert words.source
        assert bool(words.file) != bool(words.aspell)
        assert words.package.startswith("aspell-" if words.aspell else "w")
        "".encode(words.encoding)


def test_an_unknown_language_names_the_others() -> None:
    with pytest.raises(BadText, match=r"no 'klingon' among the languages: bulgarian, .*welsh$"):
        language_for("klingon")


@pytest.mark.parametrize(
    ("language", "word", "tiles"),
    [
        ("bulgarian", "ѝ", None),
        ("bulgarian", "сѝ", "СИ"),
        ("bulgarian", "чай", "ЧАЙ"),
        ("catalan", "col·legi", "CO[L·L]EGI"),
        ("catalan", "qüestió", "[QU]ESTIO"),
        ("catalan", "plaça", "PLAÇA"),
        ("catalan", "kilo", None),
        ("croatian", "ljubav", "[LJ]UBAV"),
        ("croatian", "džep", "[DŽ]EP"),
        ("croatian", "đak", "ĐAK"),
        ("czech", "příliš", "PŘÍLIŠ"),
        ("czech", "über", None),
        ("danish", "café", "CAFE"),
        ("danish", "smørrebrød", "SMØRREBRØD"),
        ("danish", "müsli", None),
        ("danish", "ǻ", None),
        ("dutch", "ijsje", "IJSJE"),
        ("dutch", "ĳsje", "IJSJE"),
        ("dutch", "reünie", "REUNIE"),
        ("finnish", "yö", "YÖ"),
        ("finnish", "šakki", None),
        ("french", "cœur", "COEUR"),
        ("french", "garçon", "GARCON"),
        ("french", "brûlé", "BRULE"),
        ("german", "straße", "STRASSE"),
        ("german", "Straße", "STRASSE"),
        ("german", "Mädchen", "MÄDCHEN"),
        ("german", "Café", "CAFE"),
        ("german", "USA", None),
        ("german", "GmbH", None),
        ("greek", "λόγος", "ΛΟΓΟΣ"),
        ("greek", "προΰπαρξη", "ΠΡΟΥΠΑΡΞΗ"),
        ("greek", "Αθήνα", None),
        ("hungarian", "egészség", "EGÉ[SZ]SÉG"),
        ("hungarian", "győr", "[GY]ŐR"),
        ("italian", "città", "CITTA"),
        ("italian", "jeans", None),
        ("norwegian", "fôr", "FOR"),
        ("norwegian", "müsli", "MÜSLI"),
        ("polish", "żółw", "ŻÓŁW"),
        ("polish", "quiz", None),
        ("portuguese", "coração", "CORAÇAO"),
        ("portuguese", "pão", "PAO"),
        ("russian", "ёлка", "ЁЛКА"),
        ("russian", "Москва", None),
        ("slovak", "päť", "PÄŤ"),
        ("slovene", "češnja", "ČEŠNJA"),
        ("spanish", "niño", "NIÑO"),
        ("spanish", "pingüino", "PINGUINO"),
        ("spanish", "churro", "[CH]U[RR]O"),
        ("spanish", "kilo", None),
        ("swedish", "à", None),
        ("swedish", "idé", "IDE"),
        ("swedish", "sjö", "SJÖ"),
        ("welsh", "ŵyr", "WYR"),
        ("welsh", "llyfr", "[LL]YFR"),
    ],
)
def test_a_word_is_spelt_as_its_language_does(language: str, word: str, tiles: str | None) -> None:
    assert spelt(language, word) == tiles


@pytest.mark.parametrize("name", languages())
def test_every_letter_of_the_alphabet_comes_through(name: str) -> None:
    tiles = data.tileset(name)
    for tile in tiles.letters:
        word = (tile, tiles.letters[0], tile)  # two alike in a row may be another tile: LL
        built = build_lexicon(["".join(word).lower()], tiles, language=language_for(name))
        assert list(Lexicon("one", built.data)) == [spell(word)]


# The command


@pytest.fixture
def lexicon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run ``crossroom lexicon …`` on a system whose word files are in ``dict``."""
    monkeypatch.setenv("CROSSROOM_DATA", str(tmp_path))
    monkeypatch.setattr(word_files, "WORD_FILES_FOLDER", tmp_path / "dict")
    (tmp_path / "dict").mkdir()

    def run(*args: str | Path) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser("crossroom lexicon")
        command.add_arguments(parser)
        status = command.run(parser.parse_args([*map(str, args)]))
        return status, *capsys.readouterr()

    return run


def test_one_command_makes_the_list_of_a_language(lexicon: Run, tmp_path: Path) -> None:
    (tmp_path / "dict" / "swedish").write_bytes("sjö\nidé\nStockholm\nsjö\n".encode("latin-1"))
    status, out, err = lexicon("language", "swedish")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "4 entries, 2 words",
        "left out 1, capital letters: a name or an abbreviation: Stockholm",
        "left out 1, there already: sjö",
        f"swedish has 2 words: {tmp_path / 'lexica' / 'swedish.lex'}",
    ]
    made = find_list("swedish", [tmp_path / "lexica"])
    assert list(made) == ["IDE", "SJÖ"]
    assert made.letters == data.tileset("swedish").letters
    assert made.info["licence"] == "GPL-2+"
    assert made.info["source"].startswith("Debian package wswedish: (C) 1998 Skåne")
    assert made.info["built-from"].startswith("wswedish, SHA-256 ")
    assert made.info["tiles"] == "swedish"


def test_it_says_what_to_install(lexicon: Run) -> None:
    status, out, err = lexicon("language", "french")
    assert (status, out) == (2, "")
    assert "apt install wfrench" in err


def test_words_of_ones_own_are_spelt_alike(lexicon: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_bytes("niño\nchurro\n".encode("latin-1"))
    flags = ("--from", words, "--encoding", "latin-1", "--name", "es", "--licence", "mine")
    assert lexicon("language", "spanish", *flags)[0] == 0
    made = find_list("es", [tmp_path / "lexica"])
    assert list(made) == ["[CH]U[RR]O", "NIÑO"]
    assert made.info["licence"] == "mine"
    assert "source" not in made.info
    assert made.info["built-from"].startswith("words.txt, ")


def test_where_no_free_list_is_known_one_must_be_named(lexicon: Run) -> None:
    status, out, err = lexicon("language", "hungarian")
    assert (status, out) == (2, "")
    assert "--from" in err


def test_a_list_is_not_replaced_by_accident(lexicon: Run, tmp_path: Path) -> None:
    (tmp_path / "dict" / "french").write_text("été\n", "utf-8")
    assert lexicon("language", "french")[0] == 0
    assert "--force" in lexicon("language", "french")[2]
    assert lexicon("language", "french", "--force")[0] == 0


ASPELL = """#!/bin/sh
case "$*" in
  "--encoding=utf-8 --lang=hr dump master") printf 'pas/A\\n' ;;
  "--encoding=utf-8 --lang=hr expand") test "$(cat)" = pas/A && printf 'pas pasa njuh\\n' ;;
  *) echo "no dictionary" >&2; exit 1 ;;
esac
"""


def test_dictionaries_of_aspell_are_written_out(
    lexicon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "aspell"
    program.write_text(ASPELL, "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert lexicon("language", "croatian")[0] == 0
    made = find_list("croatian", [tmp_path / "lexica"])
    assert list(made) == ["[NJ]UH", "PAS", "PASA"]
    assert made.info["licence"] == "LGPL-2.1+"
    assert "apt install aspell aspell-cs" in lexicon("language", "czech")[2]


def test_without_aspell_it_says_so(lexicon: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "apt install aspell aspell-el" in lexicon("language", "greek")[2]


def test_without_a_name_the_languages_are_shown(lexicon: Run) -> None:
    status, out, _ = lexicon("language")
    assert status == 0
    assert "welsh        105 tiles  aspell-cy     GPL-2" in out.splitlines()
    assert "finnish      101 tiles  no free list" in out.splitlines()
    rows = json.loads(lexicon("language", "--json")[1])
    assert [row["name"] for row in rows] == list(languages())


def test_the_page_of_languages_has_them_all() -> None:
    lines = (ROOT / "engine" / "LANGUAGES.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:6]] for line in lines if line[:2] == "| "]
    told = {row[0].strip("`"): row[1:] for row in rows if row[0].strip("`") in languages()}
    for name, language in languages().items():
        count = str(len(data.tileset(name).distribution))
        words = language.words
        package, licence = (f"`{words.package}`", words.licence) if words else ("", "")
        joined = " ".join(tile for tile in data.tileset(name).letters if len(tile) > 1)
        assert told[name] == [count, joined, package, licence]
