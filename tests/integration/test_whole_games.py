"""Whole games over real websockets: plain lines, tags and JSON at one table, and people who watch.

Every game has challenges both ways, an exchange, a play that goes out and is taken back, a restart
while the last word is awaited, and an end. Its record must satisfy the checker, and no frame may
have shown anybody else's rack.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import pytest
from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import HIDDEN, Tiles, spell
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_engine.game.views import View
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_engine.words import catalog
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.encoding import tags
from crossroom_protocol.encoding.game_json import read_events
from crossroom_server import app as app_module
from crossroom_server.app import App
from tests.support.fake_bots import best_play_line, phony_line
from tests.support.server import LOOPBACK, run_server

VIEW: Final = TypeAdapter(View)
ENGLISH: Final = catalog.open_lexicon("english")
MODES: Final = {"ann": "plain", "bob": "tags", "cat": "json", "joe": "json", "eve": "plain"}
"""Who speaks how; joe and eve watch."""
LINES: Final = {name: [f"/name {name}"] for name in MODES} | {
    "eve": [],
    "joe": ["/name joe", "/watch"],
}
"""What they say when they come; eve has no name."""


class PlayerConnection:
    """One websocket, and what its owner can see on it."""

    def __init__(self, name: str, peer: ClientConnection) -> None:
        self.name, self.mode = name, MODES[name]
        self.heard: list[str] = []
        self.rack: Tiles = ()
        self.room: dict[str, Any] = {}
        self.code = ""
        self._peer = peer

    @classmethod
    async def dial(cls, app: App, name: str) -> Self:
        mode = MODES[name]
        offered = [Subprotocol(f"{mode}.v1.crossroom")] if mode != "plain" else None
        url = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
        return cls(name, await connect(url, subprotocols=offered, max_queue=None))

    async def say(self, line: str) -> list[str]:
        """Say something; everything heard until it is done, others' doings included."""
        for text in (line, "/ping"):
            await self._peer.send(self._written(text))
        return await self.listen()

    async def listen(self) -> list[str]:
        frames: list[str] = []
        while not frames or "pong" not in frames[-1]:
            frame = await asyncio.wait_for(self._peer.recv(), 30)
            assert isinstance(frame, str)
            frames.append(frame)
            self._note(frame)
        self.heard += frames
        return frames[:-1]

    async def catch_up(self) -> None:
        await self._peer.send(self._written("/ping"))
        await self.listen()

    def _written(self, line: str) -> str:
        if self.mode != "json":
            return line
        request = read_line(line, in_room=True)
        assert request is not None
        return request.command.model_dump_json()

    def _note(self, frame: str) -> None:
        """Learn what a person with this client would see."""
        if self.mode == "json":
            told = json.loads(frame)
            self.room = told.get("room") or self.room
            if told["tell"] == "name":
                self.code = told["code"]
            if self.room.get("game"):
                self.rack = self.view.rack
            return
        found, line = tags.parse_tags(frame)
        if match := re.search(r"/resume ([\w-]+)$", line):
            self.code = match[1]
        if match := re.match(r"= rack (empty|[A-Z?](?: [A-Z?])*)  ", line):
            self.rack = () if match[1] == "empty" else tuple(match[1].split())
            assert "rack" not in found or found["rack"] == spell(self.rack)

    @property
    def view(self) -> View:
        return VIEW.validate_python(self.room["game"])


