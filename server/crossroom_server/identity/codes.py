"""The secret codes with which people come back to a seat or a name."""

import hashlib
import secrets
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letter looks like a digit. 12 letters are 60 random bits."""


def new_code() -> tuple[str, str]:
    """Return a new resume code, as ``k7qm-4ftz-9w2h``, and its digest, which is what is stored."""
    code = "".join(secrets.choice(_ALPHABET) for _ in range(12))
    return "-".join((code[:4], code[4:8], code[8:])), code_digest(code)


def code_digest(code: str) -> str:
    """Return the digest of a code as typed; case, dashes and look-alikes do not matter.

    A fast hash is enough for 60 random bits, which cannot be guessed as passwords can. And as codes
    are looked up by digest, timing tells nothing that a guesser could steer by.
    """
    typed = code.lower().replace("-", "").translate(str.maketrans("oil", "011"))
    return hashlib.sha256(typed.encode()).hexdigest()
