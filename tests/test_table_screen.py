"""The table on the whole screen: people sit at it with keys and eyes, against a real server.

``tests/screens/*.txt`` are what it shows. ``pytest --bless`` writes them anew; read the difference.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from crossroom_clients.bookmark import Bookmark
from crossroom_clients.connection import Ended
from crossroom_clients.main import main
from crossroom_clients.tui.colours import Colours
from crossroom_clients.tui.looks import Palette
from crossroom_engine.board import Board, Square
from crossroom_engine.lexica import find
from crossroom_engine.movegen import best
from crossroom_engine.rules import PRESETS
from crossroom_server.app import App
from tests.lagging import lagging
from tests.serving import serving
from tests.sitters import LARGE, SMALL, Friend, Sitter, load_dice, sitting

HERE = Path(__file__).parent / "screens"
BLANK_FIRST = 3
"""With these dice the first to sit down draws ? E I O R R V, the second A B E N Q T Y."""


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    load_dice(monkeypatch, BLANK_FIRST)
    async with serving() as app:
        yield app


async def compare(sitter: Sitter, name: str, request: pytest.FixtureRequest) -> None:
    """Compare the screen with what it showed before; clocks, seals and scroll bars do not count."""
    shown = re.sub(r"\d+:\d\d", "0:00", await sitter.still())
    shown = re.sub(r" *[▁▂▃▄▅▆▇█]", "", shown)
    shown = re.sub(r"[0-9a-f]{16}(?=\.\.\.)", "5ea1" * 4, shown)
    shown = "\n".join(line.rstrip() for line in shown.splitlines()) + "\n"
    path = HERE / f"{name}.txt"
    if request.config.getoption("bless"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


async def begin(alice: Sitter, bob: Friend, **settings: object) -> None:
    """Agree to the rules and begin; alice, who sat down first, is on turn."""
    await alice.until("bob")
    for setting, value in {"first-player": "seat", **settings}.items():
        await bob.ask("set", setting=setting, value=str(value))
    await bob.ask("ready")
    await alice.until("bob is ready")
    await alice.press("ctrl+y")
    await alice.until("your turn 1")


async def test_a_slow_line_takes_a_move_once(server: App) -> None:
    async with (
        lagging(server.port) as lag,
        sitting(lag.port, "alice") as alice,
        Friend.come(server.port, "bob") as bob,
    ):
        await begin(alice, bob)
        lag.seconds = 0.5
        await alice.lay("8C", "RIVERs")
        await alice.until("18 points: RIVERS")
        await alice.press("enter")
        await alice.until("your turn 1: sending")
        await alice.press("enter")
        await alice.until("bob to move")
        await asyncio.sleep(1.5)  # a second answer would be here by now
        await alice.still()
        assert "it is turn 2" not in alice.text
        await bob.ask("pass")
        await alice.until("your turn 3: type on the board")


async def test_a_whole_game(server: App, request: pytest.FixtureRequest) -> None:
    async with (
        sitting(server.port, "alice") as alice,
        Friend.come(server.port, "bob") as bob,
    ):
        await begin(alice, bob, target=25)
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
        assert "If all are in the list, the play stands, and the challenger" in asked
        await compare(alice, "challenge", request)
        await alice.type("c")
        await alice.hear("not in the word list")
        await alice.until("your turn 3")

        rack = list(alice.table.laying.rack)
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
        game = alice.table.situation.game
        assert game is not None
        assert len(game.rack) == 7
        rules = PRESETS["official"]
        board = Board.read(game.board, rules.tiles)
        play = best(rules, board, game.rack, find("english"))[0]
        await alice.lay(str(play.spot), play.text)
        await alice.until(f"{play.points} points:")
        await alice.press("enter")
        await alice.until("bob to move (turn 6)")

        await bob.ask("pass")
        shown = await alice.until("alice wins; Ctrl+Y when you agree to another game")
        assert re.search(r"alice won +39  ", shown)
        assert re.search(r"bob +-13  ", shown)
        assert shown.count("left: B E E ") == 2, "all racks are open"
        assert alice.table.situation.yes() == "/ready", "for another game"


async def test_the_blank_asks_what_it_stands_for(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await alice.press("question_mark")
        await alice.until("The blank stands for")
        await alice.press("right", "down", "enter")  # A, then B, then K below it
        await alice.until(" 8 3W· · 2L· · · k →")
        await alice.press("backspace")
        place = alice.table.laying.rack.index("?") + 1
        await alice.press(str(place))
        await alice.until("The blank stands for")
        await alice.press("escape")
        assert alice.table.laying.laid == {}


async def test_what_cannot_be_is_said_before_and_after(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await alice.lay("1A", "RIO")
        await alice.until("the first play")
        await alice.press("enter")
        await alice.until(lambda shown: "BAD_PLAY" in shown or "must" in shown)
        assert len(alice.table.laying.laid) == 3, "refused tiles stay where they are"
        await alice.press("f4")
        await alice.until("Pass?")
        await alice.press("escape")
        await alice.press("f5")
        await alice.until("there is no play that you could challenge now")
        await alice.say("/nonsense")
        await alice.until("nonsense")
        assert alice.table.query_one("#line").value == "/nonsense"  # type: ignore[attr-defined]


async def test_tiles_can_be_laid_while_others_think(server: App) -> None:
    async with Friend.come(server.port, "bob") as bob, sitting(server.port, "alice") as alice:
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
        assert alice.table.laying.laid == {}, "somebody plays there"


async def test_a_drop_and_a_return(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
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
    async with sitting(server.port, "alice") as alice:
        await alice.until("1 alice")
        code = alice.connection.mark.code
        async with sitting(server.port, None, mark=Bookmark(code=code, seq=0)) as again:
            await again.until("1 alice")
            await again.until(" 1 3W· · 2L")  # whoever comes back is told the rules
            assert alice.table.return_value == Ended(4001, "replaced by your new connection")


async def test_offers_are_answered_with_a_key(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await bob.ask("adjourn")
        await alice.until("bob asks to adjourn the game: Ctrl+Y agrees, Ctrl+N declines")
        await alice.press("ctrl+n")
        await alice.hear("alice declines to adjourn the game")
        await alice.say("/abort")
        await alice.until("you ask to end the game without a result; bob may answer")
        await alice.press("ctrl+n")
        await alice.hear("alice takes back the offer")


async def test_agreeing_takes_one_key_too(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await bob.ask("abort")
        await alice.until("bob asks to end the game")
        await alice.press("ctrl+y")
        await alice.until("nobody wins")


async def test_looking_back(server: App, request: pytest.FixtureRequest) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await alice.lay("8C", "RIVERs")
        await alice.press("enter")
        await bob.on_turn()
        await bob.ask("play", at="H8", word=".AY")
        await alice.until("your turn 3")
        await alice.press("pageup")
        shown = await alice.until("looking back at move 1 of 2")
        assert "alice plays 8C RIVERs" in shown.splitlines()[-4]
        assert " 9 · · 2L· · · 2L· " in shown, "no A below the S"
        await alice.press("pageup", "pageup", "pageup")
        await alice.until("looking back at the beginning")
        assert " 8 3W· · 2L· · · ** " not in alice.text
        await alice.press("end")
        await alice.until("your turn 3")
        assert "A" in alice.lines[10]

    async with sitting(server.port, "carol") as carol:
        await carol.hear("alice plays 8C RIVERs")
        await carol.press("tab", "pageup")
        await carol.until("looking back at move 1 of 2")


async def test_watching(server: App, request: pytest.FixtureRequest) -> None:
    async with (
        Friend.come(server.port, "alice") as alice,
        Friend.come(server.port, "bob-with-a-long-name") as bob,
        sitting(server.port, None) as carol,
    ):
        await carol.until("your name")
        await carol.type("/watch", "enter")
        await alice.ask("set", setting="first-player", value="seat")
        await alice.ask("ready")
        await bob.ask("ready")
        await carol.until("alice to move (turn 1); you watch")
        await carol.press("tab")
        await carol.type("x")
        await carol.until("tiles are laid by who sits at the table")
        await alice.ask("play", at="8C", word="RIVERs")
        await carol.hear("alice plays 8C RIVERs")
        assert "you draw" not in carol.text
        await compare(carol, "watching", request)


async def test_the_way_in_asks_for_room_and_name(server: App) -> None:
    async with sitting(server.port, None, room=None) as alice:
        await alice.until("room:")
        await alice.type("kitchen", "enter")
        await alice.until("your name")
        alice.table.query_one("#line").value = ""  # type: ignore[attr-defined]
        await alice.type("alice", "enter")
        await alice.until("1 alice")
        assert alice.connection.mark.name == "alice"


async def test_answers_are_read_in_front_of_the_table(server: App) -> None:
    async with sitting(server.port, "alice") as alice:
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
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await alice.lay("8C", "RIVERs")
        await alice.press("enter")
        await bob.on_turn()
        await alice.say("/score")
        await alice.until("Esc goes back")
        await bob.ask("play", at="H8", word=".AY")
        await alice.until(lambda shown: "bob                               5 " in shown)
        assert "Esc goes back" in alice.text
        await alice.press("escape")
        await alice.until("your turn 3")


async def test_commands_are_completed_and_remembered(server: App) -> None:
    async with sitting(server.port, "alice") as alice:
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


async def test_a_large_terminal(server: App, request: pytest.FixtureRequest) -> None:
    async with (
        sitting(server.port, "alice", LARGE) as alice,
        Friend.come(server.port, "bob") as bob,
    ):
        await begin(alice, bob)
        await alice.lay("8C", "RIVERs")
        await alice.until("18 points: RIVERS")
        await bob.ask("say", text="well?")
        await alice.until("bob: well?")
        await compare(alice, "large", request)
        await alice.pilot.resize_terminal(*SMALL)
        await alice.until(lambda shown: " 8 3W· R I V E R s " in shown)
        await alice.press("escape")
        assert alice.table.laying.laid == {}


async def test_the_mouse_does_all_of_it(server: App) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        board, rack = alice.table._board, alice.table._rack
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert alice.table.laying.cursor == (7, 6)
        place = alice.table.laying.rack.index("V")
        await alice.pilot.click(rack, offset=(4 * place + 1, 1))
        await alice.until("8G V")
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert alice.table.laying.laid == {}
        await alice.pilot.click(board, offset=(3 + 2 * 6, 1 + 7))
        assert not alice.table.laying.across


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "colour-blind", "sixteen"])
async def test_every_theme_shows_the_same(server: App, theme: str) -> None:
    async with sitting(server.port, "alice", colours=Colours(theme=theme)) as alice:
        shown = await alice.until("1 alice")
        for _ in range(5):
            before = alice.table.palette
            await alice.press("f8")
            assert alice.text == shown
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


async def test_a_slow_line_holds_nothing_up(server: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        say = alice.connection._say

        async def say_late(frame: str) -> None:
            await asyncio.sleep(1.0)
            await say(frame)

        monkeypatch.setattr(alice.connection, "_say", say_late)
        begun = time.monotonic()
        await alice.lay("8C", "RIV")
        await alice.until("8C RIV …")
        await alice.type("er")
        assert "R I V E R → " in alice.text
        assert time.monotonic() - begun < 1.0, "nobody waits for the line"
        await alice.until("the first play must cover the start square")


async def test_a_server_that_starts_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    load_dice(monkeypatch, BLANK_FIRST)
    async with AsyncExitStack() as stack:
        async with serving(keep=True, data=tmp_path) as app:
            port = app.port
            alice = await stack.enter_async_context(sitting(port, "alice"))
            async with Friend.come(port, "bob") as bob:
                await begin(alice, bob)
                await alice.lay("8C", "RIVERs")
        await alice.until("not connected; trying again")
        await alice.press("enter")
        await alice.until("not connected; try again in a moment")
        async with serving(keep=True, data=tmp_path, port=port):
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
        serving(data=tmp_path) as app,
        sitting(app.port, "alice") as alice,
        Friend.come(app.port, "bob") as bob,
    ):
        await begin(alice, bob, tiles="spanish", lexicon="corto")
        assert "CH" in alice.table.laying.rack
        place = alice.table.laying.rack.index("CH") + 1
        await alice.type(f"{place}u")
        assert alice.table.laying.at(Square(7, 7)) == "CH"
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
        alice = await stack.enter_async_context(sitting(server.port, "a" * 20))
        friends = [
            await stack.enter_async_context(Friend.come(server.port, name * 20)) for name in names
        ]
        await alice.until("4 dddddddddddddddddddd")
        for name in ("eve", "fred"):
            await stack.enter_async_context(Friend.come(server.port, name))
        for friend in friends:
            await friend.ask("ready")
        await alice.hear("dddddddddddddddddddd is ready")
        await alice.press("ctrl+y")
        await alice.until("bag 72   turn 1   2 watching")
        assert max(map(len, alice.lines)) <= 80
        assert "talk" in alice.text


@pytest.mark.parametrize("size", [(60, 20), (40, 10), (10, 3)])
async def test_a_terminal_that_is_made_too_small(server: App, size: tuple[int, int]) -> None:
    async with sitting(server.port, "alice") as alice, Friend.come(server.port, "bob") as bob:
        await begin(alice, bob)
        await alice.pilot.resize_terminal(*size)
        await alice.press("r", "i", "o", "f1")
        for key in ("escape", "pageup", "end", "f8"):
            await alice.press(key)
        await alice.pilot.resize_terminal(*SMALL)
        await alice.until("6 points: RIO")


async def test_leaving(server: App) -> None:
    async with sitting(server.port, "alice") as alice:
        await alice.until("1 alice")
        await alice.press("ctrl+d")
        await alice.pilot.pause(0.1)
        assert alice.table.return_value == Ended(1000, "")
