"""The flags that every command shares."""

import argparse
from pathlib import Path

import pytest

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    add_data_flag(parser)
    flags.add_json_flag(parser)
    return parser


def test_data_flag_beats_variable_beats_platform(
    parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda app, appauthor: Path("/usual", app))
    monkeypatch.setenv("CROSSROOM_DATA", "/variable")
    assert data_folder(parser.parse_args(["--data", "/flag"])) == Path("/flag")
    assert data_folder(parser.parse_args([])) == Path("/variable")
    monkeypatch.setenv("CROSSROOM_DATA", "")
    assert data_folder(parser.parse_args([])) == Path("/usual/crossroom")


def test_data_knows_home_and_makes_nothing(
    parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    folder = data_folder(parser.parse_args(["--data", "~/games"]))
    assert folder == tmp_path / "games"
    assert not folder.exists()


def test_json_is_asked_for(parser: argparse.ArgumentParser) -> None:
    assert parser.parse_args(["--json"]).json is True
