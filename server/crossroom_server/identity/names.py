"""Names of people and rooms."""

import re
import unicodedata
from collections.abc import Container
from typing import Final

from crossroom_protocol.base.refusals import CODES, Refusal
from crossroom_protocol.base.reserved_names import RESERVED_NAMES
from crossroom_server.identity.confusables import is_invisible, mixes_scripts, skeleton

FORMER_PLAYER: Final = "former-player-"
"""How the names begin that people have in finished games after they were forgotten."""
_RESERVED: Final = frozenset(map(skeleton, RESERVED_NAMES))
_BOTS: Final = re.compile(r"-bot(-|$)")


def check_name(name: str) -> str:
    """Return a valid name of a person in its normal form.

    Raises:
        Refusal: ``BAD_NAME``.
    """
    name = unicodedata.normalize("NFC", name)
    if re.fullmatch(r"[^\W\d_][\w-]{0,19}", name) is None or any(map(is_invisible, name)):
        raise Refusal("BAD_NAME", CODES["BAD_NAME"])
    if mixes_scripts(name):
        raise Refusal("BAD_NAME", "a name is written in one script; letters of another look alike")
    looks = comparison_key(name)
    if looks in _RESERVED or _BOTS.search(looks) or looks.startswith(skeleton(FORMER_PLAYER)):
        raise Refusal(
            "BAD_NAME", "{name} could be taken for the server or a bot; choose another", name=name
        )
    return name


def comparison_key(name: str) -> str:
    """Return a key that is equal for names that people could confuse."""
    return skeleton(name)


def first_free(name: str, taken: Container[str]) -> str:
    """Return *name*, or *name* with the first number whose key is not in *taken*."""
    number = 1
    candidate = name
    while comparison_key(candidate) in taken:
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def check_room_name(name: str) -> str:
    """Return a valid name of a room in lower case.

    Raises:
        Refusal: ``NO_ROOM``.
    """
    name = name.lower()
    if re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", name) is None:
        raise Refusal("NO_ROOM", "rooms are called by 1 to 32 letters a to z, digits and -")
    return name
