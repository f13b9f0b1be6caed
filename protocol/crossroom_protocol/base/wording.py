"""Tiles, words and places as people read them, or hear them; not to be typed back."""

from collections.abc import Iterable, Sequence

from crossroom_engine.core.board import Spot
from crossroom_engine.core.events import Played
from crossroom_engine.core.tiles import BLANK, Tile, unspell
from crossroom_protocol.base.translate import joined, say, several


def both(items: Sequence[str]) -> str:
    """A list as it is spoken: ``alice, bob and carol``."""
    *most, last = items or (say("nobody"),)
    return say("{most} and {last}", most=joined(", ", most), last=last) if most else last


def either(items: Sequence[str]) -> str:
    """What there is to choose from: ``/play, /exchange or /pass``."""
    *most, last = items or (say("nobody"),)
    return say("{most} or {last}", most=joined(", ", most), last=last) if most else last


def counted(count: int, thing: str) -> str:
    """``1 tile``, ``2 tiles``."""
    return several(f"{{count}} {thing}", f"{{count}} {thing}s", count)


def faces(tiles: Iterable[Tile], *, spoken: bool = False) -> str:
    """Tiles side by side, ``A CH ?``; *spoken*, a blank is called so."""
    return " ".join(say("blank") if spoken and tile == BLANK else tile for tile in tiles)


def letters(word: str) -> list[str]:
    """A word, or a row of the board, square by square: ``[CH]I.O`` is ``CH``, ``I``, ``.``, ``O``.

    >>> letters("[CH]I.O")
    ['CH', 'I', '.', 'O']
    """
    return list(unspell(word))


def readable(words: Iterable[str]) -> list[str]:
    """Words without the brackets around tiles of several letters."""
    return ["".join(letters(word)) for word in words]


def main_word(play: Played) -> str:
    """The whole main word of a play, the letters of blanks just laid in lower case."""
    squares = zip(letters(play.text), letters(play.words[0]), strict=True)
    return "".join(lying if laid == "." else laid for laid, lying in squares)


def place(spot: Spot, *, spoken: bool = False) -> str:
    """Where a word begins: ``8E``; *spoken*, with its direction."""
    if not spoken:
        return str(spot)
    return say("{spot} across", spot=spot) if spot.across else say("{spot} down", spot=spot)


def duration(seconds: float) -> str:
    """A time on a clock in minutes and seconds, ``24:07``, or ``1:02:07``; never below 0."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
