"""What was under way when a line broke: questions, wishes, moves, and the way back itself."""

from typing import Any

import pytest

from tests.integration.page.page_connections import PageConnections, refused_notice
from tests.integration.page.page_games import forgive_lost_lines, sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer

LOST, OPEN = "body[data-connection=lost]", "body[data-connection=open]"


def come_back(page: Any, lines: PageConnections) -> None:
    lines.wait_until_lost()
    page.wait_for_selector(OPEN)


def sit_on_lines(
    browser: Browser, server: PageServer
) -> tuple[PagePlayer, PagePlayer, PageConnections]:
    """Ann and bob in a game; the lines are ann's."""
    page = browser.visit(PHONE)
    lines = PageConnections(page)
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    return ann.begun(), bob.begun(), lines


def test_a_name_that_is_being_typed_outlives_its_line(browser: Browser, server: PageServer) -> None:
    page = browser.visit(PHONE)
    lines = PageConnections(page)
    page.goto(f"{server.url}/t/kitchen")
    page.fill("dialog input", "an")
    for _ in range(2):
        lines.cut()
        come_back(page, lines)
        page.wait_for_timeout(300)
    assert page.input_value("dialog input") == "an"
    page.type("dialog input", "n")
    page.click("dialog button.main")
    page.wait_for_selector(".seats >> text=ann")


def test_a_password_that_is_being_typed_outlives_its_line(
    browser: Browser, server: PageServer
) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Lock the room'")
    ann.page.fill("dialog input", "sesame")
    ann.page.click("dialog button.main")
    ann.wait("locks")
    page = browser.visit(PHONE)
    lines = PageConnections(page)
    page.goto(f"{server.url}/t/kitchen")
    page.fill("dialog input", "sesa")
    lines.cut()
    come_back(page, lines)
    page.wait_for_timeout(300)
    assert page.input_value("dialog input") == "sesa"
    page.fill("dialog input", "sesame")
    lines.holding_notices = True
    page.click("dialog button.main")
    page.wait_for_timeout(300)
    lines.cut()
    lines.holding_notices = False
    page.wait_for_selector("dialog >> text='Your name'")
    assert page.url.endswith("/t/kitchen")
    page.fill("dialog input", "bob")
    page.click("dialog button.main")
    ann.wait("bob takes seat 2")
    assert [line for line in PagePlayer(page, "bob").log if "ann takes seat 1" in line]


def test_what_was_chosen_in_the_lobby_outlives_a_line(browser: Browser, server: PageServer) -> None:
    page = browser.visit(DESK)
    lines = PageConnections(page)
    lines.answer = lambda command: {"tell": "note"} if command["do"] == "name" else None
    page.goto(server.url)
    page.click("#create > summary")
    page.fill("#your-name", "ann")
    page.fill("#table-name", "kitchen")
    page.click("summary >> text='Rules and bots'")
    page.select_option("[name=preset]", "race")
    page.click("button >> text='Create room'")
    page.wait_for_selector(OPEN)
    lines.wait_for_command("name")
    page.wait_for_selector("[data-do=invite]")
    assert not page.locator("[data-do=sit]").count(), "it is under way"
    lines.answer = lambda command: None
    lines.cut()
    PagePlayer(page, "ann").wait("ann sets preset to race")
    assert not page.locator("dialog").count()


