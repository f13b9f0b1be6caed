"""Colours can be read: every text stands out from its ground, in every theme on every terminal."""

from itertools import combinations

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from crossroom_clients.cli.table import THEMES
from crossroom_clients.lineui.styles import STYLES
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.themes import TRUE_COLOUR, default_theme, palettes

pytest.importorskip("textual", reason="draws the table")

SYSTEMS = ("truecolor", "256", "standard")
SQUARES = ("empty", "letter2", "letter3", "word2", "word3", "tile", "fresh", "laid", "cursor")
LINUX = TerminalTheme(
    (0, 0, 0),
    (170, 170, 170),
    [
        (0, 0, 0),
        (170, 0, 0),
        (0, 170, 0),
        (170, 85, 0),
        (0, 0, 170),
        (170, 0, 170),
        (0, 170, 170),
        (170, 170, 170),
    ],
    [
        (85, 85, 85),
        (255, 85, 85),
        (85, 255, 85),
        (255, 255, 85),
        (85, 85, 255),
        (255, 85, 255),
        (85, 255, 255),
        (255, 255, 255),
    ],
)
"""The colours of the Linux console."""
XTERM = TerminalTheme(
    (0, 0, 0),
    (229, 229, 229),
    [
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
    ],
    [
        (127, 127, 127),
        (255, 0, 0),
        (0, 255, 0),
        (255, 255, 0),
        (92, 92, 255),
        (255, 0, 255),
        (0, 255, 255),
        (255, 255, 255),
    ],
)
ALL = [
    pytest.param(system, palette, id=f"{system}-{palette.theme.name}")
    for system in SYSTEMS
    for palette in palettes(system).values()
    if system == "standard" or not palette.theme.ansi
]


def shown(color: Color, system: str) -> Color:
    """What the terminal shows in place of a colour."""
    return color.downgrade(ColorSystem.EIGHT_BIT) if system == "256" else color


def luminance(color: Color, look: TerminalTheme) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [part / 255 for part in color.get_truecolor(look)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(style: Style, palette: Palette, system: str, look: TerminalTheme = XTERM) -> float:
    usual = palette.theme.foreground or "", palette.theme.background or ""
    pair = [
        shown(color if color and not color.is_default else Color.parse(name), system)
        for color, name in zip(
            (style.color, style.bgcolor), (n.removeprefix("ansi_") for n in usual), strict=True
        )
    ]
    dark, light = sorted(luminance(color, look) for color in pair)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("system", "palette"), ALL)
def test_text_stands_out(system: str, palette: Palette) -> None:
    for look, style in palette.styles.items():
        if system == "standard":
            is_square = style.bgcolor is not None
            if is_square or palette.theme.name != "sixteen":  # whose ground the terminal chooses
                for terminal in (LINUX, XTERM):
                    assert contrast(style, palette, system, terminal) >= 3.0, look
            continue
        least = 3.0 if look in ("empty", "gone") else 4.5
        if palette.theme.name == "contrast":
            least = 7.0 if look not in ("letter3", "word3") else 4.5
        assert contrast(style, palette, system) >= least, look


@pytest.mark.parametrize(("system", "palette"), ALL)
def test_every_kind_of_square_has_a_ground_of_its_own(system: str, palette: Palette) -> None:
    for one, other in combinations(SQUARES, 2):
        grounds = [shown(palette.style(look).bgcolor, system) for look in (one, other)]  # type: ignore[arg-type]
        shades = {ground.get_truecolor(XTERM) for ground in grounds}
        assert len(shades) == 2, (one, other)


def test_the_linux_console_tells_the_cursor_by_blinking() -> None:
    for palette in palettes("standard").values():
        assert palette.style("cursor").blink
        for look in (*SQUARES[:-1], "letter4", "word4"):
            style = palette.style(look)
            assert style.bgcolor is not None
            assert (style.bgcolor.number or 0) < 8, look
            is_black = style.color is not None and style.color.number == 0
            assert not (style.bold and is_black), f"{look}: bold black is grey there"


@pytest.mark.parametrize(("system", "palette"), ALL)
def test_every_look_has_a_style(system: str, palette: Palette) -> None:
    log = {"number", "name", "chat", "rack", "turn", "refusal", "own", "trouble"}
    assert log <= set(STYLES), "as the line client calls them"
    squares = {*SQUARES, "letter4", "word4", "label", "gone", "tile-points", "laid-points"}
    assert log | squares <= set(palette.styles)


def test_each_terminal_gets_colours_that_it_has() -> None:
    for palette in palettes("standard").values():
        for look, style in palette.styles.items():
            for color in (style.color, style.bgcolor):
                assert color is None or color.is_default or (color.number or 0) < 16, look
    for palette in palettes("256").values():
        for look, style in palette.styles.items():
            for color in (style.color, style.bgcolor):
                assert color is None or color.number is not None or color.is_default, look


def test_the_usual_theme_follows_the_terminal() -> None:
    assert default_theme("truecolor") == default_theme("256") == "dark"
    assert default_theme("standard") == default_theme(None) == "sixteen"


def test_the_command_offers_all_of_them() -> None:
    for system in SYSTEMS:
        assert set(THEMES) == set(palettes(system))
    assert set(TRUE_COLOUR) == set(THEMES)
