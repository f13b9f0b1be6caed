"""The host's page, in a browser: what it shows, and its buttons."""

import pytest

from crossroom_clients.cli.admin import connect_console
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer, violations


def console(server: PageServer, line: str) -> list[str]:
    with connect_console(server.folder) as reached, reached.makefile("rw") as wire:
        wire.write(f"{line}\n")
        wire.flush()
        return [told.rstrip("\n")[2:] for told in wire if told.startswith("- ")]


def test_the_host_looks_around_and_keeps_order(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    address, _ = console(server, "page")
    host = browser.visit(PHONE)
    host.goto(address)
    host.wait_for_selector("text=kitchen: 1 connected")
    host.wait_for_selector("#status >> text=health: ok")
    assert not violations(host)
    host.fill("#announce input", "a pause at ten")
    host.click("#announce button")
    ann.wait("the host says: a pause at ten")
    host.fill("#ban input", "203.0.113.0/24")
    host.click("#ban button")
    host.wait_for_selector("#bans >> text=203.0.113.0/24")
    host.click("#bans button")
    host.wait_for_selector("#bans >> text=None.")
    host.click("article button:has-text('Look')")
    host.wait_for_selector("#told:has-text('at the table: ann')")
    console(server, "page off")
    host.fill("#command input", "rooms")
    host.click("#command button")
    host.wait_for_selector("#state:has-text('no longer valid')")


@pytest.mark.parametrize("way", ["", "/t/kitchen"])
def test_an_invited_friend_comes_into_a_private_server(
    browser: Browser, server: PageServer, way: str
) -> None:
    server.stop()
    server.start(private=True)
    page, _, *_ = console(server, "invite 3 for bob")
    link = page.replace("/#", f"{way}/#" if not way else f"{way}#")
    stranger = browser.visit(DESK)
    stranger.goto(f"{server.url}/t/kitchen")
    stranger.wait_for_selector("dialog:has-text('Locked')")
    friend = browser.visit(PHONE)
    friend.goto(link)
    friend.wait_for_url(lambda url: "#" not in url)
    for room in ("kitchen", "attic"):
        friend.goto(f"{server.url}/t/{room}")
        friend.wait_for_selector("dialog:has-text('Your name')")
