"""The table in a terminal, in the middle of a game that is played for it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from crossroom_clients.tui.theme_store import ThemeStore
from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.movegen import Play, best
from crossroom_engine.words.catalog import open_lexicon
from tests.support.server import run_server
from tests.support.tui_driver import OtherPlayer, TuiDriver, load_dice, open_tui

RULES = PRESETS["official"]
TALK = {
    3: ("bob", "that is a word?"),
    5: ("alice", "it is now"),
    8: ("bob", "nice one"),
}
"""What is said after how many turns."""


def draw_table(out: Path, size: tuple[int, int], theme: str = "dark", turns: int = 13) -> None:
    """Write a picture, in SVG, of a table of *size* columns and rows.

    So many *turns* are played, an odd number, and a word is laid that is not sent yet.
    """
    out.write_text(asyncio.run(_play(size, theme, turns)), "utf-8")


async def _play(size: tuple[int, int], theme: str, turns: int) -> str:
    with pytest.MonkeyPatch.context() as patched:
        load_dice(patched, 4)
        async with (
            run_server() as app,
            OtherPlayer.come(app.port, "bob") as bob,
            open_tui(app.port, "alice", size, colours=ThemeStore(theme=theme)) as alice,
        ):
            people: dict[str, OtherPlayer | TuiDriver] = {"bob": bob, "alice": alice}
            await alice.until("2 alice")
            await bob.ask("set", setting="first-player", value="seat")
            await bob.ask("ready")
            await alice.until("waiting for alice")
            await alice.press("ctrl+y")
            for turn in range(turns):
                if turn in TALK:
                    name, text = TALK[turn]
                    await people[name].say(text)
                if turn % 2 == 0:
                    await bob.on_turn()
                    play = _best(bob.game)
                    await bob.ask("play", at=str(play.spot), word=play.text)
                else:
                    await alice.until("your turn")
                    play = _best(_seen(alice.table.state.game))
                    await alice.lay(str(play.spot), play.text)
                    await alice.press("enter")
            await alice.until("your turn")
            play = _best(_seen(alice.table.state.game))
            await alice.lay(str(play.spot), play.text)
            await alice.until("points:")
            return alice.table.export_screenshot(title="crossroom table")


def _seen(view: Any) -> dict[str, Any]:
    return {
        "board": view.board,
        "seat": view.seat,
        "players": [{"rack": p.rack} for p in view.players],
    }


def _best(game: dict[str, Any]) -> Play:
    board = Board.from_rows(game["board"], RULES.tiles)
    rack = tuple(game["players"][game["seat"]]["rack"])
    return best(RULES, board, rack, open_lexicon("english-common"))[0]
