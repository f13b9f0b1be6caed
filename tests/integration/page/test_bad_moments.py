"""Servers that stop, lines that die or lag, pages that are loaded again, second tabs."""

from typing import Any

from tests.integration.page.page_connections import PageConnections
from tests.integration.page.page_games import forgive_lost_lines, sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer
from tests.support.delayed_socket import delayed_socket_in_thread


def test_the_server_stops_and_nothing_is_lost(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.page.wait_for_selector(".status:has-text('points')")
    server.stop()
    ann.page.wait_for_selector("body[data-connection=lost]")
    assert ann.page.locator("[data-tentative]").count() == len(play.laid)
    server.start()
    ann.page.wait_for_selector("body[data-connection=open]")
    bob.page.wait_for_selector("body[data-connection=open]")
    ann.page.wait_for_selector(".move-buttons .main:not([aria-disabled])")
    assert ann.page.locator("[data-tentative]").count() == len(play.laid)
    ann.send(play)
    bob.wait("ann plays")
    bob.page.fill(".chat input", "still here")
    bob.page.click(".chat button")
    ann.wait("still here")
    seen = ann.page.evaluate(
        "[...document.querySelectorAll('.log [data-seq]')].map((l) => l.dataset.seq)"
    )
    assert len(seen) >= 6
    forgive_lost_lines(browser)


def test_a_line_that_died_in_its_sleep_is_found_out(browser: Browser, server: PageServer) -> None:
    page, lines, dead = browser.visit(PHONE), list[Any](), set[Any]()

    def carry(line: Any) -> None:
        far = line.connect_to_server()
        lines.append(line)
        line.on_message(lambda text: None if line in dead else far.send(text))
        far.on_message(lambda text: None if line in dead else line.send(text))

    page.route_web_socket("**", carry)
    page.clock.install()
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    ann.begun()
    dead.add(lines[0])
    play = ann.best()[0]
    ann.tap(play)
    page.clock.run_for(1_000)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(6_000)
    page.wait_for_selector("body[data-connection=open]")
    page.wait_for_selector(".move-buttons .main:not([aria-disabled])")
    assert len(lines) == 2
    ann.send(play)
    bob.wait("ann plays")


def test_tiles_laid_before_the_seat_is_found_again_are_tried_after(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK)
    lines = PageConnections(page)
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(PHONE), "bob").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    ann.begun()
    lines.holding_notices = True
    lines.cut()
    lines.wait_until_lost()
    page.wait_for_selector("body[data-connection=open]")
    play = ann.best()[0]
    ann.type(play)
    page.wait_for_timeout(500)  # it would have been asked, and refused, by now
    assert page.is_visible(".rack")
    lines.release()
    ann.send(play)
    bob.wait("ann plays")


def test_a_slow_line_takes_a_move_once(browser: Browser, server: PageServer) -> None:
    with delayed_socket_in_thread(server.port) as lag:
        ann = PagePlayer(browser.visit(PHONE), "ann").sit(f"http://127.0.0.1:{lag.port}/t/kitchen")
        bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
        ann.ready()
        bob.ready()
        ann.begun()
        lag.seconds = 1.0
        play = ann.best()[0]
        ann.tap(play)
        send = ann.page.locator(f".move-buttons .main:has-text('Play {play.points}')")
        send.wait_for()
        lag.is_held = True
        send.click()
        ann.page.wait_for_selector(".status:has-text('Sending')")
        send.click()
        lag.release()
        bob.wait("ann plays")
        ann.page.wait_for_selector(".status:has-text('bob to move')")
        ann.page.wait_for_timeout(2_500)  # a second answer would be here by now
        assert ann.status == "bob to move"
        assert ann.page.get_attribute("body", "data-connection") == "open"
        browser.leave()


def test_a_page_that_is_loaded_again_has_everything(browser: Browser, server: PageServer) -> None:
    ann, _ = sit_down(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.page.wait_for_selector(".status:has-text('points')")
    before = ann.log
    ann.page.reload()
    ann.begun()
    ann.page.wait_for_selector(f".move-buttons .main:has-text('Play {play.points}')")
    assert ann.page.locator("[data-tentative]").count() == len(play.laid)
    ann.wait("game 1 begins")
    assert [line for line in ann.log if "begins" in line] == [
        line for line in before if "begins" in line
    ]


def test_a_second_tab_takes_the_seat_and_gives_it_back(
    browser: Browser, server: PageServer
) -> None:
    ann, _ = sit_down(browser, server, DESK, DESK)
    second = PagePlayer(browser.tab(ann.page.context), "ann")
    second.page.goto(f"{server.url}/t/kitchen")
    second.begun()
    ann.page.wait_for_selector("dialog >> text='Playing in another tab'")
    ann.page.wait_for_timeout(1_500)  # nobody fights over it
    assert second.page.get_attribute("body", "data-connection") == "open"
    ann.page.click("dialog >> text='Play here'")
    second.page.wait_for_selector("dialog >> text='Playing in another tab'")
    ann.page.wait_for_selector("body[data-connection=open]")
    ann.holds("AEIMORV")
