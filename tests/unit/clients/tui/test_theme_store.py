"""The colours that somebody chose are there again when they come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crossroom_clients.tui.theme_store import FILE, Colours
from crossroom_server.app import App
from tests.support.server import run_server
from tests.support.tui_driver import open_tui


@pytest.fixture
async def server() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


async def test_what_was_chosen_is_chosen_next_time(server: App, tmp_path: Path) -> None:
    async with open_tui(server.port, "alice", colours=Colours(tmp_path)) as alice:
        begun, system = alice.table.theme, alice.table.console.color_system
        await alice.press("f8", "f8")
        chosen = alice.table.theme
    assert chosen != begun
    async with open_tui(server.port, "bob", colours=Colours(tmp_path)) as bob:
        assert bob.table.theme == chosen
    assert Colours(tmp_path, "contrast").begin(system) == "contrast", "what is asked for goes first"
    assert Colours(tmp_path).begin(system) == chosen, "and is no choice for next time"


def test_each_kind_of_terminal_has_its_own(tmp_path: Path) -> None:
    Colours(tmp_path).keep("truecolor", "light")
    assert Colours(tmp_path).begin("truecolor") == "light"
    assert Colours(tmp_path).begin("standard") == "sixteen"
    Colours(tmp_path).keep(None, "contrast")
    assert Colours(tmp_path).begin("truecolor") == "light"
    assert Colours(tmp_path).begin(None) == "contrast"


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"256": 3}', '{"256": "pink"}', "\0\xff"])
def test_what_cannot_be_read_was_never_chosen(tmp_path: Path, kept: str) -> None:
    (tmp_path / FILE).write_bytes(kept.encode("latin-1"))
    assert Colours(tmp_path).begin("256") == "dark"
    Colours(tmp_path).keep("256", "light")
    assert Colours(tmp_path).begin("256") == "light"


def test_a_folder_that_cannot_be_written_spoils_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Colours(tmp_path / "file" / "data")
    nowhere.keep("256", "light")
    assert nowhere.begin("256") == "dark"
