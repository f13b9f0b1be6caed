"""`crossroom check` and `crossroom replay`, from the command line."""

import io
import json
import sys
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_engine.words import catalog
from crossroom_protocol.text.sheets import export_json
from tests.support.random_games import GAME, SIX_ZEROES, TRIO, random_game

WRONG = GAME.replace("8H FOX +26 26", "8H FOX +25 26")
BROKEN = "#player1 Ada Ada\n#player2 Ben Ben\n>Ada: AB 8H\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"a": GAME, "b": WRONG, "c": TRIO}.items():
        (tmp_path / f"{name}.gcg").write_text(text, encoding="utf-8")
    return tmp_path


def save(tmp_path: Path, text: str) -> str:
    path = tmp_path / "game.gcg"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_clean_record_is_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, GAME)
    assert main(["check", path]) == 0
    assert capsys.readouterr().out == f"{path}: ok\n"


def test_an_error_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, WRONG)
    assert main(["check", path]) == 1
    said = capsys.readouterr()
    assert said.out == f"{path}:5: score: expected +26 points, recorded +25\n"
    assert said.err == ""


def test_an_unfinished_record_is_ok_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, TRIO)
    assert main(["check", path]) == 0
    ok, note = capsys.readouterr().out.splitlines()
    assert ok == f"{path}: ok"
    assert note.startswith(f"{path}: note: incomplete")


@pytest.mark.parametrize(
    ("text", "reason"),
    [(BROKEN, "line 3: after the place of a play comes its word"), ("", "no GCG")],
)
def test_what_cannot_be_read_is_another_failure(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, text)
    assert main(["check", path]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"crossroom: {path}: ")
    assert reason in said.err
    assert said.err.count("\n") == 1


def test_so_is_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "nothing.gcg")]) == 2
    assert "nothing.gcg: No such file" in capsys.readouterr().err


def test_a_folder_stands_for_its_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{folder / 'a.gcg'}: ok"
    assert lines[-1] == "3 records: 2 ok, 1 wrong in 1 places"
    (folder / "d.gcg").write_text(BROKEN, encoding="utf-8")
    assert main(["check", str(folder)]) == 2
    assert capsys.readouterr().out.endswith(", 1 unreadable\n")


def test_a_folder_without_records_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_record_may_come_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("-:5: score: ")


def test_programs_get_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "d.gcg").write_text(BROKEN, encoding="utf-8")
    assert main(["check", "--json", str(folder)]) == 2
    clean, wrong, unfinished, broken = json.loads(capsys.readouterr().out)["records"]
    assert clean == {
        "file": str(folder / "a.gcg"), "findings": [], "notes": [], "complete": True
    }  # fmt: skip
    assert wrong["findings"] == [
        {
            "line": 5,
            "kind": "score",
            "prose": "expected +26 points, recorded +25",
            "expected": 26,
            "recorded": 25,
        }
    ]
    assert unfinished["complete"] is False
    assert broken["error"].startswith("line 3: ")


def test_words_are_judged_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GAME.replace("8H FOX +26 26", "8H FOX +26 26\n>Ada: FGOTUWX -- -26 0")
    path = save(tmp_path, "\n".join(text.splitlines()[:6]))
    assert main(["check", path]) == 0
    assert main(["check", path, "--lexicon", "english"]) == 1
    assert "withdrawn, but in the list: FOX" in capsys.readouterr().out


def test_a_list_of_ones_own_is_found_in_the_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "data" / "lexica"
    own.mkdir(parents=True)
    (own / "mine.lex").write_bytes(catalog.lexicon_path("english-common").read_bytes())
    path = save(tmp_path, GAME)
    assert main(["check", path, "--lexicon", "mine", "--data", str(tmp_path / "data")]) in (0, 1)
    assert "stood unchallenged" in capsys.readouterr().out


def test_an_unknown_list_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", save(tmp_path, GAME), "--lexicon", "klingon"]) != 0
    assert "klingon" in capsys.readouterr().err


def test_what_a_record_says_cannot_reach_into_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, GAME.replace(">Ben: EEGISUY", ">B\x1b[31men: EEGISUY"))
    assert main(["check", path]) == 1
    assert "\x1b" not in capsys.readouterr().out


# replay


def test_a_game_is_shown_move_by_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", save(tmp_path, GAME)]) == 0
    frames = capsys.readouterr().out.split("\n\n")
    assert len(frames) == 38
    first = frames[0].splitlines()
    assert first[0] == "1. Ada [FGOTUWX] plays 8H FOX, +26 = 26"
    assert first[1].split() == list("ABCDEFGHIJKLMNO")
    assert first[9].split()[:11] == ["8", "=", ".", ".", "'", ".", ".", ".", "F", "O", "X"]
    assert first[-1] == "Ada 26   Ben 0   bag 83"


def test_one_move_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", save(tmp_path, WRONG), "--move", "1"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1] == "   wrong: expected +26 points, recorded +25"
    assert said.count("bag") == 1


def test_there_is_no_move_behind_the_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(tmp_path, SIX_ZEROES)
    assert main(["replay", path, "--move", "10"]) == 0
    assert main(["replay", path, "--move", "11"]) == 1
    assert "has 10" in capsys.readouterr().err


def test_a_replay_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", save(tmp_path, GAME), "--move", "5", "--json"]) == 0
    (frame,) = json.loads(capsys.readouterr().out)
    assert frame["move"] == 5
    assert frame["action"] == "plays K6 GUY"
    assert frame["scores"] == [{"player": "Ada", "score": 60}, {"player": "Ben", "score": 47}]
    assert frame["board"][7] == ".......FOXY...."


@pytest.mark.parametrize(
    ("keys", "moves"),
    [("\n\nq\n", [1, 2, 3]), ("n\np\np\nq\n", [1, 2, 1, 1]), ("9\n99\n\n", [1, 9, 10]), ("", [1])],
)
def test_at_a_terminal_one_steps_through_it(
    keys: str,
    moves: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed = io.StringIO(keys)
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["replay", save(tmp_path, SIX_ZEROES)]) == 0
    shown = [
        line for line in capsys.readouterr().out.splitlines() if ". Ada" in line or ". Ben" in line
    ]
    assert [int(line.rpartition(": ")[2].split(".")[0]) for line in shown] == moves


def test_our_own_export_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, game = random_game(5, "race", 2)
    path = tmp_path / "game.json"
    path.write_text(export_json(log), encoding="utf-8")
    assert main(["replay", str(path), "--all"]) == 0
    said = capsys.readouterr().out
    assert "wrong" not in said
    for player in game.players:
        assert str(player.score) in said.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"events": []}', '{"events": [{"kind": "passed"}]}', "x"]
)
def test_what_is_no_game_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", save(tmp_path, text)]) == 1
    assert capsys.readouterr().err.startswith("crossroom: ")


def test_the_delay_is_a_number_of_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", save(tmp_path, SIX_ZEROES), "--delay", "0"]) == 0
    assert capsys.readouterr().out.count("bag") == 10
    with pytest.raises(SystemExit):
        main(["replay", save(tmp_path, SIX_ZEROES), "--delay", "never"])
