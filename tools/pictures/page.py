"""Pictures of the page, from a game that is really played: two people, best plays, some talk."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.support.browser import (
    DESK,
    PHONE,
    Browser,
    PagePlayer,
    PageServer,
    run_browser,
    run_page_server,
)

DICE: Final = 22
TALK: Final = {
    3: ("bob", "is that a word?"),
    6: ("ann", "it is now"),
    9: ("bob", "one more coffee"),
}
"""What is said after so many turns."""
TURNS: Final = 12


def page_desk(out: Path) -> None:
    """The table on a desk, light."""
    _draw(out, DESK, "light")


def page_phone(out: Path) -> None:
    """The table on a phone, dark, as sharp as phones are."""
    _draw(out, PHONE, "dark", device_scale_factor=2, has_touch=True)


def _draw(out: Path, size: dict[str, int], scheme: str, **how: Any) -> None:
    with (
        TemporaryDirectory() as folder,
        run_browser() as browser,
        run_page_server(Path(folder), DICE) as server,
    ):
        ann = _played(browser, server, browser.visit(size, color_scheme=scheme, **how))
        ann.tap(ann.best()[0])
        ann.page.wait_for_selector(".move-buttons .main:not([aria-disabled])")
        ann.page.evaluate("scrollTo(0, 0)")
        ann.page.wait_for_timeout(400)
        ann.page.screenshot(path=str(out))


def _played(browser: Browser, server: PageServer, page: Any) -> PagePlayer:
    address = f"{server.url}/t/kitchen"
    ann = PagePlayer(page, "ann").sit(address)
    bob = PagePlayer(browser.visit(DESK), "bob").sit(address)
    ann.wait("bob takes seat 2")
    ann.ready()
    bob.ready()
    players = {player.name: player.begun() for player in (ann, bob)}
    for turn in range(TURNS):
        mover, other = (ann, bob) if turn % 2 == 0 else (bob, ann)
        mover.page.wait_for_selector(".player[data-own][data-moving]")
        play = mover.best()[0]
        mover.tap(play)
        mover.send(play)
        other.page.wait_for_selector(".player[data-own][data-moving]")
        if turn in TALK:
            name, text = TALK[turn]
            players[name].page.fill(".chat input", text)
            players[name].page.click(".chat button")
            ann.wait(text)
    return ann
