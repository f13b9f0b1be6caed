"""Who is at this machine."""

import getpass
import re
import unicodedata
from typing import Final

LONGEST: Final = 20
"""Characters of a name."""


def login_name() -> str:
    """The name of the user account, as one to play under; "" if nothing is left of it."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name, as in some containers
        return ""
    return playable(login)


def playable(name: str) -> str:
    """*name* as far as it goes: letters, digits, - and _, beginning with a letter.

    >>> playable("42 jean.luc")
    'jeanluc'
    """
    name = unicodedata.normalize("NFC", name)
    return re.sub(r"^[\W\d_]+|[^\w-]", "", name)[:LONGEST]
