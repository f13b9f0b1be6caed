"""Colours: the themes, and what each look of the board and the log is in each of them.

A look is text on a ground. Wherever colour says something, text or shape says it too. What a
terminal cannot show is not left to the nearest colour: 256 and 16 colours have tables of their own.
"""

from collections.abc import Mapping
from typing import Final

from crossroom_clients.tui.palette import Palette, make_palette, make_theme
from crossroom_clients.tui.themes_16 import PALETTES_16
from crossroom_clients.tui.themes_256 import PALETTES_256

_DARK: Final = make_palette(
    make_theme("dark", True, "#e6e6e6 #14171c #232831 #7fb4ff #8fd694 #ff8f8f"),
    """
    label: #9aa4b2
    empty: #7d8794 on #20252d
    letter2: #cfe8f7 on #2a5570
    letter3: #ffffff on #1f3f99
    letter4: #ffffff on #141f66
    word2: #ffe1ea on #7d3a54
    word3: #ffffff on #a82626
    word4: #ffffff on #660f2f
    tile: bold #16130a on #e6d3a3
    fresh: bold #16130a on #ffb52e
    laid: bold underline #06210c on #8be08f
    cursor: bold #000000 on #ffffff
    gone: #7d8794 on #20252d
    """,
    """
    number: #8791a0
    name: bold
    chat: bold #8fd694
    rack: bold #ffd479
    turn: bold #14171c on #ffd479
    refusal: #ff8f8f
    own: #7fd4e0
    trouble: #f0a3f0
    good: #8fd694
    """,
)
_LIGHT: Final = make_palette(
    make_theme("light", False, "#1b1b1b #fbfaf6 #e9e6dc #0b57a4 #1a6b2d #a81616"),
    """
    label: #5c5c56
    empty: #6b6b63 on #eceadf
    letter2: #103a52 on #bfe0f2
    letter3: #ffffff on #2f66b8
    letter4: #ffffff on #173a7a
    word2: #5c1530 on #f6c6d4
    word3: #ffffff on #b72a2a
    word4: #ffffff on #7a1036
    tile: bold #16130a on #dcb970
    fresh: bold #16130a on #ff9d1c
    laid: bold underline #06210c on #7fd487
    cursor: bold #ffffff on #1b1b1b
    gone: #6b6b63 on #eceadf
    """,
    """
    number: #6a6a64
    name: bold
    chat: bold #1a6b2d
    rack: bold #7a4b00
    turn: bold #ffffff on #0b57a4
    refusal: #a81616
    own: #0b6470
    trouble: #82207f
    good: #1a6b2d
    """,
)
_CONTRAST: Final = make_palette(
    make_theme("contrast", True, "#ffffff #000000 #000000 #ffff00 #00ff66 #ff9a9a"),
    """
    label: bold #ffffff
    empty: #b8b8b8 on #000000
    letter2: #000000 on #6ec6ff
    letter3: #ffffff on #0033cc
    letter4: #ffffff on #00124d
    word2: #000000 on #ff9ec0
    word3: #ffffff on #b30000
    word4: #ffffff on #4d001f
    tile: bold #000000 on #ffffff
    fresh: bold #000000 on #ffff00
    laid: bold underline #000000 on #00ff66
    cursor: bold #000000 on #ff8cff
    gone: #b8b8b8 on #000000
    """,
    """
    number: #c8c8c8
    name: bold
    chat: bold #00ff66
    rack: bold #ffff00
    turn: bold #000000 on #ffff00
    refusal: #ff9a9a
    own: #66ffff
    trouble: #ff8cff
    good: #00ff66
    """,
)
_COLOUR_BLIND: Final = make_palette(
    make_theme("colour-blind", True, "#ececec #15171a #24272c #56b4e9 #2fc79a #f0a35e"),
    """
    label: #a6adb8
    empty: #858c96 on #22262b
    letter2: #06202e on #56b4e9
    letter3: #ffffff on #005f95
    letter4: #ffffff on #00344f
    word2: #2b1c00 on #e69f00
    word3: #ffffff on #a84600
    word4: #ffffff on #5e2700
    tile: bold #111111 on #dcdcdc
    fresh: bold #111111 on #f0e442
    laid: bold underline #00170f on #2fc79a
    cursor: bold #111111 on #ffffff
    gone: #858c96 on #22262b
    """,
    """
    number: #8f96a0
    name: bold
    chat: bold #2fc79a
    rack: bold #f0e442
    turn: bold #111111 on #f0e442
    refusal: #f0a35e
    own: #56b4e9
    trouble: #e39ac4
    good: #2fc79a
    """,
)
TRUE_COLOUR: Final = {
    palette.theme.name: palette for palette in (_DARK, _LIGHT, _CONTRAST, _COLOUR_BLIND)
} | {"sixteen": PALETTES_16["sixteen"]}
"""By name. ``sixteen`` takes the colours that the terminal itself defines."""


def palettes(color_system: str | None) -> Mapping[str, Palette]:
    """The themes by name, for a terminal that has these colours, as Rich names them."""
    if color_system == "256":
        return PALETTES_256
    return PALETTES_16 if color_system in (None, "standard") else TRUE_COLOUR


def default_theme(color_system: str | None) -> str:
    """The theme to begin with where the terminal has these colours."""
    return "sixteen" if color_system in (None, "standard") else "dark"
