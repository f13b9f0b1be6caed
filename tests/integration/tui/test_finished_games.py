"""The finished games of a room, opened from its table."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_server.app import App as Server
from tests.support.server import run_server
from tests.support.tui_driver import BLANK_FIRST, load_dice, start_tui_game

pytest.importorskip("textual", reason="draws the table")

from textual.app import App, ComposeResult

from crossroom_clients.tui.board_picture import BoardPicture
from crossroom_clients.tui.board_render import BoardScene
from crossroom_clients.tui.themes import palettes


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    load_dice(monkeypatch, BLANK_FIRST)
    async with run_server() as app:
        yield app


def files(folder: Path) -> list[tuple[str, str]]:
    return [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()]


async def test_a_game_is_opened_stepped_through_and_saved(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with start_tui_game(server.port) as (alice, bob):
        await alice.say("/play 8G ROE")
        await bob.on_turn()
        await alice.until("bob to move")
        await bob.ask("play", at="9F", word="BAY")
        await alice.until("your turn 3")
        await alice.say("/resign yes")
        await alice.until("bob wins; Ctrl+Y")

        await alice.say("/games")
        await alice.until(lambda shown: "─ games ─" in shown and "; bob wins" in shown)
        await alice.press("enter")
        shown = await alice.until("0 the beginning")
        assert "alice 8G ROE +6 → 6" in shown
        assert "ABENQTY" in shown.replace(" ", ""), "all racks are open"
        assert "bob wins; Ctrl+Y" in shown, "what goes on in the room is told below"
        await alice.press("right", "right")
        shown = await alice.until("> bob")
        assert " 9 · · 2L· · B A Y" in shown
        assert " 8 3W· · 2L· · R O E" in shown
        await alice.press("left")
        shown = await alice.until("> alice")
        assert " 9 · · 2L· · · 2L" in shown
        await alice.press("end")
        await alice.until(lambda shown: "bob wins" in shown.splitlines()[-3])

        await alice.press("s")
        await alice.until("saved as")
        ((name, text),) = files(tmp_path)
        assert name == "kitchen-1.gcg"
        assert read_gcg(text).players

        await bob.say("are you still here")
        await alice.press("escape")
        await alice.until("are you still here")
        await alice.say("yes")
        await alice.hear("alice: yes")


async def test_where_no_game_has_ended_it_is_said(server: Server) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.say("/games")
        await alice.hear("no game has ended here yet")


async def test_of_a_large_board_the_whole_latest_play_is_shown() -> None:
    rules, picture = PRESETS["super"], BoardPicture(palettes("truecolor")["dark"])

    class PictureApp(App[None]):
        def compose(self) -> ComposeResult:
            yield picture

    play = frozenset(Square(row, 10) for row in range(15, 21))
    rows = ["." * 21] * 21
    async with PictureApp().run_test(size=(50, 16)) as pilot:
        picture.show(BoardScene(rules.layout, rules.tiles, rows, fresh=play))
        await pilot.pause()
        shown = picture._part
    assert shown.row <= 15
    assert shown.row + shown.rows == 21
