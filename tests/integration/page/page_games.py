"""What people do at a table before a test of the page looks on."""

from dataclasses import replace
from itertools import permutations
from typing import Any

from crossroom_engine.core.board import PlacedTile
from crossroom_engine.core.placement import Placement
from tests.support.browser import (
    CONNECTION_LOST,
    DESK,
    PHONE,
    Browser,
    PagePlayer,
    PageServer,
    english_lexicon,
)


def sit_down(browser: Browser, server: PageServer, *sizes: Any) -> tuple[PagePlayer, PagePlayer]:
    """Ann and bob at a table, in a game that has begun."""
    ann, bob = (
        PagePlayer(browser.visit(size or DESK), name).sit(f"{server.url}/t/kitchen")
        for name, size in zip(("ann", "bob"), sizes or (PHONE, DESK), strict=True)
    )
    ann.wait("bob takes seat 2")
    for player in (ann, bob):
        player.ready()
    return ann.begun(), bob.begun()


def with_blank(plays: list[Placement]) -> Placement:
    return next(play for play in plays[::-1] if any(laid.letter.blank for laid in play.laid))


def phony(play: Placement) -> tuple[Placement, str]:
    """The tiles of a play in another order, so that its main word is none."""
    letters = [laid.letter for laid in play.laid]
    for order in permutations(letters):
        word = "".join(str(letter) for letter in order)
        if "." not in play.text and word not in english_lexicon():
            laid = tuple(
                PlacedTile(was.square, letter) for was, letter in zip(play.laid, order, strict=True)
            )
            return replace(play, text=word, laid=laid), word
    raise AssertionError("no phony")


def overflow(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def forgive_lost_lines(browser: Browser) -> None:
    browser.troubles = [told for told in browser.troubles if not CONNECTION_LOST.search(told)]
