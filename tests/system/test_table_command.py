"""`crossroom table` and `crossroom play` in real terminals, and where there is none."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from crossroom_clients.connection.local_server import local_server
from crossroom_clients.tui import terminal_check
from tests.support.terminals import run_piped, terminal

F8: Final = "\x1b[19~"
"""Changes the colours of everything."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server with all its rooms empty."""
    with local_server(tmp_path_factory.mktemp("server")) as server:
        yield server.address.server


def test_a_table_in_a_terminal_and_back_to_the_seat(server: str, tmp_path: Path) -> None:
    place = ("table", f"{server}/t/kitchen")
    with terminal(*place, "--name", "alice", data=tmp_path) as screen:
        screen.expect("kitchen · alice")
        screen.expect("1 alice")
        screen.type("\x04")
        screen.expect(f"to come back: crossroom table {server}/t/kitchen --name alice")
        screen.expect("from any other client: /resume")
        assert screen.status() == 0
        assert "\x1b[?1049l" in screen.seen, "the terminal is as it was before"
    with terminal(*place, data=tmp_path) as screen:
        screen.expect("kitchen · alice")
        screen.type("/quit\r")
        assert screen.status() == 0


def test_a_signal_leaves_the_terminal_in_order(server: str, tmp_path: Path) -> None:
    with terminal("table", f"{server}/t/signals", "--name", "bob", data=tmp_path) as screen:
        screen.expect("1 bob")
        os.kill(screen.pid, signal.SIGTERM)
        assert screen.status() == 128 + signal.SIGTERM
        assert "\x1b[?1049l" in screen.seen


def test_a_signal_ends_a_table_whose_terminal_takes_nothing_any_more(
    server: str, tmp_path: Path
) -> None:
    """A connection that stalls fills all buffers on the way, and drawing waits for them."""
    with terminal("table", f"{server}/t/stalls", "--name", "bob", data=tmp_path) as screen:
        screen.expect("1 bob")
        for _ in range(80):
            screen.type(F8)
            time.sleep(0.02)
        os.kill(screen.pid, signal.SIGHUP)
        assert screen.has_ended()


def test_play_shows_the_table(tmp_path: Path) -> None:
    with terminal("play", "--name", "kim", "--level", "greedy", data=tmp_path) as screen:
        screen.expect("greedy-bot")
        screen.expect("F1 help")
        screen.type("\x04")
        screen.expect("your games are saved")
        assert screen.status() == 0


def test_a_table_needs_a_terminal(tmp_path: Path) -> None:
    done = run_piped("table", "localhost/kitchen", data=tmp_path)
    assert done.returncode == 1
    said = "a table needs a terminal; `crossroom join` does without"
    assert done.stderr == f"crossroom: {said}\n"


@pytest.fixture
def able(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A terminal of 80 by 24."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    return monkeypatch


def test_80_by_24_is_enough(able: pytest.MonkeyPatch) -> None:
    assert terminal_check.full_screen_obstacle() is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("COLUMNS", "79", "needs 80 columns and 24 rows, and this terminal has 79 and 24"),
        ("LINES", "23", "this terminal has 80 and 23"),
        ("TERM", "dumb", "needs a terminal"),
    ],
)
def test_what_stands_in_the_way_is_said(
    able: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    able.setenv(name, value)
    with pytest.raises(OSError, match=said):
        terminal_check.check_full_screen()


def test_who_lacks_textual_is_told_how_to_get_it(able: pytest.MonkeyPatch) -> None:
    able.setattr(terminal_check, "find_spec", lambda name: None)
    with pytest.raises(OSError, match=r"pip install 'crossroom\[tui\]'") as error:
        terminal_check.check_full_screen()
    assert "\n" not in str(error.value)
