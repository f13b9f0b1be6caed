"""Make the shipped English lists from SCOWL, the Spell Checker Oriented Word Lists.

SCOWL is a folder of files ``<category>-<kind>.<size>``, where a small size means common words. Only
files of the kind ``words`` are read: no names, abbreviations and contractions. A :class:`Patch`
corrects what that gets wrong.
"""

import re
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final, NamedTuple

from crossroom_engine.core.data import tileset
from crossroom_engine.core.errors import BadText
from crossroom_engine.words.build import (
    BuiltLexicon,
    ReportProgress,
    build_lexicon,
    decode_word_file,
)
from crossroom_engine.words.catalog import LEXICA_FOLDER

PATCH: Final = LEXICA_FOLDER / "english.patch"

_SPELLINGS: Final = (
    "english", "american", "british", "british_z", "canadian", "australian", "variant_1",
)  # fmt: skip
_VARIANTS: Final = (
    *("variant_2", "variant_3"),
    *(f"{nation}_variant_{n}" for nation in ("british", "canadian", "australian") for n in (1, 2)),
)


class Recipe(NamedTuple):
    """The files that make a list: spelling categories, and the largest size (10 to 95)."""

    categories: tuple[str, ...]
    largest: int
    description: str


ENGLISH: Final = Recipe(
    (*_SPELLINGS, *_VARIANTS),
    80,
    "English words of all spellings, the rare ones of word games included (SCOWL up to size 80)",
)
COMMON: Final = Recipe(
    _SPELLINGS, 50, "the common words among those of the list english (SCOWL up to size 50)"
)

INFO: Final = {
    "source": "SCOWL 2020.12.07, http://wordlist.aspell.net/, modified: see english.patch",
    "licence": "free; its notices, which must go with it, are in LICENSE-SCOWL.txt",
    "copyright": "2000-2018 Kevin Atkinson, 2016 Benjamin Titze, 1993 Geoff Kuenning; "
    "WordNet 1.6: 1997 Princeton University; The UK Advanced Cryptics Dictionary: "
    "Copyright (c) J Ross Beresford 1993-1999. All Rights Reserved.",
    "credit": "the authors of the ENABLE list (M. Cooper, Alan Beale) and of the Moby lexicon "
    "(Grady Ward), which are in the public domain",
}
"""Facts that both lists tell of themselves."""


class Patch(NamedTuple):
    """Changes to the words of SCOWL, written in small letters here as there."""

    removed: Set[str]
    added: Set[str]
    common: Set[str]
    """Added words that are common as well."""

    @classmethod
    def from_text(cls, text: str) -> "Patch":
        """Read lines of a sign, a word and the reason: ``-BS letters, not a word``.

        ``-`` removes a word, ``+`` adds one, ``++`` adds it to the common words as well; ``#``
        begins a comment line.

        Raises:
            BadText: a line has another form, or a word is there twice.
        """
        signed: dict[str, str] = {}
        for line in text.splitlines():
            if not line or line.startswith("#"):
                continue
            match = re.fullmatch(r"(-|\+\+?)([A-Z]+) +\S.*", line)
            if match is None or match[2].lower() in signed:
                raise BadText(f"{line!r} is no line of a patch, or changes a word twice")
            signed[match[2].lower()] = match[1]
        removed, added, common = (
            frozenset(word for word, sign in signed.items() if sign in signs)
            for signs in (("-",), ("+", "++"), ("++",))
        )
        return cls(removed, added, common)


def build_english_lists(
    folder: Path, patch: Patch, progress: ReportProgress | None = None
) -> dict[str, BuiltLexicon]:
    """Make ``english`` and ``english-common``, by name.

    Args:
        folder: The lists of SCOWL: ``final/`` of its sources, or ``/usr/share/dict/scowl`` of the
            Debian package ``scowl``.
        patch: The changes to make in them.
        progress: Called to report progress of the first list, by far the longer one.

    Raises:
        BadText: SCOWL is not there, lacks what the patch removes, or has what it adds.
        OSError: a file cannot be read.
    """
    found = _words(folder, ENGLISH)
    if idle := sorted((patch.removed - found) | (patch.added & found)):
        raise BadText(f"the patch changes nothing about {', '.join(idle)}; take out those lines")
    english = (found | patch.added) - patch.removed
    common = (_words(folder, COMMON) & english) | patch.common
    return {
        "english": _build(english, ENGLISH, progress),
        "english-common": _build(common, COMMON, None),
    }


def _build(words: Set[str], recipe: Recipe, progress: ReportProgress | None) -> BuiltLexicon:
    info: Mapping[str, str] = {"description": recipe.description, **INFO}
    tiles = tileset("english")
    return build_lexicon(sorted(words), tiles, info=info, fold=True, progress=progress)


def _words(folder: Path, recipe: Recipe) -> set[str]:
    words: set[str] = set()
    for category in recipe.categories:
        for path in sorted(folder.glob(f"{category}-words.[1-9][0-9]")):
            if int(path.suffix[1:]) <= recipe.largest:
                words.update(_lines(path.read_bytes()))
    if not words:
        raise BadText(f"no SCOWL lists in {folder}; on Debian: apt install scowl")
    return words


def _lines(data: bytes) -> list[str]:
    try:
        return decode_word_file(data)  # as Debian has it
    except BadText:
        return decode_word_file(data, "latin-1")  # as the sources have it
