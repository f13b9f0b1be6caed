"""What happens while somebody does something else: drags, types, chooses, or has a wrong clock."""

from typing import Final

from tests.integration.page.page_connections import PageConnections
from tests.integration.page.page_games import sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer

AN_HOUR_AHEAD = "{ const real = Date.now; Date.now = () => real() + 3_600_000; }"
FOCUSED: Final = "document.activeElement.dataset.at ?? document.activeElement.textContent"


def choose(player: PagePlayer, what: str) -> None:
    """Do what the menu has, and say yes when asked whether one is sure."""
    player.page.click("text=Menu")
    player.page.click(f"dialog >> text='{what}'")
    player.page.click("dialog button.main")


def resign(player: PagePlayer) -> None:
    choose(player, "Resign")


def test_a_clock_that_is_wrong_here_spoils_no_clock_of_the_game(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server)
    for player in (ann, bob):
        player.page.add_init_script(AN_HOUR_AHEAD)
        player.page.reload()
        player.begun()
        clocks = player.page.locator(".clock").all_inner_texts()
        assert all(clock.startswith(("0:0", "0:1", "0:2")) and len(clock) == 4 for clock in clocks)


def test_what_is_said_over_a_slow_line_is_said_once(browser: Browser, server: PageServer) -> None:
    page = browser.visit(PHONE)
    lines = PageConnections(page)
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    lines.holding_commands = True
    talk = ".chat input"
    page.fill(talk, "hello")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.type(talk, "are you")
    lines.release()
    ann.wait("hello")
    page.type(talk, " there")
    page.keyboard.press("Enter")
    ann.wait("are you there")
    assert [line for line in ann.log if line.startswith("ann:")] == [
        "ann: hello",
        "ann: are you there",
    ]
    lines.holding_commands = True
    page.fill(talk, "lost")
    page.keyboard.press("Enter")
    lines.wait_for_command("say", times=3)
    lines.cut()
    lines.wait_until_lost()
    assert page.input_value(talk) == "lost"


def test_what_a_challenge_risks_is_known_before_anybody_asks(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK)
    lines = PageConnections(page)
    bob = PagePlayer(browser.visit(PHONE), "bob").sit(f"{server.url}/t/kitchen")
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    bob.begun()
    bob.tap(play := bob.best()[0])
    bob.send(play)
    page.wait_for_selector(".move-buttons .challenge:not([hidden])")
    lines.wait_for_command("rules")
    page.wait_for_timeout(300)
    lines.holding_commands = True
    page.click(".move-buttons .challenge")
    page.wait_for_selector("dialog >> text=is not in the list")


def test_a_tile_in_the_hand_when_the_game_ends_is_put_nowhere(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.locator(".play-area .rack button").first.hover()
    ann.page.mouse.down()
    ann.cell("8H").hover()
    ann.page.wait_for_selector(".drag-ghost")
    resign(bob)
    ann.page.wait_for_selector(".result")
    ann.page.mouse.up()
    ann.page.wait_for_timeout(200)
    assert not ann.page.locator(".drag-ghost, [data-tentative], .drag-source, .drop-target").count()
    assert " on 8H" not in ann.page.inner_text("[aria-live=polite]")


def lay_a_blank(player: PagePlayer) -> None:
    """They are asked what it stands for."""
    player.page.locator(".rack button[aria-label=blank]").click()
    player.cell("8H").click()
    player.page.wait_for_selector("dialog .letter-keys button")


def test_a_blank_that_is_being_named_when_the_game_ends_is_put_nowhere(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server)
    lay_a_blank(bob)
    resign(ann)
    bob.wait("ann resigns")
    bob.page.wait_for_selector("dialog", state="detached")
    assert bob.page.evaluate(FOCUSED) == "8H"
    assert not bob.page.locator("[data-tentative]").count()
    assert " on 8H" not in bob.page.inner_text("[aria-live=polite]")


def test_a_blank_is_not_named_for_a_square_that_is_taken_meanwhile(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server)
    lay_a_blank(bob)
    ann.tap(play := ann.best()[0])
    ann.send(play)
    bob.page.wait_for_selector("dialog", state="detached")
    bob.cell("7H").click()
    bob.page.click("dialog .letter-keys button >> text='E'")
    bob.page.wait_for_selector("[data-at='7H'][data-tentative]")


def test_an_exchange_is_asked_about_no_longer_than_the_turn_lasts(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK)
    lines = PageConnections(page)
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(PHONE), "bob").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    ann.begun()
    ann.tap(play := ann.best()[0])
    page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
    lines.holding_commands = True
    page.click(".move-buttons .main")
    page.click("button >> text='Exchange'")
    page.wait_for_selector("dialog .picker")
    lines.release()
    page.wait_for_selector("dialog", state="detached")
    ann.wait("bob to move", where=".status")
    assert page.evaluate(FOCUSED) == "Exchange"


def test_tiles_that_lie_outlast_an_exchange_that_an_adjournment_ends(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    choose(ann, "Adjourn")
    ann.tap(play := ann.best()[0])
    ann.page.click("button >> text='Exchange'")
    ann.page.wait_for_selector("dialog .picker")
    bob.page.click(".offer button:has-text('Agree')")
    ann.page.wait_for_selector("dialog", state="detached")
    ann.page.wait_for_selector("[data-do=ready]")
    assert not ann.page.locator("[data-do=rules]").count(), "they cannot be changed"
    assert ann.page.evaluate(FOCUSED) == "Exchange"
    assert ann.page.locator("[data-tentative]").count() == len(play.laid)


def test_the_end_of_a_game_is_where_one_is_when_it_ended_what_was_asked(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.click("button >> text='Exchange'")
    ann.page.wait_for_selector("dialog .picker")
    resign(bob)
    ann.page.wait_for_selector("dialog", state="detached")
    assert ann.page.evaluate(FOCUSED).startswith("The game is over")


def test_a_menu_that_is_open_offers_nothing_that_is_over(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.click("text=Menu")
    entries = ann.page.locator("dialog .menu button:not(:disabled)")
    before = entries.all_inner_texts()
    resign(bob)
    ann.page.wait_for_selector("dialog button:disabled >> text='Resign'")
    gone = set(before) - set(entries.all_inner_texts())
    assert gone == {"Resign", "Abort", "Adjourn", "Tiles unseen"}


def test_a_resignation_is_asked_about_no_longer_than_the_game_lasts(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Resign'")
    ann.page.wait_for_selector("dialog >> text='You give up this game.'")
    bob.page.fill(".chat input", "shall we stop?")
    bob.page.press(".chat input", "Enter")
    ann.wait("shall we stop?")
    ann.page.wait_for_timeout(100)
    assert ann.page.locator("dialog").count()
    resign(bob)
    ann.page.wait_for_selector("dialog", state="detached")
    assert ann.page.evaluate(FOCUSED) == "Menu"


def test_rules_are_not_asked_about_once_the_game_has_begun(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = (
        PagePlayer(browser.visit(DESK), name).sit(f"{server.url}/t/kitchen")
        for name in ("ann", "bob")
    )
    ann.ready()
    ann.page.click("[data-do=rules]")
    ann.page.wait_for_selector("dialog [name=preset]")
    bob.ready()
    ann.page.wait_for_selector("dialog", state="detached")
    assert ann.begun().page.evaluate(FOCUSED) == "8H"
