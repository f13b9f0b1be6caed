"""A board in sentences, for those who listen: the whole of it, a row or column, one square."""

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Final

from crossroom_engine.core.board import Layout, Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_spot, join_and, split_squares
from crossroom_protocol.text.board_text import EMPTY_SQUARE, blanks_on, runs_on, words_on
from crossroom_protocol.text.premiums import premium_name, premium_squares

_BESIDE: Final = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Steps to the squares left, right, above and below."""


def board_lines(rules: Ruleset, view: View) -> list[str]:
    """Tell all words on the board, those across first, then where blanks lie."""
    words = list(words_on(view.board))
    lines = [
        "; ".join(
            f"{format_spot(spot, spoken=True)} {word.upper()}"
            for spot, word in words
            if spot.across == across
        )
        for across in (True, False)
    ]
    if not words:
        lines = [
            gettext("the board is empty; the first play covers {start}", start=rules.layout.start)
        ]
    blanks = [
        gettext("{letter} on {square}", letter=letter, square=square)
        for square, letter in blanks_on(view.board)
    ]
    if blanks:
        lines.append(gettext("blanks: {blanks}", blanks=join_and(blanks)))
    return [line for line in lines if line]


def free_premiums(layout: Layout, view: View) -> list[str]:
    """Tell the premium squares that are free, a line for each kind."""
    tiles = dict(_tiles(view))
    return [
        gettext("{name} free: {free}", name=name, free=" ".join(free))
        for name, squares in premium_squares(layout).items()
        if (free := [square for square in squares if square not in tiles])
    ]


def line_text(rules: Ruleset, view: View, line: str) -> list[str]:
    """Tell a row (``8``) or a column (``H``): its tiles, then its free premium squares.

    Raises:
        IndexError: the board has no such line.
    """
    squares = _squares_of(rules.layout, line)
    tiles = dict(_tiles(view))
    runs, free = list[str](), dict[str, list[str]]()
    begun, letters = squares[0], ""
    for square in [*squares, None]:
        tile = tiles.get(str(square))
        if square is not None and tile is not None:
            begun, letters = (begun, letters) if letters else (square, "")
            letters += tile
            continue
        if letters:
            runs.append(gettext("{letters} from {square}", letters=letters, square=begun))
        letters = ""
        if square is not None and (premium := rules.layout.premium(square)) != Premium():
            free.setdefault(premium_name(premium), []).append(str(square))
    name = (
        gettext("row {line}", line=line)
        if line.isdigit()
        else gettext("column {line}", line=line.upper())
    )
    told = [f"{name}: {'; '.join(runs)}" if runs else gettext("{line} is empty", line=name)]
    premiums = [
        gettext("{name} on {squares}", name=kind, squares=join_and(found))
        for kind, found in free.items()
    ]
    if premiums:
        told.append(gettext("free: {premiums}", premiums="; ".join(premiums)))
    return told


def square_text(rules: Ruleset, view: View, square: Square) -> list[str]:
    """Tell one square: its tile and the words through it, or what it is worth and what is beside.

    Raises:
        IndexError: the board has no such square.
    """
    layout, tiles = rules.layout, dict(_tiles(view))
    if square.row >= layout.height or square.col >= layout.width:
        raise IndexError(square)
    if (tile := tiles.get(str(square))) is not None:
        return [_tile_text(rules, view, square, tile)]
    premium = layout.premium(square)
    worth = gettext(", {premium}", premium=premium_name(premium)) if premium != Premium() else ""
    told = gettext("{square} is free{worth}", square=square, worth=worth)
    around = [Square(square.row + down, square.col + right) for down, right in _BESIDE]
    beside = [
        gettext("{letter} on {square}", letter=tiles[str(other)], square=other)
        for other in around
        if str(other) in tiles
    ]
    return [told + gettext("; beside it {tiles}", tiles=join_and(beside)) if beside else told]


def _tile_text(rules: Ruleset, view: View, square: Square, tile: str) -> str:
    if tile != tile.upper():
        told = gettext("{square}: {letter}, a blank, no points", square=square, letter=tile.upper())
    else:
        points = format_count(rules.tiles.points(tile), "point")
        told = gettext("{square}: {letter}, {points}", square=square, letter=tile, points=points)
    through = [
        f"{''.join(word).upper()} {format_spot(spot, spoken=True)}"
        for spot, word in runs_on(view.board)
        if any(spot.square_at(step) == square for step in range(len(word)))
    ]
    return told + gettext("; in {words}", words=join_and(through)) if through else told


def _tiles(view: View) -> Iterator[tuple[str, str]]:
    """Yield the squares that are covered, and their tiles; a blank in lower case."""
    for row, text in enumerate(view.board):
        for column, tile in enumerate(split_squares(text)):
            if tile != EMPTY_SQUARE:
                yield str(Square(row, column)), tile


def _squares_of(layout: Layout, line: str) -> list[Square]:
    if line.isdecimal():
        if not 1 <= int(line) <= layout.height:
            raise IndexError(line)
        return [Square(int(line) - 1, column) for column in range(layout.width)]
    column = ascii_uppercase.find(line.upper()) if len(line) == 1 else -1
    if not 0 <= column < layout.width:
        raise IndexError(line)
    return [Square(row, column) for row in range(layout.height)]
