"""What the engine refuses, and with which word.

A refusal is part of the game: it is answered to the person who asked and changes nothing. A
:exc:`CorruptLog` is not: it means that a stored event does not fit the game before it.
"""

from typing import Literal, TypeAlias

from crossroom_engine.core.phrases import Phrase

IllegalMoveCode: TypeAlias = Literal[
    "NOT_YOUR_TURN",
    "STALE_TURN",
    "WRONG_PHASE",
    "BAD_PLAY",
    "NOT_A_WORD",
    "NOT_IN_RACK",
    "BAG_TOO_SMALL",
    "NOTHING_TO_CHALLENGE",
    "NOTHING_TO_UNDO",
    "ADJOURNED",
    "GAME_OVER",
    "BAD_ARGS",
]


class IllegalMove(Exception):
    """The rules forbid this move.

    Args:
        code: Stable; programs switch on it.
        prose: One sentence for a person: what is wrong, and what to do. Never parsed.
        about: What the prose names, see :class:`Phrase`.
    """

    def __init__(self, code: IllegalMoveCode, prose: str, /, **about: object) -> None:
        self.code: IllegalMoveCode = code
        self.prose = Phrase(prose, **about)
        super().__init__(code, self.prose)

    def __str__(self) -> str:
        return self.prose


class BadRules(ValueError):
    """A setting has no such value, or two settings contradict each other."""


class BadText(ValueError):
    """Text that should name tiles, a square, a layout or a word list does not."""


class WrongLexicon(Exception):
    """The word list at hand is not the one that the game was begun with (RULES 8.1)."""


class CorruptLog(Exception):
    """An event does not fit the game it is applied to."""


class TimeIsOver(Exception):
    """There was no time to finish a search."""
