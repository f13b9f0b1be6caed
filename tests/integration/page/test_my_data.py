"""What the server keeps of somebody: saved as a file, or deleted, from the menu of the page."""

import json
from pathlib import Path

from tests.support.browser import DESK, Browser, PagePlayer, PageServer, violations


def test_somebody_takes_their_data_along_and_then_away(
    browser: Browser, server: PageServer, tmp_path: Path
) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    page = ann.page
    page.fill(".chat input", "my secret remark")
    page.keyboard.press("Enter")
    ann.wait("my secret remark")
    page.click("text=Menu")
    page.click("dialog >> text='What is kept of you'")
    assert not violations(page, "dialog")
    with page.expect_download() as saving:
        page.click("dialog >> text='Save as a file'")
    saved = tmp_path / "saved.json"
    saving.value.save_as(saved)
    told = json.loads(saved.read_text())
    assert (told["name"], "my secret remark" in json.dumps(told["log"])) == ("ann", True)
    page.click("text=Menu")
    page.click("dialog >> text='What is kept of you'")
    page.click("dialog >> text='Delete it'")
    page.click("dialog button.main")
    page.wait_for_url(f"{server.url}/")
    page.goto(f"{server.url}/t/kitchen")
    page.wait_for_selector("dialog:has-text('Your name')")
    assert not page.input_value("dialog input")
    assert "secret" not in page.inner_text(".log")
