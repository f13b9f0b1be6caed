"""`crossroom verify`, from the command line."""

import io
import json
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_engine.core.events import Exchanged, Passed, Started
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_protocol.text.sheets import export_json
from tests.support.random_games import GAME
from tests.support.sealed_games import sealed_game
from tests.support.tiny_ruleset import RULES

LOG = next(
    log
    for log in (sealed_game(RULES["classic"], seed) for seed in count())
    if any(isinstance(event, Exchanged) for event in log)
)
TEXT = export_json(LOG)
VERDICT = verify_draws(LOG)
BEGUN = LOG[0]
assert isinstance(BEGUN, Started)
UNSEALED = export_json([replace(BEGUN, seal="", seed=""), *LOG[1:]])


def save(folder: Path, text: str, name: str = "game.json") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def cheat() -> str:
    """The last exchange brought better tiles."""
    place, drawn = [(n, e) for n, e in enumerate(LOG) if isinstance(e, Exchanged)][-1]
    better = tuple("A" if tile != "A" else "B" for tile in drawn.drew)
    return export_json([*LOG[:place], replace(drawn, drew=better), *LOG[place + 1 :]])


def test_a_fair_game_is_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, TEXT)
    assert main(["verify", path]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: ok, {VERDICT.draws} draws; seal {VERDICT.seal}, was that told")
    assert main(["verify", path, "--seal", f"{VERDICT.seal[:16].upper()}..."]) == 0
    assert capsys.readouterr().out.endswith("as told\n")


def test_a_changed_draw_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, cheat())
    assert main(["verify", path]) == 1
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{path}: event ")
    assert ": draw " in first
    assert "; the seed gives " in first


def test_another_seal_than_was_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, TEXT)
    assert main(["verify", path, "--seal", "0123456789abcdef"]) == 1
    said = capsys.readouterr().out
    assert said == f"{path}: the seal is {VERDICT.seal}, not 0123456789abcdef\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GAME, "this JSON is no game"),
        ("{}", "this JSON is no game"),
        ('{"events": []}', "there is no game"),
        (UNSEALED, "was not sealed"),
        (export_json(LOG[:-1]), "not over"),
        (export_json([*LOG[:-1], Passed(9), LOG[-1]]), "passed: no such seat"),
    ],
)
def test_what_cannot_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    good, bad = save(tmp_path, TEXT), save(tmp_path, text, "bad.json")
    assert main(["verify", good, bad]) == 2
    said = capsys.readouterr()
    assert said.out.startswith(f"{good}: ok")
    assert said.err.startswith(f"crossroom: {bad}: ")
    assert why in said.err
    assert main(["verify", str(tmp_path / "none.json")]) == 2


def test_standard_input_and_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, status in ((TEXT, 0), (cheat(), 1), (UNSEALED, 2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(["verify", "-", "--json", "--seal", VERDICT.seal[:8]]) == status
        (told,) = json.loads(capsys.readouterr().out)["games"]
        assert ("error" in told) == (status == 2)
        assert told.get("findings", []) == [] or status == 1
        assert told.get("seal_as_told", True) is True


@pytest.mark.parametrize("digits", ["", "12", "0123456g", "0" * 65])
def test_a_seal_is_hexadecimal(capsys: pytest.CaptureFixture[str], digits: str) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "-", "--seal", digits])
    assert "8 to 64 hexadecimal digits" in capsys.readouterr().err
