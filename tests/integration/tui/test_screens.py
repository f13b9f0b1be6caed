"""The table on the whole screen: people sit at it with keys and eyes, against a real server.

``tests/screens/*.txt`` are what it shows. ``pytest --bless`` writes them anew; read the difference.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.theme_store import ThemeStore
from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.movegen import best
from crossroom_engine.words.catalog import open_lexicon
from crossroom_server.app import App
from tests.support.server import run_server
from tests.support.tui_driver import (
    BLANK_FIRST,
    LARGE,
    SMALL,
    OtherPlayer,
    TuiDriver,
    load_dice,
    open_tui,
    start_tui_game,
)

HERE = Path(__file__).parent / "screens"


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    load_dice(monkeypatch, BLANK_FIRST)
    async with run_server() as app:
        yield app


async def compare(sitter: TuiDriver, name: str, request: pytest.FixtureRequest) -> None:
    """Compare the screen with what it showed before; clocks, seals and scroll bars do not count."""
    shown = re.sub(r"\d+:\d\d", "0:00", await sitter.still())
    shown = re.sub(r" *[▁▂▃▄▅▆▇█]", "", shown)
    shown = re.sub(r"[0-9a-f]{16}(?=\.\.\.)", "5ea1" * 4, shown)
    shown = "\n".join(line.rstrip() for line in shown.splitlines()) + "\n"
    path = HERE / f"{name}.txt"
    if request.config.getoption("bless"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


async def test_a_whole_game(server: App, request: pytest.FixtureRequest) -> None:
    async with start_tui_game(server.port, target=25) as (alice, bob):
        await compare(alice, "begun", request)

        await alice.lay("8C", "RIVERs")
        await alice.until("18 points: RIVERS")
        await compare(alice, "laid", request)
        await alice.press("enter")
        await bob.on_turn()

        await bob.ask("play", at="H8", word=".QBY")
        await alice.until("F5 challenges SQBY")
        await alice.press("f5")
        asked = await alice.until("Challenge SQBY?")
        assert "If all are in the list, the play stands" in asked
        assert "any word may be tried" not in asked
        await compare(alice, "challenge", request)
        await alice.type("c")
        await alice.hear("not in the word list")
        await alice.until("your turn 3")

        rack = list(alice.table.tentative.rack)
        await alice.press("f3")
        await alice.until("Exchange")
        await alice.type(rack[0].lower())
        await alice.press("right", "space")
        await compare(alice, "exchange", request)
        await alice.press("enter")
        await alice.hear("alice exchanges ? E")

        await bob.on_turn()
        await bob.ask("play", at="H8", word=".AY")
        await alice.until("your turn 5")
        game = alice.table.state.game
        assert game is not None
        assert len(game.rack) == 7
        rules = PRESETS["official"]
        board = Board.from_rows(game.board, rules.tiles)
        play = best(rules, board, game.rack, open_lexicon("english"))[0]
        await alice.lay(str(play.spot), play.text)
        await alice.until(f"{play.points} points:")
        await alice.press("enter")
        await alice.until("bob to move (turn 6)")

        await bob.ask("pass")
        shown = await alice.until("alice wins; Ctrl+Y when you agree to another game")
        assert re.search(r"alice won +39\n", shown)
        assert re.search(r"bob +-13\n", shown)
        await alice.until(lambda shown: shown.count("left: B E E ") == 2)  # all racks are open
        assert alice.table.state.yes() == "/ready", "for another game"


async def test_the_blank_asks_what_it_stands_for(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.press("question_mark")
        await alice.until("The blank stands for")
        await alice.press("right", "down", "enter")  # A, then B, then K below it
        await alice.until(" 8 3W· · 2L· · · k →")
        await alice.press("backspace")
        place = alice.table.tentative.rack.index("?") + 1
        await alice.press(str(place))
        await alice.until("The blank stands for")
        await alice.press("escape")
        assert alice.table.tentative.laid == {}


async def test_what_cannot_be_is_said_before_and_after(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        await alice.lay("1A", "RIO")
        await alice.until("the first play")
        await alice.press("enter")
        await alice.until(lambda shown: "BAD_PLAY" in shown or "must" in shown)
        assert len(alice.table.tentative.laid) == 3, "refused tiles stay where they are"
        await alice.press("f4")
        await alice.until("Pass?")
        await alice.press("escape")
        await alice.press("f5")
        await alice.until("there is no play that you could challenge now")
        await alice.say("/nonsense")
        await alice.until("nonsense")
        assert alice.table.query_one("#line").value == "/nonsense"  # type: ignore[attr-defined]


async def test_tiles_can_be_laid_while_others_think(server: App) -> None:
    async with OtherPlayer.come(server.port, "bob") as bob, open_tui(server.port, "alice") as alice:
        await alice.until("2 alice")
        await bob.ask("set", setting="first-player", value="seat")
        await bob.ask("ready")
        await alice.until("bob is ready")
        await alice.press("ctrl+y")
        await alice.until("bob to move")
        await alice.lay("8F", "BENT")
        await alice.until("12 points: BENT")
        await alice.press("enter")
        await alice.until("it is not your turn")
        await bob.ask("play", at="8D", word="RIVERs")
        await alice.until("your turn 2")
        assert alice.table.tentative.laid == {}, "somebody plays there"


async def test_offers_are_answered_with_a_key(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await bob.ask("adjourn")
        await alice.until("bob asks to adjourn the game: Ctrl+Y agrees, Ctrl+N declines")
        await alice.press("ctrl+n")
        await alice.hear("alice declines to adjourn the game")
        await alice.say("/abort")
        await alice.until("you ask to end the game without a result; bob may answer")
        await alice.press("ctrl+n")
        await alice.hear("alice takes back the offer")


async def test_agreeing_takes_one_key_too(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await bob.ask("abort")
        await alice.until("bob asks to end the game")
        await alice.press("ctrl+y")
        await alice.until("nobody wins")


async def test_looking_back(server: App, request: pytest.FixtureRequest) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.lay("8C", "RIVERs")
        await alice.press("enter")
        await bob.on_turn()
        await bob.ask("play", at="H8", word=".AY")
        await alice.until("your turn 3")
        await alice.press("pageup")
        shown = await alice.until("looking back at move 1 of 2")
        assert "alice plays 8C RIVERs" in shown.splitlines()[-4]
        assert "·   ·   ·   O   ·   ·   ·" in shown, "the rack of then; six tiles of it were laid"
        assert "bob" in alice.lines[2]
        assert alice.lines[2].split()[-1] == "0", "bob had no points then"
        assert "scores and rack of then" in shown
        assert " 9 · · 2L· · · 2L· " in shown, "no A below the S"
        await alice.press("pageup", "pageup", "pageup")
        await alice.until("looking back at the beginning")
        assert " 8 3W· · 2L· · · ** " not in alice.text
        await alice.press("end")
        await alice.until("your turn 3")
        assert "A" in alice.lines[10]
        await alice.press("pageup", "tab")
        await alice.type("hi")
        await alice.until("looking back at move 1 of 2")
        await alice.press("end")
        await alice.until("your turn 3")

    async with open_tui(server.port, "carol") as carol:
        await carol.hear("alice plays 8C RIVERs")
        await carol.press("tab", "pageup")
        await carol.until("looking back at move 1 of 2")


async def test_watching(server: App, request: pytest.FixtureRequest) -> None:
    async with (
        OtherPlayer.come(server.port, "alice") as alice,
        OtherPlayer.come(server.port, "bob-with-a-long-name") as bob,
        open_tui(server.port, None) as carol,
    ):
        await carol.until("your name")
        await carol.type("/watch", "enter")
        await alice.ask("set", setting="first-player", value="seat")
        await alice.ask("ready")
        await bob.ask("ready")
        await carol.until("alice to move (turn 1); you watch")
        await carol.press("tab")
        await carol.type("x")
        await carol.until("only players lay tiles")
        await alice.ask("play", at="8C", word="RIVERs")
        await carol.hear("alice plays 8C RIVERs")
        assert "you draw" not in carol.text
        await compare(carol, "watching", request)


async def test_the_way_in_asks_for_room_and_name(server: App) -> None:
    async with open_tui(server.port, None, room=None) as alice:
        await alice.until("room:")
        await alice.type("kitchen", "enter")
        await alice.until("your name")
        alice.table.query_one("#line").value = ""  # type: ignore[attr-defined]
        await alice.type("alice", "enter")
        await alice.until("1 alice")
        assert alice.connection.resume.name == "alice"


async def test_answers_are_read_in_front_of_the_table(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.say("/rules scoring")
        await alice.until("Points of a tile")
        await alice.press("escape")
        await alice.say("/who")
        await alice.until("alice")
        await alice.press("f1")
        shown = await alice.until("ON THE BOARD")
        assert "Esc goes back" in shown


async def test_the_table_goes_on_behind_a_dialog(server: App) -> None:
    async with start_tui_game(server.port) as (alice, bob):
        await alice.lay("8C", "RIVERs")
        await alice.press("enter")
        await bob.on_turn()
        await alice.say("/score")
        await alice.until("Esc goes back")
        await bob.ask("play", at="H8", word=".AY")
        await alice.until(lambda shown: re.search(r"bob {20,}5\n", shown) is not None)
        assert "Esc goes back" in alice.text
        await alice.press("escape")
        await alice.until("your turn 3")


async def test_commands_are_completed_and_remembered(server: App) -> None:
    async with open_tui(server.port, "alice") as alice:
        await alice.until("1 alice")
        line = alice.table.query_one("#line")
        await alice.type("/set chal", "tab")
        assert line.value == "/set challenge "  # type: ignore[attr-defined]
        await alice.until("/set [SETTING] [VALUE]")
        await alice.type("five", "enter")
        await alice.hear("alice sets challenge to five")
        if alice.table.focused is not line:
            await alice.press("tab")
        await alice.press("up")
        assert line.value == "/set challenge five"  # type: ignore[attr-defined]


async def test_names_of_people_are_completed(server: App) -> None:
    async with (
        open_tui(server.port, "alice") as alice,
        OtherPlayer.come(server.port, "Bob"),
        OtherPlayer.come(server.port, "Bert"),
    ):
        await alice.until("Bert")
        line = alice.table.query_one("#line")
        await alice.type("/kick b", "tab")
        assert line.value == "/kick b"  # type: ignore[attr-defined]
        await alice.type("e", "tab")
        assert line.value == "/kick Bert "  # type: ignore[attr-defined]
        await alice.press("enter")
        await alice.hear("alice sends Bert away")
        await alice.type("/tell a", "tab")
        assert line.value == "/tell a", "nobody talks to themselves"  # type: ignore[attr-defined]


async def test_a_large_terminal(server: App, request: pytest.FixtureRequest) -> None:
    async with start_tui_game(server.port, size=LARGE) as (alice, bob):
        await alice.lay("8C", "RIVERs")
        await alice.until("18 points: RIVERS")
        await bob.ask("say", text="well?")
        await alice.until("bob: well?")
        await compare(alice, "large", request)
        await alice.pilot.resize_terminal(*SMALL)
        await alice.until(lambda shown: " 8 3W· R I V E R s " in shown)
        await alice.press("escape")
        assert alice.table.tentative.laid == {}


async def test_the_mouse_does_all_of_it(server: App) -> None:
    async with start_tui_game(server.port) as (alice, _):
        board, rack = alice.table._board, alice.table._rack
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert alice.table.tentative.cursor == (7, 6)
        place = alice.table.tentative.rack.index("V")
        await alice.pilot.click(rack, offset=(4 * place + 1, 1))
        await alice.until(lambda _: (7, 6) in alice.table.tentative.laid)
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert alice.table.tentative.laid == {}
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert not alice.table.tentative.across


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "colour-blind", "sixteen"])
async def test_every_theme_shows_the_same(
    server: App, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "truecolor")
    async with open_tui(server.port, "alice", colours=ThemeStore(theme=theme)) as alice:
        await alice.until("1 alice")
        shown = alice.lines
        for _ in range(5):
            before = alice.table.palette
            await alice.press("f8")
            assert alice.lines[-4] == f" colours: {alice.table.theme}"
            assert [*alice.lines[:-4], *alice.lines[-3:]] == [*shown[:-4], *shown[-3:]]
            if not alice.table.palette.theme.ansi and not before.theme.ansi:
                drawn = alice.table.export_screenshot().lower()
                for look in ("turn", "word3"):
                    assert _ground(alice.table.palette, look) in drawn
                    assert _ground(before, look) not in drawn, "nothing keeps its old colour"
        assert alice.table.theme == theme


def _ground(palette: Palette, look: str) -> str:
    colour = palette.style(look).bgcolor
    assert colour is not None
    return colour.name
