"""A server in a thread, and people who sit at it in a real Chromium.

Everything that a browser complains of (errors, refused loads, violations of the page's policy) is
written down in :attr:`Browser.troubles`; a test that leaves some there fails.
"""

import asyncio
import contextlib
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import pytest

from crossroom_engine.core.board import Board, PlacedTile
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.placement import Placement, place
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter, multiset
from crossroom_engine.movegen import best
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_server import app as composition
from crossroom_server.app import App
from crossroom_server.config.settings import Settings
from tests.support.ports import free_port

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))),
    None,
)
"""The first has no windows to draw, which halves the processor time of a test."""
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1440, "height": 900}
RULES: Final = PRESETS["official"]
PAGE_TIMEOUT_MS: Final = 40_000
"""Milliseconds to wait for what must come."""
CONNECTION_LOST: Final = re.compile(
    "WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISC"
)
"""What a browser says when a server goes away; nothing to complain of where it does."""


class PageServer:
    """A server that can be stopped, and started again on the same port with the same games."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, **settings: Any) -> Self:
        begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(begun, settings)))
        self._thread.start()
        assert begun.wait(60)
        return self

    async def _serve(self, begun: threading.Event, settings: dict[str, Any]) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with App(Settings(self.folder, host="127.0.0.1", port=self.port, **settings)):
            begun.set()
            await self._end.wait()

    def stop(self) -> None:
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(60)
        self._loop = self._thread = None


@contextmanager
def run_page_server(folder: Path, dice: int) -> Iterator[PageServer]:
    """A server whose games are those that *dice* throw, however often they are played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composition, "SystemRandom", lambda: Random(dice))
        server = PageServer(folder).start()
        try:
            yield server
        finally:
            server.stop()


