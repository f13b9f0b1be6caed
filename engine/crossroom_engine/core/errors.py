"""Exceptions of the engine.

:exc:`IllegalMove` is part of the game: it answers whoever asked, and changes nothing.
:exc:`CorruptLog` is not: a stored event does not fit the game before it.
"""

from typing import Literal, TypeAlias

from crossroom_engine.core.phrases import Phrase

IllegalMoveCode: TypeAlias = Literal[
    "NOT_YOUR_TURN", "STALE_TURN", "WRONG_PHASE", "BAD_PLAY", "NOT_A_WORD", "NOT_IN_RACK",
    "BAG_TOO_SMALL", "NOTHING_TO_CHALLENGE", "NOTHING_TO_UNDO", "ADJOURNED", "GAME_OVER",
    "BAD_ARGS",
]  # fmt: skip
"""Stable codes; programs switch on them."""


class IllegalMove(Exception):
    """The rules forbid this move.

    Args:
        code: Why, for programs.
        prose: Why and what to do instead, one sentence for people; never parsed.
        about: The values that the sentence names, see :class:`Phrase`.
    """

    def __init__(self, code: IllegalMoveCode, prose: str, /, **about: object) -> None:
        self.code: IllegalMoveCode = code
        self.prose = Phrase(prose, **about)
        super().__init__(code, self.prose)

    def __str__(self) -> str:
        return self.prose


class BadRules(ValueError):
    """A setting has no such value, or two settings contradict each other.

    Args:
        prose: One sentence for a person: what is wrong, and what to do.
        about: The values that the sentence names, see :class:`Phrase`.
    """

    def __init__(self, prose: str, /, **about: object) -> None:
        super().__init__(Phrase(prose, **about))


class BadText(ValueError):
    """A text does not name tiles, a square, a layout or a word list as it should."""


class WrongLexicon(Exception):
    """The word list at hand is not the one that the game was started with (RULES 8.1)."""


class CorruptLog(Exception):
    """An event does not fit the game it is applied to."""


class TimeIsOver(Exception):
    """The time was over before a search was."""
