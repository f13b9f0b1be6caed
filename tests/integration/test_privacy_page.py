"""The page that tells people what this server keeps of them."""

from pathlib import Path

from tests.integration.test_http import fetch
from tests.support.server import run_server


async def test_it_tells_what_the_settings_say(tmp_path: Path) -> None:
    async with run_server(keep=True, data=tmp_path, vacant=7.0, guests=0.0) as app:
        page = await fetch(app, "/privacy")
    assert page.status == 200
    assert "is deleted 7 days after" in page.body
    assert "Without a seat" not in page.body
    assert "keeps nothing" not in page.body


async def test_a_server_that_forgets_says_so() -> None:
    async with run_server() as app:
        page = await fetch(app, "/privacy", **{"Accept-Language": "de"})
    assert "speichert nichts" in page.body
