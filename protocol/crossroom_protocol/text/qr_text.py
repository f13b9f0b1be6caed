"""Draws QR codes with half blocks."""

from collections.abc import Sequence
from typing import Final

_BORDER: Final = 2
"""Light squares around the code; the standard has 4, and cameras do with less."""
_BLOCKS: Final = {"00": "█", "01": "▀", "10": "▄", "11": " "}
"""By what is above and below; 1 is dark: light squares are drawn, for terminals that are dark."""


def qr_lines(squares: Sequence[str]) -> tuple[str, ...]:
    """Draw a QR code, two of its rows in a line.

    Args:
        squares: Its rows, of 0 and 1 each; 1 is dark.
    """
    light = "0" * (len(squares[0]) + 2 * _BORDER)
    rows = [f"{'0' * _BORDER}{row}{'0' * _BORDER}" for row in squares]
    rows = [*[light] * _BORDER, *rows, *[light] * _BORDER]
    if len(rows) % 2:
        rows.append("1" * len(light))  # nothing is drawn there
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple(
        "".join(_BLOCKS[upper + lower] for upper, lower in zip(*pair, strict=True)).rstrip()
        for pair in pairs
    )
