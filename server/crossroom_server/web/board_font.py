"""The font of board images: Open Sans, cut down to the letters of all tile sets and most names.

``python -m tools.font_subset`` makes the file; its licence lies beside it.
"""

from functools import cache
from pathlib import Path
from typing import Final

from PIL import ImageFont

FONT_FILE: Final = Path(__file__).parent / "fonts" / "OpenSans-subset.ttf"
CODE_POINTS: Final = (
    range(0x20, 0x7F),  # ASCII
    range(0xA0, 0x180),  # Latin-1 and Latin Extended-A
    range(0x218, 0x21C),  # Romanian
    range(0x384, 0x3CF),  # Greek
    range(0x400, 0x460),  # Cyrillic
    range(0x490, 0x492),  # Ukrainian
)
"""The characters in the file."""


@cache
def board_font(size_px: int) -> ImageFont.FreeTypeFont:
    """Return the font in a size."""
    return ImageFont.truetype(FONT_FILE, size_px)


def can_draw(text: str) -> bool:
    """Tell whether the font has every character of a text."""
    return all(any(ord(char) in points for points in CODE_POINTS) for char in text)
