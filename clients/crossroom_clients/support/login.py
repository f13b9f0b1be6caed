"""Make names to play under out of names of accounts."""

import getpass
import re
import unicodedata
from typing import Final

from crossroom_engine.core.errors import BadText
from crossroom_protocol.base.refusals import CODES
from crossroom_protocol.base.reserved_names import RESERVED_NAMES

MAX_NAME_LENGTH: Final = 20
"""Characters of a name."""


def login_name() -> str:
    """The name of the user account, as one to play under; "" if there is none that may be."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name, as in some containers
        return ""
    name = playable_name(login)
    return "" if name.lower() in RESERVED_NAMES else name


def playable_name(name: str) -> str:
    """*name* as far as it goes: letters, digits, - and _, beginning with a letter.

    >>> playable_name("42 jean.luc")
    'jeanluc'
    """
    name = unicodedata.normalize("NFC", name)
    return re.sub(r"^[\W\d_]+|[^\w-]", "", name)[:MAX_NAME_LENGTH]


def check_name(name: str | None) -> None:
    """Let a name pass that a server will take; None is no name yet.

    Raises:
        BadText: it is none to play under.
    """
    if name is not None and (not name or playable_name(name) != unicodedata.normalize("NFC", name)):
        raise BadText(f"--name {name!r} cannot be taken: {CODES['BAD_NAME']}")
