"""A room answers questions: to the one who asked, or to all, and only what they may hear."""

import pytest

from crossroom_engine.game.views import view
from crossroom_engine.records.check import check
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.table import WhoCommand
from crossroom_protocol.notices import Style
from crossroom_server.table.queries import invitation
from tests.support.fake_bots import best_play, phony
from tests.support.room_driver import LISTS, gathered, has, playing


async def test_what_is_asked_aloud_is_answered_to_all() -> None:
    stage = await playing("ann", "bob", "watcher")
    asked = await stage.type("ann", "!board")
    assert asked == stage.ears["bob"].heard == stage.ears["watcher"].heard
    assert asked[0] == "- ann shows /board"
    assert len(asked) >= 17


async def test_nobody_without_a_name_shows_things_to_all() -> None:
    stage = await playing("ann", "bob", "watcher")
    assert has(await stage.type("watcher", "!help"), "say who you are")
    assert has(await stage.type("watcher", "!board"), "! NEED_NAME board")
    assert stage.ears["bob"].heard == []


async def test_those_who_sit_choose_the_bots() -> None:
    stage = await gathered("ann", "cat")
    await stage.type("cat", "/watch")
    assert has(await stage.type("cat", "/bot add"), "! NEED_SEAT bot")
    assert len((await stage.table()).chairs) == 1


async def test_a_setting_without_a_value_is_shown() -> None:
    stage = await gathered("ann")
    assert has(await stage.type("ann", "/set bingo"), "- bingo = 50")
    assert has(await stage.type("ann", "/set frob"), "! BAD_SETTING set")


async def test_whoever_comes_with_a_name_is_not_asked_for_it() -> None:
    stage = await gathered("bob")
    ann = await stage.come("ann")
    assert not has(ann.heard, "/name YOURNAME")
    assert has(ann.heard, "you are ann")


@pytest.mark.parametrize("line", ["!rack", "!shuffle"])
async def test_tiles_are_not_shown_aloud(line: str) -> None:
    stage = await playing("ann", "bob")
    assert has(await stage.type("ann", line), "your tiles are not for the whole room")
    assert stage.ears["bob"].heard == []


@pytest.mark.parametrize("line", ["!state", "!bag", "!score", "!history", "!export text", "!who"])
async def test_what_is_answered_aloud_is_what_a_watcher_would_hear(line: str) -> None:
    stage = await playing("ann", "bob", "watcher")
    game = (await stage.table()).game
    assert game is not None
    await stage.type("ann", f"/exchange {game.players[0].rack[0]}")
    alone = await stage.type("watcher", line.replace("!", "/"))
    aloud = await stage.type("ann", line)
    assert aloud[1:] == alone == stage.ears["bob"].heard[-len(alone) :]


async def test_only_who_asked_gets_the_label() -> None:
    stage = await gathered("bob")
    ann = await stage.come("ann", Style("tags"))
    await (await stage.room()).ask(ann, Request(WhoCommand(), "7", shown=True))
    assert ann.heard[-2] == "@label=7;about=who - at the table: bob and ann"
    assert stage.ears["bob"].heard[-2] == "- at the table: bob and ann"


@pytest.mark.parametrize(
    ("challenge", "before", "during", "after"),
    [("double", True, False, True), ("free", True, False, True), ("void", True, True, True)],
)
async def test_words_are_looked_up_when_nobody_may_challenge(
    challenge: str, before: bool, during: bool, after: bool
) -> None:
    """RULES 8.3."""
    stage = await gathered("ann", "bob")
    await stage.type("ann", f"/set challenge {challenge}")

    async def is_answered() -> bool:
        heard = await stage.type("ann", "/check quiz xqzw")
        if heard == ["- QUIZ is in english", "- XQZW is not in english"]:
            return True
        assert heard[0].startswith("! GAME_ON check: ")
        return False

    found = [await is_answered()]
    for name in ("ann", "bob"):
        await stage.type(name, "/ready")
    found.append(await is_answered())
    await stage.type("ann", "/resign")
    found.append(await is_answered())
    assert found == [before, during, after]


async def test_a_game_is_exported_when_it_is_over() -> None:
    stage = await playing("ann", "bob", "watcher")
    lexicon = LISTS.get("english")
    for name in ("ann", "bob"):
        game = (await stage.table()).game
        assert game is not None
        seen = view(game, game.on_turn)
        line = phony(seen, game.rules, lexicon) if name == "ann" else "/challenge"
        assert line is not None
        await stage.type(name, line)
    game = (await stage.table()).game
    assert game is not None
    await stage.type("bob", best_play(view(game, 1), game.rules, lexicon) or "/pass")
    for form in ("gcg", "json"):
        (answer,) = await stage.type("ann", f"/export {form}")
        assert answer.startswith("! GAME_ON export: the racks are part of the record")
    assert len(await stage.type("ann", "/export text")) > 3
    await stage.type("ann", "/resign")
    lines = await stage.type("watcher", "/export gcg")
    report = check(read_gcg("".join(line[2:] + "\n" for line in lines)), lexicon)
    assert (report.findings, report.complete) == ((), True)
    assert has(await stage.type("watcher", "/export json"), '"kind":"drew"')


async def test_an_invitation_fits_the_way_one_came() -> None:
    stage = await gathered("ann")
    heard = await stage.type("ann", "/invite")
    assert heard == [f"- {line}" for line in invitation("ws://host:8765", "kitchen").lines]
    below = invitation("wss://example.org/words", "kitchen")
    assert "wscat -c wss://example.org/words/t/kitchen" in below.lines
    assert below.page == "https://example.org/words/t/kitchen"
    locked = invitation("wss://example.org", "a", "k7qm")
    assert locked.page == "https://example.org/t/a#k7qm"
    assert f"in a browser: {locked.page}" in locked.lines
