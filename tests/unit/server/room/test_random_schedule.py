"""A room in which everything happens at once: people come, go, move and talk, and the store fails.

Whatever happens, the room stands where its log ends, and everybody who is there has heard every
entry since they came, once and in order.
"""

import logging
from functools import reduce
from random import Random

import pytest

from crossroom_engine.game.views import view
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import Style
from crossroom_server.store.contract import Unavailable
from crossroom_server.table import table
from crossroom_server.table.state import Table
from tests.support.fake_bots import best_play, phony
from tests.support.room_driver import LISTS, Ear, Moody, Stage
from tests.unit.server.room.test_resume import number

NAMES = ("ann", "bob", "cat", "dan", "eve")
STYLES = (Style(), Style("tags"), Style("json"), Style(reader=True), Style())
LINES = (
    "/ready", "/ready", "/ready", "/ready no", "/watch", "/sit", "/pass", "/resign", "/challenge",
    "/accept", "/exchange", "!board", "/state", "/set preset tournament", "/set preset official",
    "/set tiles english-short", "/set rack 9", "/set clock 5", "hello", "/name zoe", "/name",
    "/who", "/check word", "/export gcg", "/export json", "/history", "!score", "/clock",
    "/adjourn", "/agree", "/agree", "/abort", "/undo", "/decline", "/nudge", "/set absence adjourn",
)  # fmt: skip


class Storm:
    def __init__(self, seed: int) -> None:
        self.dice, self.store = Random(seed), Moody()
        self.stage = Stage([], LISTS, seed, self.store)
        self.here: dict[str, int] = {}
        """Who is connected, and the number of the last entry before they were."""

    async def step(self) -> None:
        name = self.dice.choice(NAMES)
        match self.dice.randrange(20):
            case 0 if name in self.here:
                del self.here[name]
                await self.stage.go(name)
            case 1:
                await self.stage.reopen()
                self.here.clear()
            case 2:
                self.store.troubles = [None] * self.dice.randrange(3) + [Unavailable("full")]
            case 3:
                self.stage.now += 1000 * self.dice.randrange(30)
            case _ if name not in self.here:
                await self._arrive(name)
            case choice if choice < 12:
                await self._move()
            case _:
                await self.stage.type(name, self.dice.choice(LINES))

    async def _arrive(self, name: str) -> None:
        self.store.troubles.clear()
        self.here[name] = (await self.stage.table()).seq
        ear = self.stage.ears.get(name)
        if ear is not None and ear.code:
            since = self.dice.randrange(self.here[name] + 1)
            try:
                await self.stage.come_back(name, since)
            except Refusal:
                del self.here[name]
            else:
                self.here[name] = since
        else:
            await self.stage.come(name, STYLES[NAMES.index(name)])

    async def _move(self) -> None:
        """What gets a game going, and on."""
        now = await self.stage.table()
        if now.playing is None:
            for name in self.here:
                await self.stage.type(name, "/ready")
            return
        mover = now.chairs[now.playing.on_turn].name
        if mover in self.here:
            find = self.dice.choice([best_play, phony])
            seen = view(now.playing, now.playing.on_turn)
            await self.stage.type(mover, find(seen, now.rules, LISTS.get("english")) or "/pass")

    async def check(self) -> None:
        now = await self.stage.table()
        log = await self.store.read("kitchen")
        assert reduce(table.apply, log, Table()) == now
        assert (await self.stage.room()).people == len(self.here)
        for name, since in self.here.items():
            heard = numbers(self.stage.ears[name])
            assert heard == [*range(since + 1, now.seq + 1)], (name, self.stage.ears[name].heard)


def numbers(ear: Ear) -> list[int]:
    return [seq for frame in ear.heard if (seq := number(frame)) is not None]


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    storm = Storm(seed)
    games = 0
    for step in range(300):
        await storm.step()
        if step % 10 == 0:
            await storm.check()
        games = max(games, (await storm.stage.table()).games)
    await storm.stage.lobby.close()
    assert not caplog.records
    assert games > 1
