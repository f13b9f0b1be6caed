"""Commands that try, check, recall, analyze and export."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from crossroom_protocol.commands.base import Notation, QueryCommand, SpotText, Swap, Words


class TryCommand(QueryCommand):
    """Score a play without making it, whether or not it is your turn; nobody else hears of it.

    It tells whether the words are good only where plays cannot be challenged.
    """

    example = "/try 8H QUIz"
    requires = "seated"
    compact_help = True
    do: Literal["try"] = "try"
    at: SpotText
    word: Notation
    swap: Swap = None


class RecallCommand(QueryCommand):
    """Hear the last lines of the room's log again, as you would have heard them then."""

    aliases = ("log",)
    example = "/recall 50"
    compact_help = True
    do: Literal["recall"] = "recall"
    last: Annotated[int, Field(ge=1, le=1000)] = 20


class CheckCommand(QueryCommand):
    """Ask whether words are in the room's list; not in a game where plays may be challenged."""

    example = "/check QUIZ ZAX"
    do: Literal["check"] = "check"
    words: Words


class HintCommand(QueryCommand):
    """Show the best plays for your turn, where the rules allow it; the others are told.

    They come in the order of their equity: the points, and what the tiles kept are worth.
    """

    example = "/hint 5"
    requires = "seated"
    do: Literal["hint"] = "hint"
    n: Annotated[int, Field(ge=1, le=10)] = 3


class AnalyzeCommand(QueryCommand):
    """After a game, compare every turn with the best play; or one turn, or those of one player.

    What a turn lost is equity, in points: those of the play, and what the tiles kept are worth.
    The best is what the player could have known; nobody looks ahead. *: not in the word list.
    """

    aliases = ("analyse",)
    example = "/analyze 7"
    do: Literal["analyze"] = "analyze"
    what: Annotated[str, StringConstraints(max_length=64), Field(title="TURN|NAME")] = ""


class ExportCommand(QueryCommand):
    """Write a game down: gcg (the format other programs read), text or json.

    analysis is gcg with the best play noted at every turn; after the game. GAME is the number of a
    game that is over, as /games lists them; without it, it is the game on the table.
    """

    example = "/export gcg"
    do: Literal["export"] = "export"
    form: Literal["gcg", "text", "json", "analysis"] = "text"
    game: Annotated[int, Field(ge=0)] = 0
