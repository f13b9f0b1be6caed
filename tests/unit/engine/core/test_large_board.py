"""Games on the largest board, and with tiles of several letters: search, records, positions."""

from dataclasses import replace
from functools import cache

import pytest

from crossroom_engine import movegen
from crossroom_engine.analysis.cgp import CgpPosition, Operation, read_cgp, write_cgp
from crossroom_engine.core import data
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.events import Event, Played
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import Letter, multiset
from crossroom_engine.game.game import replay
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_engine.words import languages
from crossroom_engine.words.build import build_lexicon
from crossroom_engine.words.catalog import open_lexicon
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.text.board_text import draw_board
from tests.support.engines import same_in_all
from tests.unit.engine.bots.test_bots import brain, play_out

SUPER = PRESETS["super"]
SUPER_OF_TWO = replace(PRESETS["tournament"], layout=SUPER.layout, tiles=SUPER.tiles)
CATALAN = data.tileset("catalan")
WORDS = """
ala alar any banya cala canya casa celles cel·la col·legi gel gels la les lila mal nina nyora pal
pala paret que quina quin quinqué riu sala senyal senyals si són tal tela vi vil·la xal
"""


@cache
def catalan() -> Lexicon:
    return Lexicon(
        "ca", build_lexicon(WORDS.split(), CATALAN, language=languages.language_for("catalan")).data
    )


def game(rules: Ruleset, lexicon: Lexicon, seed: int = 2) -> list[Event]:
    brains = [brain("greedy", {rules.lexicon: lexicon})] * 2
    return play_out(replace(rules, first_player="seat"), brains, seed, lexicon)


@pytest.fixture(scope="module")
def large() -> list[Event]:
    return game(SUPER, open_lexicon("english"))


def test_a_game_on_the_large_board_comes_to_its_end(large: list[Event]) -> None:
    last = replay(large)
    assert last.phase == "over"
    assert (last.board.height, last.board.width) == (21, 21)
    lying = [square for square, _ in last.board.items()]
    assert len(lying) > 150, "most of 200 tiles"
    assert max(square.col for square in lying) > 17
    rows = draw_board(last.board.rows, last.rules.layout)
    assert len(rows) == 23
    assert max(map(len, rows)) <= 80


def test_kernel_and_twin_agree_on_every_play_there(large: list[Event]) -> None:
    english, rack = open_lexicon("english"), multiset("?AEINRT")
    begun = [at for at, event in enumerate(large) if isinstance(event, Played)]
    for at in (begun[3], begun[len(begun) // 2]):
        past = replay(large[: at + 1])
        assert len(same_in_all(movegen.plays, SUPER, past.board, rack, english)) > 100
        same_in_all(movegen.best, SUPER, past.board, rack, english, 10)


def test_squares_multiply_by_four() -> None:
    there = {Square(0, 1): Letter("A"), Square(0, 2): Letter("T")}
    board = Board.empty(SUPER.layout).with_letters(there)
    assert place(SUPER, board, Spot.parse("1A"), "C..").points == 4 * (3 + 1 + 1)
    there = {Square(2, 6): Letter("A"), Square(2, 7): Letter("T")}
    board = Board.empty(SUPER.layout).with_letters(there)
    assert place(SUPER, board, Spot.parse("3F"), "C..").points == 4 * 3 + 1 + 1


def test_records_of_the_large_board_are_read_and_checked(large: list[Event]) -> None:
    record = read_gcg(write_gcg(large))
    assert (record.rules.layout, record.rules.tiles) == (SUPER.layout, SUPER.tiles)
    assert not check_record(record, open_lexicon("english")).findings


@pytest.mark.parametrize(
    ("board", "tiles"),
    [("super", "english-super"), ("SuperCrosswordGame", "english_super")],
)
def test_other_programs_call_board_and_tiles_by_other_names(board: str, tiles: str) -> None:
    head = f"#player1 Ada Ada\n#player2 Bob Bob\n#board-layout {board}\n"
    record = read_gcg(f"{head}#tile-distribution {tiles}\n>Ada: AB - +0 0\n")
    assert (record.rules.layout, record.rules.tiles) == (SUPER.layout, SUPER.tiles)
    position = read_cgp(f"{'/'.join(['21'] * 21)} AB/ 0/0 0 bdn {board}; ld {tiles};")
    assert (position.rules.layout, position.rules.tiles) == (SUPER.layout, SUPER.tiles)


def test_a_position_of_the_large_board_is_written_and_read(large: list[Event]) -> None:
    said = (Operation("bdn", "super"), Operation("ld", "english-super"))
    past = replay(large[: len(large) // 2])
    racks = tuple(player.rack for player in past.players)
    position = CgpPosition(SUPER_OF_TWO, past.board, racks, (5, 7), operations=said)
    assert read_cgp(write_cgp(position)) == position


def test_games_with_tiles_of_several_letters() -> None:
    rules = replace(PRESETS["official"], tiles=CATALAN, lexicon="ca")
    laid: set[str] = set()
    for seed in range(4):
        log = game(rules, catalan(), seed)
        last = replay(log)
        assert last.phase == "over"
        laid |= {letter.letter for _, letter in last.board.items()}
        assert all(set(event.words) <= set(catalan()) for event in log if isinstance(event, Played))
        record = read_gcg(write_gcg(log))
        assert record.rules.tiles == CATALAN
        assert not check_record(record, catalan()).findings
    assert laid >= {"L·L", "NY", "QU"}
