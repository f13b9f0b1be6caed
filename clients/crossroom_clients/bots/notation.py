"""Moves as text: as people here type them, and as UCGI engines write them.

UCGI is the interface of https://github.com/woogles-io/open-protocols (June 2023). A square has the
row as a letter and the column as a number, ``h4`` across and ``4h`` down. A word is written with
the tiles that lie there already.
"""

import re
from typing import Final

from crossroom_engine.analysis.position import TurnMove
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.moves import Exchange, Pass, Place
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import TileSet, spell

_UCGI_PLAY: Final = re.compile(
    r"(?:(?P<row>[a-z])(?P<col>\d{1,2})|(?P<down_col>\d{1,2})(?P<down_row>[a-z]))\.(?P<word>[^.\s]+)"
)


def parse_move(text: str, tiles: TileSet) -> TurnMove:
    """Read ``play 8H WORD``, or ``8H WORD``, ``exchange ABC`` and ``pass``.

    Raises:
        BadText: it is none of these.
    """
    words = text.strip().removeprefix("/").split()
    if words and words[0].lower() == "play":
        del words[0]
    match [word.lower() for word in words[:1]], len(words):
        case ["pass"], 1:
            return Pass()
        case ["exchange"], 2:
            return Exchange(_tiles(words[1], tiles))
        case _, 2:
            return Place(Spot.parse(words[0]), words[1])
    raise BadText(f"{text!r} is no move; write `play 8H WORD`, `exchange ABC` or `pass`")


def _tiles(text: str, tiles: TileSet) -> tuple[str, ...]:
    try:
        return tiles.parse_tiles(text)
    except IllegalMove as error:
        raise BadText(str(error)) from None


def write_ucgi(rules: Ruleset, board: Board, move: TurnMove) -> str:
    """Write a move as UCGI has it: ``h4.HADJI``, ``ex.ABC``, ``pass``."""
    match move:
        case Exchange(tiles=tiles):
            return f"ex.{spell(tiles)}"
        case Pass():
            return "pass"
    placed = place(rules, board, move.spot, move.text, move.swaps)
    row, col = chr(ord("a") + placed.spot.row), str(placed.spot.col + 1)
    letters = []
    for step, square in enumerate(rules.tiles.parse_row(placed.text)):
        letters.append(square or board[placed.spot.square_at(step)])
    at = row + col if placed.spot.across else col + row
    return f"{at}.{''.join(map(str, letters))}"


def read_ucgi(rules: Ruleset, board: Board, text: str) -> TurnMove:
    """Read a move as :func:`write_ucgi` writes it.

    Raises:
        BadText: it is no such move.
    """
    if text == "pass":
        return Pass()
    if text.startswith("ex."):
        return Exchange(_tiles(text.removeprefix("ex."), rules.tiles))
    found = _UCGI_PLAY.fullmatch(text)
    if found is None:
        raise BadText(f"{text!r} is no move in UCGI; that is h4.WORD, 4h.WORD, ex.ABC or pass")
    row = ord(found["row"] or found["down_row"]) - ord("a")
    col = int(found["col"] or found["down_col"]) - 1
    spot = Spot(row, col, across=found["row"] is not None)
    try:
        letters = rules.tiles.parse_row(found["word"])
    except IllegalMove as error:
        raise BadText(str(error)) from None
    squares = [spot.square_at(step) for step in range(len(letters))]
    if not board.holds(spot.square) or not board.holds(squares[-1]):
        raise BadText(f"{text!r} goes over the edge of the board")
    pairs = zip(squares, letters, strict=True)
    return Place(spot, "".join("." if board[at] is not None else str(one) for at, one in pairs))
