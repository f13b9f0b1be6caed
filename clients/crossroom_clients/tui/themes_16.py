"""Themes in the 16 colours that every terminal has, and that it defines itself.

Only eight of them are grounds on the Linux console. There bold makes a text bright, so black on a
ground is never bold, and blinking makes a ground bright, which tells the cursor from a tile.
"""

from typing import Final

from textual.theme import Theme

from crossroom_clients.tui.palette import make_palette


def _theme(name: str, *, text: str, ground: str, accent: str, dark: bool = True) -> Theme:
    """Make a theme of colours of the terminal, by their names without ``ansi_``."""
    plain, bare, mark = f"ansi_{text}", f"ansi_{ground}", f"ansi_{accent}"
    solid = text if text != "default" else "white"
    under = ground if ground != "default" else "black"
    return Theme(
        name,
        ansi=True,
        dark=dark,
        primary=mark,
        secondary=mark,
        accent=mark,
        foreground=plain,
        background=bare,
        surface=bare,
        panel=bare,
        boost=bare,
        success="ansi_green",
        warning="ansi_yellow",
        error="ansi_red",
        variables={
            "text": plain,
            "panel": bare,
            "surface": bare,
            "link-color": plain,
            "scrollbar-background": bare,
            "ansi-background": f"ansi_{under}",
            "ansi-foreground": f"ansi_{solid}",
            "block-cursor-foreground": f"ansi_{under}",
            "block-cursor-background": f"ansi_{solid}",
            "input-cursor-foreground": f"ansi_{under}",
            "input-cursor-background": f"ansi_{solid}",
            "input-cursor-text-style": "none",
            "input-selection-foreground": "ansi_black",
            "input-selection-background": "ansi_cyan",
            "border-blurred": f"ansi_{solid}",
        },
    )


_GROUNDS: Final = """
    label: default
    empty: white on black
    letter2: black on cyan
    letter3: bright_white on blue
    letter4: bold bright_white on blue
    word2: bright_white on magenta
    word3: bright_white on red
    word4: bold bright_white on red
    tile: black on white
    fresh: black on yellow
    laid: underline black on green
    cursor: blink black on bright_white
    gone: white on black
    """
_TEXTS: Final = """
    number: default
    name: bold
    chat: bold green
    rack: bold yellow
    turn: black on yellow
    refusal: red
    own: cyan
    trouble: magenta
    good: green
    """
_SIXTEEN: Final = make_palette(
    _theme("sixteen", text="default", ground="default", accent="cyan"), _GROUNDS, _TEXTS
)
_DARK: Final = make_palette(
    _theme("dark", text="white", ground="black", accent="cyan"),
    _GROUNDS,
    """
    number: white
    name: bold
    chat: bold bright_green
    rack: bold bright_yellow
    turn: black on yellow
    refusal: bright_red
    own: bright_cyan
    trouble: bright_magenta
    good: bright_green
    """,
)
_LIGHT: Final = make_palette(
    _theme("light", text="black", ground="white", accent="blue", dark=False),
    """
    label: black
    empty: black on white
    letter2: black on cyan
    letter3: bright_white on blue
    letter4: bold bright_white on blue
    word2: bright_white on magenta
    word3: bright_white on red
    word4: bold bright_white on red
    tile: bright_white on black
    fresh: black on yellow
    laid: underline black on green
    cursor: blink black on bright_white
    gone: black on white
    """,
    """
    number: black
    name: bold
    chat: blue
    rack: black
    turn: bright_white on blue
    refusal: red
    own: blue
    trouble: red
    good: blue
    """,
)
_CONTRAST: Final = make_palette(
    _theme("contrast", text="bright_white", ground="black", accent="bright_yellow"),
    _GROUNDS.replace("empty: white", "empty: bright_white").replace(
        "label: default", "label: bright_white"
    ),
    """
    number: bright_white
    name: bold
    chat: bold bright_green
    rack: bold bright_yellow
    turn: black on white
    refusal: bold bright_white
    own: bright_cyan
    trouble: bold bright_white
    good: bright_green
    """,
)
_COLOUR_BLIND: Final = make_palette(
    _theme("colour-blind", text="white", ground="black", accent="cyan"),
    """
    label: white
    empty: white on black
    letter2: black on cyan
    letter3: bright_white on blue
    letter4: bold bright_white on blue
    word2: black on yellow
    word3: bright_white on magenta
    word4: bold bright_white on magenta
    tile: black on white
    fresh: black on green
    laid: underline bright_white on red
    cursor: blink black on bright_white
    gone: white on black
    """,
    """
    number: white
    name: bold
    chat: bold bright_cyan
    rack: bold bright_yellow
    turn: black on yellow
    refusal: bright_yellow
    own: bright_cyan
    trouble: bright_magenta
    good: bright_cyan
    """,
)

PALETTES_16: Final = {
    palette.theme.name: palette for palette in (_DARK, _LIGHT, _CONTRAST, _COLOUR_BLIND, _SIXTEEN)
}
"""By name. ``sixteen`` leaves text and ground to the terminal."""