class RestartableServer:
    """A server that can be restarted, and the people who are connected to it."""

    def __init__(self, folder: Path, players: tuple[str, ...]) -> None:
        self._folder, self.players = folder, players
        self._stack = AsyncExitStack()
        self.peers: dict[str, PlayerConnection] = {}
        self.rules: Ruleset = PRESETS["official"]

    async def open(self) -> None:
        self._app = await self._stack.enter_async_context(run_server(data=self._folder, keep=True))
        for name in (*self.players, "joe", "eve"):
            peer = self.peers[name] = await PlayerConnection.dial(self._app, name)
            for line in LINES[name]:
                await peer.say(line)

    async def restart(self) -> None:
        """Stop the server in good order, start another, and let everybody come back."""
        await self._stack.aclose()
        self._app = await self._stack.enter_async_context(run_server(data=self._folder, keep=True))
        before = dict(self.peers)
        for name, old in before.items():
            peer = self.peers[name] = await PlayerConnection.dial(self._app, name)
            if old.code:
                peer.code = old.code
                await peer.say(f"/resume {old.code}")
        await self.catch_up()
        assert {name: peer.rack for name, peer in self.peers.items()} == {
            name: peer.rack for name, peer in before.items()
        }

    async def close(self) -> None:
        await self._stack.aclose()

    async def catch_up(self) -> None:
        for peer in self.peers.values():
            await peer.catch_up()

    async def say(self, name: str, line: str) -> str:
        """Somebody says something; what follows, in the words of a plain client who watches.

        Nobody may read a rack in what they hear of it.
        """
        before = self.racks
        for peer in self.peers.values():
            peer.heard.clear()
        answer = await self.peers[name].say(line)
        await self.catch_up()
        if self.view.phase != "over":
            self._check_secrecy(before, self.racks)
        refused = (line for line in answer if "! " in line or '"refused"' in line)
        return "\n".join([*self.peers["eve"].heard, *refused])

    def _check_secrecy(self, *racks: dict[str, Tiles]) -> None:
        for name, peer in self.peers.items():
            others = [rack for held in racks for owner, rack in held.items() if owner != name]
            secrets = {form for rack in others if len(rack) > 4 for form in spellings(rack)}
            for frame in peer.heard:
                shown = without_unseen(frame) if peer.mode == "json" else frame
                assert not [secret for secret in secrets if secret in shown], (name, frame)

    @property
    def racks(self) -> dict[str, Tiles]:
        return {name: self.peers[name].rack for name in self.players}

    @property
    def view(self) -> View:
        """The game as joe sees it."""
        return self.peers["joe"].view

    @property
    def mover(self) -> str:
        return self.view.players[self.view.on_turn].name

    @property
    def seen(self) -> View:
        """What the player on turn may see: the public view, and the own rack."""
        view = self.view
        players = list(view.players)
        players[view.on_turn] = replace(players[view.on_turn], rack=self.racks[self.mover])
        board = Board.from_rows(view.board, self.rules.tiles)
        blanks = tuple(square for square, letter in board.items() if letter.blank)
        taken = blanks if self.rules.reclaim == "any" else ()
        seat = view.on_turn
        return replace(view, players=tuple(players), seat=seat, reclaimable=taken)

    async def move(self, find: Callable[[View, Ruleset, Any], str | None]) -> str:
        line = find(self.seen, self.rules, ENGLISH) or "/pass"
        return await self.say(self.mover, f"{line} turn={self.view.turn}")

    def other_than(self, *names: str) -> str:
        return next(name for name in self.players if name not in names)


def spellings(rack: Tiles) -> set[str]:
    """How a rack is written, wherever one is written."""
    return {glue.join(rack) for glue in ("", " ", ",", ", ", '","', '", "')}


def without_unseen(frame: str) -> str:
    """A JSON frame, checked for tiles of others, without what anybody can work out by counting."""
    told = json.loads(frame)
    game = (told.get("room") or {}).get("game")
    if game is not None and game["phase"] != "over":
        check_hidden(told, game)
        del game["unseen"]
    return json.dumps(told)


