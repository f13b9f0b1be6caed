"""Free lists of words on a system: files of packages of Debian, dictionaries of aspell."""

import subprocess
from pathlib import Path
from typing import Final

from crossroom_engine.core.errors import BadText
from crossroom_engine.words.languages import WordSource

WORD_FILES_FOLDER: Final = Path("/usr/share/dict")
"""The folder where Debian's packages put their word files."""


def read_word_file(source: WordSource) -> bytes:
    """The bytes of a word file, one word a line, in the encoding of the source.

    Raises:
        BadText: it is not installed; says what to install.
        OSError: it cannot be read.
    """
    if source.aspell:
        return _expand(source)
    path = WORD_FILES_FOLDER / source.file
    if not path.exists():
        raise BadText(f"there is no {path}; on Debian: apt install {source.package}")
    return path.read_bytes()


def _expand(source: WordSource) -> bytes:
    """Every form of every word of a dictionary, which keeps words with the endings they take."""
    language = ["--encoding=utf-8", f"--lang={source.aspell}"]
    try:
        words = _aspell(*language, "dump", "master", told=b"")
        forms = _aspell(*language, "expand", told=words)
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise BadText(
            f"aspell has no dictionary {source.aspell!r} here; on Debian: apt install aspell "
            f"{source.package}"
        ) from None
    return forms.replace(b" ", b"\n")


def _aspell(*arguments: str, told: bytes) -> bytes:
    done = subprocess.run(["aspell", *arguments], input=told, capture_output=True, check=True)
    return done.stdout
