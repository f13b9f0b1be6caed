"""`crossroom lexicon`: what it prints, what it writes, and how it fails."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import pytest

from crossroom_clients.cli import lexicon as command
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lexicon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run a command line; gives exit status, standard output and standard error."""
    monkeypatch.setenv("CROSSROOM_DATA", str(tmp_path))

    def run(*args: str | Path) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser("crossroom lexicon")
        command.add_arguments(parser)
        status = command.run(parser.parse_args([*map(str, args)]))
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A word file."""
    path = tmp_path / "club.txt"
    path.write_text("ab\nabc\nAB\nab-c\ncafé\na\n", encoding="utf-8")
    return path


def refused(result: tuple[int, str, str], *parts: str) -> None:
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("crossroom lexicon: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


def test_build_reports_and_the_list_is_there(lexicon: Run, club: Path, tmp_path: Path) -> None:
    status, out, err = lexicon("build", club, "--name", "club", "--description", "ours")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "6 entries, 2 words",
        "left out 1, capital letters: a name or an abbreviation: AB",
        "left out 1, a hyphen: ab-c",
        "left out 1, a letter outside the alphabet: café",
        "left out 1, too short: a",
        f"club has 2 words: {tmp_path / 'lexica' / 'club.lex'}",
    ]
    with Lexicon.open(tmp_path / "lexica" / "club.lex") as built:
        assert list(built) == ["AB", "ABC"]
        assert built.info["description"] == "ours"
        assert built.info["built-from"].startswith("club.txt, SHA-256 ")


def test_build_speaks_of_capitals_definitions_and_more(lexicon: Run, tmp_path: Path) -> None:
    loud = tmp_path / "loud.txt"
    loud.write_text("AA rough lava\n" + "A\n" * 6, encoding="utf-8")
    out = lexicon("build", loud, "--name", "loud")[1].splitlines()
    assert "all in capitals: capitals do not mark names here" in out
    assert "definitions not kept: 1" in out
    assert "left out 6, too short: A, A, A, A, A …" in out


def test_build_takes_other_encodings_accents_and_lengths(lexicon: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_bytes("café\nab\n".encode("latin-1") + b"b" * 21)
    refused(lexicon("build", words, "--name", "more"), "line 1 is not utf-8")
    flags = ("--encoding", "latin-1", "--fold-accents", "--longest", "21")
    assert lexicon("build", words, "--name", "more", *flags)[0] == 0
    assert list(catalog.open_lexicon("more", [tmp_path / "lexica"])) == ["AB", "B" * 21, "CAFE"]


def test_lists_go_where_the_data_is(lexicon: Run, club: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert lexicon("build", club, "--name", "club", "--data", elsewhere)[0] == 0
    assert (elsewhere / "lexica" / "club.lex").exists()
    refused(lexicon("check", "ab", "--lexicon", "club"), "no word list 'club'")
    assert lexicon("check", "ab", "--lexicon", "club", "--data", elsewhere)[0] == 0


def test_build_in_json(lexicon: Run, club: Path, tmp_path: Path) -> None:
    status, out, err = lexicon("build", club, "--name", "club", "--json")
    told: dict[str, Any] = json.loads(out)
    assert (status, err, told["words"], told["name"]) == (0, "", 2, "club")
    assert told["path"] == str(tmp_path / "lexica" / "club.lex")
    assert told["report"]["left_out"] == {"capitals": 1, "hyphen": 1, "letters": 1, "short": 1}


def test_build_replaces_only_when_told(lexicon: Run, club: Path, tmp_path: Path) -> None:
    built = tmp_path / "lexica" / "club.lex"
    assert lexicon("build", club, "--name", "club")[0] == 0
    club.write_text("zz\n", encoding="utf-8")
    refused(lexicon("build", club, "--name", "club"), "already", "--force")
    assert "AB" in Lexicon.open(built)
    assert lexicon("build", club, "--name", "club", "--force")[0] == 0
    assert list(Lexicon.open(built)) == ["ZZ"]


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_build_never_takes_the_name_of_a_shipped_list(
    lexicon: Run, club: Path, tmp_path: Path, force: tuple[str, ...]
) -> None:
    refused(lexicon("build", club, "--name", "english", *force), "comes with crossroom")
    assert not (tmp_path / "lexica").exists()


def test_build_refuses_what_cannot_be_built(lexicon: Run, club: Path, tmp_path: Path) -> None:
    refused(lexicon("build", tmp_path / "none.txt", "--name", "x"), "none.txt")
    refused(lexicon("build", club, "--name", "a/b"), "'a/b' cannot name a word list")
    refused(lexicon("build", club, "--name", "x", "--tiles", "runes"), "'runes'", "english")
    refused(lexicon("build", club, "--name", "x", "--longest", "99"), "2 to 21 letters")
    club.write_text("Paris\n", encoding="utf-8")
    refused(lexicon("build", club, "--name", "x"), "no word in it", "capitals 1")
    assert not (tmp_path / "lexica").exists()


def test_an_interrupted_build_leaves_what_was_there(
    lexicon: Run, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lexicon("build", club, "--name", "club")
    before = (tmp_path / "lexica" / "club.lex").read_bytes()
    club.write_text("zz\n", encoding="utf-8")

    def interrupt(file: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        lexicon("build", club, "--name", "club", "--force")
    assert [path.name for path in (tmp_path / "lexica").iterdir()] == ["club.lex"]
    assert (tmp_path / "lexica" / "club.lex").read_bytes() == before


def test_progress_is_for_people_only(
    lexicon: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lexicon("build", club, "--name", "quiet")[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = lexicon("build", club, "--name", "shown")[2]
    assert shown == "\r\x1b[K0 of 6 entries\r\x1b[K"


def test_list_shows_shipped_and_own_lists(lexicon: Run, club: Path) -> None:
    lexicon("build", club, "--name", "club", "--description", "ours")
    status, out, err = lexicon("list")
    assert (status, err) == (0, "")
    lines = [line.split(maxsplit=3) for line in out.splitlines()]
    assert [line[0] for line in lines] == ["english-common", "english", "club"]
    assert lines[2] == ["club", "2", "words", "ours"]


def test_list_tells_of_files_that_cannot_be_used(lexicon: Run, club: Path, tmp_path: Path) -> None:
    lexicon("build", club, "--name", "club")
    own = tmp_path / "lexica"
    (own / "english.lex").write_bytes((own / "club.lex").read_bytes())
    (own / "club.lex").write_bytes(b"rubbish")
    status, out, _ = lexicon("list", "--json")
    rows = {(row["name"], row["shipped"]): row for row in json.loads(out)}
    assert status == 1
    assert "words" not in rows["club", False]
    assert "it is no word list" in rows["club", False]["note"]
    assert rows["english", False]["hidden"]
    assert not rows["english", True]["hidden"]
    assert "unreadable" in lexicon("list")[1]
    assert f"rename {own / 'english.lex'}" in lexicon("list")[1]


def test_info_tells_all_and_verifies(lexicon: Run, club: Path, tmp_path: Path) -> None:
    lexicon("build", club, "--name", "club", "--licence", "free")
    status, out, err = lexicon("info", "club")
    assert (status, err) == (0, "")
    assert out.startswith("club: 2 words, whole and undamaged\ndigest: ")
    assert "\nlicence: free\n" in out
    told = json.loads(lexicon("info", "club", "--json")[1])
    assert told["info"]["licence"] == "free"
    assert told["digest"] in out
    path = tmp_path / "lexica" / "club.lex"
    content = path.read_bytes().replace(told["digest"].encode(), b"0" * 64)
    path.write_bytes(content[:8] + crc32(content[12:]).to_bytes(4, "little") + content[12:])
    refused(lexicon("info", "club"), "'club' has not the words it says")
    path.write_bytes(b"rubbish")
    refused(lexicon("info", "club"), "'club'", "crossroom lexicon build")
    refused(lexicon("info", "none"), "there are: club, english, english-common")


def test_check_answers_in_prose_and_status(lexicon: Run, club: Path) -> None:
    lexicon("build", club, "--name", "club")
    assert lexicon("check", "ab", "ABC", "--lexicon", "club") == (
        0,
        "AB is in club\nABC is in club\n",
        "",
    )
    assert lexicon("check", "ab", "zz", "--lexicon", "club") == (
        1,
        "AB is in club\nZZ is not in club\n",
        "",
    )
    refused(lexicon("check", "ab", "--lexicon", "none"), "no word list 'none'")


def test_check_answers_in_json(lexicon: Run) -> None:
    status, out, _ = lexicon("check", "quiz", "QZX", "--json")
    told = json.loads(out)
    assert status == 1
    assert told["lexicon"] == "english"
    assert told["words"] == {"quiz": True, "QZX": False}
    assert len(told["digest"]) == 64


def test_scowl_fills_a_folder(
    lexicon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, patch = tmp_path / "scowl", tmp_path / "some.patch"
    source.mkdir()
    (source / "english-words.10").write_text("go\nthe\n", encoding="utf-8")
    (source / "english-words.80").write_text("zo\n", encoding="utf-8")
    patch.write_text("-GO no\n", encoding="utf-8")
    monkeypatch.setattr("crossroom_engine.words.scowl.PATCH", patch)
    out = tmp_path / "out"
    status, told, _ = lexicon("scowl", "--from", source, "--out", out)
    assert status == 0
    assert f"english has 2 words: {out / 'english.lex'}" in told
    assert list(Lexicon.open(out / "english-common.lex")) == ["THE"]
    rows = json.loads(lexicon("scowl", "--from", source, "--out", out, "--json")[1])
    assert [row["words"] for row in rows] == [2, 1]
    refused(lexicon("scowl", "--from", tmp_path, "--out", out), "apt install scowl")
