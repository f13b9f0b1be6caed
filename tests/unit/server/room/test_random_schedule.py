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
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.room import event_log
from crossroom_server.store.contract import Unavailable
from crossroom_server.table import table
from crossroom_server.table.snapshot import decode_table, encode_table
from crossroom_server.table.state import Table
from tests.support.fake_bots import best_play_line, phony_line
from tests.support.room_driver import SHIPPED_LEXICA, FakeClient, FlakyStore, RoomDriver
from tests.unit.server.room.test_resume import number

NAMES = ("ann", "bob", "cat", "dan", "eve")
STYLES = (
    ReaderSettings(),
    ReaderSettings("tags"),
    ReaderSettings("json"),
    ReaderSettings(reader=True),
    ReaderSettings(),
)
LINES = (
    "/ready", "/ready", "/ready", "/ready no", "/watch", "/sit", "/pass", "/resign yes",
    "/challenge", "/accept", "/exchange none", "!board", "/state", "/set preset tournament",
    "/set preset official",
    "/set tiles english-short", "/set rack 9", "/set clock 5", "hello", "/name zoe", "/name",
    "/who", "/check word", "/export gcg", "/export json", "/history", "!score", "/clock",
    "/adjourn", "/agree", "/agree", "/abort", "/undo", "/decline", "/nudge", "/set absence adjourn",
)  # fmt: skip


class RandomSchedule:
    def __init__(self, seed: int) -> None:
        self.dice, self.store = Random(seed), FlakyStore()
        self.driver = RoomDriver([], SHIPPED_LEXICA, seed, self.store)
        self.here: dict[str, int] = {}
        """Who is connected, and the number of the last entry before they were."""

    async def step(self) -> None:
        name = self.dice.choice(NAMES)
        match self.dice.randrange(20):
            case 0 if name in self.here:
                del self.here[name]
                await self.driver.disconnect(name)
            case 1:
                await self.driver.restart_server()
                self.here.clear()
            case 2:
                self.store.failures = [None] * self.dice.randrange(3) + [Unavailable("full")]
            case 3:
                self.driver.now += 1000 * self.dice.randrange(90)
            case _ if name not in self.here:
                await self._arrive(name)
            case choice if choice < 12:
                await self._move()
            case _:
                await self.driver.type(name, self.dice.choice(LINES))

    async def _arrive(self, name: str) -> None:
        self.store.failures.clear()
        self.here[name] = (await self.driver.table()).seq
        client = self.driver.clients.get(name)
        if client is not None and client.code:
            since = self.dice.randrange(self.here[name] + 1)
            try:
                await self.driver.reconnect(name, since)
            except Refusal:
                del self.here[name]
            else:
                self.here[name] = since
        else:
            await self.driver.join(name, STYLES[NAMES.index(name)])

    async def _move(self) -> None:
        """What gets a game going, and on."""
        now = await self.driver.table()
        if now.playing is None:
            for name in self.here:
                await self.driver.type(name, "/ready")
            return
        mover = now.seats[now.playing.on_turn].name
        if mover in self.here:
            find = self.dice.choice([best_play_line, phony_line])
            seen = view(now.playing, now.playing.on_turn)
            await self.driver.type(
                mover, find(seen, now.rules, SHIPPED_LEXICA.get("english")) or "/pass"
            )

    async def check(self) -> None:
        now = await self.driver.table()
        log = await self.store.read("kitchen")
        assert reduce(table.apply, log, Table()) == now
        assert (await self.driver.room()).connection_count == len(self.here)
        for name, since in self.here.items():
            heard = numbers(self.driver.clients[name])
            assert heard == [*range(since + 1, now.seq + 1)], (
                name,
                self.driver.clients[name].received,
            )


def numbers(client: FakeClient) -> list[int]:
    return [seq for frame in client.received if (seq := number(frame)) is not None]


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens(
    seed: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.ERROR)
    if seed % 2:  # rooms open from snapshots, then
        monkeypatch.setattr(event_log, "CACHED_ENTRIES", 5)
    storm = RandomSchedule(seed)
    games = 0
    for step in range(300):
        await storm.step()
        if step % 10 == 0:
            await storm.check()
        games = max(games, (await storm.driver.table()).games)
    await storm.driver.lobby.close()
    assert not caplog.records
    assert games > 1
    now = Table()
    for entry in await storm.store.read("kitchen"):
        now = table.apply(now, entry)
        assert decode_table(encode_table(now)) == now
