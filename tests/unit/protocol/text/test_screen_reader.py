"""A whole game by ear: two people who have nothing but the spoken lines, and one who looks on."""

import re
from collections.abc import AsyncIterator
from itertools import permutations
from random import Random
from typing import Final

import pytest

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter, Tiles, multiset, spell
from crossroom_engine.movegen import best
from crossroom_engine.words import catalog
from crossroom_server import app as server_app
from crossroom_server.app import App
from tests.support.server import RawClient, run_server
from tests.support.tui_driver import OtherPlayer

RULES: Final = PRESETS["official"].override("tiles", "english-short")
ENGLISH: Final = catalog.open_lexicon("english")
TILES: Final = r"((?:blank|[A-Z])(?: (?:blank|[A-Z]))*)"


class ScreenReaderUser:
    """Somebody who is read the lines, and keeps in mind what they tell."""

    def __init__(self, name: str, caller: RawClient) -> None:
        self.name, self._caller = name, caller
        self.board = self._before = Board.empty(RULES.layout)
        self.rack: Tiles = ()
        self.scores: dict[str, int] = {}
        self.asked = self.code = ""

    async def say(self, line: str) -> list[str]:
        """Say something; what is heard until all of the answer is there."""
        self._caller.say(f"{line}\r\n")
        return await self.catch_up()

    async def catch_up(self) -> list[str]:
        """Everything that was said to them until now."""
        self._caller.say("/ping\r\n")
        lines = await self._caller.hear_until("pong")
        for heard in lines:
            self._understand(heard)
        return lines[:-1]

    async def hang_up(self) -> None:
        """Leave."""
        await self._caller.hang_up()

    async def drop(self, app: App) -> list[str]:
        """Lose the line, and come back to the same seat."""
        self._caller.break_off()
        await self._caller.hang_up()
        self._caller = await RawClient.dial(app.line_port or 0)
        await self.say("/set reader on")
        return await self.say(f"/resume {self.code}")

    def _understand(self, line: str) -> None:
        if found := re.search(r"/resume (\S+)$", line):
            self.code = found[1]
        if re.search(r"(plays|passes|exchanges|challenges|accepts|takes) ", line):
            self.asked = ""
        if line.startswith("? "):
            self.asked = line
        if found := re.search(r"plays (\w+) (across|down) ([A-Za-z]+)", line):
            spot = Spot.parse(found[1])
            assert spot.across == (found[2] == "across")
            word = {
                spot.square_at(step): Letter(text.upper(), text.islower())
                for step, text in enumerate(found[3])
            }
            new = {at: letter for at, letter in word.items() if self.board[at] is None}
            self._before, self.board = self.board, self.board.with_letters(new)
        if "takes it back" in line:
            self.board = self._before
        if found := re.search(rf"rack {TILES}", line):
            self.rack = tuple("?" if tile == "blank" else tile for tile in found[1].split())
        for name, score in re.findall(r"\b(ann|bob) (-?\d+)(?=[,;]|$)", line):
            self.scores[name] = int(score)

    async def play(self) -> list[str]:
        """Make the best play that is known from what was heard, or pass."""
        await self.say("/rack")
        found = best(RULES, self.board, multiset(self.rack), ENGLISH)
        return await self.say(f"/play {found[0].spot} {found[0].text}" if found else "/pass")


@pytest.fixture
async def app(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    monkeypatch.setattr(server_app, "SystemRandom", lambda: Random(5))
    async with run_server() as app:
        yield app


async def come(app: App, name: str) -> ScreenReaderUser:
    player = ScreenReaderUser(name, await RawClient.dial(app.line_port or 0))
    for line in ("/set reader on", "/join kitchen", f"/name {name}"):
        await player.say(line)
    return player


async def test_a_whole_game_is_played_by_ear(app: App) -> None:
    ann, bob = await come(app, "ann"), await come(app, "bob")
    async with OtherPlayer.come(app.port, None) as joe:
        for setting in ("first_player seat", "tiles english-short"):
            await ann.say(f"/set {setting}")
        for player in (ann, bob):
            await player.say("/ready")
        await ann.catch_up()
        assert ann.asked.startswith("? your turn 1")

        await ann.say("/rack")
        tries = ("".join(tiles) for tiles in permutations(ann.rack, 3) if "?" not in tiles)
        await ann.say(f"/play 8H {next(word for word in tries if word not in ENGLISH)}")
        told = await bob.say("/challenge")
        assert any("not in the word list" in line for line in told)
        assert not any(bob.board.squares)

        await bob.play()
        await ann.say("/challenge")
        assert [line for line in await ann.say("/score") if "in vain" in line]
        await bob.say("/rack")
        before, given = bob.rack, bob.rack[0]
        told = await bob.say(f"/exchange {spell((given,))}")
        (drawn,) = re.findall(rf"bob exchanges {given} and draws {TILES}", "\n".join(told))
        await bob.say("/rack")
        assert sorted(bob.rack) == sorted([*before[1:], drawn.replace("blank", "?")])
        await ann.catch_up()
        held = sorted(bob.rack)
        await bob.drop(app)
        assert sorted(bob.rack) == held

        over: list[str] = []
        for _ in range(60):
            for player in (ann, bob):
                over += [line for line in await player.catch_up() if "game over" in line]
                if "/accept" in player.asked:
                    over += await player.say("/accept")
                elif player.asked and not over:
                    over += [line for line in await player.play() if "game over" in line]
            if over:
                break
        await ann.catch_up()
        await bob.catch_up()
        await joe.until(lambda game: game["phase"] == "over")
        truth = Board.from_rows(joe.game["board"], RULES.tiles)
        assert ann.board == bob.board == truth
        assert any(letter.blank for _, letter in truth.items()), "a blank was heard of"
        final = {player["name"]: player["score"] for player in joe.game["players"]}
        assert ann.scores == bob.scores == final
        for player in (ann, bob):
            await player.hang_up()
