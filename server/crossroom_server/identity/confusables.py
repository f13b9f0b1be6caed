"""Detects names that people could take for one another.

After the idea of Unicode's UTS #39: a name is written in one script, and names that reduce to the
same skeleton look alike. What looks alike is Unicode's own list of confusables, as the package
``confusable_homoglyphs`` brings it, after a short list for what is mistaken in a terminal. A false
match costs the choice of another name.
"""

# ruff: noqa: RUF001 - letters that look alike are what this is about

import json
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

# Left what looks like the letter on the right; case is gone by then, and accents.
_LOOKALIKES: Final[dict[str, str]] = {
    **dict.fromkeys("1iıłӏіιɩ", "l"),
    **dict.fromkeys("0øοоσօ", "o"),
    **dict.fromkeys("đðԁ", "d"),
    **dict.fromkeys("ħһ", "h"),
    **dict.fromkeys("ŧтτ", "t"),
    **dict.fromkeys("ĸкκ", "k"),
    **dict.fromkeys("αа", "a"),
    **dict.fromkeys("вβ", "b"),
    **dict.fromkeys("еε", "e"),
    **dict.fromkeys("мμ", "m"),
    **dict.fromkeys("νѵ", "v"),
    **dict.fromkeys("ρр", "p"),
    **dict.fromkeys("уγυү", "y"),
    **dict.fromkeys("хχ", "x"),
    **dict.fromkeys("ωѡԝ", "w"),
    **dict.fromkeys("сϲ", "c"),
    **dict.fromkeys("ηп", "n"),
    **dict(zip("нѕјԛгԍζ", "hsjqrgz", strict=True)),
    "æ": "ae",
    "œ": "oe",
}
_TABLE: Final = str.maketrans(_LOOKALIKES)
_LISTED_ABOVE: Final = {"CYRILLIC", "GREEK"}
"""Scripts of which no more than what is listed counts: the skeletons of their names are stored."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"))

_USUAL_MIXES: Final = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that are written together."""


def skeleton(name: str) -> str:
    """Reduce a name so that look-alikes are equal: ``AIice`` and ``alice`` are one.

    Case, accents and trailing ``-`` or ``_`` are dropped; 0 and O, 1 and l and I, ``rn`` and ``m``,
    and letters of other alphabets that look like Latin ones are the same.
    """
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    text = "".join(c for c in text if not unicodedata.combining(c))
    if not text.isascii():
        text = text.translate(_unicode_table())
    text = text.translate(_TABLE)
    for pair, one in _PAIRS:
        text = text.replace(pair, one)
    return text.replace("_", "-").rstrip("-")


@cache
def _unicode_table() -> dict[int, str]:
    """Map letters to the ASCII letters or digits that Unicode lists with them, or to nothing.

    A mark that looks like ASCII punctuation, as a prime like an apostrophe, is dropped.
    """
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    table = {}
    for letter, others in json.loads(text).items():
        if len(letter) > 1 or letter.isascii() or letter in _LOOKALIKES:
            continue
        plain = [other["c"] for other in others if other["c"].isascii()]
        if plain and _script(letter) not in _LISTED_ABOVE:
            table[ord(letter)] = plain[0].casefold() if plain[0].isalnum() else ""
    return table


def is_invisible(letter: str) -> bool:
    """Whether a letter shows nothing: the fillers of Hangul, which count as letters."""
    return "FILLER" in unicodedata.name(letter, "")


def mixes_scripts(name: str) -> bool:
    """Are there letters of several scripts that are not usually written together?"""
    letters = (c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Lm")
    scripts = {_script(c) for c in letters if c.isalpha()}
    return len(scripts) > 1 and not any(scripts <= usual for usual in _USUAL_MIXES)


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    return unicodedata.name(letter, "").partition(" ")[0]
