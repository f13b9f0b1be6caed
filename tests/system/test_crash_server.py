"""A server that is killed at any moment of an evening goes on exactly where it was."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

import pytest
from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_engine.words import catalog
from tests.support.fake_bots import best_play_line, phony_line
from tests.support.serve_process import LOOPBACK, ServeProcess, run_serve

VIEW: Final = TypeAdapter(View)
RULES: Final = TypeAdapter(Ruleset)
NAMES: Final = ("ann", "bob", "cat")
PASSING: Final = ("since", "due", "version")
"""What a stop of the clock changes in a view."""


class JsonWebsocket:
    """A websocket in JSON mode, and all that it has heard of the log."""

    def __init__(self, peer: ClientConnection) -> None:
        self._peer = peer
        self._asked = 0
        self.events: dict[int, Any] = {}
        self.room: dict[str, Any] = {}
        self.rules: Any = None
        self.code = ""

    @classmethod
    async def dial(cls, server: ServeProcess) -> Self:
        url = f"ws://{LOOPBACK}:{server.listening['port']}/t/kitchen"
        return cls(await connect(url, subprotocols=[Subprotocol("json.v1.crossroom")]))

    async def ask(self, do: str, **fields: Any) -> list[Any]:
        """Give a command; everything heard up to its end, which is no refusal."""
        self._asked += 1
        label = str(self._asked)
        await self._peer.send(json.dumps({"do": do, "id": label, **fields}))
        told = [await self._hear()]
        while told[-1]["tell"] not in ("done", "refused") or told[-1]["id"] != label:
            told.append(await self._hear())
        assert told[-1]["tell"] == "done", (do, fields, told[-1])
        return told

    async def hear_of(self, seq: int) -> None:
        """Listen until an entry of the log has been told."""
        while seq not in self.events:
            await self._hear()

    @property
    def view(self) -> View:
        return VIEW.validate_python(self.room["game"])

    @property
    def seq(self) -> int:
        return int(self.room["seq"])

    async def _hear(self) -> Any:
        told = json.loads(await asyncio.wait_for(self._peer.recv(), 30))
        if told["tell"] == "event":
            self.events[told["seq"]] = told
            if told["event"]["kind"] == "rules_changed":
                self.rules = told["event"]["rules"]
        if told["tell"] == "name":
            self.code = told["code"]
        self.room = told.get("room") or self.room
        return told


class KilledServerRun:
    """A server process on one folder, killed and begun again, and three people."""

    def __init__(self, folder: Path, stack: ExitStack, flags: Sequence[str] = ()) -> None:
        self._folder, self._stack, self._flags = folder, stack, flags
        self.server = stack.enter_context(run_serve(folder, *flags))
        self.people: dict[str, JsonWebsocket] = {}
        self.lexicon = catalog.open_lexicon("english")

    async def gather(self) -> None:
        for name in NAMES:
            self.people[name] = await JsonWebsocket.dial(self.server)
            await self.people[name].ask("name", name=name)

    async def set(self, **rules: str) -> None:
        for setting, value in rules.items():
            await self.people["ann"].ask("set", setting=setting, value=value)

    async def all_ready(self) -> None:
        for person in self.people.values():
            await person.ask("ready")
        await self.catch_up()

    async def catch_up(self) -> None:
        """Let everybody hear all there is."""
        last = max(person.seq for person in self.people.values())
        for person in self.people.values():
            await person.hear_of(last)

    @property
    def view(self) -> View:
        return self.people["ann"].view

    @property
    def mover(self) -> JsonWebsocket:
        """Who is on turn."""
        return self.people[self.view.players[self.view.on_turn].name]

    @property
    def rules(self) -> Ruleset:
        return RULES.validate_python(self.people["ann"].rules)

    async def move(self, find: Callable[[View, Ruleset, Any], str | None]) -> None:
        """Whoever is on turn lays what *find* finds, or passes."""
        line = find(self.mover.view, self.rules, self.lexicon)
        if line is None:
            await self.mover.ask("pass")
        else:
            at, word, *swap = line.split()[1:]
            more = {"swap": swap[0].removeprefix("swap=")} if swap else {}
            await self.mover.ask("play", at=at, word=word, **more)
        await self.catch_up()

    async def kill(self) -> None:
        """End the server without a word, and begin another where it was."""
        self.server.process.kill()
        self.server.process.wait()
        self.server = self._stack.enter_context(run_serve(self._folder, *self._flags))

    async def come_back(self) -> None:
        """Everybody resumes, and hears the whole log again."""
        old, self.people = self.people, {}
        for name, before in old.items():
            person = self.people[name] = await JsonWebsocket.dial(self.server)
            person.code, person.rules = before.code, before.rules
            await person.ask("resume", code=before.code, seq=0)
        await self.catch_up()


async def state(person: JsonWebsocket) -> Any:
    """All that somebody knows of the table, but for the times of the clock."""
    await person.ask("state")
    room = json.loads(json.dumps(person.room))
    game = room["game"] or {}
    del room["seq"]
    return {**room, "game": {key: game[key] for key in game if key not in PASSING}}


async def before_the_game(evening: KilledServerRun) -> str:
    await evening.gather()
    await evening.set(tiles="english-short", rack="9", scoreless_limit="99", acceptance="600")
    await evening.people["bob"].ask("ready")
    return "no game"


async def in_turn(evening: KilledServerRun) -> str:
    for name in ("ann", "cat"):
        await evening.people[name].ask("ready")
    await evening.catch_up()
    return "playing"


async def challenge_window(evening: KilledServerRun) -> str:
    await evening.move(phony_line)
    assert evening.view.open_play is not None
    return "playing"


async def after_a_challenge(evening: KilledServerRun) -> str:
    await evening.mover.ask("challenge")
    await evening.catch_up()
    assert not any(player.score for player in evening.view.players)
    return "playing"


async def after_an_exchange(evening: KilledServerRun) -> str:
    mover = evening.mover
    await mover.ask("exchange", tiles="".join(mover.view.rack[:3]))
    await evening.catch_up()
    return "playing"


async def awaiting_the_last_word(evening: KilledServerRun) -> str:
    while evening.view.phase == "playing":
        await evening.move(phony_line)
    return "last_word"


async def with_one_word_missing(evening: KilledServerRun) -> str:
    view = evening.view
    await evening.people[view.players[view.awaited[0]].name].ask("accept")
    await evening.catch_up()
    assert len(evening.view.awaited) == 1
    return "last_word"


async def after_the_game(evening: KilledServerRun) -> str:
    view = evening.view
    await evening.people[view.players[view.awaited[0]].name].ask("accept")
    await evening.catch_up()
    assert evening.view.ended == "out"
    return "over"


async def final_round(evening: KilledServerRun) -> str:
    await evening.set(preset="race", target="15")
    while evening.view.phase == "over" or evening.view.target_by is None:
        if evening.view.phase == "over":
            await evening.all_ready()
        await evening.move(best_play_line)
    return "playing"


PHASES: Final[tuple[Callable[[KilledServerRun], Awaitable[str]], ...]] = (
    before_the_game, in_turn, challenge_window, after_a_challenge, after_an_exchange,
    awaiting_the_last_word, with_one_word_missing, after_the_game, final_round,
)  # fmt: skip
FEW: Final = (in_turn, challenge_window, awaiting_the_last_word, after_the_game)
"""Where a server is killed that keeps its games in a database: enough to see them come back."""


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The flags that say where the games are."""
    if request.param == "sqlite":
        return ()
    pytest.importorskip("asyncpg")
    return "--store", request.getfixturevalue("database").url


