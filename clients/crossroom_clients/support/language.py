"""Which language a person reads: what they say, or what their system is set to."""

import argparse
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager

from crossroom_protocol.base.translate import LANGUAGES, negotiate_language, using_language


def add_language_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--language``; :func:`using_language_of` takes it."""
    parser.add_argument(
        "--language",
        choices=tuple(LANGUAGES),
        help="language of the texts that you see (default: that of your system, if it is here)",
    )


def using_language_of(args: argparse.Namespace) -> AbstractContextManager[None]:
    """Around all that is said to the person: it is in their language."""
    return using_language(args.language or system_language(os.environ))


def system_language(environ: Mapping[str, str]) -> str:
    """The language that these environment variables ask for, as POSIX has them.

    >>> system_language({"LANG": "de_AT.UTF-8"})
    'de'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    return negotiate_language(next((environ[name] for name in names if environ.get(name)), ""))
