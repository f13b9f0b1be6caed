"""Moves for tests, worked out from what a seat may see."""

from collections.abc import Iterator
from dataclasses import replace

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Tiles, unspell
from crossroom_engine.game.views import View
from crossroom_engine.movegen import Play, plays
from crossroom_engine.words.lexicon import Lexicon


def best_play_line(view: View, rules: Ruleset, lexicon: Lexicon) -> str | None:
    """The line for a good play that gets rid of the most tiles, then earns the most points."""
    board = Board.from_rows(view.board, rules.tiles)
    found = plays(rules, board, view.rack, lexicon, view.reclaimable)
    best = max(found, key=lambda play: (len(play.tiles), play.points, play.text), default=None)
    return None if best is None else line_of(best)


def line_of(play: Play) -> str:
    swaps = ",".join(map(str, play.swaps))
    return f"/play {play.spot} {play.text}" + (f" swap={swaps}" if swaps else "")


def phony_line(
    view: View, rules: Ruleset, lexicon: Lexicon, tiles: Tiles | None = None
) -> str | None:
    """The line for a play of *tiles*, or else all of the rack, with a word that is none.

    They lie in the reverse of the order in which racks are shown: that tells the two apart.
    """
    board = Board.from_rows(view.board, rules.tiles)
    text = "".join("q" if tile == BLANK else tile for tile in reversed(tiles or view.rack))
    for spot in _spots(board):
        try:
            placement = place(replace(rules, reclaim="off"), board, spot, text)
        except IllegalMove:
            continue
        if not all(lexicon.accepts(unspell(word)) for word in placement.words):
            return f"/play {spot} {text}"
    return None


def _spots(board: Board) -> Iterator[Spot]:
    for row in range(board.height):
        for col in range(board.width):
            yield from (Spot(row, col, across=across) for across in (True, False))
