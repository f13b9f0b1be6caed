"""Names that no person may have."""

from typing import Final

RESERVED_NAMES: Final = frozenset(
    (
        *("admin", "administrator", "all", "anybody", "bot", "crossroom", "everybody", "everyone"),
        *("host", "moderator", "nobody", "official", "operator", "owner", "referee", "root"),
        *("server", "somebody", "staff", "system"),
        *("he", "i", "it", "me", "she", "they", "we", "you"),
    )
)
"""Names, in any case, whose owner could be taken for the server or its host, and pronouns."""
