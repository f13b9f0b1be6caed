"""Tiles, words and places as people read them, or hear them; not to be typed back."""

from collections.abc import Iterable, Sequence
from typing import Final

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.events import Played
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import BLANK, Tile, unspell
from crossroom_engine.core.units import DAY_S, HOUR_S, MINUTE_S
from crossroom_protocol.base.translate import (
    base_language,
    catalogue,
    current_language,
    gettext,
    join_texts,
    ngettext,
)


def shown_name(name: str) -> str:
    """Return the name of a setting, a value, a preset or a section: as typed, or for the page.

    At the page nobody types it, so that it is translated as its forms show it.
    """
    language = current_language()
    if (base := base_language(language)) == language:
        return name
    words = name.replace("_", " ")
    for form in (words, words.capitalize()):
        if (found := catalogue(base).gettext(form)) != form:
            return found
    return words


def join_and(items: Sequence[str]) -> str:
    """A list as it is spoken: ``alice, bob and carol``."""
    *most, last = items or (gettext("nobody"),)
    return gettext("{most} and {last}", most=join_texts(", ", most), last=last) if most else last


def join_or(items: Sequence[str]) -> str:
    """Join choices: ``/play, /exchange or /pass``."""
    *most, last = items or (gettext("nobody"),)
    return gettext("{most} or {last}", most=join_texts(", ", most), last=last) if most else last


def format_count(count: int, thing: str) -> str:
    """``1 tile``, ``2 tiles``."""
    return ngettext(f"{{count}} {thing}", f"{{count}} {thing}s", count)


def format_tiles(tiles: Iterable[Tile], *, spoken: bool = False) -> str:
    """Tiles side by side, ``A CH ?``; *spoken*, a blank is called so."""
    return " ".join(gettext("blank") if spoken and tile == BLANK else tile for tile in tiles)


def split_squares(word: str) -> list[str]:
    """A word, or a row of the board, square by square: ``[CH]I.O`` is ``CH``, ``I``, ``.``, ``O``.

    >>> split_squares("[CH]I.O")
    ['CH', 'I', '.', 'O']
    """
    return list(unspell(word))


def strip_brackets(words: Iterable[str]) -> list[str]:
    """Words without the brackets around tiles of several letters."""
    return ["".join(split_squares(word)) for word in words]


def main_word(play: Played) -> str:
    """The whole main word of a play, the letters of blanks just laid in lower case."""
    squares = zip(split_squares(play.text), split_squares(play.words[0]), strict=True)
    return "".join(lying if laid == "." else laid for laid, lying in squares)


def format_spot(spot: Spot, *, spoken: bool = False) -> str:
    """Write where a word begins: ``8E``; *spoken*, with its direction."""
    if not spoken:
        return str(spot)
    return spoken_spot(str(spot))


def spoken_spot(spot: str) -> str:
    """Tell the direction of a written spot: ``8E across``, ``E8 down``."""
    if spot[:1].isdigit():
        return gettext("{spot} across", spot=spot)
    return gettext("{spot} down", spot=spot)


_TIMES_LEFT: Final = (
    (DAY_S, Phrase("{count} days left")),
    (HOUR_S, Phrase("{count} hours left")),
    (MINUTE_S, Phrase("{count} minutes left")),
)


def format_time_left(seconds: int) -> str:
    """The time that somebody has left, in the largest unit that there are two of."""
    for length, text in _TIMES_LEFT:
        if seconds >= 2 * length:
            return gettext(text, count=seconds // length)
    return gettext("less than two minutes left")


def format_duration(seconds: float) -> str:
    """A time on a clock: ``24:07``, ``1:02:07``, ``1 day``, ``2 days 1:02:07``; never below 0."""
    days, seconds = divmod(max(0, int(seconds)), DAY_S)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{rest:02}" if hours or days else f"{minutes}:{rest:02}"
    if not days:
        return time
    counted = format_count(days, "day")
    return f"{counted} {time}" if seconds else counted


def format_wait(seconds: int) -> str:
    """How long somebody waits at most: ``60 seconds``, and longer times as on a clock."""
    return format_count(seconds, "second") if seconds <= 2 * MINUTE_S else format_duration(seconds)
