"""`crossroom moves`, from the command line."""

import io
import json
import sys
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.words.lexicon import pack_words
from tests.support.engines import HAS_KERNEL
from tests.support.processes import run_script

EMPTY = "/".join(["15"] * 15)
CAB = "/".join([*["15"] * 7, "6CaB6", *["15"] * 7])
WORDS = "CAB CABS SCAB AB ABS AS BAS"
LEAVES = "S,8\nQ,-5.5\n?,25\n?S,0.25\n"


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word list called ``tiny``, and leaves."""
    monkeypatch.setenv("CROSSROOM_DATA", str(tmp_path))
    folder = tmp_path / "lexica"
    folder.mkdir()
    (folder / "tiny.leaves.csv").write_text(LEAVES, encoding="utf-8")
    file = pack_words(
        [tuple(word) for word in WORDS.split()], PRESETS["official"].tiles.letters, {}
    )
    (folder / "tiny.lex").write_bytes(file)


def told(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    """The lines that the command prints; nothing goes wrong."""
    assert main(["moves", *args]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["moves", *args]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("crossroom: ")
    assert said.err.count("\n") == 1
    return said.err


HEAD = "rank  place     word  points  leave        equity"


def test_by_equity_exchanges_and_the_pass_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, f"{CAB} QS/ 0/14 0 lex tiny;", "--top", "5") == [
        HEAD,
        "   1  exchange  Q          0  S             8.000",
        "   2  pass                 0  QS            2.500",
        "   3  8F        S...       7  Q             1.500",
        "   4  8G        ...S       7  Q             1.500",
        "   5  exchange  QS         0                0.000",
    ]


def test_by_score_only_plays_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, f"{CAB} QS/ 0/14 0 lex tiny;", "--by", "score") == [
        HEAD,
        "   1  8F        S...       7  Q             1.500",
        "   2  8G        ...S       7  Q             1.500",
        "   3  H8        .S         1  Q            -4.500",
    ]
    assert told(capsys, f"{CAB} Z/ 0/14 0 lex tiny;", "--by", "score") == [HEAD]


def test_a_list_without_leaves_is_told_by_points(capsys: pytest.CaptureFixture[str]) -> None:
    best = told(capsys, f"{EMPTY} QUIZÑ/ 0/0 0 ld spanish;", "--top", "1")[1].split()
    assert best[2:] == ["QUIZ", "34", "Ñ", "34.000"]


def test_the_flag_names_another_rack(capsys: pytest.CaptureFixture[str]) -> None:
    one, *others = (
        told(capsys, f"{CAB} {rack}/ 0/14 0 lex tiny;", "--rack", "s*b") for rack in ("", "QZ")
    )
    assert others == [one]
    assert "?S" in one[1]


def test_the_number_of_plays_and_the_best_score(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{CAB} QS/ 0/14 0 lex tiny;"
    assert told(capsys, line, "--count") == ["3 plays, best score 7"]
    assert told(capsys, *line.split(), "--count") == ["3 plays, best score 7"]
    assert told(capsys, line, "--count", "--rack", "QZ") == ["0 plays"]


def test_every_line_of_standard_input_is_a_position(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{CAB} {rack}/ 0/14 0" for rack in ("QS", "BS")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n".join(lines)))
    assert told(capsys, "-", "--count", "--lexicon", "TINY") == [
        "line 1",
        "3 plays, best score 7",
        "line 3",
        "6 plays, best score 7",
    ]


def test_a_line_that_is_wrong_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"\n{CAB} ZZ/ 0/14 0\n"))
    assert "line 2: 2 tiles Z" in refused(capsys, "-")


def test_json_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{CAB} QS/ 0/14 0 lex tiny;"
    (answer,) = json.loads(told(capsys, line, "--json", "--top", "3")[0])["positions"]
    assert answer["position"] == line
    assert answer["moves"][0] == {
        "place": "exchange",
        "word": "Q",
        "points": 0,
        "leave": "S",
        "equity": 8.0,
    }
    assert len(answer["moves"]) == 3
    (answer,) = json.loads(told(capsys, line, "--json", "--count")[0])["positions"]
    assert answer == {"position": line, "plays": 3, "points": 7}


def test_rules_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{CAB} AS/ 0/14 0 lex tiny;"
    for by in ("equity", "score"):
        assert "swap 8H" in "".join(told(capsys, line, "--preset", "race", "--by", by))
    assert "swap 8H" not in "".join(told(capsys, line))
    assert refused(capsys, f"{EMPTY} A/ 0/0 0 bdn Moebius;").endswith("standard, super\n")


def test_a_list_that_only_the_position_knows_is_replaced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"{EMPTY} QUIZ/ 0/0 0 lex CSW21;"
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{line}\n{line}\n"))
    assert main(["moves", "-", "--top", "1"]) == 0
    said = capsys.readouterr()
    assert said.err.count("there is no word list 'CSW21' here") == 1
    assert said.out.count("QUIZ") == 2
    assert "no word list 'csw21'" in refused(capsys, line, "--lexicon", "csw21")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["nonsense"], "at least four fields"),
        ([f"{EMPTY} / 0/0 0"], "name some with --rack"),
        ([f"{EMPTY} A/ 0/0 0", "--rack", "A1"], "there is no tile 1"),
        ([f"{EMPTY} A/ 0/0 0", "--rack", "ABCDEFGH"], "over 7 tiles"),
        ([f"{EMPTY} A/ 0/0 0", "--rack", "ZZ"], "2 tiles Z"),
    ],
)
def test_what_cannot_be_asked(
    capsys: pytest.CaptureFixture[str], args: list[str], reason: str
) -> None:
    assert reason in refused(capsys, *args)


@pytest.mark.parametrize("number", ["0", "-1", "x", "1e3", "99999999999"])
def test_a_number_is_one_from_1_on(capsys: pytest.CaptureFixture[str], number: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["moves", EMPTY, "--top", number])
    assert "is not a whole number from 1 to 1000000" in capsys.readouterr().err


def test_nothing_slow_is_loaded() -> None:
    script = "import sys, crossroom_clients.cli.moves\nprint(*sys.modules)"
    loaded = run_script(script).stdout.split()
    assert "crossroom_engine.analysis.cgp" in loaded
    slow = {"asyncio", "importlib.resources", "prompt_toolkit", "pydantic", "hashlib"}
    names = ("core.events", "game", "game.game", "game.views", "records", "records.gcg")
    games = {f"crossroom_engine.{name}" for name in names}
    assert not (slow | games).intersection(loaded)
    assert ("crossroom_engine.movegen.python_backend" in loaded) <= (not HAS_KERNEL)
