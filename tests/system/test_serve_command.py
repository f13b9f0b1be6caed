"""`crossroom serve` as a process: how it starts, what it says, and every way it ends."""

import json
import logging
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from crossroom_server.cli.checks.reach import own_address, who_reaches
from crossroom_server.config.logging import OneLineFormatter
from tests.support.serve_process import LOOPBACK, run_serve, serve_command

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


def hear_until(peer: ClientConnection, wanted: str) -> str:
    while wanted not in (frame := str(peer.recv(timeout=60))):
        pass
    return frame


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_good_order(tmp_path: Path, number: int) -> None:
    with run_serve(tmp_path) as server, server.dial() as ann:
        hear_until(ann, "welcome")
        server.process.send_signal(number)
        assert "your games are stored" in hear_until(ann, "is stopping")
        with pytest.raises(ConnectionClosed) as closed:
            ann.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
        status, out, err = server.end()
    assert (status, out) == (0, "")
    assert "Traceback" not in err


def test_people_come_back_after_a_restart(tmp_path: Path) -> None:
    with run_serve(tmp_path) as server:
        with server.dial() as ann:
            ann.send("/name ann")
            code = hear_until(ann, "/resume").split()[-1]
            ann.send("see you tomorrow")
            number = int(hear_until(ann, "see you tomorrow").split()[1][1:])
        server.process.terminate()
        server.end()
    with run_serve(tmp_path) as server, server.dial("/") as ann:
        ann.send(f"/resume {code} {number - 1}")
        assert hear_until(ann, "tomorrow") == f": #{number} ann: see you tomorrow"


def test_the_ready_line_tells_every_port_and_nothing_else_is_printed(tmp_path: Path) -> None:
    with run_serve(tmp_path, "--line-port", "0") as server:
        line = {"listening": server.listening}
        assert server.first == json.dumps(line) + "\n"
        assert set(server.listening) == {"host", "port", "line_port"}
        with socket.create_connection((LOOPBACK, server.listening["line_port"])) as caller:
            assert caller.makefile().readline().startswith("- welcome")
        server.process.terminate()
        assert server.end()[1] == ""


def test_without_a_line_port_there_is_none(tmp_path: Path) -> None:
    with run_serve(tmp_path) as server:
        assert server.listening["line_port"] is None


def test_it_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    with run_serve(tmp_path, "--until-eof") as server:
        assert server.process.stdin is not None
        server.process.stdin.close()
        server.process.stdin = None
        status, _, err = server.end()
    assert status == 0, err
    assert "Traceback" not in err


def test_people_are_told_what_to_send_to_friends(tmp_path: Path) -> None:
    done = subprocess.run(
        serve_command(tmp_path, "--until-eof", "--line-port", "0", "--log-level", "error"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"crossroom table ws://{LOOPBACK}:" in done.stdout
    assert "for this machine only" in done.stdout
    assert f"nc {LOOPBACK} " in done.stdout
    assert f"Games are kept in {tmp_path}." in done.stdout
    assert "Ctrl-C" in done.stdout
    assert done.stderr == ""


def test_it_says_from_where_its_address_can_be_reached(tmp_path: Path) -> None:
    done = subprocess.run(
        serve_command(tmp_path, "--until-eof", "--forget", "--host", "0.0.0.0"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Send your friends" in done.stdout
    assert who_reaches(own_address() or LOOPBACK) in done.stdout


def test_behind_a_proxy_friends_get_its_address(tmp_path: Path) -> None:
    done = subprocess.run(
        serve_command(tmp_path, "--until-eof", "--forget", "--url", "wss://games.example/words/"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Send your friends" in done.stdout
    assert "crossroom table wss://games.example/words/t/kitchen" in done.stdout
    assert "https://games.example/words/t/kitchen" in done.stdout
    assert not list(tmp_path.iterdir())


def failure(folder: Path, *flags: str) -> str:
    """The one line in which a server says why it does not start."""
    done = subprocess.run(
        serve_command(folder, *flags), capture_output=True, text=True, check=False, timeout=30
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("flag", ["--port", "--line-port"])
def test_a_port_in_use_is_named_with_another_one(tmp_path: Path, flag: str) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        line = failure(tmp_path, flag, str(port), "--log-level", "error")
    advice = f"port {port} is in use, perhaps by another crossroom; take {flag} "
    _, found, free = line.partition(advice)
    assert found, line
    assert int(free) > port


@pytest.mark.parametrize("host", ["192.0.2.99", "no.such.host.invalid"])
def test_an_address_of_another_machine_is_explained(tmp_path: Path, host: str) -> None:
    assert host in failure(tmp_path, "--host", host, "--log-level", "error")


def test_a_folder_in_use_is_explained(tmp_path: Path) -> None:
    with run_serve(tmp_path):
        assert "a running server has" in failure(tmp_path, "--log-level", "error")


@pytest.mark.parametrize(
    "url",
    ["http://x", "games.example", "ws://", "ws://x/?y", "ws://x/#y", "ws://[", "wss://x:99999"],
)
def test_an_address_for_friends_that_is_none_is_a_usage_error(tmp_path: Path, url: str) -> None:
    done = subprocess.run(
        serve_command(tmp_path, "--url", url), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "does not look like wss://example.org/words" in done.stderr


@pytest.mark.parametrize("flag", ["--connections=0", "--connections=x", "--line-port=65536"])
def test_numbers_that_cannot_be_are_a_usage_error(tmp_path: Path, flag: str) -> None:
    done = subprocess.run(
        serve_command(tmp_path, flag), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "65535" in done.stderr


@POSIX
def test_a_closed_standard_input_has_ended(tmp_path: Path) -> None:
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *serve_command(tmp_path, "--until-eof")]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_no_secret_reaches_the_log(tmp_path: Path) -> None:
    with run_serve(tmp_path, "--log-level", "debug") as server:
        with server.dial() as ann:
            ann.send("/name ann")
            code = hear_until(ann, "/resume").split()[-1]
            ann.send(f"/resume {code}")
            hear_until(ann, "up to date")
            ann.send("/resume wrong-code-1234")
            hear_until(ann, "BAD_TOKEN")
        server.process.terminate()
        _, _, err = server.end()
    assert "connected" in err
    assert code not in err
    assert "wrong-code" not in err


def test_a_message_in_the_log_is_one_line_whatever_it_holds() -> None:
    record = logging.LogRecord(
        "n", logging.INFO, "f", 1, "from %s", ("x\n2026 INFO forged\x1b[2J\u202e",), None
    )
    assert (
        OneLineFormatter("%(message)s").format(record) == r"from x\n2026 INFO forged\x1b[2J\u202e"
    )
