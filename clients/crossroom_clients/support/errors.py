"""Describe failures to the person at the command line."""

from typing import Final

from crossroom_engine.core.errors import BadRules, BadText, CorruptLog, IllegalMove
from crossroom_protocol.base.translate import current_language, translate

EXPECTED_ERRORS: Final = (OSError, BadRules, BadText, CorruptLog, IllegalMove)
"""Failures whose cause lies outside this program: told in one line, not in a traceback."""


def describe_error(error: Exception) -> str:
    """One line about a failure: what cannot be used, if the system says, and why.

    >>> describe_error(NotADirectoryError(20, "Not a directory", "/x"))
    'cannot use /x: not a directory'
    """
    if not isinstance(error, OSError) or error.strerror is None:
        return translate(str(error), current_language())
    why = error.strerror[:1].lower() + error.strerror[1:]
    return why if error.filename is None else f"cannot use {error.filename}: {why}"
