"""The page of a finished game in a real browser: stepping through it, by mouse and by keyboard."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, ViewportSize, async_playwright

from crossroom_server.app import App
from tests.integration.test_archive_pages import play
from tests.support.browser import CHROMIUM, FLAGS, PHONE
from tests.support.server import LOOPBACK, run_server

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.slow,
]


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await browser.new_page(
            viewport=ViewportSize(width=PHONE["width"], height=PHONE["height"])
        )
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        yield page
        await browser.close()
        assert not faults


async def test_a_game_is_stepped_through(app: App, page: Page) -> None:
    path = await play(app, "/register", said=["/play 8D {rack}", "/challenge"])
    await page.goto(f"http://{LOOPBACK}:{app.port}{path}")
    tiles, told = page.locator("#board .tile"), page.locator("#description")
    assert await tiles.count() == 0, "the play was taken back"
    assert await told.inner_text() == "Turn 2, bob: resigned, 0 points, 0 in all"
    assert await page.evaluate("document.documentElement.scrollWidth") == 390

    await page.get_by_role("button", name="before the first move").click()
    assert await told.inner_text() == "Before the first move"
    await page.get_by_role("button", name="one move on").click()
    assert await tiles.count() == 7
    assert await page.locator("#board .tile.latest").count() == 7
    assert int(await page.locator("#score0").inner_text()) > 0

    await page.get_by_role("slider", name="Move").press("ArrowRight")
    assert "bob: challenge" in await told.inner_text()
    await page.keyboard.press("ArrowRight")
    assert "ann: taken back" in await told.inner_text()
    assert await tiles.count() == 0
    assert await page.locator("#score0").inner_text() == "0"
    spoken = await page.get_by_role("slider").get_attribute("aria-valuetext")
    assert spoken == await told.inner_text()

    await page.get_by_role("button", name="8D ").click()
    assert await page.locator("[aria-current=step]").inner_text()
    assert await tiles.count() == 7


async def test_the_colours_are_those_chosen_at_a_table(app: App, page: Page) -> None:
    path = await play(app)
    colour = "getComputedStyle(document.documentElement).colorScheme"
    await page.goto(f"http://{LOOPBACK}:{app.port}{path}")
    assert await page.evaluate(colour) == "light"
    await page.evaluate("localStorage.setItem('crossroom theme', '\"dark\"')")
    for there in (path, "/r/kitchen"):
        await page.goto(f"http://{LOOPBACK}:{app.port}{there}")
        assert await page.evaluate(colour) == "dark"


async def test_without_a_script_there_is_nothing_that_does_nothing(app: App, page: Page) -> None:
    path = await play(app)
    browser = page.context.browser
    assert browser is not None
    bare = await browser.new_page(java_script_enabled=False)
    await bare.goto(f"http://{LOOPBACK}:{app.port}{path}")
    assert await bare.get_by_role("button").count() == 0
    assert await bare.get_by_role("table", name="The board").is_visible()
    assert await bare.get_by_role("table", name="Moves").is_visible()
    await bare.close()
