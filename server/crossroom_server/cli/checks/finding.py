"""One thing that was looked at, and how it is."""

from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """How one thing is.

    Args:
        topic: What was looked at, in a word or two.
        level: ``ok``; ``note``, good to know; ``warning``, it works, but not as it should;
            ``problem``, it does not work.
        said: How it is, in one line.
        mend: What to do about it; empty: nothing.
    """

    topic: str
    level: Literal["ok", "note", "warning", "problem"]
    said: str
    mend: str = ""
