"""A board as a picture in PNG, with the players and their scores above it."""

import io
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from crossroom_engine.core.board import Board, Premium, Square
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Letter
from crossroom_protocol.events.results import PlayerResult
from crossroom_server.web.glyphs import ALIKE, STROKES, WIDTH

CELL: Final = 44
"""Pixels of a square, both ways."""
_EDGE, _HEAD = 30, 64
"""Pixels around the board for coordinates, and above it for names."""

_PAPER, _BOARD, _INK, _SOFT = "#f5f0e6", "#cfc4ae", "#26201a", "#675d50"
_TILE, _TILE_EDGE, _BLANK = "#f7dfa6", "#c49a4b", "#a32a1c"
_PLAIN: Final = ("#ece5d6", "#675d50")
_COLOURS: Final = {
    ("L", 2): ("#b9dbe8", "#1d4a5c"),
    ("L", 3): ("#2f7393", "#ffffff"),
    ("L", 4): ("#2f7393", "#ffffff"),
    ("W", 2): ("#f3c5b4", "#74301b"),
    ("W", 3): ("#b0452f", "#ffffff"),
    ("W", 4): ("#b0452f", "#ffffff"),
}
"""Of a square, and of what is written on it."""

_APART: Final = {
    "Ø": ("O", "/"),
    "Ł": ("L", "/"),
    "Æ": ("AE", ""),
    "Đ": ("D", "-"),
    "·": (".", ""),
}
"""Letters that Unicode does not take apart, though they can be drawn in parts."""


