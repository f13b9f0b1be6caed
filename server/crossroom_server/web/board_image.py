"""A board as a picture in PNG: with the players above it, or as a card that previews show."""

import io
import unicodedata
from collections.abc import Sequence
from typing import Final, Protocol

from PIL import Image, ImageDraw

from crossroom_engine.core.board import Board, Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Letter
from crossroom_server.web.board_font import board_font, can_draw

CELL_PX: Final = 44
"""Side of a square."""
_MARGIN_PX, _HEADER_PX = 30, 64
"""Space around the board for coordinates, and above it for names."""
_MIN_TEXT_PX: Final = 9

_PAPER, _INK, _SOFT_INK = "#f5f0e6", "#26201a", "#675d50"
_TILE, _TILE_EDGE, _BLANK_INK = "#f7dfa6", "#c49a4b", "#a32a1c"
_PLAIN: Final = ("#ece5d6", "#675d50")
_PREMIUMS: Final = {
    ("L", 2): ("#b9dbe8", "#1d4a5c"),
    ("L", 3): ("#2f7393", "#ffffff"),
    ("L", 4): ("#2f7393", "#ffffff"),
    ("W", 2): ("#f3c5b4", "#74301b"),
    ("W", 3): ("#b0452f", "#ffffff"),
    ("W", 4): ("#b0452f", "#ffffff"),
}
"""Colours of a square, and of what is written on it."""

CARD_PX: Final = (1200, 630)
"""Width and height of a card: what chats and networks show of a link."""

_Point = tuple[float, float]


class ScoredPlayer(Protocol):
    """A player of whom a picture tells."""

    @property
    def name(self) -> str:
        """What they are called."""

    @property
    def score(self) -> int:
        """Their points."""


def board_png(rules: Ruleset, board: Board, players: Sequence[ScoredPlayer]) -> bytes:
    """Draw a board with its players above it, some 20 to 40 kB.

    It takes a while; not for an event loop.
    """
    return _png(_board_image(rules, board, players))


def card_png(
    rules: Ruleset, board: Board, players: Sequence[ScoredPlayer], title: str = ""
) -> bytes:
    """Draw a board with its players beside it, :data:`CARD_PX` in size; see :func:`board_png`."""
    width, height = CARD_PX
    drawn = _board_image(rules, board, ())
    drawn = drawn.crop((0, _HEADER_PX, *drawn.size)).resize(
        (height, height), Image.Resampling.LANCZOS
    )
    card = Image.new("RGB", CARD_PX, _PAPER)
    card.paste(drawn, (0, 0))
    draw, middle, room = ImageDraw.Draw(card), (height + width) / 2, width - height - 2 * _MARGIN_PX
    _write(draw, (middle, 90), title if can_draw(title) else "crossroom", 60, _INK, room)
    for number, player in enumerate(players, 1):
        y = 130 + number * 400 / (len(players) + 1)
        line = f"{_drawable_name(player.name, number)}  {player.score}"
        _write(draw, (middle, y), line, 52, _INK, room)
    _write(draw, (middle, height - 60), "crossroom", 30, _SOFT_INK, room)
    return _png(card)


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def _board_image(rules: Ruleset, board: Board, players: Sequence[ScoredPlayer]) -> Image.Image:
    layout = rules.layout
    width = layout.width * CELL_PX + 2 * _MARGIN_PX
    height = layout.height * CELL_PX + _HEADER_PX + 2 * _MARGIN_PX
    image = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(image)
    header = "   ".join(
        f"{_drawable_name(player.name, number)} {player.score}"
        for number, player in enumerate(players, 1)
    )
    _write(draw, (width / 2, _HEADER_PX / 2 + 8), header, 26, _INK, width - 2 * _MARGIN_PX)
    for col in range(layout.width):
        for y in (_HEADER_PX + _MARGIN_PX / 2, height - _MARGIN_PX / 2):
            middle = (_MARGIN_PX + (col + 0.5) * CELL_PX, y)
            _write(draw, middle, chr(ord("A") + col), 15, _SOFT_INK)
    for row in range(layout.height):
        for x in (_MARGIN_PX / 2, width - _MARGIN_PX / 2):
            middle = (x, _HEADER_PX + _MARGIN_PX + (row + 0.5) * CELL_PX)
            _write(draw, middle, str(row + 1), 15, _SOFT_INK)
        for col in range(layout.width):
            _draw_square(draw, rules, Square(row, col), board[Square(row, col)])
    return image


def _draw_square(
    draw: ImageDraw.ImageDraw, rules: Ruleset, at: Square, letter: Letter | None
) -> None:
    left = _MARGIN_PX + at.col * CELL_PX
    top = _HEADER_PX + _MARGIN_PX + at.row * CELL_PX
    if letter is not None:
        points = None if letter.blank else rules.tiles.points(letter.letter)
        _draw_tile(draw, (left, top), letter, points)
        return
    mark, (colour, ink) = _premium(rules.layout.premium(at))
    _draw_box(draw, (left, top), colour)
    mark = "+" if at == rules.layout.start else mark
    _write(draw, (left + CELL_PX / 2, top + CELL_PX / 2), mark, 15, ink)


def _draw_tile(
    draw: ImageDraw.ImageDraw, corner: _Point, letter: Letter, points: int | None
) -> None:
    left, top = corner
    _draw_box(draw, corner, _TILE, _TILE_EDGE)
    x, y = left + CELL_PX / 2, top + CELL_PX / 2
    ink = _BLANK_INK if letter.blank else _INK
    if len(letter.letter) == 1:
        points_px = 20 if points is not None and points >= 10 else 12
        _write(draw, (x - points_px / 6, y + 1), letter.letter, 25, ink, CELL_PX - points_px)
    else:  # above the points, not beside them
        _write(draw, (x - 1, y - 6), letter.letter, 20, ink, CELL_PX - 12)
    if points is not None:
        _write(draw, (left + CELL_PX - 10, top + CELL_PX - 11), str(points), 11, ink)


def _draw_box(draw: ImageDraw.ImageDraw, corner: _Point, colour: str, edge: str = "") -> None:
    """Draw a rounded square into a cell, with a darker *edge* below if it is a tile."""
    left, top = corner[0] + 1, corner[1] + 1
    right, bottom = left + CELL_PX - 2, top + CELL_PX - 2
    if edge:
        draw.rounded_rectangle((left, top, right, bottom), 5, edge)
        bottom -= 3
    draw.rounded_rectangle((left, top, right, bottom), 5, colour)


def _write(
    draw: ImageDraw.ImageDraw,
    middle: _Point,
    text: str,
    size_px: int,
    colour: str,
    max_width_px: float | None = None,
) -> None:
    """Write a text around a point, smaller where it would be too wide."""
    text = unicodedata.normalize("NFC", text)
    if max_width_px is not None:
        while size_px > _MIN_TEXT_PX and draw.textlength(text, board_font(size_px)) > max_width_px:
            size_px -= 1
    draw.text(middle, text, colour, board_font(size_px), anchor="mm")


def _premium(premium: Premium) -> tuple[str, tuple[str, str]]:
    """Return what is written on a square, and its colours."""
    if premium == Premium():
        return "", _PLAIN
    times, kind = max((premium.letter, "L"), (premium.word, "W"))
    return f"{times}{kind}", _PREMIUMS[kind, times]


def _drawable_name(name: str, number: int) -> str:
    """Return a name, or a number in its place if it is in a script that the font has not."""
    name = unicodedata.normalize("NFC", name)
    return name if can_draw(name) else f"player {number}"