class Browser:
    """Chromium. ``troubles`` are the complaints since the last look."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self.troubles: list[str] = []
        self._open: list[Any] = []

    def visit(self, size: dict[str, int], **how: Any) -> Any:
        """A page in a profile of its own, so that another person may have it."""
        context = self._chromium.new_context(viewport=size, **how)
        context.set_default_timeout(PAGE_TIMEOUT_MS)
        self._open.append(context)
        return self.tab(context)

    def tab(self, context: Any) -> Any:
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        return page

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    def leave(self) -> None:
        for context in self._open:
            context.close()
        self._open.clear()


@contextmanager
def run_browser() -> Iterator[Browser]:
    """A browser, or a skip that says what is lacking."""
    api = pytest.importorskip("playwright.sync_api", reason="no playwright here")
    if CHROMIUM is None:
        pytest.skip("no chromium here (Debian: chromium)")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        browser = Browser(chromium)
        try:
            yield browser
        finally:
            browser.leave()
            chromium.close()


@cache
def axe() -> str:
    """The source of axe-core, or a skip that says so."""
    with contextlib.suppress(OSError):
        npm = ["npm", "root", "--global"]
        root = subprocess.run(npm, capture_output=True, text=True, check=False).stdout.strip()
        if (source := Path(root, "axe-core", "axe.min.js")).is_file():
            return source.read_text(encoding="utf-8")
    pytest.skip("no axe-core here (npm install --global axe-core)")


def violations(page: Any, where: str = "html") -> list[str]:
    """What axe finds wrong with a page, or a part of it, as it is now, in light and dark."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe())
    # The lower half of a board is the upper one again.
    part = f"{{include: [['{where}']], exclude: [['.board > :nth-child(n+10)']]}}"
    found = page.evaluate(f"axe.run({part})")["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(f"axe.run({part}, {{runOnly: ['color-contrast']}})")["violations"]
    page.emulate_media(color_scheme="light")
    return [
        f"{wrong['id']}: {node['html'][:150]} ({node['failureSummary'][:200]})"
        for wrong in found
        for node in wrong["nodes"]
    ]


class PagePlayer:
    """Somebody at a table, who sees nothing but the page."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name = page, name

    def sit(self, address: str) -> Self:
        self.page.goto(address)
        self.page.fill("dialog input", self.name)
        self.page.click("dialog button.main")
        self.page.wait_for_selector("[data-do=ready]")
        return self

    def ready(self) -> None:
        self.page.click("[data-do=ready]")

    def begun(self) -> Self:
        self.page.wait_for_selector(".rack:not([hidden]) button")
        return self

    @property
    def status(self) -> str:
        return str(self.page.inner_text(".status"))

    @property
    def is_to_move(self) -> bool:
        return bool(self.page.locator(".player[data-own][data-moving]").count())

    @property
    def rack(self) -> list[str]:
        labels = self.page.locator("section .rack button, .play-area > .rack button")
        texts = [labels.nth(at).get_attribute("aria-label") for at in range(labels.count())]
        return ["?" if text == "blank" else text.split(",")[0] for text in texts]

    def holds(self, tiles: str) -> None:
        """See these tiles on the rack, in whatever order, or soon."""
        for _ in range(500):
            if sorted(self.rack) == sorted(tiles):
                return
            self.page.wait_for_timeout(40)
        assert sorted(self.rack) == sorted(tiles)

    @property
    def log(self) -> list[str]:
        return [str(line) for line in self.page.locator(".log p").all_inner_texts()]

    @property
    def board(self) -> Board:
        """What lies on the board, tiles that were not sent aside."""
        lying = self.page.evaluate(
            "[...document.querySelectorAll('.square:not([data-tentative]) .tile')].map((tile) => "
            "[tile.parentElement.dataset.at, tile.querySelector('b').textContent,"
            " tile.classList.contains('blank')])"
        )
        squares = {square(at): Letter(letter, blank) for at, letter, blank in lying}
        return Board.empty(RULES.layout).with_letters(dict(squares))

    def best(self, n: int = 1) -> list[Placement]:
        """The best plays that this player has, as far as the page tells."""
        board = self.board
        found = best(RULES, board, multiset(self.rack), english_lexicon(), n)
        return [place(RULES, board, play.spot, play.text) for play in found]

    def any_two(self) -> Placement:
        """A first play, a word or not: there is one whatever the dice gave."""
        tiles = "".join([tile for tile in self.rack if tile != "?"][:2])
        return place(RULES, self.board, Spot.parse("8H"), tiles)

    def wait(self, text: str, where: str = ".log") -> None:
        self.page.wait_for_selector(f"{where} >> text={text}", state="attached")

    def type(self, play: Placement) -> None:
        """Type a play at the board, without a mouse."""
        self.page.keyboard.press("Escape")
        first = play.spot.square
        cell = self.cell(str(first))
        cell.focus()
        self.go(first)
        self.page.wait_for_selector(f".square[data-at='{first}'][data-cursor]")
        if (cell.get_attribute("data-cursor") == "across") != play.spot.across:
            self.page.keyboard.press("Space")
        on = "ArrowRight" if play.spot.across else "ArrowDown"
        for _ in range(len(play.text) - len(play.text.lstrip("."))):
            self.page.keyboard.press(on)
        for letter in (laid.letter for laid in sorted(play.laid)):  # tiles that lie are skipped
            self.page.keyboard.press(f"Shift+{letter.letter}" if letter.blank else letter.letter)

    def go(self, square: Square) -> None:
        """Make sure that the cursor is there: an arrow away and back."""
        there, back = ("ArrowLeft", "ArrowRight") if square.col else ("ArrowRight", "ArrowLeft")
        self.page.keyboard.press(there)
        self.page.keyboard.press(back)

    def tap(self, play: Placement) -> None:
        """Lay a play with a finger: a tile, its square."""
        for laid in play.laid:
            self.page.locator(
                f".play-area .rack button[aria-label^='{spoken(laid.letter)}']"
            ).first.click()
            self.cell(str(laid.square)).click()
            if laid.letter.blank:
                self.page.click(f"dialog .letter-keys button >> text='{laid.letter.letter}'")

    def drag(self, *tiles: PlacedTile) -> None:
        """Lay tiles with the mouse."""
        for laid in tiles:
            tile = self.page.locator(
                f".play-area .rack button[aria-label^='{spoken(laid.letter)}']"
            ).first
            tile.drag_to(self.cell(str(laid.square)))
            if laid.letter.blank:
                self.page.click(f"dialog .letter-keys button >> text='{laid.letter.letter}'")

    def cell(self, at: str) -> Any:
        return self.page.locator(f".square[data-at='{at}']")

    def send(self, play: Placement) -> None:
        """Wait until the page says what the play is worth, and send it."""
        self.page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
        self.page.click(".move-buttons .main")
        self.wait(f"{self.name} plays")
        self.page.wait_for_selector(".board:not(:has([data-tentative]))")  # and that it is drawn


def spoken(letter: Letter) -> str:
    return "blank" if letter.blank else f"{letter.letter},"


def square(at: str) -> Square:
    return Square(int(at[:-1]) - 1, ord(at[-1]) - ord("A"))


@cache
def english_lexicon() -> Lexicon:
    return catalog.open_lexicon("english")
