"""Read numbers and levels on a command line, for argparse."""

import argparse
from collections.abc import Callable
from typing import Final

LEVEL_NAMES: Final = (
    *(
        "novice",
        "learner",
        "casual",
        "regular",
        "keen",
        "sharp",
        "shrewd",
        "greedy",
        "solid",
        "expert",
    ),
    *(),
)
"""The levels of bots, the weakest first. Named here, as loading the bots takes longer than help."""


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from *least* to *most*; neither is less than 0."""

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdecimal() and len(text) < 20
        if not is_number or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a whole number from {least} to {most}"
            )
        return int(text)

    return read


def seconds(most: float) -> Callable[[str], float]:
    """Reads a number of seconds, more than 0, and up to *most*."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = -1
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to {most:g}")
        return number

    return read
