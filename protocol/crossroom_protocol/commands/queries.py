"""Questions about the game, the rules and the commands."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.commands.base import Name, QueryCommand, SpotText


class RackCommand(QueryCommand):
    """Show your tiles."""

    example = "/rack"
    requires = "seated"
    do: Literal["rack"] = "rack"


class ShuffleCommand(QueryCommand):
    """Shuffle your rack; it helps to see words."""

    example = "/shuffle"
    compact_help = True
    requires = "seated"
    do: Literal["shuffle"] = "shuffle"


def _line(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,2}|[A-Za-z]", text):
        raise ValueError(Phrase("{text!r} is not a row or a column; write 8 or H", text=text))
    return text.upper()


class BoardCommand(QueryCommand):
    """Show the board; or tell one row (8) or column (H) of it in words."""

    aliases = ("b", "look", "l")
    example = "/board 8"
    do: Literal["board"] = "board"
    line: Annotated[str | None, AfterValidator(lambda text: text and _line(text))] = None


class SquareCommand(QueryCommand):
    """Tell what is on a square: its tile and the words through it, or what it is worth."""

    example = "/square 8H"
    compact_help = True
    do: Literal["square"] = "square"
    at: SpotText


class ScoreCommand(QueryCommand):
    """Show the score sheet: every turn with its points and totals."""

    aliases = ("sheet",)
    example = "/score"
    do: Literal["score"] = "score"


class HistoryCommand(QueryCommand):
    """Show the moves of this game, or only the latest."""

    aliases = ("moves",)
    example = "/history 5"
    do: Literal["history"] = "history"
    last: Annotated[int | None, Field(ge=1, le=999)] = None


class BagCommand(QueryCommand):
    """Show how many tiles the bag holds, and which ones you have not seen."""

    aliases = ("unseen",)
    example = "/bag"
    do: Literal["bag"] = "bag"


class ClockCommand(QueryCommand):
    """Show the time everybody has used, and what is left."""

    example = "/clock"
    do: Literal["clock"] = "clock"


class RulesCommand(QueryCommand):
    """Show the rules of this room, or one section of them."""

    aliases = ("r",)
    example = "/rules scoring"
    requires = "anywhere"
    do: Literal["rules"] = "rules"
    section: Name = ""


class HelpCommand(QueryCommand):
    """List the commands, or explain one; `all` has a line about each."""

    aliases = ("h", "?")
    example = "/help play"
    requires = "anywhere"
    do: Literal["help"] = "help"
    about: Name = ""


class StateCommand(QueryCommand):
    """Show where the game stands: rack, turn, scores, bag."""

    example = "/state"
    compact_help = True
    do: Literal["state"] = "state"
