"""Settings: flags before the environment, before a file; and what is said of mistakes."""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from crossroom_clients.cli.main import main
from crossroom_clients.connection.local_server import local_server
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder
from crossroom_server.config import docs, loading
from crossroom_server.config.fields import to_toml
from crossroom_server.config.limits import Limits
from crossroom_server.config.loading import ConfigError, Configuration, load_configuration
from crossroom_server.config.settings import SETTINGS, Settings
from crossroom_server.config.store_url import Database
from crossroom_server.identity.client_address import read_network

WRITTEN: dict[str, tuple[str, Any]] = {
    "data": ("/games", Path("/games")),
    "keep": ("no", False),
    "host": ("::1", "::1"),
    "port": ("0", 0),
    "line_port": ("8766", 8766),
    "url": ("wss://example.org/words/", "wss://example.org/words"),
    "allowed_hosts": ("a.example, b.lan", ("a.example", "b.lan")),
    "proxies": ("10.0.0.0/8,::1", (read_network("10.0.0.0/8"), read_network("::1"))),
    "store": ("postgresql://ann@db/games", Database("postgresql://ann@db/games")),
    "bus": ("nats://bus:4222", "nats://bus:4222"),
    "node": ("west-1", "west-1"),
    "cert": ("/c.pem", Path("/c.pem")),
    "key": ("/k.pem", Path("/k.pem")),
    "thinkers": ("1", 1),
    "open_metrics": ("yes", True),
    "private": ("yes", True),
    "metrics_port": ("9765", 9765),
    "metrics_host": ("192.0.2.1", "192.0.2.1"),
    "mask": ("/words.txt", Path("/words.txt")),
    "log_level": ("debug", "debug"),
    "log_format": ("json", "json"),
    "limits.everybody": ("500", 500),
    "limits.pace": ("0.5", 0.5),
    "limits.own": ("on", True),
}
"""For every kind of setting, a text and what it comes to."""


def configured(*argv: str, **environment: str) -> Configuration:
    parser = argparse.ArgumentParser()
    loading.add_arguments(parser)
    return load_configuration(parser.parse_args(argv), environment)


