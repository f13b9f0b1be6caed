"""Moves in a game, in one's turn or out of it."""

from typing import Literal

from crossroom_protocol.commands.base import (
    Letters,
    MoveCommand,
    Name,
    Notation,
    SpotText,
    Swap,
    TurnNumber,
)


class PlayCommand(MoveCommand):
    """Lay a word: 8H across, H8 down; lower case is a blank, . a tile that lies there.

    [CH] is a tile of several letters. swap=10F takes back the blank on 10F for your own letter,
    where the rules allow it; several squares with commas. turn=5 makes it count in turn 5 only.
    """

    aliases = ("p",)
    example = "/play 8H QUIz"
    do: Literal["play"] = "play"
    at: SpotText
    word: Notation
    swap: Swap = None
    turn: TurnNumber = None


class ExchangeCommand(MoveCommand):
    """Put tiles back into the bag and draw as many; ends your turn. * or ? is a blank.

    /exchange none exchanges nothing, where the rules allow that.
    """

    aliases = ("x", "swap")
    example = "/exchange QV"
    do: Literal["exchange"] = "exchange"
    tiles: Letters = ""
    turn: TurnNumber = None


class PassCommand(MoveCommand):
    """End your turn without doing anything."""

    example = "/pass"
    do: Literal["pass"] = "pass"
    turn: TurnNumber = None


class ChallengeCommand(MoveCommand):
    """Challenge the words of the latest play; /r challenges says what you risk."""

    example = "/challenge"
    no_abbreviation = True
    do: Literal["challenge"] = "challenge"
    word: Name = ""
    turn: TurnNumber = None


class AcceptCommand(MoveCommand):
    """Let the play that ends the game stand."""

    aliases = ("ok",)
    example = "/accept"
    do: Literal["accept"] = "accept"
    turn: TurnNumber = None


class ResignCommand(MoveCommand):
    """Give up the game, at any time.

    Add yes to confirm; it cannot be undone.
    """

    example = "/resign yes"
    no_abbreviation = True
    do: Literal["resign"] = "resign"
    sure: Literal["yes"] | None = None
    turn: TurnNumber = None
