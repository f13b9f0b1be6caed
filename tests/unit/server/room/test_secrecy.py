"""Nobody ever reads a tile that they may not see, in any mode, whatever happens.

Every tile of this set is unlike all others and unlike anything else in a frame, so that a hidden
tile's face in a frame *is* a leak: the test needs no knowledge of what frames look like. The same
goes for the seed that decides the draws, and for what is written to the server's log.
"""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.events import Drew, DrewForFirst, Event, Exchanged, Played
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import BLANK, TileKind, Tiles, TileSet
from crossroom_engine.game.game import Game
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.events.room import LogEntry, RulesChanged
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table.state import Table
from tests.support.room_driver import FakeClient, RoomDriver

GLYPHS = "БГДЁЖЗИЙЛПФЦЧШЩЪЫЬЭЮЯ"
BLANK_AS = GLYPHS[0]
"""What every blank is played as; so this face alone tells nothing."""
TILES = TileSet("glyphs", (*(TileKind(g, 1, 1) for g in GLYPHS), TileKind(BLANK, 1, 0)))
WORDS = [a + b for a in GLYPHS for b in GLYPHS[::2]]
HINT = ": equity "
"""What every line of a hint has in it, and nothing else."""
SEED = "c0ffee5eed".ljust(64, "7")
"""What all bags here are sealed with, and its beginning."""
PEOPLE = ("alice", "bob", "carol")
STYLES = (
    ReaderSettings("plain"),
    ReaderSettings("tags"),
    ReaderSettings("json"),
    ReaderSettings("plain", reader=True),
)


class SingleLexicon:
    def __init__(self) -> None:
        self._lexicon = Lexicon.from_words("glyphs", WORDS, TILES)

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        return self._lexicon


def hidden_from(table: Table, seat: int | None) -> set[str]:
    """The faces of the tiles that a seat has never been shown and may not see."""
    assert table.game is not None
    racks = (p.rack for other, p in enumerate(table.game.players) if other != seat)
    public = {laid.letter.letter for e in table.record if isinstance(e, Played) for laid in e.laid}
    drawn = {tile for e in table.record if isinstance(e, DrewForFirst) for _, tile in e.drawn}
    own = {tile for e in table.record for tile in _had(e, seat)}
    hidden = {*table.game.bag, *(tile for rack in racks for tile in rack)}
    return hidden - public - drawn - own - {BLANK, BLANK_AS}


def _had(event: Event, seat: int | None) -> Tiles:
    match event:
        case Drew(owner, tiles) | Exchanged(owner, _, tiles) if owner == seat:
            return tiles
        case _:
            return ()


def told(frame: str) -> str:
    """A frame without what names all tiles of the set or all tiles not yet seen, for anybody.

    Nor with the letters that a hint gives a blank: any letter of the set.
    """
    if HINT in frame:
        frame = re.sub(f"[{GLYPHS.lower()}]", "", frame)
    if not frame.startswith("{"):
        return frame
    return json.dumps(_without(json.loads(frame)), ensure_ascii=False)


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if k not in ("unseen", "rules")}
    return [_without(item) for item in value] if isinstance(value, list) else value


def typed(game: Game | None, name: str, random: Random) -> Iterator[str]:
    """Lines that somebody might type now, mostly sensible.

    Nobody types a tile that is not theirs: a refusal may repeat what was typed.
    """
    yield random.choice(["/board", "/score", "/history", "/state", "/seats", "/clock", "!board"])
    yield random.choice(["/rack", "/shuffle", "!score", "!history", "/who", "/export text", "hm"])
    yield random.choice(["/hint", "!hint", "/hint 10", "/analyze", "/export analysis"])
    yield random.choice(["/export json", "!export json", "!export gcg"])
    yield "/challenge"
    yield random.choice(["/undo", "/agree", "/agree", "/decline", "/nudge", "/clock"])
    if game is None or game.phase == "over":
        yield "/ready"
        return
    if game.players[game.on_turn].name != name:
        return
    rack = game.players[game.on_turn].rack
    chosen = random.sample(rack, min(2, len(rack)))
    text = "".join(BLANK_AS.lower() if tile == BLANK else tile for tile in chosen)
    for _ in range(30):
        row, col = random.randint(5, 11), random.choice("EFGHIJK")
        yield f"/play {random.choice([f'{row}{col}', f'{col}{row}'])} {text}"
    yield f"/exchange {''.join(chosen)}"
    yield "/pass"


async def opened(rules: Ruleset, seed: int) -> RoomDriver:
    clients = [
        FakeClient(name, STYLES[at % 4])
        for at, name in enumerate((*PEOPLE, "watcher", "eve"), seed)
    ]
    driver = RoomDriver(clients, SingleLexicon(), seed, sealed=SEED)
    change = RulesChanged("host", "tiles", "glyphs", rules)
    await driver.store.append("kitchen", 0, [LogEntry(1, driver.now, change)])
    await driver.join_all()
    return driver


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2, 3))])
@pytest.mark.parametrize("preset", PRESETS)
async def test_no_frame_shows_a_hidden_tile(
    preset: str, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    layout = data.layout("standard")
    rules = replace(
        PRESETS[preset], tiles=TILES, layout=layout, rack=4, players=2 + (preset != "tournament"),
        lexicon="glyphs", hints="on",
    )  # fmt: skip
    driver, random = await opened(rules, seed), Random(seed)
    seen = hints = 0
    for _ in range(80):
        table = (await driver.room()).table
        game = table.playing
        name = PEOPLE[game.on_turn] if game is not None else random.choice(PEOPLE)
        if random.random() < 0.2:
            name = random.choice([*PEOPLE, "watcher", "eve"])
        for line in typed(table.game, name, random):
            before = (await driver.room()).table
            await driver.type(name, line)
            hints += sum(HINT in frame for frame in driver.clients[name].received)
            seen += check(driver, before, (await driver.room()).table, name)
            if (await driver.room()).table.seq != before.seq and line.startswith("/play"):
                break
        if random.random() < 0.03:
            await driver.restart_and_resume()
    await driver.lobby.close()
    assert SEED[:8] not in caplog.text
    assert seen > 200
    assert hints > 0


def check(driver: RoomDriver, before: Table, after: Table, typist: str) -> int:
    """Look through everything that was heard in going from one table to the next."""
    frames = 0
    for name, client in driver.clients.items():
        if after.playing is not None:
            assert not [frame for frame in client.received if SEED[:8] in frame], (
                f"{name} reads the seed"
            )
        if before.playing is None or after.playing is None:
            client.received.clear()
            continue
        seat = next((s for s, p in enumerate(after.playing.players) if p.name == name), None)
        secret = hidden_from(before, seat) & hidden_from(after, seat)
        for frame in client.received:
            frames += 1
            shown = {glyph for glyph in secret if glyph in told(frame).upper()}
            assert not shown, f"{name} reads {shown} in {frame}"
            assert HINT not in frame or name == typist, f"{name} reads the hint {frame}"
        client.received.clear()
    return frames
