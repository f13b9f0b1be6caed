"""How one-time secrets begin, by which they are told from passwords."""

from typing import Final

SEAT_TOKEN: Final = "seat-"
"""A token of /link, which /join takes in place of a password."""
