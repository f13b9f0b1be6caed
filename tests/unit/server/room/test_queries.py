"""A room answers questions: to the one who asked, or to all, and only what they may hear."""

import pytest

from crossroom_engine.game.views import view
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.table import WhoCommand
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table.queries import invitation
from tests.support.fake_bots import best_play_line, phony_line
from tests.support.room_driver import SHIPPED_LEXICA, any_contains, open_room, start_game


async def test_what_is_asked_aloud_is_answered_to_all() -> None:
    driver = await start_game("ann", "bob", "watcher")
    asked = await driver.type("ann", "!board")
    assert asked == driver.clients["bob"].received == driver.clients["watcher"].received
    assert asked[0] == "- ann shows /board"
    assert len(asked) >= 17


async def test_nobody_without_a_name_shows_things_to_all() -> None:
    driver = await start_game("ann", "bob", "watcher")
    assert any_contains(await driver.type("watcher", "!help"), "say who you are")
    assert any_contains(await driver.type("watcher", "!board"), "! NEED_NAME board")
    assert driver.clients["bob"].received == []


async def test_those_who_sit_choose_the_bots() -> None:
    driver = await open_room("ann", "cat")
    await driver.type("cat", "/watch")
    assert any_contains(await driver.type("cat", "/bot add"), "! NEED_SEAT bot")
    assert len((await driver.table()).seats) == 1


async def test_a_setting_without_a_value_is_shown() -> None:
    driver = await open_room("ann")
    assert any_contains(await driver.type("ann", "/set bingo"), "- bingo = 50")
    assert any_contains(await driver.type("ann", "/set frob"), "! BAD_SETTING set")


async def test_whoever_comes_with_a_name_is_not_asked_for_it() -> None:
    driver = await open_room("bob")
    ann = await driver.join("ann")
    assert not any_contains(ann.received, "/name YOURNAME")
    assert any_contains(ann.received, "you are ann")


@pytest.mark.parametrize("line", ["!rack", "!shuffle"])
async def test_tiles_are_not_shown_aloud(line: str) -> None:
    driver = await start_game("ann", "bob")
    assert any_contains(await driver.type("ann", line), "your tiles are not for the whole room")
    assert driver.clients["bob"].received == []


@pytest.mark.parametrize("line", ["!state", "!bag", "!score", "!history", "!export text", "!who"])
async def test_what_is_answered_aloud_is_what_a_watcher_would_hear(line: str) -> None:
    driver = await start_game("ann", "bob", "watcher")
    game = (await driver.table()).game
    assert game is not None
    await driver.type("ann", f"/exchange {game.players[0].rack[0]}")
    alone = await driver.type("watcher", line.replace("!", "/"))
    aloud = await driver.type("ann", line)
    assert aloud[1:] == alone == driver.clients["bob"].received[-len(alone) :]


async def test_only_who_asked_gets_the_label() -> None:
    driver = await open_room("bob")
    ann = await driver.join("ann", ReaderSettings("tags"))
    await (await driver.room()).ask(ann, Request(WhoCommand(), "7", shown=True))
    assert ann.received[-2] == "@label=7;about=who - at the table: bob and ann"
    assert driver.clients["bob"].received[-2] == "- at the table: bob and ann"


@pytest.mark.parametrize(
    ("challenge", "before", "during", "after"),
    [("double", True, False, True), ("free", True, False, True), ("void", True, True, True)],
)
async def test_words_are_looked_up_when_nobody_may_challenge(
    challenge: str, before: bool, during: bool, after: bool
) -> None:
    """RULES 8.3."""
    driver = await open_room("ann", "bob")
    await driver.type("ann", f"/set challenge {challenge}")

    async def is_answered() -> bool:
        heard = await driver.type("ann", "/check quiz xqzw")
        if heard == ["- QUIZ is in the word list", "- XQZW is not in the word list"]:
            return True
        assert heard[0].startswith("! GAME_ON check: ")
        return False

    found = [await is_answered()]
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    found.append(await is_answered())
    await driver.type("ann", "/resign yes")
    found.append(await is_answered())
    assert found == [before, during, after]


async def test_a_game_is_exported_when_it_is_over() -> None:
    driver = await start_game("ann", "bob", "watcher")
    lexicon = SHIPPED_LEXICA.get("english")
    for name in ("ann", "bob"):
        game = (await driver.table()).game
        assert game is not None
        seen = view(game, game.on_turn)
        line = phony_line(seen, game.rules, lexicon) if name == "ann" else "/challenge"
        assert line is not None
        await driver.type(name, line)
    game = (await driver.table()).game
    assert game is not None
    await driver.type("bob", best_play_line(view(game, 1), game.rules, lexicon) or "/pass")
    for form in ("gcg", "json"):
        (answer,) = await driver.type("ann", f"/export {form}")
        assert answer.startswith("! GAME_ON export: the racks are part of the record")
    assert len(await driver.type("ann", "/export text")) > 3
    (answer,) = await driver.type("ann", "/export gcg 1")
    assert answer.startswith("! NO_GAME"), "it is not over"
    await driver.type("ann", "/resign yes")
    lines = await driver.type("watcher", "/export gcg")
    assert await driver.type("watcher", "/export gcg 1") == lines
    report = check_record(read_gcg("".join(line[2:] + "\n" for line in lines)), lexicon)
    assert (report.findings, report.complete) == ((), True)
    assert any_contains(await driver.type("watcher", "/export json"), '"kind":"drew"')


async def test_an_invitation_fits_the_way_one_came() -> None:
    driver = await open_room("ann")
    heard = await driver.type("ann", "/invite")
    assert heard == [f"- {line}" for line in invitation("ws://host:8765", "kitchen").lines]
    below = invitation("wss://example.org/words", "kitchen")
    assert "wscat -c wss://example.org/words/t/kitchen" in below.lines
    assert below.page == "https://example.org/words/t/kitchen"
    locked = invitation("wss://example.org", "a", "k7qm")
    assert locked.page == "https://example.org/t/a#k7qm"
    assert f"in a browser: {locked.page}" in locked.lines


@pytest.mark.parametrize(
    ("look_ups", "line", "who", "answered"),
    [
        ("off", "/check QI", "ann", False),
        ("own", "/check QI", "ann", True),
        ("own", "!check QI", "ann", False),
        ("own", "/check QI", "watcher", False),
        ("all", "!check QI", "ann", True),
        ("all", "/check QI", "watcher", True),
    ],
)
async def test_look_ups_in_a_game_with_challenges_are_a_setting(
    look_ups: str, line: str, who: str, answered: bool
) -> None:
    driver = await start_game("ann", "bob", "watcher", look_ups=look_ups)
    heard = await driver.type(who, line)
    assert any_contains(heard, "word list") == answered
    assert any_contains(heard, "! GAME_ON check: ") != answered
    assert any_contains(driver.clients["bob"].received, "ann shows") == (
        answered and line.startswith("!")
    )
