"""`crossroom join`, in pipes and in a terminal, against a real server."""

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossroom_clients.connection.local_server import local_server
from tests.support.fake_server import FakeServer
from tests.support.terminals import COMMAND, OUTPUT_TIMEOUT_S, run_piped, terminal


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server with all its rooms empty."""
    with local_server(tmp_path_factory.mktemp("server")) as server:
        yield server.address.server


def test_lines_in_lines_out(server: str, tmp_path: Path) -> None:
    done = run_piped(
        "join", server, "pipes", "--name", "alice", data=tmp_path, lines="hello\n/seats"
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert ": #2 alice: hello" in lines
    assert "alice" in lines[-1], "the answer to the last line, which has no end, is waited for"
    assert {line[0] for line in lines} <= set("-*:=?!|"), "neither tags nor ends of answers"


def test_whoever_gives_no_name_may_say_it_later(server: str, tmp_path: Path) -> None:
    done = run_piped("join", f"{server}/t/later", data=tmp_path, lines="hello\n/name bob\nhello\n")
    assert done.returncode == 0
    assert "! NEED_NAME" in done.stdout
    assert "bob: hello" in done.stdout


def test_what_the_output_cannot_hold_is_replaced(server: str, tmp_path: Path) -> None:
    place = ("join", server, "ascii", "--name", "alice")
    done = run_piped(*place, data=tmp_path, lines="na\xefve\n", PYTHONIOENCODING="ascii:strict")
    assert done.returncode == 0
    assert "alice: na?ve\n" in done.stdout


def test_quit_ends_before_the_input_does(server: str, tmp_path: Path) -> None:
    done = run_piped("join", server, data=tmp_path, lines="/rooms\n/quit\n/rooms\n")
    assert done.returncode == 0
    assert done.stdout.endswith("- bye\n")


def test_a_seat_is_remembered_by_name(server: str, tmp_path: Path) -> None:
    def rack(*flags: str, lines: str = "/rack\n") -> tuple[int, set[str], str]:
        place = ("join", f"{server}/t/memory", "--name", "carol", *flags)
        done = run_piped(*place, data=tmp_path, lines=lines)
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
        (["--name", "two words"], "names are 1 to 20 letters"),
        (["--name", "12"], "names are 1 to 20 letters"),
        (["--name", ""], "names are 1 to 20 letters"),
        (["a_b"], "no room is called 'a_b'"),
    ],
)
def test_a_way_in_that_is_refused_does_nothing(
    server: str, tmp_path: Path, flags: list[str], said: str
) -> None:
    done = run_piped("join", server, *flags, data=tmp_path, lines="/join elsewhere\n")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "elsewhere" not in done.stdout


def test_nobody_there_is_one_line_and_status_1(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        done = run_piped("join", address, data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"crossroom: nothing answers at ws://{address}")
    assert done.stderr.count("\n") == 1


def test_no_address_is_one_line_and_status_1(tmp_path: Path) -> None:
    done = run_piped("join", "gopher://example.org", data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("crossroom: gopher:// leads to no game")


def test_a_pipe_loads_neither_the_server_nor_the_terminal(server: str) -> None:
    script = (
        "import sys, crossroom_clients.cli.main as m\n"
        f"m.main(['join', {server!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input="", capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "crossroom_clients.lineui.plain" in loaded
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
        assert client.wait(OUTPUT_TIMEOUT_S) == 128 + 15
        assert client.stderr is not None
        assert client.stderr.read() == ""


def test_an_evening_at_a_terminal(server: str, tmp_path: Path) -> None:
    place = f"{server}/t/evening"
    with terminal("join", place, data=tmp_path, LOGNAME="erin") as screen:
        screen.expect("welcome to evening")
        screen.expect(r"your name \[erin\]:")
        screen.type("\r")
        screen.expect("you are erin")
        screen.expect("erin takes seat 1")
        screen.type("/bot add novice\r")
        screen.expect("novice-bot takes seat 2")
        screen.type("/ready\r")
        screen.expect(r"your turn, rack .*: /play")
        screen.type("/play 1A QQQQ\r")
        screen.expect("play: .*; still your turn")
        screen.type("/resign yes\r")
        screen.expect("game over")
        screen.type("half a li\x03")
        screen.type("\x04")
        screen.expect(f"to come back: crossroom join {place} --name erin")
        assert screen.status() == 0


def test_ctrl_c_clears_the_line_then_says_how_to_leave_then_leaves(
    server: str, tmp_path: Path
) -> None:
    with terminal("join", f"{server}/t/keys", "--name", "hal", data=tmp_path) as screen:
        screen.expect("hal takes seat 1")
        screen.type("half a li\x03")
        screen.type("whole\r")
        screen.expect("hal: whole")
        screen.type("\x03")
        screen.expect("Ctrl-D leaves, and so does Ctrl-C again; your seat stays yours")
        screen.type("\x03")
        screen.expect("to come back: crossroom join")
        assert screen.status() == 0


def test_two_terminals_are_two_people(server: str, tmp_path: Path) -> None:
    place = f"{server}/t/two"
    with terminal("join", place, "--name", "fay", data=tmp_path) as first:
        first.expect("fay takes seat 1")
        with terminal("join", place, data=tmp_path) as second:
            second.expect(r"your name( \[.*\])?:")
            second.type("fay\r")
            second.expect("somebody here is called fay")
            second.expect("your name:")
            second.type("12\r")
            second.expect("names are 1 to 20 letters")
            second.type("gus\r")
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
            child.expect(r"your name( \[.*\])?:")
            child.type("hal\r")
            child.expect("you are hal")
            child.type("/nonsense\r")
            child.expect("there is no /nonsense")
            child.type("/quit\r")
            assert child.status() == 0
            return child.seen

    coloured = re.compile(r"\x1b\[[0-9;]*3[1-7]")
    assert coloured.search(screen())
    assert not coloured.search(screen(NO_COLOR="1"))


def test_another_name_is_remembered_instead_of_the_first(server: str, tmp_path: Path) -> None:
    place = f"{server}/t/renamed"
    with terminal("join", place, "--name", "ida", data=tmp_path) as screen:
        screen.expect("ida takes seat 1")
        screen.type("/name jon\r")
        screen.expect("you are jon")
        screen.type("\x04")
        screen.expect(f"to come back: crossroom join {place} --name jon")
        assert screen.status() == 0
    (seat,) = (tmp_path / "seats").glob("*.json")
    assert '"jon"' in seat.read_text()
    with terminal("join", place, data=tmp_path) as screen:
        screen.expect("back in renamed as jon")


def test_colour_from_the_server_is_not_shown_as_rubbish(server: str, tmp_path: Path) -> None:
    with terminal("join", f"{server}/t/paint", "--name", "kay", data=tmp_path) as screen:
        screen.expect("kay takes seat 1")
        screen.type("/set ansi on\r")
        screen.expect("ansi is on")
        screen.type("/bot add novice\r")
        screen.type("/ready\r")
        screen.expect("A B C D E F G H I J K L M N O")
        screen.expect(r"your turn, rack .*: /play")
        screen.type("/quit\r")
        assert screen.status() == 0
        assert "?[" not in screen.seen


def test_a_refusal_in_colour_holds_up_no_script(server: str, tmp_path: Path) -> None:
    place = ("join", f"{server}/t/tint", "--name", "ned")
    done = run_piped(*place, data=tmp_path, lines="/set ansi on\n/nonsense\n/who\n")
    assert done.returncode == 0
    assert "\x1b[31m!\x1b[0m UNKNOWN_COMMAND" in done.stdout
    assert "ned" in done.stdout.splitlines()[-1]


def test_who_names_no_room_is_asked_and_shown_what_there_is(server: str, tmp_path: Path) -> None:
    with terminal("join", server, "--name", "lea", data=tmp_path) as screen:
        screen.expect("room:")
        screen.type("asked\r")
        screen.expect("lea takes seat 1")
        screen.type("/leave\r")
        screen.expect("you have left asked")
        screen.expect("room:")
        screen.type("again\r")
        screen.expect("lea takes seat 1")
        screen.type("/quit\r")
        assert screen.status() == 0


def test_who_only_watches_says_so(server: str, tmp_path: Path) -> None:
    with terminal("join", f"{server}/t/seen", "--new", data=tmp_path, LOGNAME="mia") as screen:
        screen.expect(r"your name \[mia\]:")
        screen.type("/watch\r")
        screen.expect("you only watch")
        screen.expect(">")
        screen.type("/quit\r")
        assert screen.status() == 0


@pytest.mark.parametrize("flags", [[], ["--plain"]])
async def test_the_reason_of_an_end_is_the_last_thing_seen(
    tmp_path: Path, flags: list[str]
) -> None:
    """Also where there is no seat to come back to."""
    async with FakeServer(closes=[1008]).running() as address:
        with terminal("join", str(address), *flags, data=tmp_path) as screen:
            await asyncio.to_thread(screen.expect, "the server has closed the connection")
            assert await asyncio.to_thread(screen.status) == 1


async def test_a_server_that_knows_the_seat_no_more_is_told_as_such(tmp_path: Path) -> None:
    server = FakeServer(length=5, drops=[2], refusals=["BAD_TOKEN"])
    async with server.running() as address:
        place = ("join", str(address), "--name", "alice", "--plain")
        with terminal(*place, data=tmp_path) as screen:
            await asyncio.to_thread(screen.expect, "does not know your seat any more; --new")
            assert await asyncio.to_thread(screen.status) == 1


def test_an_invitation_is_taken_by_its_link(server: str, tmp_path: Path) -> None:
    host = ("join", f"{server}/t/locked", "--name", "alice")
    done = run_piped(*host, data=tmp_path, lines="/lock open-sesame\n/invite\n")
    (link,) = re.findall(r"crossroom join (\S+#\S+)", done.stdout)
    outside = run_piped(
        "join", f"{server}/t/locked", "--name", "bob", data=tmp_path / "b", lines="hi\n"
    )
    assert outside.returncode == 1
    assert outside.stderr.startswith("crossroom: NEED_KEY join: this room is locked")
    inside = run_piped("join", link, "--name", "bob", data=tmp_path / "b", lines="hi\n")
    assert inside.returncode == 0
    assert "bob: hi\n" in inside.stdout
    again = run_piped("join", link, "--name", "carol", data=tmp_path / "c", lines="hi\n")
    assert again.stderr.startswith("crossroom: NEED_KEY join: that does not open this room")


def test_a_link_to_a_seat_is_taken_once(server: str, tmp_path: Path) -> None:
    room, desk = f"{server}/t/linked", tmp_path / "desk"
    done = run_piped("join", room, "--name", "alice", data=desk, lines="/link\n")
    (link,) = re.findall(r"in a browser: (\S+#seat-\S+)", done.stdout)
    phone = run_piped("join", link, "--name", "bob", data=tmp_path / "phone", lines="hi\n")
    assert "alice: hi\n" in phone.stdout
    later = run_piped("join", room, "--name", "alice", data=tmp_path / "phone", lines="back\n")
    assert "alice: back\n" in later.stdout
    thief = run_piped("join", link, "--name", "carol", data=tmp_path / "c", lines="hi\n")
    assert "this link was used, or is older than ten minutes" in thief.stderr


def test_who_is_banned_is_told_so_and_comes_back_when_they_may(server: str, tmp_path: Path) -> None:
    host, guest = tmp_path / "alice", tmp_path / "bob"
    room = f"{server}/t/strict"
    with terminal("join", room, "--name", "alice", "--plain", data=host) as alice:
        alice.expect("you are alice")
        with terminal("join", room, "--name", "bob", "--plain", data=guest) as bob:
            bob.expect("bob takes seat 2")
            alice.type("/ban bob\r")
            bob.expect("alice has banned you")
        again = run_piped("join", room, "--name", "bob", data=guest, lines="hi\n")
        assert again.stderr == "crossroom: you may not come in here any more\n"
        assert again.returncode == 1
        alice.type("/unban bob\r")
        alice.expect("bob may come in again|lets bob")
        assert (
            "bob: hi\n" in run_piped("join", room, "--name", "bob", data=guest, lines="hi\n").stdout
        )


def test_the_line_client_follows_its_person_into_another_language(
    server: str, tmp_path: Path
) -> None:
    with terminal("join", f"{server}/t/sprache", "--name", "lea", data=tmp_path) as screen:
        screen.expect("lea takes seat 1")
        screen.type("/set language de\r")
        screen.expect("die Sprache ist Deutsch")
        screen.type("/leave\r")
        screen.expect("Raum:")
        screen.type("/quit\r")
        assert screen.status() == 0


@pytest.mark.parametrize("face", ["join", "table"])
def test_the_password_of_a_room_is_asked_for_and_not_shown(face: str, tmp_path: Path) -> None:
    with local_server(tmp_path / "server") as started:  # of its own, which has heard no wrong code
        server = started.address.server
        host = ("join", f"{server}/t/vault", "--name", "alice")
        run_piped(*host, data=tmp_path, lines="/lock open-sesame\n")
        with terminal(face, f"{server}/t/vault", "--name", "bob", data=tmp_path / "b") as screen:
            for typed in ("shut", "open-sesame"):
                screen.expect("password for vault:")
                screen.type(f"{typed}\r")
            screen.expect("bob takes seat 1")
            assert "open-sesame" not in screen.seen
        listed = run_piped("join", server, data=tmp_path / "c", lines="/rooms\n").stdout
    assert "open-sesame" not in listed
    assert "shut" not in listed
