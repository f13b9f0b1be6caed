"""The premium squares of a board in words."""

from collections import Counter
from functools import cache
from typing import Final

from crossroom_engine.core.board import PREMIUMS, Layout, Premium
from crossroom_engine.core.coordinates import Square
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
    return {premium_name(premium): list(squares) for premium, squares in _squares(layout).items()}


@cache
def _squares(layout: Layout) -> dict[Premium, tuple[str, ...]]:
    """Return the squares of each premium, those of words first, the highest first."""
    found: dict[Premium, list[str]] = {}
    for row in range(layout.height):
        for column in range(layout.width):
            square = Square(row, column)
            found.setdefault(layout.premium(square), []).append(str(square))
    order = sorted(found.keys() - {Premium()}, key=lambda it: (-it.word, -it.letter))
    return {premium: tuple(found[premium]) for premium in order}


def premium_name(premium: Premium) -> str:
    """Name the premium of a square: ``double letter``."""
    return gettext(_NAMES[premium.letter, premium.word])


def premium_mark(premium: Premium) -> str:
    """The same in a corner of a square: ``2L``."""
    if premium.letter > 1:
        return gettext("{times}L", times=premium.letter)
    return gettext("{times}W", times=premium.word)
