"""People who play and talk as fast as they are answered, and remember every word they were told."""

import asyncio
import contextlib
import json
from itertools import count
from random import Random
from typing import Any, Final

from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.movegen import best
from crossroom_engine.words import catalog
from tests.system.crash.fork_server import LOOPBACK

RULES: Final = TypeAdapter(Ruleset)
_ENGLISH: Final = catalog.open_lexicon("english")
_numbers: Final = count(1)


class LostEvent(AssertionError):
    """Something that people were told is not so any more."""


class CrashPlayer:
    """Somebody in a room, over as many connections as it takes.

    ``heard`` are the entries of the log by number, as they were told; ``tried`` and ``sure`` the
    things said, and those of them that were acknowledged.
    """

    wants_missed_only = False
    """Do they ask for what they missed when they come back, and never for more?"""

    def __init__(self, room: str, name: str, dice: Random, bot: str | None = None) -> None:
        self.room, self.name, self.code = room, name, ""
        self.heard: dict[int, dict[str, Any]] = {}
        self.tried: set[str] = set()
        self.sure: set[str] = set()
        self.resumed, self.refusal = 0, ""
        self._dice, self._bot = dice, bot
        self._view: dict[str, Any] = {}
        self._rules: Ruleset | None = None
        self._asked: dict[str, asyncio.Future[bool]] = {}
        self._since: int | None = None  # the entry told last over this connection

    async def play(self, port: int) -> None:
        """Come, or come back, and stay until the server is gone.

        Raises:
            Loss: what is told does not fit what was told.
        """
        url = f"ws://{LOOPBACK}:{port}" + ("" if self.code else f"/t/{self.room}")
        self._since = None
        json_mode = Subprotocol("json.v1.crossroom")
        with contextlib.suppress(WebSocketException, OSError):
            async with connect(
                url, subprotocols=[json_mode], compression=None, ping_interval=None, max_size=None
            ) as peer:
                talking = asyncio.create_task(self._talk(peer))
                try:
                    async for message in peer:
                        self._hear(json.loads(message))
                finally:
                    talking.cancel()
                    self._asked.clear()
                    done = await asyncio.gather(talking, return_exceptions=True)
                    self._raise_mistakes(done[0])

    def _raise_mistakes(self, outcome: BaseException | None) -> None:
        if outcome is not None and not isinstance(
            outcome, asyncio.CancelledError | ConnectionClosed
        ):
            raise outcome

    # Telling.

    async def _talk(self, peer: ClientConnection) -> None:
        if self.code:
            last = max(self.heard, default=0)
            self._since = self._dice.choice([0, self._dice.randint(0, last), last])
            if self.wants_missed_only:
                self._since = last
            if not await self._ask(peer, "resume", code=self.code, seq=self._since):
                raise LostEvent(f"{self.name} in {self.room} cannot come back: {self.refusal}")
            self.resumed += 1
        else:
            self.name = f"{self.name.split('-')[0]}-{next(_numbers)}"
            await self._ask(peer, "name", name=self.name)
            if self._bot:
                await self._ask(peer, "bot", action="add", what=self._bot)
        while True:
            do, fields = self._idea()
            if do == "say":
                await self._say(peer, fields["text"])
            else:
                await self._ask(peer, do, **fields)

    async def _say(self, peer: ClientConnection, text: str) -> None:
        self.tried.add(text)
        if await self._ask(peer, "say", text=text):
            self.sure.add(text)

    async def _ask(self, peer: ClientConnection, do: str, **fields: Any) -> bool:
        """Ask for something; was it done?"""
        label = str(next(_numbers))
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._asked[label] = answer
        await peer.send(json.dumps({"do": do, "id": label, **fields}))
        return await answer

    def _idea(self) -> tuple[str, dict[str, Any]]:
        """What to do next."""
        game, dice = self._view.get("game"), self._dice
        talk = "say", {"text": f"{self.name} {next(_numbers)}"}
        if dice.random() < 0.3:
            return talk
        if game is None or game["phase"] == "over":
            return ("sit" if self._view.get("seat") is None else "ready"), {}
        options = game["options"]
        if "accept" in options:
            return "accept", {}
        if "challenge" in options and dice.random() < 0.2:
            return "challenge", {}
        if "place" not in options:
            return talk
        return self._move(game)

    def _move(self, game: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        dice, rack = self._dice, tuple(game["players"][game["seat"]]["rack"])
        if "exchange" in game["options"] and dice.random() < 0.2:
            return "exchange", {"tiles": rack[0]}
        rules = self._rules
        if rules is None or dice.random() < 0.1:
            return "pass", {}
        board = Board.from_rows(tuple(game["board"]), rules.tiles)
        for play in best(rules, board, rack, _ENGLISH, 1):
            return "play", {"at": str(play.spot), "word": play.text}
        return "pass", {}

    # Hearing.

    def _hear(self, told: dict[str, Any]) -> None:
        match told["tell"]:
            case "event":
                self._remember(told)
            case "name":
                self.code = told["code"]
            case "live":
                if told["seq"] != self._since:
                    raise LostEvent(
                        f"{self.name} in {self.room} came back at {told['seq']}, "
                        f"but heard all until {self._since}"
                    )
                self._rules = RULES.validate_python(told["rules"])
            case "welcome" if told["rules"] is not None:
                self._rules = RULES.validate_python(told["rules"])
                if not self.code:
                    self._since = told["room"]["seq"]
            case "done" | "refused" if told["id"] in self._asked:
                self.refusal = told.get("text", "")
                self._asked.pop(told["id"]).set_result(told["tell"] == "done")
        self._view = told.get("room") or self._view

    def _remember(self, told: dict[str, Any]) -> None:
        seq, event = told["seq"], told["event"]
        if event["kind"] == "rules_changed":
            self._rules = RULES.validate_python(event["rules"])
        if self._since is not None and seq != self._since + 1:
            raise LostEvent(f"{self.name} in {self.room} is told {seq} after {self._since}")
        self._since = seq
        before = self.heard.get(seq)
        if before is None:
            self.heard[seq] = told
        elif essence(before) != essence(told):
            raise LostEvent(f"{self.name} in {self.room} is told another {seq}")


def essence(told: dict[str, Any]) -> tuple[Any, ...]:
    """What of a notice is in the log, or follows from it."""
    return told["seq"], told["at"], told["event"], told["room"]["game"]