def check_hidden(told: dict[str, Any], game: dict[str, Any]) -> None:
    own = game["seat"]
    assert all(p["rack"] is None for seat, p in enumerate(game["players"]) if seat != own)
    for event in told.get("event", {}).get("events", ()):
        if event.get("seat") != own and event["kind"] != "challenged":
            hidden = [*event.get("tiles", ()), *event.get("drew", ()), *event.get("returned", ())]
            assert set(hidden) <= {HIDDEN}, event


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games each time."""
    monkeypatch.setattr(app_module, "SystemRandom", lambda: Random(12))


@pytest.fixture
async def club(tmp_path: Path, preset: str) -> AsyncIterator[RestartableServer]:
    players = ("ann", "cat") if preset == "tournament" else ("ann", "bob", "cat")
    club = RestartableServer(tmp_path, players)
    await club.open()
    for line in (f"/set preset {preset}", "/set tiles english-short", "/set acceptance 600"):
        await club.peers["ann"].say(line)
    club.rules = PRESETS[preset].override("tiles", "english-short")
    if preset == "race":
        await club.peers["ann"].say("/set target 40")
    for name in players:
        await club.peers[name].say("/ready")
    await club.catch_up()
    yield club
    await club.close()


async def check_the_record(club: RestartableServer) -> None:
    lines = await club.peers["eve"].say("/export gcg")
    report = check_record(
        read_gcg("".join(line.removeprefix("| ") + "\n" for line in lines)), ENGLISH
    )
    assert (report.findings, report.complete) == ((), True), lines
    lines = await club.peers["eve"].say("/export json")
    verdict = verify_draws(read_events("".join(line.removeprefix("| ") for line in lines)))
    assert verdict.findings == ()
    assert verdict.draws > 4


@pytest.mark.parametrize("preset", ["classic", "official", "tournament"])
async def test_a_game_in_which_words_are_doubted(club: RestartableServer, preset: str) -> None:
    await challenge_both_ways(club)
    given = club.racks[club.mover][:2]
    assert "exchanges 2 tiles" in await club.say(club.mover, f"/exchange {spell(given)}")
    while club.view.bag:
        await club.move(best_play_line)
    await go_out(club)
    doubter = club.other_than(club.view.players[last_player(club)].name)
    assert "takes it back" in await club.say(doubter, "/challenge")
    assert club.view.phase == "playing"
    await go_out(club)
    before = club.view
    await club.restart()
    assert same(club.view, before)
    for seat in club.view.awaited:
        answer = await club.say(club.view.players[seat].name, "/accept")
    assert "game over" in answer
    assert club.view.ended == "out"
    await check_the_record(club)


async def challenge_both_ways(club: RestartableServer) -> None:
    """A bad play that is doubted, then a good one; and what may not be done meanwhile."""
    first = club.mover
    await club.move(phony_line)
    doubter = club.mover
    assert "NOTHING_TO_CHALLENGE" in await club.say(first, "/challenge")
    assert "GAME_ON" in await club.say(doubter, "/check quiz")
    assert "GAME_ON" in await club.say("eve", "/export gcg")
    assert "takes it back" in await club.say(doubter, "/challenge")
    assert [player.score for player in club.view.players] == [0] * len(club.players)
    second = club.mover
    await club.move(best_play_line)
    doubter = club.other_than(second)
    assert "the play stands" in await club.say(doubter, "/challenge")
    assert "NOTHING_TO_CHALLENGE" in await club.say(doubter, "/challenge")


async def go_out(club: RestartableServer) -> None:
    """Somebody lays the whole rack, whatever it spells; it ends the game unless it is doubted."""
    while club.view.phase == "playing":
        await club.move(phony_line)
    assert club.view.phase == "last_word"


def last_player(club: RestartableServer) -> int:
    play = club.view.open_play
    assert play is not None
    return play.seat


def same(one: View, other: View) -> bool:
    """But for the times of a clock that was stopped and let run again."""
    alike = {"since": None, "due": None, "version": 0}
    return replace(one, **alike) == replace(other, **alike)  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", ["race"])
async def test_a_race(club: RestartableServer, preset: str) -> None:
    assert "NOT_A_WORD" in await club.move(phony_line)
    await club.move(best_play_line)
    assert "NOTHING_TO_CHALLENGE" in await club.say(club.mover, "/challenge")
    assert "is not in the word list" in await club.say(club.mover, "!check xqzw")
    given = club.racks[club.mover][:2]
    assert "exchanges 2 tiles" in await club.say(club.mover, f"/exchange {spell(given)}")
    while club.view.phase == "playing" and club.view.target_by is None:
        await club.move(best_play_line)
    before = club.view
    await club.restart()
    assert same(club.view, before)
    while club.view.phase == "playing":
        answer = await club.move(best_play_line)
    assert "game over: the last round is complete" in answer
    await check_the_record(club)