def test_a_play_whose_answer_was_lost_counts_once_and_is_shown(
    browser: Browser, server: PageServer
) -> None:
    ann, bob, lines = sit_on_lines(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
    lines.holding_notices = True
    ann.page.click(".move-buttons .main")
    bob.wait("ann plays")
    lines.cut()
    ann.page.wait_for_selector(".status:has-text('The line broke before an answer came')")
    lines.holding_notices = False
    ann.wait("ann plays")
    ann.page.wait_for_selector(".status:has-text('bob to move')")
    assert len([line for line in bob.log if "ann plays" in line]) == 1


def test_what_happened_before_the_seat_was_found_again_is_told(
    browser: Browser, server: PageServer
) -> None:
    ann, bob, lines = sit_on_lines(browser, server)
    lines.holding_commands = True
    for text in ("one", "two", "three"):
        if text == "one":
            lines.cut()
            lines.wait_until_lost()
        if text == "three":  # which is told to whoever watches
            ann.page.wait_for_selector(OPEN)
        bob.page.fill(".chat input", text)
        bob.page.keyboard.press("Enter")
        bob.wait(text)
    ann.page.wait_for_timeout(300)
    lines.release()
    ann.wait("three")
    told = [line for line in ann.log if line.startswith("bob:")]
    assert told == ["bob: one", "bob: two", "bob: three"]


def test_a_seat_that_cannot_be_had_yet_is_asked_for_again(
    browser: Browser, server: PageServer
) -> None:
    ann, bob, lines = sit_on_lines(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    lines.answer = lambda told: refused_notice("SHUTTING_DOWN") if told["do"] == "resume" else None
    lines.cut()
    ann.page.wait_for_selector(".status:has-text('not now')")
    ann.page.wait_for_timeout(4_000)
    lines.wait_for_command("resume", times=2)
    assert 2 <= [told["do"] for told in lines.commands].count("resume") <= 6, "ever more rarely"
    assert ann.page.is_visible(".rack")
    assert ann.page.locator("[data-tentative]").count() == len(play.laid)
    lines.answer = lambda told: None
    ann.send(play)
    bob.wait("ann plays")


def test_a_page_that_wakes_while_it_comes_back_is_patient(
    browser: Browser, server: PageServer
) -> None:
    ann, _, lines = sit_on_lines(browser, server)
    lines.holding_notices = True
    lines.cut()
    come_back(ann.page, lines)
    ann.page.evaluate("dispatchEvent(new Event('pageshow'))")
    lines.wait_for_command("ping")
    lines.release()
    ann.page.evaluate(
        "window.lost = 0; new MutationObserver(() => lost++)"
        ".observe(document.body, {attributeFilter: ['data-connection']})"
    )
    ann.page.wait_for_timeout(5_500)
    assert ann.page.evaluate("lost") == 0


def test_a_network_that_goes_is_felt_at_once(browser: Browser, server: PageServer) -> None:
    page = browser.visit(PHONE)
    lines = PageConnections(page)
    PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    page.evaluate("dispatchEvent(new Event('offline'))")
    lines.wait_for_command("ping")


@pytest.mark.parametrize(("seconds", "event"), [(26, "blur"), (6, "online")])
def test_a_line_that_never_opens_is_given_up(
    browser: Browser, server: PageServer, seconds: int, event: str
) -> None:
    page = browser.visit(PHONE)
    page.clock.install()
    page.add_init_script(
        """const Real = WebSocket;
        let opened = 0;
        WebSocket = class {
            static OPEN = 1;
            constructor(...how) {
                return opened++ ? new Real(...how) : { addEventListener() {}, close() {} };
            }
        };"""
    )
    page.goto(f"{server.url}/t/kitchen")
    page.wait_for_selector(".square")
    page.clock.run_for(seconds * 1_000)
    page.evaluate(f"dispatchEvent(new Event('{event}'))")
    page.clock.run_for(1_000)
    page.wait_for_selector(OPEN)
    page.wait_for_selector("dialog input")


def test_tiles_that_lie_while_the_line_is_down_are_not_called_wrong(
    browser: Browser, server: PageServer
) -> None:
    ann, _ = sit_down(browser, server)
    server.stop()
    ann.page.wait_for_selector(LOST)
    ann.tap(ann.best()[0])
    ann.page.wait_for_timeout(1_500)  # it has tried to come back, and drawn that it has not
    assert ann.status == "\u2026"
    ann.page.click(".move-buttons .main")
    ann.page.wait_for_selector(".status:has-text('nothing was sent')")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Rules'")
    ann.page.wait_for_selector("dialog .lines >> text=No connection")
    browser.leave()
    forgive_lost_lines(browser)


def test_whoever_stays_away_is_asked_again(browser: Browser, server: PageServer) -> None:
    ann, _ = sit_down(browser, server, DESK, DESK)
    second = PagePlayer(browser.tab(ann.page.context), "ann")
    second.page.goto(f"{server.url}/t/kitchen")
    second.begun()
    ann.page.click("dialog >> text='Not now'")
    ann.page.bring_to_front()  # a tab that nobody sees draws once a second
    play = ann.best()[0]
    ann.tap(play)
    ann.page.click(".move-buttons .main")
    ann.page.click("dialog >> text='Play here'")
    ann.send(play)


def test_each_tab_keeps_to_its_own_seat(browser: Browser, server: PageServer) -> None:
    first = browser.visit(DESK)
    lines = PageConnections(first)
    first.goto(f"{server.url}/t/kitchen")
    first.click("dialog >> text='Just watch'")
    ann = PagePlayer(browser.tab(first.context), "ann").sit(f"{server.url}/t/kitchen")
    lines.cut()
    come_back(first, lines)
    first.wait_for_selector("[data-do=sit]")
    first.click("[data-do=sit]")
    first.fill("dialog input", "bob")
    first.click("dialog button.main")
    for player in (ann, bob := PagePlayer(first, "bob")):
        player.page.wait_for_selector("[data-do=ready]")
        player.page.reload()
        player.page.wait_for_selector(f".log >> text={player.name} takes seat")
        player.ready()
    for player in (ann, bob):
        player.begun()
        assert player.page.inner_text(".player[data-own]").startswith(player.name)


def test_a_tile_tapped_after_the_page_was_loaded_again_waits_for_a_square(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    mover = ann if ann.is_to_move else bob
    mover.page.reload()
    mover.page.wait_for_selector(".play-area .rack button")
    mover.page.wait_for_selector(".move-buttons button")
    mover.page.locator(".play-area .rack button").first.click()
    mover.page.wait_for_selector(".play-area .rack button[aria-pressed='true']")
    assert not mover.page.locator("[data-tentative], [data-cursor]").count()
