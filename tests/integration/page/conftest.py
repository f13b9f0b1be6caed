"""A browser and a server for every test of the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.browser import Browser, PageServer, run_browser, run_page_server

DICE: Final = 22
"""With these ann begins the first game with A E I M O R V, and bob has ? A A E E L T."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with run_browser() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[PageServer]:
    with run_page_server(tmp_path, getattr(request, "param", DICE)) as server:
        yield server


@pytest.fixture
def browser(chromium: Browser, server: PageServer) -> Iterator[Browser]:
    """Closed before the server is, so that nobody sees that end."""
    assert server.port
    chromium.troubles.clear()
    yield chromium
    chromium.leave()
    assert not chromium.troubles
