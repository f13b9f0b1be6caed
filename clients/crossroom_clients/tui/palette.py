"""A theme's colours, and how they are written: small tables of a look and its style."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.style import Style
from textual.theme import Theme


@dataclass(frozen=True)
class Palette:
    """A theme, and the styles of the looks by name."""

    theme: Theme
    styles: Mapping[str, Style]

    def style(self, look: str) -> Style:
        """The style of a look; a plain one for what has none."""
        return self.styles.get(look, _PLAIN)


_PLAIN: Final = Style()


def make_palette(theme: Theme, grounds: str, texts: str) -> Palette:
    """Make a palette from two small tables of ``look: style`` lines."""
    styles = {}
    for line in f"{grounds}\n{texts}".strip().splitlines():
        look, _, style = line.strip().partition(": ")
        styles[look] = Style.parse(style)
    for look in ("tile", "fresh", "laid"):
        base = styles[look]
        styles[f"{look}-points"] = base + Style(bold=False, underline=False)
    return Palette(theme, styles)


def make_theme(name: str, dark: bool, colours: str) -> Theme:
    """Make a theme from text, ground, panel, accent, good and bad, as ``#rrggbb``."""
    text, ground, panel, accent, good, bad = colours.split()
    return Theme(
        name,
        primary=accent,
        secondary=accent,
        accent=accent,
        foreground=text,
        background=ground,
        surface=ground,
        panel=panel,
        success=good,
        warning=accent,
        error=bad,
        dark=dark,
    )
