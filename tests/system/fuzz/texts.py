"""Boards, racks, tile sets, leaves, rules, positions and records, written as nobody should.

What is read must be written so that it is read again, and the engine must be able to work with it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final

from crossroom_engine import movegen
from crossroom_engine.analysis.cgp import read_cgp, write_cgp
from crossroom_engine.core import data
from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadRules, BadText, CorruptLog, IllegalMove
from crossroom_engine.core.rules import PRESETS, settings
from crossroom_engine.core.tiles import TileSet
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.records.gcg_read import decode_gcg, read_gcg
from crossroom_engine.records.gcg_write import format_gcg
from crossroom_engine.words import catalog
from crossroom_protocol.encoding.game_json import read_events

TYPED: Final = (BadText, BadRules, IllegalMove)

ENGLISH: Final = catalog.open_lexicon("english")
SETS: Final = [data.tileset(name) for name in data.list_names("tiles", ".csv")]

WORDS: Final = """
    A z ? * . _ ( ) [ ] [CH] [ch] [] [[ / ; , - " ' # = ~ ^ > : 15/ lex ld bdn bb mcnz
    0 1 15 21 22 99 -1 +5 1e9 1e999999999 1_0 NaN inf off english spanish true None
"""
SCRAPS: Final = [
    *WORDS.split(),
    *" \n\r\t\0\x1c\x85\u2028\u200b\u0301\u0661\u0131\u017f\ud800ßẞİŉǅŁé²😀",
    *("9" * 30, "9" * 5000, "A" * 300, "#player1 a A\n", ">a: ABC 8H CAB +10 10\n"),
    *("#character-encoding utf-8\n", "#character-encoding hex\n", "#character-encoding idna\n"),
]

CGP: Final = (
    "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 AEINRT?/ 0/14 0 lex english;",
    "15/15/15/15/15/5q9/5U9/4C[CH]As7/15/15/15/15/15/15/15 [LL]A/?/ 0/4/1 2 ld spanish; bb 50;",
)
GCG: Final = (
    "#character-encoding UTF-8\n#player1 ann Ann\n#player2 bob Bob\n"
    ">ann: ACBT?EI 8F CAB +14 14\n>bob: ZOO -ZO +0 0\n>ann: T?EI - +0 14\n>bob: AB 9G AB +9 9\n"
)

VALUES: Final[list[Any]] = [
    *(None, True, -1, 0, 1, 2, 99, 10**30, 1.5, [], {}, [["A"]], ["A"] * 101, "0" * 64),
    *("", "A", "?", "_", "CH", "é", "\ud800", "a\nb", "drew", "draw", "random"),
]
EXPORT: Final = Path(__file__).with_name("sealed.json").read_text("utf-8")


def text_like(dice: Random, good: str) -> str:
    """*good* with other things in it."""
    if dice.random() < 0.1:
        good = ""
    for _ in range(dice.choice([0, 1, 1, 2, 4, 12])):
        start = dice.randrange(len(good) + 1)
        end = min(len(good), start + dice.choice([0, 0, 1, 1, 5, 40]))
        inside = dice.choice(
            [dice.choice(SCRAPS), chr(dice.randrange(0x110000)), good[start:end] * 2]
        )
        good = good[:start] + inside + good[end:]
    return good


def read_rows(dice: Random) -> None:
    rows = [text_like(dice, dice.choice(["....", "CAT.", "[CH]aS.", ""])) for _ in range(2)]
    tiles = dice.choice(SETS)
    board = Board.from_rows(rows, tiles)
    again = ["".join(str(letter or ".") for letter in board.squares[: board.width])]
    assert Board.from_rows(again, tiles).squares == board.squares[: board.width]


def read_tiles(dice: Random) -> None:
    tiles = dice.choice(SETS)
    text = text_like(dice, dice.choice(["AB?", "[CH]A", "A B *", "(AB)cd.."]))
    with suppress(*TYPED):
        tiles.parse_play(text)
    assert not text or tiles.split(text) != ()
    rack = tiles.parse_tiles(text)
    assert all(tile in tiles for tile in rack)


def read_tile_set(dice: Random) -> None:
    name = dice.choice(data.list_names("tiles", ".csv"))
    good = "".join(f"{k.tile},{k.count},{k.points}\n" for k in data.tileset(name).kinds[-4:])
    made = TileSet.from_csv("any", text_like(dice, good))
    assert all(kind.tile in made for kind in made.kinds)


def read_layout(dice: Random) -> None:
    rows = PRESETS["official"].layout.rows
    layout = Layout.from_text("any", text_like(dice, "\n".join(rows[: dice.choice([2, 15])])))
    assert Board.empty(layout).height == layout.height


def read_leaves(dice: Random) -> None:
    leaves = Leaves.from_csv("any", text_like(dice, "?,25\nS,7.25\nQU,-1.5\n[CH]A,0.125\n"))
    leaves.value(("?", "S"))
    if not set("#[]") & set("".join([*leaves.tiles, *chain(*leaves.pairs)])):  # which are no tiles
        again = Leaves.from_csv("any", leaves.to_csv())
        assert (again.tiles, again.pairs) == (leaves.tiles, leaves.pairs)


def read_spot(dice: Random) -> None:
    spot = Spot.parse(text_like(dice, dice.choice(["8H", "H8", "21U", "a1"])))
    assert Spot.parse(str(spot)) == spot


def read_setting(dice: Random) -> None:
    rules = dice.choice(list(PRESETS.values()))
    name = dice.choice([*(spec.name for spec in settings()), "nobody", text_like(dice, "rack")])
    values = ["7", "off", "any", "english", "standard", "double", "4", "0", "9999999"]
    rules.override(name, text_like(dice, dice.choice(values)))


def read_position(dice: Random) -> None:
    position = read_cgp(text_like(dice, dice.choice(CGP)), dice.choice([None, PRESETS["race"]]))
    written = write_cgp(position)
    again = read_cgp(written, position.rules)
    assert (again.board, again.racks, again.scores) == (
        position.board,
        position.racks,
        position.scores,
    ), written
    situation = position.to_position(ENGLISH)
    rack = situation.rack if situation.rack.count("?") < 2 else ()
    movegen.count(position.rules, situation.board, rack, ENGLISH)


def read_record(dice: Random) -> None:
    text = text_like(dice, GCG)
    with suppress(BadText):
        decode_gcg(text.encode(dice.choice(["utf-8", "utf-16"]), "surrogatepass"))
    format_gcg(read_gcg(text))


def read_export(dice: Random) -> None:
    """A game as JSON with some values that are others, checked against its seed."""
    game = json.loads(EXPORT)
    for _ in range(dice.choice([1, 1, 2, 5])):
        holder, key = dice.choice(list(places(game)))
        holder[key] = deepcopy(dice.choice(VALUES))
    text = json.dumps(game) if dice.random() < 0.8 else text_like(dice, EXPORT)
    with suppress(CorruptLog):
        verify_draws(read_events(text))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All places in JSON that hold a value: what it is in, and at which key."""
    keys: Iterable[Any] = range(len(value)) if isinstance(value, list) else list(value)
    for key in keys:
        yield value, key
        if isinstance(value[key], list | dict):
            yield from places(value[key])


READERS: Final[list[Callable[[Random], None]]] = [
    read_rows,
    read_tiles,
    read_tile_set,
    read_layout,
    read_leaves,
    read_spot,
    read_setting,
    read_position,
    read_position,
    read_record,
    read_export,
]


def case(dice: Random) -> None:
    """Read one text."""
    with suppress(*TYPED):
        dice.choice(READERS)(dice)
