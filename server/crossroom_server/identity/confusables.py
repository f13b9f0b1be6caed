"""Names that people would take for one another.

After the idea of Unicode's UTS #39: a name is written in one script, and names that reduce to the
same skeleton look alike. The tables here are short and our own: what is mistaken in a line of a
terminal, not in every font there is. Who is refused wrongly chooses another name.
"""

# ruff: noqa: RUF001 - letters that look alike are what this is about

import unicodedata
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
_PAIRS: Final = (("rn", "m"), ("vv", "w"))

_USUAL_MIXES: Final = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
"""Scripts that are written together."""


def skeleton(name: str) -> str:
    """What is left of a name when look-alikes are written alike: ``AIice`` and ``alice`` are one.

    Case, accents, and ``-`` or ``_`` at the end do not tell names apart, nor do 0 and O, 1 and l
    and I, ``rn`` and ``m``, or letters of other alphabets that look like Latin ones.
    """
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    text = "".join(c for c in text if not unicodedata.combining(c)).translate(_TABLE)
    for pair, one in _PAIRS:
        text = text.replace(pair, one)
    return text.replace("_", "-").rstrip("-")


def mixes_scripts(name: str) -> bool:
    """Are there letters of several scripts in it that are not usually written together?"""
    letters = (c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Lm")
    scripts = {_script(c) for c in letters if c.isalpha()}
    return len(scripts) > 1 and not any(scripts <= usual for usual in _USUAL_MIXES)


def _script(letter: str) -> str:
    """The script of a letter: its name in Unicode begins with that."""
    return unicodedata.name(letter, "").partition(" ")[0]
