"""`crossroom play`: a game at once, on a server that ends when the game is left in any way."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.terminals import run_piped, terminal

LINES = ("play", "--lines")


def processes(data: Path) -> list[str]:
    """The command lines that name the folder of a test: the server that belongs to it."""
    listed = subprocess.run(["ps", "-wweo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if str(data) in line]


def wait_until_gone(data: Path) -> None:
    deadline = time.monotonic() + 40
    while processes(data):
        assert time.monotonic() < deadline, processes(data)
        time.sleep(0.05)


def test_a_game_is_left_and_taken_up_again(tmp_path: Path) -> None:
    with terminal(*LINES, "--name", "alice", "--level", "greedy", data=tmp_path) as screen:
        screen.expect("greedy-bot takes seat 2")
        screen.expect(r"your turn, rack .*: /play")
        assert len(processes(tmp_path)) == 1
        screen.type("/pass\r")
        screen.expect("alice passes")
        rack = screen.expect(r"your turn, rack (.*): /play")[1]
        screen.type("/quit\r")
        screen.expect("your games are saved: crossroom play goes on with them")
        assert screen.status() == 0
    assert processes(tmp_path) == []

    with terminal(*LINES, data=tmp_path) as screen:
        screen.expect("your game goes on")
        screen.expect(f"your turn, rack {re.escape(rack)}: /play")
        screen.type("\x04")
        assert screen.status() == 0
    assert processes(tmp_path) == []


def last_rack(lines: str) -> str:
    racks: list[str] = re.findall(r"^= rack [A-Z? ]{13}", lines, re.MULTILINE)
    return racks[-1]


def test_a_script_plays_too(tmp_path: Path) -> None:
    begun = run_piped("play", data=tmp_path, lines="/rack\n")
    again = run_piped("play", data=tmp_path, lines="/rack\n")
    anew = run_piped("play", "--new", data=tmp_path, lines="/rack\n")
    assert [done.returncode for done in (begun, again, anew)] == [0, 0, 0]
    assert last_rack(begun.stdout) == last_rack(again.stdout)
    assert "game 1 begins" in begun.stdout
    assert "game 1 begins" not in again.stdout
    assert "game 2 begins" in anew.stdout
    assert processes(tmp_path) == []


def test_a_game_that_is_over_is_followed_by_another(tmp_path: Path) -> None:
    first = run_piped("play", "--name", "bob", data=tmp_path, lines="/resign yes\n")
    assert "game over" in first.stdout
    second = run_piped("play", "--level", "greedy", data=tmp_path, lines="/board\n")
    assert "game 2 begins" in second.stdout
    assert "bob 0, greedy-bot 0" in second.stdout


def test_games_stay_in_one_room_at_one_address(tmp_path: Path) -> None:
    again = "/resign yes\n/set first_player seat\n/ready\n"  # bob begins, whatever was drawn
    script = f"{again}/pass\n/resign yes\n/games\n/invite\n"
    first = run_piped("play", "--name", "bob", data=tmp_path, lines=script)
    port = (tmp_path / "play" / "port").read_text()
    second = run_piped("play", data=tmp_path, lines="/games\n/invite\n")
    pages = re.findall(r"http://127.0.0.1:\d+/g/\w+", first.stdout)
    assert pages
    assert pages[0] in second.stdout
    assert (tmp_path / "play" / "port").read_text() == port


def test_a_first_game_checks_words_and_asks_nothing_twice(tmp_path: Path) -> None:
    begun = run_piped("play", data=tmp_path, lines="/board\n").stdout
    assert "sets challenge to void" in begun
    assert "say /ready again" not in begun


def logged_lines(path: Path) -> list[str]:
    """What the server complained of; that a busy machine made its loop late is no complaint."""
    late = " WARNING crossroom_server.monitoring.loop_monitor: the event loop "
    return [line for line in path.read_text().splitlines() if late not in line]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_no_server_is_left_behind(tmp_path: Path, number: signal.Signals) -> None:
    with terminal(*LINES, data=tmp_path) as screen:
        screen.expect("takes seat 2")
        os.kill(screen.pid, number)
        wait_until_gone(tmp_path)
    assert logged_lines(tmp_path / "play" / "server.log") == []


def test_a_second_one_says_that_the_first_is_there(tmp_path: Path) -> None:
    with terminal(*LINES, data=tmp_path) as screen:
        screen.expect("takes seat 2")
        second = run_piped("play", data=tmp_path)
    assert second.returncode == 1
    said = "you are playing in another terminal already (crossroom play)"
    assert second.stderr == f"crossroom: {said}\n"
    wait_until_gone(tmp_path)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--level", "wizard"], "there is no level 'wizard'; there are: novice, learner,"),
        (["--name", "a b"], "--name 'a b' cannot be taken: names are 1 to 20 letters"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_done(
    tmp_path: Path, flags: list[str], said: str
) -> None:
    done = run_piped("play", *flags, data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"crossroom: {said}")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_kept_game_keeps_its_level(tmp_path: Path) -> None:
    run_piped("play", "--level", "greedy", data=tmp_path)
    same = run_piped("play", "--level", "greedy", data=tmp_path)
    other = run_piped("play", "--level", "novice", data=tmp_path)
    assert "against" not in same.stderr
    assert "your game goes on" in other.stderr
    assert "--new --level novice begins one against novice-bot" in other.stderr


def test_an_export_is_a_file(tmp_path: Path) -> None:
    done = run_piped(
        "play", "--name", "kim", data=tmp_path, lines="/resign yes\n/export gcg\n/board\n"
    )
    lines = done.stdout.splitlines()
    assert any(line.startswith("#player1 ") for line in lines)
    assert any(line.startswith("|  1 ") for line in lines), "a board keeps its mark"


def test_a_server_that_stops_ends_the_game_in_good_order(tmp_path: Path) -> None:
    with terminal(*LINES, data=tmp_path) as screen:
        screen.expect("takes seat 2")
        (server,) = [int(line.split()[0]) for line in processes(tmp_path)]
        os.kill(server, signal.SIGKILL)
        screen.expect("connection lost")
        screen.expect("the server of this game has stopped; crossroom play goes on with it")
        assert screen.status() == 1
