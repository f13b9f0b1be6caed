"""The premium squares of a board in words."""

from collections import Counter
from typing import Final

from crossroom_engine.core.board import PREMIUMS, Layout, Premium, Square
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext

_NAMES: Final = {
    (2, 1): Phrase("double letter"),
    (3, 1): Phrase("triple letter"),
    (4, 1): Phrase("quadruple letter"),
    (1, 2): Phrase("double word"),
    (1, 3): Phrase("triple word"),
    (1, 4): Phrase("quadruple word"),
}
"""By what they multiply a letter and a word with."""


def premium_legend(layout: Layout) -> list[str]:
    """The premium squares of a board: symbol, meaning, and how many there are."""
    symbols = Counter(symbol for row in layout.rows for symbol in row)
    return [
        f"{symbol} {premium_name(premium)} ({symbols[symbol]})"
        for symbol, premium in PREMIUMS.items()
        if symbols[symbol] and premium != Premium()
    ]


def premium_squares(layout: Layout) -> dict[str, list[str]]:
    """Return the premium squares of a board: ``{"triple word": ["1A", "1H", ...]}``."""
    found: dict[str, list[str]] = {}
    for premium in sorted(
        set(PREMIUMS.values()) - {Premium()}, key=lambda it: (-it.word, -it.letter)
    ):
        squares = [
            str(square)
            for row in range(layout.height)
            for column in range(layout.width)
            if layout.premium(square := Square(row, column)) == premium
        ]
        if squares:
            found[premium_name(premium)] = squares
    return found


def premium_name(premium: Premium) -> str:
    """Name the premium of a square: ``double letter``."""
    return gettext(_NAMES[premium.letter, premium.word])


def premium_mark(premium: Premium) -> str:
    """The same in a corner of a square: ``2L``."""
    if premium.letter > 1:
        return gettext("{times}L", times=premium.letter)
    return gettext("{times}W", times=premium.word)
