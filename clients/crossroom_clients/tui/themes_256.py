"""Themes in the 256 colours of a terminal: the numbers 16 to 255, which are the same everywhere.

A theme's own colours are written as ``#rrggbb``, all of them colours that are among the 256.
"""

from typing import Final

from crossroom_clients.tui.palette import make_palette, make_theme
from crossroom_clients.tui.themes_16 import PALETTES_16

_DARK: Final = make_palette(
    make_theme("dark", True, "#ffffff #121212 #262626 #87afff #87d787 #ff8787"),
    """
    label: color(247)
    empty: color(245) on color(235)
    letter2: color(195) on color(24)
    letter3: color(231) on color(19)
    letter4: color(231) on color(17)
    word2: color(225) on color(89)
    word3: color(231) on color(124)
    word4: color(231) on color(52)
    tile: bold color(16) on color(187)
    fresh: bold color(16) on color(214)
    laid: bold underline color(16) on color(114)
    cursor: bold color(16) on color(231)
    gone: color(245) on color(235)
    """,
    """
    number: color(246)
    name: bold
    chat: bold color(114)
    rack: bold color(221)
    turn: bold color(16) on color(221)
    refusal: color(210)
    own: color(116)
    trouble: color(213)
    good: color(114)
    """,
)
_LIGHT: Final = make_palette(
    make_theme("light", False, "#1c1c1c #ffffff #d7d7d7 #005faf #005f00 #af0000"),
    """
    label: color(240)
    empty: color(241) on color(254)
    letter2: color(17) on color(153)
    letter3: color(231) on color(25)
    letter4: color(231) on color(17)
    word2: color(52) on color(218)
    word3: color(231) on color(124)
    word4: color(231) on color(53)
    tile: bold color(16) on color(180)
    fresh: bold color(16) on color(208)
    laid: bold underline color(16) on color(114)
    cursor: bold color(231) on color(16)
    gone: color(241) on color(254)
    """,
    """
    number: color(241)
    name: bold
    chat: bold color(22)
    rack: bold color(94)
    turn: bold color(231) on color(25)
    refusal: color(124)
    own: color(24)
    trouble: color(90)
    good: color(22)
    """,
)
_CONTRAST: Final = make_palette(
    make_theme("contrast", True, "#ffffff #000000 #000000 #ffff00 #00ff5f #ffafaf"),
    """
    label: bold color(231)
    empty: color(250) on color(16)
    letter2: color(16) on color(117)
    letter3: color(231) on color(20)
    letter4: color(231) on color(17)
    word2: color(16) on color(218)
    word3: color(231) on color(124)
    word4: color(231) on color(53)
    tile: bold color(16) on color(231)
    fresh: bold color(16) on color(226)
    laid: bold underline color(16) on color(47)
    cursor: bold color(16) on color(213)
    gone: color(250) on color(16)
    """,
    """
    number: color(251)
    name: bold
    chat: bold color(47)
    rack: bold color(226)
    turn: bold color(16) on color(226)
    refusal: color(217)
    own: color(87)
    trouble: color(213)
    good: color(47)
    """,
)
_COLOUR_BLIND: Final = make_palette(
    make_theme("colour-blind", True, "#ffffff #121212 #262626 #5fafd7 #00d787 #ffaf5f"),
    """
    label: color(248)
    empty: color(245) on color(235)
    letter2: color(16) on color(74)
    letter3: color(231) on color(25)
    letter4: color(231) on color(17)
    word2: color(16) on color(172)
    word3: color(231) on color(130)
    word4: color(231) on color(52)
    tile: bold color(16) on color(252)
    fresh: bold color(16) on color(227)
    laid: bold underline color(16) on color(42)
    cursor: bold color(16) on color(231)
    gone: color(245) on color(235)
    """,
    """
    number: color(246)
    name: bold
    chat: bold color(42)
    rack: bold color(227)
    turn: bold color(16) on color(227)
    refusal: color(215)
    own: color(74)
    trouble: color(176)
    good: color(42)
    """,
)

PALETTES_256: Final = {
    palette.theme.name: palette for palette in (_DARK, _LIGHT, _CONTRAST, _COLOUR_BLIND)
} | {"sixteen": PALETTES_16["sixteen"]}
"""By name."""
