"""The line of the table: pastes, lines that were not sent, and the keys that every program has."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from textual import events

from crossroom_clients.connection.reconnecting import NotSent
from crossroom_clients.tui.app import TableApp
from crossroom_clients.tui.panels import LinesPanel
from crossroom_protocol.commands.parser import MAX_LINE_BYTES
from crossroom_server.app import App
from tests.support.server import run_server
from tests.support.tui_driver import LARGE, TuiDriver, open_tui, start_tui_game


@pytest.fixture
async def server() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


async def paste(sitter: TuiDriver, text: str) -> str:
    """Paste into the line; returns what stands there."""
    sitter.table.post_message(events.Paste(text))
    await sitter.pilot.pause()
    return sitter.table._line.value


async def test_all_lines_of_a_paste_are_there(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        alice.table._line.focus()
        await alice.type("so: ")
        assert await paste(alice, "one\n\ntwo\r\n three\n") == "so: one two three"


async def test_what_is_too_long_is_cut_and_told(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        alice.table._line.focus()
        pasted = await paste(alice, "é" * MAX_LINE_BYTES)
        assert pasted == "é" * (MAX_LINE_BYTES // 2)
        await alice.until("the end is cut off: a line holds 1024 bytes")


async def test_a_line_that_was_not_sent_is_replaced_by_the_next(
    server: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")

        async def refuse(line: str, **_: object) -> None:
            raise NotSent("not sent")

        with monkeypatch.context() as patch:
            patch.setattr(alice.connection, "send", refuse)
            await alice.say("good morning")
            await alice.until("not sent")
        assert alice.table._line.selected_text == "good morning"
        await alice.type("/lock sesame")
        assert alice.table._line.value == "/lock sesame"


async def test_a_line_that_was_refused_is_replaced_by_the_next(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.say("/play 8G QQQQ")
        await alice.until("> /play 8G QQQQ")
        assert alice.table._line.selected_text == "/play 8G QQQQ"
        assert "you do not have" in alice.text, "why stands above it"
        await alice.type("/pass", "enter")
        await alice.until("bob to move (turn 2)")
        assert alice.table._line.value == ""


async def test_what_is_typed_fast_behind_tab_goes_to_the_board(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        alice.table._line.focus()
        await alice.pilot.pause()
        across, cursor = alice.table.tentative.across, alice.table.tentative.cursor
        await alice.press("tab", "left", "down", "space")
        await alice.still()
        tentative = alice.table.tentative
        assert (tentative.cursor.row, tentative.cursor.col) == (cursor.row + 1, cursor.col - 1)
        assert tentative.across != across
        assert alice.table._line.value == ""


async def test_an_idle_line_draws_nothing(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        alice.table._line.focus()
        await alice.pilot.pause()
        assert not alice.table._line.cursor_blink, "a blinking cursor takes half of an idle table"


async def test_ctrl_c_says_how_to_leave_and_copies_what_is_selected(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.press("ctrl+c")
        await alice.until("Ctrl+D leaves; your seat stays yours")
        alice.table._line.begin("some words")
        alice.table._line.select_all()
        await alice.press("ctrl+c")
        assert alice.table.clipboard == "some words"


async def test_ctrl_z_suspends(server: App, monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[bool] = []
    monkeypatch.setattr(TableApp, "action_suspend_process", lambda _: suspended.append(True))
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.press("ctrl+z")
        alice.table._line.focus()
        await alice.press("ctrl+z")
        assert suspended == [True, True]
        assert alice.table._line.value == ""


async def test_a_word_wider_than_the_log_is_broken(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        alice.table.note("seed " + "0123456789" * 6 + "END")
        shown = await alice.until("END")
        assert "".join(line[36:].strip() for line in shown.splitlines()).count("0123456789") == 6


async def test_a_resize_draws_a_long_log_at_once(
    server: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        for number in range(100):
            alice.table.note(f"note {number}")
        await alice.until("note 99")
        written, write = [], LinesPanel.write

        def count(panel: LinesPanel, content: object, **how: Any) -> LinesPanel:
            written.append(panel.id)
            return write(panel, content, **how)

        monkeypatch.setattr(LinesPanel, "write", count)
        await alice.pilot.resize_terminal(*LARGE)
        await alice.still()
        assert 0 < written.count("log") <= 3, "line by line takes most of a second"
        assert "note 99" in alice.text


async def test_a_scrolled_log_says_what_is_new(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        log = alice.table._log_panel
        for number in range(60):
            alice.table.note(f"note {number}")
        await alice.until("note 59")
        await alice.press("ctrl+up")
        await alice.pilot.pause()
        top = log.scroll_offset.y
        alice.table.note("the newest")
        await alice.until("log: 1 new line below")
        assert log.scroll_offset.y == top, "what is read stays where it is"
        await alice.press("ctrl+down", "ctrl+down")
        await alice.until("the newest")
        assert "new line" not in alice.text
