"""`crossroom join`, in pipes and in a terminal, against a real server."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.terminals import COMMAND, PATIENCE, pipe, terminal

from crossroom_clients.private_server import private_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server with all its rooms empty."""
    with private_server(tmp_path_factory.mktemp("server")) as server:
        yield server.address.server


def test_lines_in_lines_out(server: str, tmp_path: Path) -> None:
    done = pipe("join", server, "pipes", "--name", "alice", data=tmp_path, lines="hello\n/seats")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert ": #2 alice: hello" in lines
    assert "alice" in lines[-1], "the answer to the last line, which has no end, is waited for"
    assert {line[0] for line in lines} <= set("-*:=?!|"), "neither tags nor ends of answers"


def test_whoever_gives_no_name_may_say_it_later(server: str, tmp_path: Path) -> None:
    done = pipe("join", f"{server}/t/later", data=tmp_path, lines="hello\n/name bob\nhello\n")
    assert done.returncode == 0
    assert "! NEED_NAME" in done.stdout
    assert "bob: hello" in done.stdout


def test_what_the_output_cannot_hold_is_replaced(server: str, tmp_path: Path) -> None:
    place = ("join", server, "ascii", "--name", "alice")
    done = pipe(*place, data=tmp_path, lines="na\xefve\n", PYTHONIOENCODING="ascii:strict")
    assert done.returncode == 0
    assert "alice: na?ve\n" in done.stdout


def test_quit_ends_before_the_input_does(server: str, tmp_path: Path) -> None:
    done = pipe("join", server, data=tmp_path, lines="/rooms\n/quit\n/rooms\n")
    assert done.returncode == 0
    assert done.stdout.endswith("- bye\n")


def test_a_seat_is_remembered_by_name(server: str, tmp_path: Path) -> None:
    def rack(*flags: str, lines: str = "/rack\n") -> tuple[int, set[str], str]:
        place = ("join", f"{server}/t/memory", "--name", "carol", *flags)
        done = pipe(*place, data=tmp_path, lines=lines)
        return done.returncode, set(re.findall(r"= rack [A-Z? ]+", done.stdout)), done.stderr

    begun = rack(lines="/bot add\n/ready\n/rack\n")
    assert begun[0] == 0
    assert len(begun[1]) == 1
    assert rack() == begun
    status, _, said = rack("--new")
    assert status == 1
    assert said.startswith("crossroom: NAME_TAKEN")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--name", "two words"], "one word too many"),
        (["--name", "12"], "BAD_NAME"),
        (["a_b"], "NO_ROOM"),
    ],
)
def test_a_way_in_that_is_refused_does_nothing(
    server: str, tmp_path: Path, flags: list[str], said: str
) -> None:
    done = pipe("join", server, *flags, data=tmp_path, lines="/join elsewhere\n")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "elsewhere" not in done.stdout


def test_nobody_there_is_one_line_and_status_1(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        done = pipe("join", address, data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"crossroom: nothing answers at ws://{address}")
    assert done.stderr.count("\n") == 1


def test_no_address_is_one_line_and_status_1(tmp_path: Path) -> None:
    done = pipe("join", "gopher://example.org", data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("crossroom: gopher:// leads to no game")


def test_a_pipe_loads_neither_the_server_nor_the_terminal(server: str) -> None:
    script = (
        "import sys, crossroom_clients.main as m\n"
        f"m.main(['join', {server!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input="", capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "crossroom_clients.plain" in loaded
    assert not {"crossroom_server", "prompt_toolkit"} & loaded


def test_a_signal_ends_it_in_good_order(server: str, tmp_path: Path) -> None:
    place = ["join", f"{server}/t/signals", "--name", "dave", "--data", str(tmp_path)]
    with subprocess.Popen(
        [*COMMAND, *place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as client:
        assert client.stdout is not None
        for line in client.stdout:
            if "takes seat" in line:
                break
        client.terminate()
        assert client.wait(PATIENCE) == 128 + 15
        assert client.stderr is not None
        assert client.stderr.read() == ""


def test_an_evening_at_a_terminal(server: str, tmp_path: Path) -> None:
    place = f"{server}/t/evening"
    with terminal("join", place, data=tmp_path, LOGNAME="erin") as screen:
        screen.expect("welcome to evening")
        screen.expect("your name: ")
        screen.expect("erin")
        screen.type("\x1512\r")
        screen.expect("names are 1 to 20 letters")
        screen.type("erin\r")
        screen.expect("you are erin")
        screen.expect("erin takes seat 1")
        screen.type("/bot add novice\r")
        screen.expect("novice-bot takes seat 2")
        screen.type("/ready\r")
        screen.expect(r"your turn \d+: /play")
        screen.type("/play 1A QQQQ\r")
        screen.expect("play: .*; still your turn")
        screen.type("/resign\r")
        screen.expect("game over")
        screen.type("half a li\x03")
        screen.type("\x04")
        screen.expect(f"to come back: crossroom join {place} --name erin")
        assert screen.status() == 0


def test_two_terminals_are_two_people(server: str, tmp_path: Path) -> None:
    place = f"{server}/t/two"
    with terminal("join", place, "--name", "fay", data=tmp_path) as first:
        first.expect("fay takes seat 1")
        with terminal("join", place, data=tmp_path) as second:
            second.expect("your name: ")
            second.type("\x15fay\r")
            second.expect("somebody here is called fay")
            second.type("\x15gus\r")
            second.expect("gus takes seat 2")
            first.expect("gus takes seat 2")
            second.type("/quit\r")
            assert second.status() == 0
        with terminal("join", place, "--name", "fay", data=tmp_path) as same:
            same.expect("back in two as fay")
            first.expect("this connection is over|replaced by your new connection")
            assert first.status() == 1


def test_colours_can_be_refused(server: str, tmp_path: Path) -> None:
    def screen(**environment: str) -> str:
        with terminal("join", f"{server}/t/hues", "--new", data=tmp_path, **environment) as child:
            child.expect("your name: ")
            child.type("\x15hal\r")
            child.expect("you are hal")
            child.type("/nonsense\r")
            child.expect("there is no /nonsense")
            child.type("/quit\r")
            assert child.status() == 0
            return child.seen

    coloured = re.compile(r"\x1b\[[0-9;]*3[1-7]")
    assert coloured.search(screen())
    assert not coloured.search(screen(NO_COLOR="1"))
