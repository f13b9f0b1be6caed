"""A browser and a server for every test of the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.browser import Browser, Server, browsing, serving

DICE: Final = 22
"""With these ann begins the first game with A E I M O R V, and bob has ? A A E E L T."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(tmp_path, getattr(request, "param", DICE)) as server:
        yield server


@pytest.fixture
def browser(chromium: Browser, server: Server) -> Iterator[Browser]:
    """Closed before the server is, so that nobody sees that end."""
    assert server.port
    chromium.troubles.clear()
    yield chromium
    chromium.leave()
    assert not chromium.troubles
