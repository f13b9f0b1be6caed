"""What fits on a phone and a desk, and what axe says of it."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from crossroom_engine.core import data
from crossroom_engine.words.lexicon import pack_words
from tests.integration.page.page_connections import PageConnections, refused_notice
from tests.integration.page.page_games import overflow, sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer, violations

GIANT: Final = ("*" + "." * 20, *("." * 21 for _ in range(20)))


@pytest.mark.parametrize("server", [63], indirect=True)
def test_four_players_on_the_largest_board_with_tiles_of_two_letters(
    browser: Browser, server: PageServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tiles = data.tileset("spanish")
    (tmp_path / "lexica").mkdir()
    words = pack_words([("C", "A", "S", "A")], tiles.letters, {})
    (tmp_path / "lexica" / "palabras.lex").write_bytes(words)
    shutil.copytree(data._FOLDER, tmp_path / "data")
    (tmp_path / "data" / "layouts" / "giant.txt").write_text("\n".join(GIANT))
    monkeypatch.setattr(data, "_FOLDER", tmp_path / "data")

    names = ("ann", "bob", "Wilhelmina-the-Great", "x" * 20)
    sizes = (PHONE, DESK, PHONE, DESK)
    players = [
        PagePlayer(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for name, size in zip(names, sizes, strict=True)
    ]
    ann, bob = players[:2]
    ann.page.click("[data-do=rules]")
    ann.page.click("dialog summary")
    for setting, value in (("layout", "giant"), ("tiles", "spanish"), ("lexicon", "palabras")):
        ann.page.select_option(f"#set-{setting}", value)
    ann.page.click("dialog button.main")
    bob.wait("sets lexicon to palabras")
    for player in players:
        player.ready()
    mover = next(player for player in players if player.begun().is_to_move)
    assert {"C", "CH", "O"} <= set(mover.rack)
    mover.page.locator(".square[data-at='1A']").click()
    for key in "CCHO":
        mover.page.keyboard.press(key)
    mover.page.wait_for_selector(".status:has-text('C[CH]O:')")
    mover.page.keyboard.press("Escape")
    mover.page.locator(".square[data-at='1A']").click()
    for key in "CHO":
        mover.page.keyboard.press(key)
    mover.page.wait_for_selector(".status:has-text('points')")
    mover.page.keyboard.press("Enter")
    for player in players:
        player.wait(f"{mover.name} plays 1A across CHO")
        assert (
            player.cell("1A").get_attribute("aria-label") == "1A, CH, 5 points, of the latest play"
        )
        assert player.page.locator(".square").count() == 21 * 21
        assert overflow(player.page) <= 0
        if player is not mover:
            assert len(player.rack) == 7


WRITTEN_TO: Final = """(place) => {
    const text = new Range();
    text.selectNodeContents(place);
    return text.getBoundingClientRect().right;
}"""


def test_four_long_scores_and_clocks_fit_a_phone(browser: Browser, server: PageServer) -> None:
    sizes = (PHONE, DESK, DESK, DESK)
    ann, *others = (
        PagePlayer(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for size, name in zip(sizes, ("ann", "bob", "cat", "dan"), strict=True)
    )
    ann.page.click("[data-do=rules]")
    ann.page.click("dialog summary")
    ann.page.uncheck(".field:has(#set-clock) [type=checkbox]")
    ann.page.fill("#set-clock", "7200")
    ann.page.click("dialog button.main")
    others[0].wait("sets clock to 7200")
    for player in (ann, *others):
        player.ready()
    ann.begun()
    for card in ann.page.locator(".player").all():
        card.locator(".score").evaluate("(score) => { score.textContent = '348'; }")
        edge = card.evaluate("(card) => card.getBoundingClientRect().right")
        assert card.locator(".clock").evaluate(WRITTEN_TO) < edge - 2


def test_a_refusal_is_seen_on_a_phone_whatever_stands_above_it(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit({**PHONE, "height": 640})
    lines = PageConnections(page)
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    lines.answer = lambda told: refused_notice("NO_LEXICON") if told["do"] == "ready" else None
    ann.ready()
    page.wait_for_selector(".status:has-text('not now')")
    page.wait_for_timeout(100)
    box = page.locator(".status").bounding_box()
    assert 0 <= box["y"] <= 640 - box["height"]


def test_what_is_read_in_a_dialog_fits_a_phone(browser: Browser, server: PageServer) -> None:
    ann, _ = sit_down(browser, server)
    for sheet in ("Rules", "Keys", "People", "Ratings", "My games", "Tiles unseen"):
        ann.page.click("text=Menu")
        ann.page.click(f"dialog >> text='{sheet}'")
        ann.page.wait_for_selector("dialog:not(:has(.preferences))")
        wide = "[...document.querySelectorAll('dialog, dialog .lines')]"
        assert not ann.page.evaluate(f"{wide}.filter((it) => it.scrollWidth > it.clientWidth)")
        ann.page.keyboard.press("Escape")


def test_squares_differ_where_a_system_replaces_colours(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK, forced_colors="active")
    bob = PagePlayer(browser.visit(PHONE), "bob").sit(f"{server.url}/t/kitchen")
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    ann.begun()
    colours = [
        ann.cell(square).evaluate("square => getComputedStyle(square).backgroundColor")
        for square in ("1A", "2B", "1D", "2F", "1B")
    ]
    assert len(set(colours)) == len(colours)


def test_one_point_is_one(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server)
    ann.tap(play := ann.best()[0])
    ann.send(play)
    bob.page.locator(".rack button[aria-label=blank]").click()
    bob.cell("7H").click()
    bob.page.click("dialog .letter-keys button >> text='E'")
    bob.page.wait_for_selector(".status:has-text(': 1 point')")
    assert bob.status.endswith(": 1 point")


def test_axe_finds_nothing(browser: Browser, server: PageServer) -> None:
    lobby = browser.visit(DESK)
    lobby.goto(server.url)
    lobby.click("#create > summary")
    lobby.click("summary >> text='Rules and bots'")
    lobby.click("summary >> text='Every single rule'")
    assert not violations(lobby)
    ann = PagePlayer(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.wait_for_selector(".add-bot")
    assert not violations(ann.page, ".left")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    ann.begun()
    ann.tap(ann.best()[0])
    bob.begun()
    for page in (ann.page, bob.page):
        assert not violations(page)
    for opener in ("Menu", "Exchange", "Invite", "Pass"):
        ann.page.click(f"button >> text='{opener}'")
        ann.page.wait_for_selector("dialog")
        assert not violations(ann.page, "dialog"), opener
        ann.page.keyboard.press("Escape")
    bob.page.locator(".rack button[aria-label=blank]").click()
    bob.cell("8H").click()
    bob.page.wait_for_selector("dialog .letter-keys button")
    assert not violations(bob.page, "dialog")


SCROLLED: Final = "document.querySelector('.board-frame').scrollLeft"


def test_a_large_board_is_enlarged_on_a_phone_and_scrolled(
    browser: Browser, server: PageServer
) -> None:
    sizes = ({**PHONE, "height": 664}, DESK)
    ann, bob = (
        PagePlayer(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for size, name in zip(sizes, ("ann", "bob"), strict=True)
    )
    bob.page.click("[data-do=rules]")
    bob.page.select_option("dialog [name=preset]", "super")
    bob.page.click("dialog button.main")
    ann.wait("sets preset to super")
    for player in (ann, bob):
        player.ready()
    page = ann.begun().page
    page.wait_for_function(f"{SCROLLED} > 50")  # the first square is in the middle
    box = ann.cell("11K").bounding_box()
    assert box["width"] >= 24
    assert not bob.page.locator(".enlarge").is_visible()
    page.locator(".play-area .rack button").first.hover()
    page.mouse.down()
    frame = page.locator(".board-frame").bounding_box()
    for step in range(40):  # a tile that is held at the edge
        page.mouse.move(frame["x"] + 8 + step % 2, box["y"])
    page.wait_for_function(f"{SCROLLED} === 0")
    page.mouse.up()
    assert overflow(page) <= 0
    page.click(".enlarge")
    page.wait_for_selector(".board:not([data-enlarged])")
    assert ann.cell("1U").bounding_box()["x"] < PHONE["width"]
    page.reload()
    page.wait_for_selector(".enlarge[title='Enlarge the board']")
