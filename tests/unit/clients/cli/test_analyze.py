"""`crossroom analyze`: every turn of a record beside the best."""

import json
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main

RECORD = """\
#player1 ann Ann
#player2 bob Bob
>ann: ABELNUZ H4 BENZAL +40 40
>bob: ?CELOOT - +0 0
>ann: A -A +0 40
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.gcg"
    path.write_text(RECORD, encoding="utf-8")
    return str(path)


def test_a_line_for_each_turn_and_what_each_player_lost(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", file]) == 0
    head, ann, bob, *sums, left_out = capsys.readouterr().out.splitlines()
    assert head.split() == ["turn", "player", "rack", "done", "best", "lost"]
    assert ann.split()[:6] == ["1", "ann", "ABELNUZ", "H4", "BENZAL", "40"]
    assert bob.split()[:5] == ["2", "bob", "?CELOOT", "pass", "0"]
    assert [line.split()[:2] for line in sums] == [["ann", "gave"], ["bob", "gave"]]
    assert left_out.startswith("1 left out")


def test_for_programs(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", file, "--json", "--lexicon", "english-common"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["lexicon"] == "english-common"
    ann, bob = told["turns"]
    assert (ann["done"], ann["points"], ann["fate"]) == ("H4 BENZAL", 40, "phony")
    assert bob["lost"] == pytest.approx(bob["best_equity"] - bob["earned"])
    assert told["lost"] == {"ann": ann["lost"], "bob": bob["lost"]}


def test_a_word_list_that_is_not_here(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(file).write_text(f"#lexicon club\n{RECORD}", encoding="utf-8")
    assert main(["analyze", file]) == 1
    assert "there is no word list 'club'" in capsys.readouterr().err
