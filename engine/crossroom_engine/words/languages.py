"""Languages as data, from ``data/languages.toml``: spelling in tiles, and free lists of words.

A language is called like its tile set.
"""

import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from crossroom_engine.core.data import languages_text
from crossroom_engine.core.errors import BadText

MarkRemoval: TypeAlias = Literal["kept", "accents", "all"]

_ACCENTS: Final = frozenset(
    ("\N{COMBINING GRAVE ACCENT}", "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING CIRCUMFLEX ACCENT}")
)


class WordSource(NamedTuple):
    """The source of a free list of words.

    Attributes:
        package: A package of Debian.
        licence, source: Kept with every list that is made of the words.
        file: A file in ``/usr/share/dict``; empty where the words are a dictionary of aspell.
        aspell: In that case, aspell's name of the language.
        encoding: The encoding of the file.
    """

    package: str
    licence: str
    source: str
    file: str = ""
    aspell: str = ""
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Language:
    """Rules for turning words of a dictionary into words of the game.

    Attributes:
        name: That of the tile set; empty if words are spelt in any set as they are.
        marks: The marks that come off letters which the tiles have only without: none, the accents
            (acute, grave, circumflex), or all.
        spelt: Letters that are written otherwise, capitals both: ``{"Œ": "OE"}``.
        nouns: Whether a capital may begin a noun, and not only a name.
        remark: What people should know about the words.
        words: A free list, if there is one.
    """

    name: str = ""
    marks: MarkRemoval = "kept"
    spelt: Mapping[str, str] = field(default_factory=dict)
    nouns: bool = False
    remark: str = ""
    words: WordSource | None = None

    def is_small(self, word: str) -> bool:
        """Return whether *word* is written as words other than names are."""
        tail = word[1:]
        return word == word.lower() or (self.nouns and tail.islower() and word[:1].isupper())

    def capitals(self, word: str, alphabet: Collection[str]) -> str:
        """Return a word in capitals, in the letters of the *alphabet* as far as possible.

        Examples:
            >>> Language(marks="all", spelt={"Œ": "OE"}).capitals("cœur brûlé", "ABCDEFLORU ")
            'COEUR BRULE'
        """
        capitals = "".join(self.spelt.get(letter, letter) for letter in word.upper())
        if self.marks == "kept":
            return capitals
        return "".join(
            letter if letter in alphabet else self._unmarked(letter) for letter in capitals
        )

    def _unmarked(self, letter: str) -> str:
        parts = unicodedata.normalize("NFD", letter)
        marks = _ACCENTS if self.marks == "accents" else set(filter(unicodedata.combining, parts))
        return unicodedata.normalize("NFC", "".join(part for part in parts if part not in marks))


PLAIN: Final = Language()
"""The language of words that are spelt as they are written."""


@cache
def languages() -> Mapping[str, Language]:
    """Return every language by the name of its tile set, sorted."""
    told = tomllib.loads(languages_text())
    for entry in told.values():
        if "words" in entry:
            entry["words"] = WordSource(**entry["words"])
    return {name: Language(name, **told[name]) for name in sorted(told)}


def language_for(name: str) -> Language:
    """Return a language by name.

    Raises:
        BadText: there is none of that name; lists those there are.
    """
    known = languages()
    if name not in known:
        raise BadText(f"there is no {name!r} among the languages: {', '.join(known)}")
    return known[name]
