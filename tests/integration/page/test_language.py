"""A table at which one reads German and the other English."""

from tests.integration.page.page_games import overflow
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer


def test_each_reads_the_page_in_their_language(browser: Browser, server: PageServer) -> None:
    anna = browser.visit(PHONE, locale="de-DE")
    anna.goto(server.url)
    anna.click("#create > summary")
    assert anna.inner_text("form.start .main") == "Raum anlegen"
    assert anna.get_attribute("#table-name", "autocapitalize") == "none", "no text, no translation"
    anna.fill("#your-name", "anna")
    anna.fill("#table-name", "kitchen")
    anna.click("form.start .main")
    anna.wait_for_selector("[data-do=ready] >> text=Bereit")
    assert overflow(anna) <= 0
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    anna.wait_for_selector(".log >> text=bob nimmt Platz 2")
    anna.click("[data-do=ready]")
    bob.wait("anna is ready")
    bob.ready()
    anna.wait_for_selector(".log >> text=Partie 1 beginnt")
    anna.wait_for_selector(".move-buttons >> text=Tauschen")
    assert overflow(anna) <= 0
    bob.page.fill(".chat input", "Is this seat taken?")
    bob.page.press(".chat input", "Enter")
    anna.wait_for_selector(".log >> text=bob: Is this seat taken?")
    anna.click("header.bar >> text=Menü")
    assert overflow(anna) <= 0
    anna.select_option("dialog select:has(option[lang=de])", "en")
    anna.wait_for_selector(".move-buttons >> text=Exchange")
    anna.wait_for_selector(".log >> text=game 1 begins")
    assert anna.evaluate("document.documentElement.lang") == "en"
    anna.goto(server.url)
    anna.click("#create > summary")
    assert anna.inner_text("form.start .main") == "Create room"