def picture(rules: Ruleset, board: Board, players: Sequence[PlayerResult]) -> bytes:
    """The picture, some 20 to 40 kB.

    It takes a while; not for an event loop.
    """
    layout = rules.layout
    size = (layout.width * CELL + 2 * _EDGE, layout.height * CELL + _HEAD + 2 * _EDGE)
    image = Image.new("RGB", size, _PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    told = "   ".join(
        f"{_called(player.name, number)} {player.score}" for number, player in enumerate(players, 1)
    )
    pen.write((size[0] / 2, _HEAD / 2 + 8), told, 26, _INK, room=size[0] - 2 * _EDGE)
    for col in range(layout.width):
        for y in (_HEAD + _EDGE / 2, size[1] - _EDGE / 2):
            pen.write((_EDGE + (col + 0.5) * CELL, y), chr(ord("A") + col), 15, _SOFT)
    for row in range(layout.height):
        for x in (_EDGE / 2, size[0] - _EDGE / 2):
            pen.write((x, _HEAD + _EDGE + (row + 0.5) * CELL), str(row + 1), 15, _SOFT)
        for col in range(layout.width):
            corner = (_EDGE + col * CELL, _HEAD + _EDGE + row * CELL)
            _draw_square(pen, rules, corner, Square(row, col), board[Square(row, col)])
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


class _Pen:
    """Draws boxes and text. The font that comes with Pillow has bare Latin letters only."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw
        self._fonts: dict[int, ImageFont.FreeTypeFont | ImageFont.ImageFont] = {}

    def box(self, corner: tuple[float, float], size: float, colour: str, edge: str = "") -> None:
        """A square whose upper left is *corner*, with a darker *edge* below if it is a tile."""
        x, y = corner
        if edge:
            self._draw.rounded_rectangle((x, y, x + size, y + size), 5, edge)
        self._draw.rounded_rectangle((x, y, x + size, y + size - (3 if edge else 0)), 5, colour)

    def write(
        self,
        middle: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        room: float | None = None,
    ) -> None:
        """*text* around *middle*, smaller where it would be wider than *room*, in pixels."""
        plain = "".join(letters for letters, _ in _parts(text))
        while room is not None and size > 9 and self._width(plain, size) > room:
            size -= 1
        x = middle[0] - self._width(plain, size) / 2
        for letters, marks in _parts(text):
            wide = self._width(letters, size)
            if letters in STROKES:
                self._stroke((x, middle[1]), letters, size, colour)
            else:
                self._draw.text((x, middle[1]), letters, colour, self._font(size), anchor="lm")
            self._mark((x + wide / 2, middle[1]), marks, size, colour)
            x += wide

    def _stroke(self, at: tuple[float, float], letter: str, size: int, colour: str) -> None:
        """A capital that the font has not, from the left; as high as those that it has."""
        left, top, tall = at[0] + size * 0.08, at[1] - size * 0.34, size * 0.7
        for line in STROKES[letter]:
            points = [(left + x * tall, top + y * tall) for x, y in line]
            self._draw.line(points, colour, max(2, size // 12), joint="curve")

    def _mark(self, at: tuple[float, float], marks: str, size: int, colour: str) -> None:
        """Accents, drawn by hand around a capital in the middle of which is *at*."""
        x, y = at
        top, half, wide = y - size * 0.52, size * 0.14, max(2, size // 12)
        for mark in marks:
            match mark:
                case "\u0308":  # two dots
                    for dot in (x - half, x + half):
                        self._dot(dot, top, wide, colour)
                case "\u0307":
                    self._dot(x, top, wide, colour)
                case "\u030a":
                    box = (x - half, top - half, x + half, top + half)
                    self._draw.ellipse(box, outline=colour, width=max(1, wide - 1))
                case "\u0301":
                    self._draw.line((x - half / 2, top + half, x + half, top - half), colour, wide)
                case "\u0300":
                    self._draw.line((x - half, top - half, x + half / 2, top + half), colour, wide)
                case "\u0303":  # a wave
                    low, high, third = top + half / 2, top - half / 2, half * 0.4
                    wave = (
                        x - 1.5 * half,
                        low,
                        x - third,
                        high,
                        x + third,
                        low,
                        x + 1.5 * half,
                        high,
                    )
                    self._draw.line(wave, colour, wide)
                case "\u030b":
                    for foot in (x - half, x + half / 2):
                        self._draw.line((foot, top + half, foot + half, top - half), colour, wide)
                case "\u030c":
                    wedge = (x - half, top - half / 2, x, top + half, x + half, top - half / 2)
                    self._draw.line(wedge, colour, wide)
                case "\u0306":
                    bowl = (x - half, top - 2 * half, x + half, top + half / 2)
                    self._draw.arc(bowl, 0, 180, colour, wide)
                case "\u0302":
                    peak = (x - half, top + half, x, top - half / 2, x + half, top + half)
                    self._draw.line(peak, colour, wide)
                case "\u0328" | "\u0327":  # a tail
                    foot = y + size * 0.36
                    self._draw.arc((x, foot, x + 2 * half, foot + 2 * half), 60, 250, colour, wide)
                case "-":
                    self._draw.line((x - size * 0.42, y, x, y), colour, wide)
                case "/":
                    slant = (x - size * 0.3, y + size * 0.3, x + size * 0.3, y - size * 0.3)
                    self._draw.line(slant, colour, wide)

    def _dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)

    def _width(self, text: str, size: int) -> float:
        plain = "".join(letter for letter in text if letter not in STROKES)
        drawn = len(text) - len(plain)
        return self._draw.textlength(plain, self._font(size)) + drawn * size * WIDTH

    def _font(self, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
        if size not in self._fonts:
            self._fonts[size] = ImageFont.load_default(size)
        return self._fonts[size]


def _draw_square(
    pen: _Pen, rules: Ruleset, corner: tuple[int, int], at: Square, letter: Letter | None
) -> None:
    x, y = corner[0] + 1, corner[1] + 1
    middle = (corner[0] + CELL / 2, corner[1] + CELL / 2)
    if letter is not None:
        pen.box((x, y), CELL - 2, _TILE, _TILE_EDGE)
        ink = _BLANK if letter.blank else _INK
        if len(letter.letter) == 1:
            pen.write((middle[0] - 2, middle[1] + 1), letter.letter, 25, ink, room=CELL - 12)
        else:  # above the points, not beside them
            pen.write((middle[0] - 1, middle[1] - 4), letter.letter, 20, ink, room=CELL - 12)
        if not letter.blank:
            points = str(rules.tiles.points(letter.letter))
            pen.write((corner[0] + CELL - 10, corner[1] + CELL - 11), points, 11, ink)
        return
    mark, (colour, ink) = _premium(rules.layout.premium(at))
    pen.box((x, y), CELL - 2, colour)
    if at == rules.layout.start:
        mark = "+"
    pen.write(middle, mark, 15, ink)


def _premium(premium: Premium) -> tuple[str, tuple[str, str]]:
    """What is written on a square, and its colours."""
    if premium == Premium():
        return "", _PLAIN
    times, what = max((premium.letter, "L"), (premium.word, "W"))
    return f"{times}{what}", _COLOURS[what, times]


def _called(name: str, number: int) -> str:
    """A name that can be drawn; in other alphabets than Latin a player is a number."""
    return name if all(letters != "?" for letters, _ in _parts(name)) else f"player {number}"


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Each letter without its marks, and the marks; ``?`` for what the font does not have."""
    for letter in text:
        if letter in _APART:
            yield _APART[letter]
            continue
        parts = unicodedata.normalize("NFD", letter)
        base = ALIKE.get(parts[0], parts[0])
        yield base if " " <= base <= "~" or base in STROKES else "?", parts[1:]
