"""`crossroom train-leaves`: the same bytes, however it came to them."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from crossroom_clients.cli import main
from crossroom_clients.cli import train_leaves as command
from crossroom_clients.support.parallel import map_in_processes
from crossroom_engine.core import data
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.build import build_lexicon

WORDS = "AA AE AI AT BE DO EAR EARN EEL GO HAT ID IT LO NEAR NO OE OR OUR RAN REIN SEA SO TEA TO"
CRASH = "import sys; from crossroom_clients.cli.main import main; sys.exit(main())"


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the data is; it holds a small list called ``few``."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "lexica").mkdir()
    built = build_lexicon(WORDS.split(), data.tileset("english"))
    (folder / "lexica" / "few.lex").write_bytes(built.data)
    return folder


@pytest.fixture
def folder(tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables are written; the data is elsewhere."""
    monkeypatch.setenv("CROSSROOM_DATA", str(data_folder))
    return tmp_path


def line(out: Path, **changes: object) -> list[str]:
    flags = {"games": 8, "generations": 2, "seed": 3, "test": 0, "jobs": 1, **changes}
    told = (f"--{name}={value}" for name, value in flags.items())
    return ["train-leaves", "few", "-o", str(out), *told]


@pytest.fixture(scope="module")
def whole(data_folder: Path) -> bytes:
    """What an uninterrupted training in one process writes."""
    out = data_folder / "whole.csv"
    assert main.main([*line(out), "--data", str(data_folder)]) == 0
    return out.read_bytes()


def stopping(after: int) -> Any:
    """Stands for the playing of games; it is interrupted after so many chunks."""
    real = map_in_processes

    def spread(*given: Any) -> Iterator[Any]:
        yield from islice(real(*given), after)
        raise KeyboardInterrupt

    return spread


def test_it_writes_a_table_and_tells_how_it_plays(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "few.csv"
    assert main.main(line(out, test=4)) == 0
    text = out.read_text("utf-8")
    assert "train-leaves few --tiles english --games 8 --generations 2 --seed 3" in text
    table = Leaves.from_csv("few", text)
    assert (len(table.tiles), len(table.pairs)) == (27, 378)
    assert any(table.tiles.values())
    told = capsys.readouterr().out
    assert "27 tiles, 378 pairs" in told
    assert "of 4 games won" in told
    assert sorted(path.name for path in folder.iterdir()) == ["few.csv"]


def test_other_dice_make_another_table(folder: Path, whole: bytes) -> None:
    assert main.main(line(folder / "out.csv", seed=4)) == 0
    assert (folder / "out.csv").read_bytes().split(b"\n", 2)[2] != whole.split(b"\n", 2)[2]


def test_more_processes_make_the_same_table(
    folder: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "BATCH_GAMES", 3)
    assert main.main(line(folder / "out.csv", jobs=2)) == 0
    assert (folder / "out.csv").read_bytes() == whole


def test_an_interrupted_training_goes_on(
    folder: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out.csv"
    monkeypatch.setattr(command, "BATCH_GAMES", 2)
    monkeypatch.setattr(command, "SAVE_INTERVAL_S", -1)
    with monkeypatch.context() as patch:
        patch.setattr(command, "map_in_processes", stopping(after=3))
        assert main.main(line(out)) == 130
    assert "the same command goes on" in capsys.readouterr().err
    assert not out.exists()
    state = json.loads(out.with_name("out.csv.unfinished").read_text("utf-8"))
    assert (state["generation"], state["played"]) == (0, 6)
    assert main.main(line(out)) == 0
    assert out.read_bytes() == whole


def test_a_training_that_was_killed_goes_on(folder: Path, whole: bytes) -> None:
    out = folder / "out.csv"
    state = folder / "out.csv.unfinished"
    with subprocess.Popen([sys.executable, "-c", CRASH, *line(out)]) as process:
        until = time.monotonic() + 30
        while not state.exists():
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.005)
        process.kill()
    assert process.returncode
    assert not out.exists()
    assert main.main(line(out)) == 0
    assert out.read_bytes() == whole
    assert not state.exists()


def test_another_training_is_not_mixed_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out.csv"
    monkeypatch.setattr(command, "SAVE_INTERVAL_S", -1)
    with monkeypatch.context() as patch:
        patch.setattr(command, "map_in_processes", stopping(after=1))
        main.main(line(out))
    assert main.main(line(out, seed=9)) == 1
    assert "another training" in capsys.readouterr().err
    out.with_name("out.csv.unfinished").write_text('{"plan": 1}')
    assert main.main(line(out)) == 1
    assert "damaged" in capsys.readouterr().err


def test_an_interrupted_test_leaves_the_table(
    folder: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play_pairs", interrupted)
    assert main.main(line(folder / "out.csv", test=4)) == 0
    assert (folder / "out.csv").read_bytes() == whole


@pytest.mark.parametrize("flag", ["games=0", "generations=x", "seed=-1", "seed=65536", "jobs=0"])
def test_wrong_numbers_are_refused(folder: Path, flag: str) -> None:
    with pytest.raises(SystemExit):
        main.main([*line(folder / "out.csv"), f"--{flag}"])


def test_unknown_names_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(line(folder / "out.csv", tiles="runes")) == 1
    assert "'runes'" in capsys.readouterr().err
    assert main.main(line(folder / "none" / "out.csv")) == 1
    assert "not a folder" in capsys.readouterr().err
    assert main.main(["train-leaves", "nothing", "-o", str(folder / "out.csv")]) == 1
    assert "'nothing'" in capsys.readouterr().err
