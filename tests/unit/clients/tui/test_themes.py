"""Colours can be read: every text stands out from its ground, in every theme."""

from itertools import combinations

import pytest
from rich.color import Color
from rich.style import Style

from crossroom_clients.cli.table import THEMES
from crossroom_clients.lineui.styles import STYLES
from crossroom_clients.tui.themes import PALETTES, Palette, default_theme

pytest.importorskip("textual", reason="draws the table")

FULL = [palette for palette in PALETTES.values() if not palette.theme.ansi]
SQUARES = ("empty", "letter2", "letter3", "word2", "word3", "tile", "fresh", "laid", "cursor")


def luminance(color: Color | None, usual: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    triplet = (color or Color.parse(usual)).get_truecolor()
    parts = [part / 255 for part in triplet]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(style: Style, palette: Palette) -> float:
    text = luminance(style.color, palette.theme.foreground or "")
    ground = luminance(style.bgcolor, palette.theme.background or "")
    light, dark = max(text, ground), min(text, ground)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", FULL, ids=lambda palette: palette.theme.name)
def test_text_stands_out(palette: Palette) -> None:
    for look, style in palette.styles.items():
        least = 3.0 if look in ("empty", "gone") else 4.5
        if palette.theme.name == "contrast":
            least = 7.0 if look not in ("letter3", "word3") else 4.5
        assert contrast(style, palette) >= least, look


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.theme.name)
def test_every_kind_of_square_has_a_ground_of_its_own(palette: Palette) -> None:
    for one, other in combinations(SQUARES, 2):
        if {one, other} <= {"letter3", "letter4"} or {one, other} <= {"word3", "word4"}:
            continue
        grounds = [palette.style(look).bgcolor for look in (one, other)]
        assert grounds[0] != grounds[1], (one, other)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.theme.name)
def test_every_look_has_a_style(palette: Palette) -> None:
    log = {"number", "name", "chat", "rack", "turn", "refusal", "own", "trouble"}
    assert log <= set(STYLES), "as the line client calls them"
    squares = {*SQUARES, "letter4", "word4", "label", "gone", "tile-points", "laid-points"}
    assert log | squares <= set(palette.styles)


def test_sixteen_colours_are_those_of_the_terminal() -> None:
    for look, style in PALETTES["sixteen"].styles.items():
        for color in (style.color, style.bgcolor):
            assert color is None or color.is_default or (color.number or 0) < 16, look


def test_the_usual_theme_follows_the_terminal() -> None:
    assert default_theme("truecolor") == default_theme("256") == "dark"
    assert default_theme("standard") == default_theme(None) == "sixteen"


def test_the_command_offers_all_of_them() -> None:
    assert set(THEMES) == set(PALETTES)
