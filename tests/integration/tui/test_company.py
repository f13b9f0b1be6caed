"""Who comes to a table in a terminal, who goes, and what is typed on the way in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from crossroom_clients.connection.reconnecting import Connection, ConnectionEvent
from crossroom_protocol.base.translate import using_language
from crossroom_server.app import App
from tests.support.server import run_server
from tests.support.tui_driver import (
    BLANK_FIRST,
    LARGE,
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


async def test_who_is_away_and_who_is_back_shows_at_once(server: App) -> None:
    async with AsyncExitStack() as stack:
        alice = await stack.enter_async_context(open_tui(server.port, "alice"))
        async with OtherPlayer.come(server.port, "bob") as bob:
            await agree_and_start(alice, bob)
            async with OtherPlayer.come(server.port, "carol"):
                await alice.until("1 watching")
            await alice.until(lambda shown: "watching" not in shown.partition("log")[0])
        await alice.until("bob (away)")
        async with OtherPlayer.come(server.port, None) as again:
            await again.ask("resume", code=bob.code)
            await alice.until(lambda shown: "bob (away)" not in shown)
        assert "rack" not in alice.text, "what is asked for this is told nobody"


async def test_who_is_sent_away_is_away(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.say("/kick bob")
        await alice.until("bob (away)")


@pytest.mark.parametrize("line", ["/kick carol", "/ban carol"])
async def test_who_is_sent_away_watches_no_more(server: App, line: str) -> None:
    async with start_tui_game(server.port) as (alice, _), OtherPlayer.come(server.port, "carol"):
        await alice.until("1 watching")
        await alice.say(line)
        await alice.until(lambda shown: "watching" not in shown.partition("log")[0])


async def test_a_watcher_who_returns_is_announced_once(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        async with OtherPlayer.come(server.port, "carol") as carol:
            await alice.hear("carol is watching")
        await alice.hear("carol has left")
        async with OtherPlayer.come(server.port, None) as again:
            await again.ask("resume", code=carol.code)
            await alice.hear("carol is back")
            await bob.say("hello again")
            await alice.hear("hello again")
        told = ["".join(part for _, part in line.text) for line in alice.table._log_panel._told]
        assert [line for line in told if "carol" in line and "left" not in line] == [
            "carol is watching",
            "carol is back",
        ]


async def test_what_is_typed_on_the_way_in_waits(
    server: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, listen = asyncio.Event(), Connection.listen

    async def listen_late(connection: Connection) -> AsyncIterator[ConnectionEvent]:
        await heard.wait()
        async for told in listen(connection):
            yield told

    monkeypatch.setattr(Connection, "listen", listen_late)
    async with open_tui(server.port, None) as alice:
        await alice.until("joining")
        await alice.type("alice", "enter")
        await alice.until("> alice")
        heard.set()
        await alice.until("your name")
        await alice.press("enter")
        await alice.until("1 alice")
        assert alice.connection.resume.room == "kitchen", "and alice is no name of a room"


async def test_on_the_line_it_says_how_to_get_to_the_board(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.until("your turn 1: type on the board")
        await alice.say("wait, I have to think")
        await alice.until("your turn 1: Tab goes to the board")
        await alice.press("tab")
        await alice.until("your turn 1: type on the board")


async def test_a_line_that_is_too_long_shows_that_it_is(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.say("/stats somebody-far-away")
        shown = await alice.until("\n somebody-far-away is not registered here")
        assert any(line.startswith(" somebody") and line.endswith("…") for line in alice.lines)
        assert "counted" in shown, "the log has all of it"


async def test_a_table_in_german_says_all_of_it_in_german(server: App) -> None:
    with using_language("de"):
        async with (
            open_tui(server.port, "alice") as alice,
            OtherPlayer.come(server.port, "bob") as bob,
        ):
            await alice.until("2 bob")
            await bob.ask("ready")
            await alice.press("ctrl+y")
            await alice.until("Beutel 86")
            async with OtherPlayer.come(server.port, "carol"), open_tui(server.port, None) as dora:
                await alice.until("1 schaut zu")
                await dora.until("dein Name")
                await dora.say("/watch")
                await dora.hear("du schaust nur zu")
            await alice.say("/invite")
            await alice.until("─ Einladung ─")
            await alice.press("escape")
            await bob.ask("quit")
            await alice.until("bob (abwesend)")


async def test_a_game_that_is_adjourned_says_whom_it_waits_for(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.say("/adjourn")
        await alice.until("you ask to adjourn the game; bob may answer")
        await bob.ask("agree")
        await alice.until("until all are ready; Ctrl+Y when you are")
        assert alice.connection.status.adjourned
        await alice.press("ctrl+y")
        await alice.until("until all are ready; waiting for bob")
        await bob.ask("ready")
        await alice.until("your turn 1")
        assert not alice.connection.status.adjourned


async def test_why_a_line_was_not_sent_is_not_hidden_by_how_it_is_written(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.say("/play")
        await alice.until("AT is missing; usage: /play AT WORD")
        await alice.type(" 8H")
        await alice.until("/play AT WORD [swap")


async def test_who_leaves_is_at_the_door_and_stays_there(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.lay("8H", "RIO")
        await alice.say("/leave")
        await alice.until("type a room name")
        await alice.hear("you have left kitchen")
        assert "kitchen" not in alice.lines[0]
        assert "3W" not in alice.text, "no board is there"
        socket = alice.connection._socket
        assert socket is not None
        socket.transport.abort()
        await alice.until("connected again")
        await alice.until("type a room name")
        await alice.type("attic", "enter")
        await alice.until("1 alice")
        assert alice.lines[0].startswith(" attic · alice")


async def test_what_is_typed_faster_than_it_is_sent_stays_in_order(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.press("tab", *"one", "enter", *"two", "enter", "slash", *"bag", "enter", *"thr")
        await alice.hear("alice: one")
        await alice.hear("alice: two")
        await alice.until("> thr")
        assert not alice.table.tentative.laid


async def test_after_a_game_it_shows_who_stays_for_another(server: App) -> None:
    async with AsyncExitStack() as stack:
        alice = await stack.enter_async_context(open_tui(server.port, "alice"))
        async with OtherPlayer.come(server.port, "bob") as bob:
            await agree_and_start(alice, bob)
            await alice.say("/pass")
            await bob.on_turn()
            await bob.ask("resign", sure="yes")
            await alice.until("alice won  ")
            await bob.ask("ready")
            await alice.until("bob ready  ")
        await alice.until("bob has left  ")


async def test_who_watches_is_counted_before_the_game_too(server: App) -> None:
    async with open_tui(server.port, "alice") as alice, OtherPlayer.come(server.port, "bob") as bob:
        await alice.until("2 free")
        await bob.ask("watch")
        await alice.until("3 free   1 watching")


async def test_every_game_begins_at_the_start_of_its_board(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.press("up", "left", "left")
        await alice.say("/pass")
        await bob.on_turn()
        assert alice.table.tentative.cursor == (6, 5)
        await bob.ask("resign", sure="yes")
        await alice.until("alice won")
        await agree_and_start(alice, bob)
        assert alice.table.tentative.cursor == (7, 7)
        await alice.say("/resign yes")
        await alice.until("Ctrl+Y when you agree")
        await bob.ask("set", setting="layout", value="super")
        await alice.hear("sets layout to super")
        assert alice.table.tentative.cursor == (10, 10)


async def test_a_name_that_cannot_be_had_is_asked_for_again(server: App) -> None:
    async with start_tui_game(server.port), open_tui(server.port, None) as carol:
        await carol.until("your name")
        await carol.type("bob", "enter")
        await carol.hear("somebody here is called bob")
        await carol.type("carol", "enter")
        await carol.until("carol, watching")


async def test_the_table_follows_its_person_into_another_language(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.say("/set language de")
        await alice.until("du bist dran, Zug 1: tipp auf dem Brett")
        assert "─Verlauf─" in alice.text
        assert "F1 Hilfe" in alice.lines[-1]
        await alice.press("9")
        await alice.until("diesen Stein gibt es nicht")
        await alice.press("f9")
        await alice.until("─ Leute ─")
        await alice.press("escape")
        await alice.say("/set language en")
        await alice.until("your turn 1: type on the board")


async def test_a_narrow_log_tells_moves_in_short_lines_also_those_recalled(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.say("/play 8C RIVERs")
        await bob.on_turn()
        await bob.ask("play", at="H8", word=".AY")
        told = ("alice 8C RIVERs +18 → 18; bag 80", "bob H8 SAY +")

        def is_short(shown: str) -> bool:
            unfolded = " ".join(line[36:].strip() for line in shown.splitlines())
            return all(line in unfolded for line in told)

        await alice.until(is_short)
        async with open_tui(server.port, "carol") as carol:
            shown = await carol.until(is_short)
            assert "alice plays 8C" not in shown
            await carol.pilot.resize_terminal(*LARGE)
            await carol.until("alice plays 8C RIVERs")


async def test_a_clock_runs_on_the_screen(server: App) -> None:
    async with start_tui_game(server.port, clock="600") as (alice, _):
        assert alice.table.state.is_ticking
        await alice.until("9:59")


async def test_without_a_clock_nothing_is_drawn_by_itself(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        assert not alice.table.state.is_ticking
        await bob.ask("abort")
        await alice.until("bob asks to")
        assert alice.table.state.is_ticking, "it says how long it can be answered"
