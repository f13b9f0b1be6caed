"""Find word lists: those that come with the engine, and those of folders of one's own.

A list is called like its file, without the ending, in small letters. Of several files of one name
the first found counts, and the engine's own come first: ``english`` is the same list on every
server. A game also pins the digest of its list, so it never goes on with another one unnoticed.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from crossroom_engine.core.errors import BadText
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.words.lexicon import Lexicon

LEXICA_FOLDER: Final = Path(__file__).parents[1] / "data" / "lexica"
"""The folder of the lists that come with the engine."""

LEXICON_SUFFIX: Final = ".lex"

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")


def check_lexicon_name(name: str) -> str:
    """Return *name* if it may be that of a list.

    Raises:
        BadText: it may not; says which names will do.
    """
    if not _NAME.fullmatch(name):
        raise BadText(
            f"{name!r} cannot name a word list; use up to 32 small letters a-z, digits and . _ -"
        )
    return name


def lexicon_files(folders: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield every file of a word list: the engine's own, then folder by folder, sorted by name.

    A folder that does not exist is an empty one.
    """
    for folder in (LEXICA_FOLDER, *folders):
        for path in sorted(folder.glob(f"*{LEXICON_SUFFIX}")):
            if _NAME.fullmatch(path.stem):
                yield path


def lexicon_paths(folders: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the word lists that :func:`open_lexicon` can open, by name, without opening any."""
    found: dict[str, Path] = {}
    for path in lexicon_files(folders):
        found.setdefault(path.stem, path)
    return found


def lexicon_path(name: str, folders: Iterable[Path] = ()) -> Path:
    """Return the file of the word list called *name*, in small letters or capitals.

    Raises:
        BadText: there is none; lists those there are.
    """
    known = lexicon_paths(folders)
    if name.lower() not in known:
        there = ", ".join(sorted(known))
        raise BadText(
            Phrase("there is no word list {name!r}; there are: {there}", name=name, there=there)
        )
    return known[name.lower()]


def open_lexicon(name: str, folders: Iterable[Path] = (), *, digest: str | None = None) -> Lexicon:
    """Open a word list.

    Args:
        name: The name of the list.
        folders: Where to look besides the engine's own lists.
        digest: The very words it must hold (:attr:`Lexicon.digest`). Then a file with these words
            under any name will do, such as an older edition that was kept.

    Raises:
        BadText: there is none, it is damaged, or none holds those words; says what to do.
        OSError: it cannot be opened.
    """
    if digest is None:
        return Lexicon.open(lexicon_path(name, folders))
    for candidate in sorted(lexicon_files(folders), key=lambda file: file.stem != name):
        try:
            lexicon = Lexicon.open(candidate)
        except (BadText, OSError):
            continue  # a broken file must not hide a sound one
        if lexicon.digest == digest:
            return lexicon
        lexicon.close()
    raise BadText(
        Phrase(
            "no word list here holds the words that {name!r} held (digest {digest}); "
            "bring its file back, under any name",
            name=name,
            digest=digest[:12],
        )
    )
