"""`crossroom bench moves`: its positions, its verdict, its table, and how it ends."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from crossroom_clients.bench.moves import rate
from crossroom_clients.bench.positions import BenchPosition, make_positions, read_positions
from crossroom_clients.cli.main import main
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter
from crossroom_engine.movegen import count, plays
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon, pack_words
from tests.support.engines import HAS_KERNEL

RULES = PRESETS["tournament"]
LISTED = "AT EAT TEA ATE RAT TAR ART TEAR RATE STAR RATS IS IT SIT"
FILE = pack_words([tuple(word) for word in LISTED.split()], RULES.tiles.letters, {})
WORDS = Lexicon("tiny", FILE)
WORTH = Leaves("ours", {"S": 8000})

EMPTY = "." * 225
GOOD = f"{EMPTY} QUIZ?AB 1 -2 3 4 5"


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.lex"
    path.write_bytes(FILE)
    return path


def line_of(position: BenchPosition, more_plays: int = 0, more_points: int = 0) -> str:
    """A line of a file, with the right answers or with others."""
    board, rack = position
    found = plays(RULES, board, rack, WORDS)
    number = sum(play.spot.across for play in found) if not board else len(found)
    points = max((play.points for play in found), default=0)
    squares = "".join("." if letter is None else str(letter) for letter in board.squares)
    return f"{squares} {''.join(rack)} 0 0 0 {number + more_plays} {points + more_points}\n"


@pytest.fixture
def positions() -> list[BenchPosition]:
    return list(islice(make_positions(RULES, WORDS, WORTH), 12))


def test_positions_are_made_as_games_go(positions: list[BenchPosition]) -> None:
    assert positions == list(islice(make_positions(RULES, WORDS, WORTH), 12))
    assert not positions[0].board
    assert positions[1].board
    assert len({position.rack for position in positions}) > 6
    for board, rack in positions:
        lying = Counter(letter.tile for _, letter in board.items())
        assert not (lying + Counter(rack)) - Counter(RULES.tiles.distribution)
        assert len(rack) == RULES.rack


def test_a_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{GOOD}\n{'.' * 112}Ab{'.' * 111} ? 0 0 0 7 -3\n", encoding="utf-8")
    first, second = read_positions(path, RULES)
    assert (first.line, first.plays, first.points) == (1, 4, 5)
    assert first.position.rack == ("?", "A", "B", "I", "Q", "U", "Z")
    assert second.position.board.squares[112:114] == (Letter("A"), Letter("B", blank=True))
    assert (second.line, second.plays, second.points) == (2, 7, -3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "7 fields in a line, here are 0"),
        (GOOD[1:], "224 squares, not 225"),
        (GOOD + " 6", "here are 8"),
        (GOOD.replace("4", "four"), "'four' is not a number"),
        (GOOD.replace("4", "9" * 5000), "is not a number"),
        (GOOD.replace("QUIZ", "ABCDEFGH"), "11 tiles in the rack"),
        (GOOD.replace("QUIZ", "QÜIZ"), "no tile Ü"),
        (GOOD.replace("..", ".1", 1), "no tile 1"),
        (GOOD.replace("..", "(A", 1), "bracket"),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{GOOD}\n{line}\n{GOOD}\n", encoding="utf-8")
    with pytest.raises(BadText, match=f"line 2: .*{re.escape(reason)}"):
        list(read_positions(path, RULES))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "positions.txt"
    path.write_bytes(content)
    with pytest.raises(BadText, match=r"positions\.txt"):
        list(read_positions(path, RULES))


def test_disagreements_are_told_first(
    tmp_path: Path,
    list_file: Path,
    positions: list[BenchPosition],
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = [line_of(position) for position in positions]
    lines[0] = line_of(positions[0], more_plays=1)
    lines[2] = line_of(positions[2], more_points=1)
    path = tmp_path / "positions.txt"
    path.write_text("".join(lines), encoding="utf-8")
    args = ["bench", "moves", "--positions", str(path), "--lexicon", str(list_file)]
    assert main(args) == 1
    _, verdict, *told = capsys.readouterr().out.splitlines()
    assert verdict == "10 of 12 agree"
    assert [one.partition(":")[0] for one in told] == ["line 1", "line 3"]
    number, points = count(RULES, *positions[2], WORDS)
    assert f"{number} plays, best score {points} " in told[1]
    assert told[1].endswith(f"the file has {number} and {(points or 0) + 1}")
    path.write_text(line_of(positions[2], more_points=1) * 15, encoding="utf-8")
    assert main(args) == 1
    assert capsys.readouterr().out.endswith("and 5 more\n")


def test_the_table(
    tmp_path: Path,
    list_file: Path,
    positions: list[BenchPosition],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("".join(map(line_of, positions)), encoding="utf-8")
    args = ["--positions", str(path), "--lexicon", str(list_file), "--seconds", "0.02"]
    assert main(["bench", "moves", *args]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    words, verdict, head, *rows = said.out.splitlines()
    assert words.startswith("word list tiny: 14 words; leaves ")
    assert verdict == "12 of 12 agree"
    assert head.split() == (["C", "kernel"] if HAS_KERNEL else []) + ["plain", "Python"] + (
        ["ratio"] if HAS_KERNEL else []
    )
    if HAS_KERNEL:
        assert re.fullmatch(r"plain Python was asked \d+ or more of the 12 positions.*", rows.pop())
    figures = {
        row[:28].strip(): [float(n.replace(",", "")) for n in row[28:].split()] for row in rows
    }
    assert len(figures) == len(rows) == 8
    assert all(len(numbers) == (3 if HAS_KERNEL else 1) for numbers in figures.values())
    assert all(min(numbers) > 0 for numbers in figures.values())
    assert 5 < figures["its memory at most, MB"][0] < 500


def test_a_rate_is_asked_in_whole_rounds(positions: list[BenchPosition]) -> None:
    asked: list[BenchPosition] = []
    speed, different = rate(asked.append, positions, 0.01)
    assert (different, len(asked) % len(positions)) == (len(positions), 0)
    assert 0 < speed < len(asked) / 0.01
    assert rate(asked.append, positions, 0, whole=False)[1] == 1


def answer_to_interrupt(script: str) -> tuple[int, str]:
    """Run a command line until it prints, then interrupt it."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send there")
def test_an_interrupt_ends_it_quietly(list_file: Path) -> None:
    args = ["bench", "moves", "--lexicon", str(list_file), "--seconds", "60"]
    script = f"import sys; from crossroom_clients.cli.main import main; sys.exit(main({args!r}))"
    assert answer_to_interrupt(script) == (130, "")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_seconds_are_a_number(capsys: pytest.CaptureFixture[str], seconds: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "moves", f"--seconds={seconds}"])
    assert "is not a number of seconds" in capsys.readouterr().err


def test_a_list_that_is_none_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "words.txt"
    path.write_text("AB\n", encoding="utf-8")
    assert main(["bench", "moves", "--lexicon", str(path)]) == 1
    assert "it is no word list; build one" in capsys.readouterr().err
    assert main(["bench", "moves", "--lexicon", "nobody-has-this"]) == 1
    assert "there is no word list 'nobody-has-this'" in capsys.readouterr().err
