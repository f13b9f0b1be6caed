"""People at tables that fill the screen, and people at the other end of the same server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Final, Self

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.json_codec import JsonCodec
from crossroom_clients.connection.reconnecting import Connection
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_engine.core.coordinates import Spot
from crossroom_protocol.base.wording import split_squares
from crossroom_server import app as server_app
from tests.support.server import LOOPBACK

pytest.importorskip("textual", reason="draws the table")

from textual import events
from textual.pilot import Pilot

from crossroom_clients.tui.app import TableApp
from crossroom_clients.tui.theme_store import ThemeStore

SCREEN_TIMEOUT_S: Final = 40.0
"""Seconds for what is expected to appear."""
SMALL: Final = (80, 24)
LARGE: Final = (160, 50)

_SYMBOLS: Final = {
    "space": " ",
    "slash": "/",
    "question_mark": "?",
    "minus": "-",
    "full_stop": ".",
}
"""Keys that Textual does not name by what they write."""


BLANK_FIRST: Final = 3
"""With these dice the first to sit down draws ? E I O R R V, the second A B E N Q T Y."""


def load_dice(monkeypatch: pytest.MonkeyPatch, seed: int = 1) -> None:
    """Let the servers that follow draw the same tiles every time."""
    monkeypatch.setattr(server_app, "SystemRandom", lambda: Random(seed))


class TuiDriver:
    """A person at a table, with eyes and keys."""

    def __init__(self, table: TableApp, pilot: Pilot[Any], connection: Connection) -> None:
        self.table, self.pilot, self.connection = table, pilot, connection

    async def press(self, *keys: str) -> None:
        """Press keys, named as Textual does, faster than anything can be drawn."""
        for key in keys:
            symbol = _SYMBOLS.get(key, key)
            character = symbol if len(symbol) == 1 else None
            self.table.post_message(events.Key(key, character))
        await self.pilot.pause()

    async def type(self, text: str, *keys: str) -> None:
        """Press the keys of a text, then others."""
        names = {symbol: name for name, symbol in _SYMBOLS.items()}
        await self.press(*(names.get(symbol, symbol) for symbol in text), *keys)

    async def lay(self, at: str, text: str) -> None:
        """Go to a place of the board and lay a word, without playing it."""
        if self.table.focused is self.table.query_one("#line"):
            await self.press("escape")
        await self.press("escape")
        spot, tentative = Spot.parse(at), self.table.tentative
        rows, columns = spot.row - tentative.cursor.row, spot.col - tentative.cursor.col
        keys = [("down" if rows > 0 else "up")] * abs(rows)
        keys += [("right" if columns > 0 else "left")] * abs(columns)
        keys += ["space"] if tentative.across != spot.across else []
        for letter in split_squares(text):
            if letter == letter.upper() and letter != ".":
                keys.append(letter[0].lower())
            elif letter != ".":
                await self.press(*keys, "question_mark")
                await self.press(letter)
                keys = []
        await self.press(*keys)

    async def say(self, line: str) -> None:
        """Type a line, from wherever the cursor is, and send it."""
        if self.table.focused is not self.table.query_one("#line"):
            await self.press("tab")
        await self.type(line, "enter")

    @property
    def lines(self) -> list[str]:
        """What is on the screen, row by row."""
        strips = self.table.screen._compositor.render_strips()
        return [strip.text.rstrip() for strip in strips]

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(self.lines)

    async def hear(self, text: str) -> None:
        """Wait until it is said in the log or the talk."""

        def told(_: str) -> bool:
            panels = (self.table._log_panel, self.table._talk_panel)
            told = [line for one in panels for line in one._told]
            lines = ["".join(part for _, part in line.text) for line in told]
            return any(text in line for line in lines)

        await self.until(told)

    async def still(self) -> str:
        """Wait until the screen has stopped changing; returns what is on it."""
        before, now = "", self.text
        while before != now:
            await self.pilot.pause(0.1)
            before, now = now, self.text
        return now

    async def until(self, seen: str | Callable[[str], bool]) -> str:
        """Wait until something is on the screen; returns all of it."""

        def there() -> bool:
            return seen in self.text if isinstance(seen, str) else seen(self.text)

        try:
            async with asyncio.timeout(SCREEN_TIMEOUT_S):
                while not there():
                    await self.pilot.pause(0.02)
        except TimeoutError:
            raise AssertionError(f"{seen!r} did not appear:\n{self.text}") from None
        return self.text


@asynccontextmanager
async def open_tui(
    port: int,
    name: str | None,
    size: tuple[int, int] = SMALL,
    *,
    room: str | None = "kitchen",
    mark: ResumeState | None = None,
    colours: ThemeStore | None = None,
) -> AsyncIterator[TuiDriver]:
    """Somebody at a table on the loopback."""

    def waits() -> Any:
        while True:
            yield 0.05

    address = Address(f"ws://{LOOPBACK}:{port}", room)
    connection = Connection(address, mark or ResumeState(), name, waits, JsonCodec())
    await connection.open()
    table = TableApp(connection, connection.listen(), colours=colours or ThemeStore(theme="dark"))
    try:
        async with table.run_test(size=size) as pilot:
            await pilot.pause()
            yield TuiDriver(table, pilot, connection)
    finally:
        await connection.close()


class OtherPlayer:
    """Somebody with another client, who speaks JSON; ``game`` is the newest view they have.

    ``code`` brings them back, ``refused`` is the code of the latest refusal.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.room: dict[str, Any] = {}
        self.code = self.refused = ""
        self._heard = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    @classmethod
    @asynccontextmanager
    async def come(cls, port: int, name: str | None, room: str = "kitchen") -> AsyncIterator[Self]:
        """Enter a room, under a name unless they only watch."""
        protocols = [Subprotocol(JsonCodec.subprotocol)]
        async with connect(f"ws://{LOOPBACK}:{port}/t/{room}", subprotocols=protocols) as socket:
            friend = cls(socket)
            if name is not None:
                await friend.ask("name", name=name)
            try:
                yield friend
            finally:
                friend._task.cancel()

    async def say(self, text: str) -> None:
        """Talk."""
        await self.ask("say", text=text)

    async def ask(self, do: str, **more: object) -> None:
        """Send a command."""
        await self._socket.send(json.dumps({"do": do, **more}))

    @property
    def game(self) -> dict[str, Any]:
        """The view of the game."""
        return self.room.get("game") or {}

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the game is so."""
        async with asyncio.timeout(SCREEN_TIMEOUT_S):
            while not (self.game and wanted(self.game)):
                self._heard.clear()
                await self._heard.wait()

    async def on_turn(self) -> None:
        """Wait until it is their turn."""
        await self.until(lambda game: "place" in game["options"])

    async def _listen(self) -> None:
        try:
            async for frame in self._socket:
                told = json.loads(frame)
                self.room = told.get("room") or self.room
                self.refused = told["code"] if told["tell"] == "refused" else self.refused
                self.code = told.get("code", self.code) if told["tell"] == "name" else self.code
                self._heard.set()
        except ConnectionClosed:
            return


async def agree_and_start(alice: TuiDriver, bob: OtherPlayer, **settings: object) -> None:
    """Agree to the rules and begin; alice, who sat down first, is on turn."""
    await alice.until("bob")
    for setting, value in {"first-player": "seat", **settings}.items():
        await bob.ask("set", setting=setting, value=str(value))
    await bob.ask("ready")
    await alice.until("bob is ready")
    await alice.press("ctrl+y")
    await alice.until("your turn 1")


@asynccontextmanager
async def start_tui_game(
    port: int, size: tuple[int, int] = SMALL, **settings: object
) -> AsyncIterator[tuple[TuiDriver, OtherPlayer]]:
    """Alice at the table and bob at another client, in a game; alice is on turn."""
    async with open_tui(port, "alice", size) as alice, OtherPlayer.come(port, "bob") as bob:
        await agree_and_start(alice, bob, **settings)
        yield alice, bob
