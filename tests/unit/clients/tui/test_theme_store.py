"""The colours that somebody chose are there again when they come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crossroom_clients.tui.theme_store import THEMES_FILE, ThemeStore
from crossroom_server.app import App
from tests.support.server import run_server
from tests.support.tui_driver import open_tui


@pytest.fixture
async def server() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


async def test_what_was_chosen_is_chosen_next_time(server: App, tmp_path: Path) -> None:
    async with open_tui(server.port, "alice", colours=ThemeStore(tmp_path)) as alice:
        begun, system = alice.table.theme, alice.table.console.color_system
        await alice.press("f8", "f8")
        chosen = alice.table.theme
        await alice.until(f"colours: {chosen}")
    assert chosen != begun
    async with open_tui(server.port, "bob", colours=ThemeStore(tmp_path)) as bob:
        assert bob.table.theme == chosen
    assert ThemeStore(tmp_path, "contrast").first_theme(system) == "contrast", (
        "what is asked for goes first"
    )
    assert ThemeStore(tmp_path).first_theme(system) == chosen, "and is no choice for next time"


def test_each_kind_of_terminal_has_its_own(tmp_path: Path) -> None:
    ThemeStore(tmp_path).save("truecolor", "light")
    assert ThemeStore(tmp_path).first_theme("truecolor") == "light"
    assert ThemeStore(tmp_path).first_theme("standard") == "sixteen"
    ThemeStore(tmp_path).save(None, "contrast")
    assert ThemeStore(tmp_path).first_theme("truecolor") == "light"
    assert ThemeStore(tmp_path).first_theme(None) == "contrast"


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"256": 3}', '{"256": "pink"}', "\0\xff"])
def test_what_cannot_be_read_was_never_chosen(tmp_path: Path, kept: str) -> None:
    (tmp_path / THEMES_FILE).write_bytes(kept.encode("latin-1"))
    assert ThemeStore(tmp_path).first_theme("256") == "dark"
    ThemeStore(tmp_path).save("256", "light")
    assert ThemeStore(tmp_path).first_theme("256") == "light"


def test_a_folder_that_cannot_be_written_spoils_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = ThemeStore(tmp_path / "file" / "data")
    nowhere.save("256", "light")
    assert nowhere.first_theme("256") == "dark"
