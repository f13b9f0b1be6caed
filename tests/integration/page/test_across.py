"""A phone that is held across: all that a turn needs is there at once."""

from typing import Any, Final

import pytest

from tests.integration.page.page_games import overflow, sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer, violations

ACROSS: Final = [(844, 390), (667, 375), (932, 430), (844, 340)]
"""Small and large phones, and one whose browser keeps some of the height."""
UNSEEN: Final = """() => [...document.querySelectorAll(
        ".board, .play-area > .rack > *, .move-buttons > *, .player, .status, .bar > *")]
    .filter((it) => it.checkVisibility())
    .map((it) => [it.outerHTML.slice(0, 60), it.getBoundingClientRect()])
    .filter(([, box]) => box.top < 0 || box.left < 0 || box.bottom > innerHeight
        || box.right > innerWidth)
    .map(([html]) => html)"""
SMALL: Final = """(least) => [...document.querySelectorAll(".play-area > .rack *, .move-buttons *")]
    .filter((it) => it.matches("button") && it.checkVisibility())
    .filter((it) => Math.min(it.offsetWidth, it.offsetHeight) < least).length"""
LETTER: Final = "(it) => parseFloat(getComputedStyle(it).fontSize)"


def hold(browser: Browser, width: int, height: int) -> Any:
    """The page on a phone of this size in CSS pixels."""
    return browser.visit({"width": width, "height": height}, has_touch=True, is_mobile=True)


@pytest.mark.parametrize(("width", "height"), ACROSS)
def test_a_turn_is_played_without_scrolling(
    browser: Browser, server: PageServer, width: int, height: int
) -> None:
    ann = PagePlayer(hold(browser, width, height), "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    page = ann.begun().page
    assert page.evaluate(UNSEEN) == []
    assert not page.evaluate(SMALL, 40)
    play = ann.best()[0]
    for laid in play.laid:
        page.locator(f".play-area .rack button[aria-label^='{laid.letter.letter},']").first.tap()
        ann.cell(str(laid.square)).tap()
    page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
    assert page.evaluate(UNSEEN) == []
    letters = page.locator(".board .tile b")
    assert min(letters.nth(at).evaluate(LETTER) for at in range(letters.count())) >= 12
    ann.send(play)
    assert page.evaluate("scrollY") == 0
    assert overflow(page) <= 0
    assert not violations(page)


@pytest.mark.parametrize("at", ["15A", "8H", "1O"])
def test_a_finger_drags_a_tile_to_every_row(browser: Browser, server: PageServer, at: str) -> None:
    ann = PagePlayer(hold(browser, 844, 390), "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    page = ann.begun().page
    wire = page.context.new_cdp_session(page)
    tile = page.locator(".play-area .rack button").first.bounding_box()
    cell = ann.cell(at).bounding_box()
    x, middle = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    y = middle
    steps: tuple[tuple[str, list[dict[str, float]]], ...] = (
        ("touchStart", [{"x": tile["x"] + 20, "y": tile["y"] + 20}]),
        ("touchMove", [{"x": (tile["x"] + x) / 2, "y": (tile["y"] + y) / 2}]),
        ("touchMove", [{"x": x, "y": y}]),
        ("touchEnd", []),
    )
    for kind, points in steps:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_selector(f"[data-at='{at}'][data-tentative]")
    assert page.evaluate("scrollY") == 0


def test_two_fingers_enlarge_the_board(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(hold(browser, 844, 390), "ann").sit(f"{server.url}/t/kitchen")
    zoom = "document.querySelector('meta[name=viewport]').content"
    assert not {"user-scalable", "maximum-scale"} & set(
        ann.page.evaluate(zoom).replace("=", ",").split(",")
    )
    touch = "(it) => getComputedStyle(it).touchAction"
    for place in ("html", "body", ".board", "[data-at='8H']"):
        assert ann.page.locator(place).evaluate(touch) == "auto"


def test_a_phone_may_be_turned_in_the_middle_of_a_turn(
    browser: Browser, server: PageServer
) -> None:
    ann, _ = sit_down(browser, server)
    for at in range(12):
        ann.page.fill(".chat input", f"line {at}")
        ann.page.press(".chat input", "Enter")
        ann.wait(f"line {at}")
    ann.tap(play := ann.best()[0])
    for width, height in ((844, 390), (667, 375), (PHONE["width"], PHONE["height"])):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
        assert ann.page.locator("[data-tentative]").count() == len(play.laid)
        ann.page.wait_for_function(
            "(it) => it.scrollHeight - it.scrollTop - it.clientHeight < 2",
            arg=ann.page.query_selector(".log"),
        )
