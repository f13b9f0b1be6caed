"""Bad moments at the table of a terminal: lines that lag or die, servers that start again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_clients.connection.reconnecting import Closed
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_engine.core.coordinates import Square
from crossroom_server.app import App
from tests.support.delayed_socket import delayed_socket
from tests.support.ports import free_port
from tests.support.server import run_server
from tests.support.tui_driver import (
    BLANK_FIRST,
    SMALL,
    OtherPlayer,
    agree_and_start,
    load_dice,
    open_tui,
    start_tui_game,
)


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    load_dice(monkeypatch, BLANK_FIRST)
    async with run_server() as app:
        yield app


@pytest.mark.slow
async def test_a_slow_line_takes_a_move_once(server: App) -> None:
    async with (
        delayed_socket(server.port) as lag,
        open_tui(lag.port, "alice") as alice,
        OtherPlayer.come(server.port, "bob") as bob,
    ):
        await agree_and_start(alice, bob)
        lag.seconds = 0.5
        await alice.lay("8C", "RIVERs")
        await alice.until("18 points: RIVERS")
        lag.is_held = True
        await alice.press("enter")
        await alice.until("your turn 1: sending")
        await alice.press("enter")
        lag.release()
        await alice.until("bob to move")
        await asyncio.sleep(1.5)  # a second answer would be here by now
        await alice.still()
        assert "it is turn 2" not in alice.text
        await bob.ask("pass")
        await alice.until("your turn 3: type on the board")


async def test_a_slow_line_holds_nothing_up(server: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_tui_game(server.port) as (alice, _):
        say, is_free = alice.connection._send_frame, asyncio.Event()

        async def say_late(frame: str) -> None:
            await is_free.wait()
            await say(frame)

        monkeypatch.setattr(alice.connection, "_send_frame", say_late)
        await alice.lay("8C", "RIV")
        await alice.until("8C RIV …")
        await alice.type("er")
        await alice.until("R I V E R → ")  # nobody waits for the line
        is_free.set()
        await alice.until("the first play must cover the start square")


async def test_a_drop_and_a_return(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.lay("8H", "RIO")
        socket = alice.connection._socket
        assert socket is not None
        socket.transport.abort()
        await alice.until("connected again")
        await alice.until("6 points: RIO")
        await bob.ask("say", text="are you there?")
        await alice.until("bob: are you there?")
        await alice.press("enter")
        await bob.on_turn()


async def test_a_seat_that_is_taken_over_says_so_and_ends(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        code = alice.connection.resume.code
        async with open_tui(server.port, None, mark=ResumeState(code=code, seq=0)) as again:
            await again.until("1 alice")
            await again.until(" 1 3W· · 2L")  # whoever comes back is told the rules
            assert alice.table.return_value == Closed(4001, "replaced by your new connection")


async def test_a_server_that_starts_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    load_dice(monkeypatch, BLANK_FIRST)
    port = free_port()
    async with AsyncExitStack() as stack:
        async with run_server(keep=True, data=tmp_path, port=port):
            alice = await stack.enter_async_context(open_tui(port, "alice"))
            async with OtherPlayer.come(port, "bob") as bob:
                await agree_and_start(alice, bob)
                await alice.lay("8C", "RIVERs")
        await alice.until("not connected; trying again")
        await alice.press("enter")
        await alice.until("not connected; try again in a moment")
        async with run_server(keep=True, data=tmp_path, port=port):
            await alice.until("18 points: RIVERS")
            await alice.press("enter")
            await alice.until("bob to move (turn 2)")
            await alice.press("ctrl+d")


async def test_tiles_of_two_letters(server: App, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("CHICA\nCHURRO\nPERRO\n", "utf-8")
    build = ["lexicon", "build", str(words), "--name", "corto", "--tiles", "spanish"]
    assert main([*build, "--data", str(tmp_path)]) == 0
    async with (
        run_server(data=tmp_path) as app,
        open_tui(app.port, "alice") as alice,
        OtherPlayer.come(app.port, "bob") as bob,
    ):
        await agree_and_start(alice, bob, tiles="spanish", lexicon="corto")
        assert "CH" in alice.table.tentative.rack
        place = alice.table.tentative.rack.index("CH") + 1
        await alice.type(f"{place}u")
        assert alice.table.tentative.at(Square(7, 7)) == "CH"
        await alice.press("escape")
        await alice.type("churro")
        await alice.until("CHURRO")
        assert any(" 8 3W· · 2L· · · CHU R R O → " in line for line in alice.lines)
        await alice.press("enter")
        await bob.on_turn()
        assert bob.game["board"][7] == ".......[CH]URRO..."


async def test_a_full_table_with_long_names(server: App) -> None:
    names = ["b", "c", "d"]
    async with AsyncExitStack() as stack:
        alice = await stack.enter_async_context(open_tui(server.port, "a" * 20))
        friends = [
            await stack.enter_async_context(OtherPlayer.come(server.port, name * 20))
            for name in names
        ]
        await alice.until("4 dddddddddddddddddddd")
        for name in ("eve", "fred"):
            await stack.enter_async_context(OtherPlayer.come(server.port, name))
        for friend in friends:
            await friend.ask("ready")
        await alice.hear("dddddddddddddddddddd is ready")
        await alice.press("ctrl+y")
        await alice.until("bag 72   turn 1   2 watching")
        assert max(map(len, alice.lines)) <= 80
        assert "talk" in alice.text


@pytest.mark.parametrize("size", [(60, 20), (40, 10), (10, 3)])
async def test_a_terminal_that_is_made_too_small(server: App, size: tuple[int, int]) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.pilot.resize_terminal(*size)
        await alice.press("r", "i", "o", "f1")
        for key in ("escape", "pageup", "end", "f8"):
            await alice.press(key)
        await alice.pilot.resize_terminal(*SMALL)
        await alice.until("6 points: RIO")


async def test_leaving(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.press("ctrl+d")
        await alice.pilot.pause(0.1)
        assert alice.table.return_value == Closed(1000, "")
