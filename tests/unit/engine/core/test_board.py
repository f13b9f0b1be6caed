from dataclasses import replace
from random import Random

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import BLANK, Letter, TileKind, TileSet
from crossroom_engine.game.game import replay
from crossroom_engine.game.referee import DecisionContext, start_game
from crossroom_engine.game.views import view
from tests.support.game_driver import word_list

TILES = TileSet("digraph", (TileKind("A", 40, 1), TileKind("CH", 40, 5), TileKind(BLANK, 40, 0)))


def test_a_board_is_read_from_the_rows_of_a_view() -> None:
    letters = {
        Square(0, 0): Letter("CH"),
        Square(7, 1): Letter("CH", blank=True),
        Square(14, 14): Letter("A", blank=True),
        Square(14, 13): Letter("A"),
    }
    rules = replace(PRESETS["official"], tiles=TILES)
    game = replay(
        start_game(rules, ("ann", "bob"), DecisionContext(word_list("A", TILES), Random(1), now=0))
    )
    game = replace(game, board=game.board.with_letters(letters))
    assert Board.from_rows(view(game, None).board, TILES) == game.board


@pytest.mark.parametrize("rows", [("A.", "."), ("A?",), ("AB",), ("[CH",), ()])
def test_what_is_no_board_is_refused(rows: tuple[str, ...]) -> None:
    with pytest.raises(BadText):
        Board.from_rows(rows, TILES)


def test_a_board_has_no_squares_beyond_its_edge() -> None:
    board = Board.empty(data.layout("standard"))
    with pytest.raises(IndexError, match="off the board"):
        board.with_letters({Square(0, 20): Letter("A")})
