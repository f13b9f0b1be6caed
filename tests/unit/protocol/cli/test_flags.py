"""The flags that every command shares."""

import argparse
from pathlib import Path

import pytest

from crossroom_protocol.cli import flags


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    flags.add_data_flag(parser)
    flags.add_json_flag(parser)
    flags.add_address_flags(parser, host="0.0.0.0")
    return parser


def test_data_flag_beats_variable_beats_platform(
    parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda app, appauthor: Path("/usual", app))
    monkeypatch.setenv("CROSSROOM_DATA", "/variable")
    assert flags.data_folder(parser.parse_args(["--data", "/flag"])) == Path("/flag")
    assert flags.data_folder(parser.parse_args([])) == Path("/variable")
    monkeypatch.setenv("CROSSROOM_DATA", "")
    assert flags.data_folder(parser.parse_args([])) == Path("/usual/crossroom")


def test_data_knows_home_and_makes_nothing(
    parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    folder = flags.data_folder(parser.parse_args(["--data", "~/games"]))
    assert folder == tmp_path / "games"
    assert not folder.exists()


def test_address_defaults(parser: argparse.ArgumentParser) -> None:
    args = parser.parse_args([])
    assert (args.host, args.port, args.json) == ("0.0.0.0", 8765, False)


@pytest.mark.parametrize("port", ["0", "65535"])
def test_ports_there_are(parser: argparse.ArgumentParser, port: str) -> None:
    assert parser.parse_args(["--port", port]).port == int(port)


@pytest.mark.parametrize("port", ["65536", "-1", "", "http", "1e3", "²", "٣"])
def test_ports_there_are_not(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    with pytest.raises(SystemExit):
        parser.parse_args([f"--port={port}"])
    assert "is not a port" in capsys.readouterr().err


def test_json_is_asked_for(parser: argparse.ArgumentParser) -> None:
    assert parser.parse_args(["--json"]).json is True
