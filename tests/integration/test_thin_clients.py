"""Whole evenings with the clients people have: no program of ours on their side."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.movegen import plays
from crossroom_engine.words import catalog
from tests.support.serve_process import LOOPBACK, ServeProcess, run_serve
from tests.support.terminals import TerminalSession, pexpect

RULES: Final = PRESETS["official"]


@dataclass(frozen=True)
class ThinClient:
    """A program, and how people start it: with a URL, or with host and port for plain lines."""

    name: str
    command: tuple[str, ...]
    speaks_lines: bool = False
    enter: str = "\r"

    def argv(self, server: ServeProcess, path: str) -> list[str]:
        if self.speaks_lines:
            return [*self.command, LOOPBACK, str(server.listening["line_port"])]
        return [*self.command, f"ws://{LOOPBACK}:{server.listening['port']}{path}"]

    @property
    def is_installed(self) -> bool:
        if self.command[0] == sys.executable:
            return importlib.util.find_spec(self.command[-1]) is not None
        return shutil.which(self.command[0]) is not None


CLIENTS: Final = [
    ThinClient("nc", ("nc",), speaks_lines=True),
    ThinClient("telnet", ("telnet",), speaks_lines=True),
    ThinClient("python-websockets", (sys.executable, "-m", "websockets")),
    ThinClient("wscat", ("wscat", "-c")),
    ThinClient("websocat", ("websocat",)),
]


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> ThinClient:
    client: ThinClient = request.param
    if not client.is_installed:
        pytest.skip(f"{client.name} is not installed")
    return client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    with run_serve(tmp_path_factory.mktemp("data"), "--line-port", "0") as server:
        yield server


class ThinClientUser:
    """Somebody in front of a terminal."""

    def __init__(self, screen: TerminalSession, client: ThinClient) -> None:
        self._screen, self._client = screen, client

    def type(self, line: str) -> None:
        self._screen.type(line + self._client.enter)

    def see(self, pattern: str) -> re.Match[str]:
        return self._screen.expect(pattern)


@contextmanager
def at_terminal(client: ThinClient, server: ServeProcess, room: str) -> Iterator[ThinClientUser]:
    """Somebody who has just come into a room."""
    argv = client.argv(server, f"/t/{room}")
    child = pexpect.spawn(
        argv[0],
        argv[1:],
        env=os.environ | {"TERM": "xterm"},
        dimensions=(50, 250),
        encoding="utf-8",
        echo=False,
    )
    try:
        person = ThinClientUser(TerminalSession(child), client)
        if client.speaks_lines:
            person.see("/rooms lists")
            person.type(f"/join {room}")
        person.see(f"- welcome to {room}")
        yield person
    finally:
        child.close(force=True)


def first_move(rack: str) -> str:
    """The best first play with these tiles, as a person types it; some racks hold no word."""
    tiles = RULES.tiles.parse_tiles(rack)
    found = plays(RULES, Board.empty(RULES.layout), tiles, catalog.open_lexicon(RULES.lexicon))
    best = max(found, key=lambda play: play.points, default=None)
    return f"/play {best.spot} {best.text}" if best else "/pass"


def test_an_evening_in_a_terminal(client: ThinClient, server: ServeProcess) -> None:
    room = f"evening-{client.name}"
    with at_terminal(client, server, room) as ann, at_terminal(client, server, room) as bob:
        ann.type("/name ann")
        code = ann.see(r"come back after a drop: /resume ([\w-]+)")[1]
        ann.see(r"\* #\d+ ann takes seat 1")
        bob.type("/name bob")
        ann.see(r"\* #\d+ bob takes seat 2")
        bob.type("/r scoring")
        bob.see("- SCORING")
        bob.type("/r scoring")
        bob.see(r"- Bingo: all 7 tiles of a full rack in one turn earn 50 more\.")
        bob.type("good evening, ann")
        ann.see(r": #\d+ bob: good evening, ann")
        for person in (ann, bob):
            person.type("/ready")
        ann.see(r"\* #\d+ game 1 begins")
        bob.type("/state")
        turn = bob.see(r"= rack ([A-Z? ]+?)  .*turn 1 \((\w+)\)")
        mover, other = (bob, ann) if turn[2] == "yours" else (ann, bob)
        mover.type("/state")
        rack = mover.see(r"= rack ([A-Z? ]+?)  .*turn 1 \(yours\)")[1].replace(" ", "")
        mover.type("/play 8H QQQQ")
        mover.see(r"! NOT_IN_RACK play: ")
        mover.type(first_move(rack))
        number = int(other.see(r"\* #(\d+) \w+ ((8\w|\w8) \w+ \+|passes)")[1])
        other.see(r"\? your turn")
        other.type("/board")
        other.see(r"\| +15 ")
        other.type("/pass")
        mover.see(r"\* #\d+ \w+ passes")
        with at_terminal(client, server, room) as again:
            again.type(f"/resume {code} {number - 1}")
            again.see(rf"\* #{number} \w+ (\w+ \w+ \+|passes)")
            again.see(r"- you are in [\w-]+ again, up to date \(event \d+\)")
            again.type("/quit")
            again.see("- bye")


def test_a_dot_does_for_clients_that_keep_slashes_to_themselves(
    client: ThinClient, server: ServeProcess
) -> None:
    with at_terminal(client, server, f"dots-{client.name}") as ann:
        ann.type(".ping")
        ann.see("- pong")
        ann.type("...well")
        ann.see("! NEED_NAME say: ")


PIPED: Final = "/join pipe\n/name ann\nhello there\n/who"


def test_lines_piped_into_nc_are_answered() -> None:
    if shutil.which("nc") is None:
        pytest.skip("nc is not installed")
    with run_serve(Path(os.devnull), "--forget", "--line-port", "0") as server:
        done = subprocess.run(
            ["nc", "-N", LOOPBACK, str(server.listening["line_port"])],
            input=PIPED,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    assert re.search(r"^: #\d+ ann: hello there$", done.stdout, re.MULTILINE)
    assert "ann" in done.stdout.splitlines()[-1]
