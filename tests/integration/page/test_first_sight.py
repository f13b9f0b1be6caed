"""What is seen before the script has run, and that nothing moves when it has."""

from typing import Any, Final

import pytest

from tests.integration.page.page_games import sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer

SHIFTS: Final = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value;
    }).observe({type: "layout-shift", buffered: true});
"""
OTHER_BOARD: Final = """
    new MutationObserver((_, observer) => {
        const board = document.querySelector(".board");
        if (!board) return;
        observer.disconnect();
        board.dataset.layout = "another";
    }).observe(document, {childList: true, subtree: true});
"""
DRAWN: Final = "document.querySelector('.board').outerHTML.replaceAll(' \"', '\"')"


def test_the_board_is_there_while_the_line_is_not(browser: Browser, server: PageServer) -> None:
    page = browser.visit(PHONE)
    page.add_init_script("WebSocket = class extends EventTarget { close() {} }")
    page.goto(f"{server.url}/t/kitchen")
    assert page.locator(".square").count() == 225
    assert page.locator(".board").bounding_box()["width"] > 300
    assert page.get_attribute("main", "aria-busy") == "true"
    page.wait_for_selector(".connection >> text=Connecting")


def test_the_squares_that_come_with_the_page_are_those_the_script_makes(
    browser: Browser, server: PageServer
) -> None:
    pages = browser.visit(DESK), browser.visit(DESK)
    pages[1].add_init_script(OTHER_BOARD)
    for page in pages:
        page.goto(f"{server.url}/t/kitchen")
        page.wait_for_selector(".square[aria-label='8H, start, double word'][tabindex='0']")
    taken_over, made = (page.evaluate(DRAWN) for page in pages)
    assert made.replace(' style="--cols: 15;"', "") == taken_over


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_moves_when_the_rest_comes(
    browser: Browser, server: PageServer, size: dict[str, int]
) -> None:
    page = browser.visit(size)
    page.add_init_script(SHIFTS)
    for path, there in (("/", ".quick-start button"), ("/t/kitchen", "dialog")):
        page.goto(server.url + path)
        page.wait_for_selector(there)
        page.wait_for_timeout(300)
        assert page.evaluate("shifted") < 0.02, path
    ann, _ = sit_down(browser, server, size, DESK)
    ann.page.add_init_script(SHIFTS)
    ann.page.reload()
    ann.begun()
    ann.page.wait_for_timeout(300)
    assert ann.page.evaluate("shifted") < 0.1, "back in a game"


def test_without_script_one_reads_how_to_join(browser: Browser, server: PageServer) -> None:
    page: Any = browser.visit(PHONE, java_script_enabled=False)
    page.goto(f"{server.url}/t/kitchen")
    page.click("summary")
    assert "crossroom join ws://" in page.locator("noscript pre").inner_text()
    assert not page.locator(".board").is_visible(), "nobody could play on it"
    page.goto(server.url)
    assert page.locator("#rooms").is_visible()
    assert not page.locator(".begin").is_visible()


def test_colours_chosen_here_hold_before_anything_is_drawn(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK, color_scheme="light")
    page.goto(server.url)
    page.select_option("footer select", "dark")
    page.route("**/room.js", lambda route: route.abort())
    page.goto(f"{server.url}/t/kitchen")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    browser.troubles = [told for told in browser.troubles if "ERR_FAILED" not in told]


def test_everything_one_taps_is_large_enough(browser: Browser, server: PageServer) -> None:
    ann, _ = sit_down(browser, server)
    PagePlayer(browser.visit(DESK), "cat").page.goto(f"{server.url}/t/kitchen")
    small = """() => [...document.querySelectorAll("button, select, input, summary, a")]
        .filter((it) => it.checkVisibility() && !it.closest(".sr-only, p"))
        .map((it) => [it.outerHTML.slice(0, 80), (it.type === "checkbox" ? it.parentElement : it)
            .getBoundingClientRect()])
        .filter(([, box]) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
        .map(([html, box]) => `${html} ${box.width} x ${box.height}`)"""
    found = ann.page.evaluate(small)
    ann.page.click("text=Menu")
    found += ann.page.evaluate(small)
    ann.page.goto(server.url)
    ann.page.wait_for_selector(".quick-start button")
    found += ann.page.evaluate(small)
    assert found == []