async def test_whoever_comes_back_finds_everything_as_it_was(
    tmp_path: Path, kept: tuple[str, ...]
) -> None:
    with ExitStack() as stack:
        evening = KilledServerRun(tmp_path, stack, kept)
        for phase in PHASES:
            expected = await phase(evening)
            if kept and phase not in FEW:
                continue
            before = {name: await state(person) for name, person in evening.people.items()}
            heard = {name: person.events for name, person in evening.people.items()}
            assert before["ann"]["game"].get("phase", "no game") == expected
            await evening.kill()
            await evening.come_back()
            for name, person in evening.people.items():
                assert await state(person) == before[name], (phase, name)
                for seq, told in heard[name].items():
                    assert person.events[seq]["event"] == told["event"], (phase, name, seq)


@pytest.mark.parametrize("rounds", [3])
async def test_what_people_were_told_was_stored(
    tmp_path: Path, kept: tuple[str, ...], rounds: int
) -> None:
    """The server is killed while everybody talks at once."""
    with ExitStack() as stack:
        evening = KilledServerRun(tmp_path, stack, kept)
        await evening.gather()
        for _ in range(rounds):
            talking = [asyncio.create_task(talk(person)) for person in evening.people.values()]
            await asyncio.sleep(0.05)
            evening.server.process.kill()
            await asyncio.gather(*talking, return_exceptions=True)
            heard = {name: person.events for name, person in evening.people.items()}
            await evening.kill()
            await evening.come_back()
            for name, person in evening.people.items():
                assert sorted(person.events) == [*range(1, len(person.events) + 1)]
                assert heard[name].keys() <= person.events.keys()
                for seq, told in heard[name].items():
                    assert person.events[seq]["event"] == told["event"]


async def talk(person: JsonWebsocket) -> None:
    for number in range(1000):
        await person.ask("say", text=str(number))