def problems(*argv: str, **environment: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        configured(*argv, **environment)
    return str(caught.value).splitlines()


def usual(name: str) -> tuple[str, Any]:
    """For every setting, a text and a value that is not the default."""
    if name in WRITTEN:
        return WRITTEN[name]
    default = SETTINGS[name].default()
    return str(int(default) + 7), default + 7


def value(settings: Settings, name: str) -> Any:
    table, _, field = name.rpartition(".")
    return getattr(settings.limits if table else settings, field)


def test_without_a_word_everything_is_as_declared() -> None:
    nothing = configured()
    assert nothing.settings() == Settings()
    assert nothing.settings().limits == Limits()
    assert {found.origin for found in nothing.sourced.values()} == {"default"}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_has_a_flag_a_variable_and_a_line(name: str, tmp_path: Path) -> None:
    setting, (text, expected) = SETTINGS[name], usual(name)
    table, _, key = name.rpartition(".")
    file = tmp_path / "c.toml"
    file.write_text((f"[{table}]\n" if table else "") + f'{key} = "{text}"\n')
    pair = {"cert": "key", "key": "cert"}.get(name, "data")
    also = {SETTINGS[pair].variable: "/pair"} if pair != name else {}
    flag = [f"{setting.flag}={text}"]
    if not setting.value_type.metavar:
        flag = [setting.flag if expected else f"--no-{setting.flag[2:]}"]
    for argv, environment in (
        (flag, {}),
        ([], {setting.variable: text}),
        (["--config", str(file)], {}),
    ):
        settings = configured(*argv, **environment, **also).settings()
        assert value(settings, name) == expected != setting.default()
        assert type(value(settings, name)) is type(expected)


def test_a_password_is_shown_nowhere_and_taken_from_no_flag(
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = "postgresql://ann:sesame@db/games?password=sesame"
    with pytest.raises(SystemExit):
        configured(f"--store={secret}")
    told = capsys.readouterr().err
    assert "everybody on this machine can read the password" in told
    found = configured(CROSSROOM_STORE=secret).sourced["store"]
    assert "sesame" not in f"{told} {found} {to_toml(found.value)}"
    assert found.value.url == secret


def test_flag_beats_variable_beats_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("port = 1\nline_port = 1\nthinkers = 1\n\n[limits]\nrooms = 1\n")
    environment = {"CROSSROOM_PORT": "2", "CROSSROOM_LINE_PORT": "2", "CROSSROOM_HOST": ""}
    found = configured("--port=3", CROSSROOM_CONFIG=str(file), **environment).sourced
    assert found["port"] == (3, "a flag")
    assert found["line_port"] == (2, "CROSSROOM_LINE_PORT")
    assert found["thinkers"] == (1, f"{file}, line 3")
    assert found["limits.rooms"] == (1, f"{file}, line 6")
    assert found["host"] == ("0.0.0.0", "default")


@pytest.mark.parametrize(
    ("flag", "name", "expected"),
    [
        ("--forget", "keep", False),
        ("--keep", "keep", True),
        ("--metrics", "open_metrics", True),
        ("--no-open-metrics", "open_metrics", False),
        ("--pace=5", "limits.pace", 5.0),
        ("--connections=5", "limits.connections", 5),
    ],
)
def test_a_flag_takes_back_what_the_environment_says(flag: str, name: str, expected: Any) -> None:
    environment = {"CROSSROOM_KEEP": "no" if expected else "yes", "CROSSROOM_OPEN_METRICS": "true"}
    assert value(configured(flag, **environment).settings(), name) == expected


def test_several_proxies_however_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('proxies = ["10.0.0.0/8", "::1"]\n')
    expected = WRITTEN["proxies"][1]
    assert configured("--proxy=10.0.0.0/8", "--proxies=::1").settings().proxies == expected
    assert configured("--config", str(file)).settings().proxies == expected
    file.write_text("proxies = []\n")
    assert configured("--config", str(file)).settings().proxies == ()


def test_paths_of_a_file_start_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "c.toml"
    file.write_text('data = "games"\ncert = "/c.pem"\nkey = "~/k.pem"\n')
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("USERPROFILE", "/home/ann")
    settings = configured("--config", str(file)).settings()
    assert settings.data == tmp_path / "games"
    assert (settings.cert, settings.key) == (Path("/c.pem"), Path("/home/ann/k.pem"))


def test_a_home_that_is_not_there_is_a_mistake_like_others() -> None:
    told = "CROSSROOM_DATA: '~nobody-of-this-name/x' begins at a home that is not there"
    assert problems(CROSSROOM_DATA="~nobody-of-this-name/x") == [told]


def test_every_command_finds_the_games_where_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.toml"
    file.write_text('data = "games"\n')
    parser = argparse.ArgumentParser()
    add_data_flag(parser)
    monkeypatch.delenv("CROSSROOM_DATA", raising=False)
    monkeypatch.setenv("CROSSROOM_CONFIG", str(file))
    assert data_folder(parser.parse_args([])) == tmp_path / "games"
    monkeypatch.setenv("CROSSROOM_DATA", "/variable")
    assert data_folder(parser.parse_args([])) == Path("/variable")


def test_a_variable_may_name_a_file_of_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("wss://example.org\n")
    found = configured(CROSSROOM_URL_FILE=str(secret)).sourced
    assert found["url"] == ("wss://example.org", "CROSSROOM_URL_FILE")
    assert loading.unknown_variables({"CROSSROOM_URL_FILE": str(secret)}) == []
    secret.write_text("http://example.org")
    both = {"CROSSROOM_PORT": "1", "CROSSROOM_PORT_FILE": str(secret)}
    told = problems(CROSSROOM_URL_FILE=str(secret), CROSSROOM_HOST_FILE="/no/file", **both)
    assert told == [
        "CROSSROOM_HOST_FILE: /no/file cannot be read: No such file or directory",
        "CROSSROOM_PORT and CROSSROOM_PORT_FILE are both set; take one of them away",
        "CROSSROOM_URL_FILE: 'http://example.org' does not look like wss://example.org/words",
    ]
    secret.write_text("/games")
    monkeypatch.delenv("CROSSROOM_DATA", raising=False)
    monkeypatch.setenv("CROSSROOM_DATA_FILE", str(secret))
    assert data_folder(argparse.Namespace(data=None)) == Path("/games")


def test_every_mistake_is_told_with_its_place_and_a_way_out(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text(
        'port = "http"\n'
        "prot = 3\n"
        "line-port = 8766\n"
        'proxies = ["10.0.0.0/8", "x"]\n'
        "data = true\n"
        "\n"
        "[limits] # of one address\n"
        "rooms = 0\n"
        "connections = 70000\n"
        "pace = nan\n"
        "[strange]\n"
        "thing = 1\n"
    )
    environment = {
        "CROSSROOM_URL": "http://x",
        "CROSSROOM_KEEP": "maybe",
        "CROSSROOM_LOG_LEVEL": "loud",
        "CROSSROOM_LIMITS_STALLED": "0.5",
        "CROSSROOM_LIMITS_OPENING": "86401",
        "CROSSROOM_LIMITS_INTRODUCTION": "soon",
    }
    assert problems("--config", str(file), **environment) == [
        f"{file}, line 1: port: 'http' is not a whole number from 0 to 65535",
        f"{file}, line 2: there is no setting prot; did you mean port?",
        f"{file}, line 3: there is no setting line-port; did you mean line_port?",
        f"{file}, line 4: proxies: 'x' is no address or network: 10.0.0.0/8 or 192.0.2.7",
        f"{file}, line 5: data: True is of type bool, which does not fit",
        f"{file}, line 8: limits.rooms: '0' is not a whole number from 1 to 65535",
        f"{file}, line 9: limits.connections: '70000' is not a whole number from 1 to 65535",
        f"{file}, line 10: limits.pace: 'nan' is not a number from 0.1 to 65535",
        f"{file}, line 12: there is no setting strange.thing",
        "CROSSROOM_KEEP: 'maybe' is neither yes nor no",
        "CROSSROOM_URL: 'http://x' does not look like wss://example.org/words",
        "CROSSROOM_LOG_LEVEL: 'loud' is none of debug, info, warning, error",
        "CROSSROOM_LIMITS_STALLED: '0.5' is not a number from 1 to 86400",
        "CROSSROOM_LIMITS_OPENING: '86401' is not a number from 1 to 86400",
        "CROSSROOM_LIMITS_INTRODUCTION: 'soon' is not a number from 1 to 86400",
    ]


def test_a_certificate_without_its_key_is_told_with_its_place() -> None:
    told = "CROSSROOM_KEY: --cert and --key go together, and there is no cert"
    assert problems(CROSSROOM_KEY="/k.pem") == [told]


@pytest.mark.parametrize("text", [b"port = \n", b"\xff"])
def test_a_file_that_is_not_toml_is_told_with_its_line(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_bytes(text)
    with pytest.raises(OSError, match=r"c\.toml is not TOML: .*(line 1|position 0)"):
        configured("--config", str(file))


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        configured(CROSSROOM_CONFIG="/there/is/none.toml")


def test_who_has_no_home_says_where_the_games_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(*_: object, **__: object) -> None:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_data_path", homeless)
    assert configured("--data=/games").settings().data == Path("/games")
    with pytest.raises(OSError, match="--data or CROSSROOM_DATA"):
        configured()


def crossroom(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
    measuring = {name: it for name, it in os.environ.items() if "COVERAGE" in name}
    return subprocess.run(
        [sys.executable, "-m", "crossroom_clients", *argv],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "HOME": "/home/ann", **measuring, **environment},
        timeout=60,
    )


def test_what_is_shown_is_a_file_that_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('host = "a\\"\\u0007b"\nproxies = ["::1"]\n[limits]\npace = 3\n')
    done = crossroom("config", "show", "--line-port=7", "--forget", CROSSROOM_CONFIG=str(file))
    assert done.stderr == ""
    again = tmp_path / "again.toml"
    again.write_text(done.stdout)
    shown = configured("--config", str(again)).settings()
    told = configured("--line-port=7", "--forget", "--config", str(file)).settings()
    assert value(shown, "host") == 'a"\x07b'
    assert shown == Settings(**{**vars(told), "data": shown.data})
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert f"pace = 3.0 # {file}, line 4" in lines
    assert "line_port = 7 # a flag" in lines
    assert "# url = # default" in lines


def test_what_is_shown_to_programs() -> None:
    done = crossroom("config", "show", "--json", CROSSROOM_PROXIES="::1", CROSSROOM_DATA="/games")
    told = json.loads(done.stdout)
    assert told.keys() == SETTINGS.keys()
    assert told["proxies"] == {"value": ["::1/128"], "origin": "CROSSROOM_PROXIES"}
    assert told["data"] == {"value": "/games", "origin": "CROSSROOM_DATA"}
    assert told["url"] == {"value": None, "origin": "default"}


def test_a_check_says_that_all_is_well_or_what_is_not(tmp_path: Path) -> None:
    done = crossroom("config", "check", "--port=1", CROSSROOM_KERNEL="python")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("nothing is wrong; settings that are chosen: 1")
    done = crossroom("config", "check", CROSSROOM_PROT="1")
    told = "crossroom: CROSSROOM_PROT: there is no such variable; did you mean CROSSROOM_PORT?\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    pem = tmp_path / "c.pem"
    pem.write_text("hello")
    done = crossroom("config", "check", "--cert", str(pem), "--key", str(pem))
    assert (done.returncode, "are no certificate and its key" in done.stderr) == (1, True)


def test_the_server_says_what_is_wrong_before_it_does_anything(tmp_path: Path) -> None:
    done = crossroom("serve", CROSSROOM_PORT="tcp://10.0.0.1:80", CROSSROOM_DATA=str(tmp_path))
    told = "crossroom: CROSSROOM_PORT: 'tcp://10.0.0.1:80' is not a whole number from 0 to 65535\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    assert not list(tmp_path.iterdir())


def test_a_private_server_is_none_of_the_hosts_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROSSROOM_CONFIG", "/there/is/none.toml")
    monkeypatch.setenv("CROSSROOM_LINE_PORT", "http")
    with local_server(tmp_path) as server:
        assert server.process.poll() is None


def test_the_reference_is_not_stale(capsys: pytest.CaptureFixture[str]) -> None:
    assert docs.main(["--check"]) == 0, capsys.readouterr().out


def test_the_reference_names_every_setting_and_its_example_is_good(tmp_path: Path) -> None:
    page = docs.PAGE.read_text(encoding="utf-8")
    assert [name for name in SETTINGS if f"| `{name}` |" not in page] == []
    file = tmp_path / "crossroom.toml"
    file.write_text(page.partition("```toml\n")[2].partition("```")[0])
    assert len(tomllib.loads(file.read_text())) == 4
    assert configured("--config", str(file)).settings().limits.connections == 64


def test_a_stale_reference_is_named_then_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = docs.PAGE.read_text(encoding="utf-8")
    stale = tmp_path / "SETTINGS.md"
    stale.write_text(page.replace("| 8765 |", "| 1 |"), encoding="utf-8")
    assert docs.main(["--check", "--page", str(stale)]) == 1
    assert f"{stale} is stale; python -m crossroom_server.config.docs" in capsys.readouterr().out
    assert docs.main(["--page", str(stale)]) == 0
    assert stale.read_text(encoding="utf-8") == page


def test_help_is_told_by_main(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert all(setting.flag in told for setting in SETTINGS.values())
    assert "(default: the system's limit on open files, less a reserve)" in told


@pytest.mark.parametrize("url", ["wss://ann@example.org", "wss://ann:secret@example.org/words"])
def test_an_address_that_all_may_see_names_no_user(url: str) -> None:
    (told,) = problems(CROSSROOM_URL=url)
    assert "does not look like wss://example.org/words" in told


def test_the_scheme_of_an_address_is_in_small_letters() -> None:
    assert configured("--url", "WSS://example.org").settings().url == "wss://example.org"
