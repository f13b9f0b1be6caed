"""Registered names, finished games, statistics and rankings."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from crossroom_protocol.commands.base import Name, QueryCommand, TalkCommand


class RegisterCommand(TalkCommand):
    """Register your name on this server, and get the code that proves it is yours.

    Nobody else can take the name then, or one like it; /name NAME CODE takes it anywhere. From the
    next game on, what you play counts for /stats and /top.
    """

    aliases = ("claim",)
    example = "/register"
    compact_help = True
    no_abbreviation = True
    requires = "anywhere"
    do: Literal["register"] = "register"


class StatsCommand(QueryCommand):
    """Show what you, or NAME, have done in games here: wins, averages, bingos, ratings."""

    aliases = ("profile", "finger")
    example = "/stats alice"
    compact_help = True
    requires = "anywhere"
    do: Literal["stats"] = "stats"
    name: Name = ""


class TurnsCommand(QueryCommand):
    """List your games here that are not over, first those that wait for you.

    Your name must be registered: it is what your games are found by.
    """

    aliases = ("mygames",)
    example = "/turns"
    compact_help = True
    requires = "anywhere"
    do: Literal["turns"] = "turns"


class TopCommand(QueryCommand):
    """Show the best ratings under the room's preset of rules, or another.

    Games are rated when all players are registered people and the rules are those of the preset:
    only the word list and what happens to those who stay away may differ.
    """

    aliases = ("ratings",)
    example = "/top official"
    compact_help = True
    requires = "anywhere"
    do: Literal["top"] = "top"
    preset: Annotated[str, StringConstraints(max_length=64)] = ""


class GamesCommand(QueryCommand):
    """List the games that were played in this room, the newest first, each with its page."""

    aliases = ("archive",)
    example = "/games 5"
    compact_help = True
    do: Literal["games"] = "games"
    last: Annotated[int, Field(ge=1, le=100)] = 10


class MyDataCommand(QueryCommand):
    """Export all that is kept of you here, as JSON, or delete it; also /me export, /me delete.

    Of a registered name it is what it did in all rooms, of a guest what they did in this one.
    Codes, the registration, and what you have said are deleted; in finished games, which are the
    others' too, you are a former player.
    """

    example = "/mydata export"
    compact_help = True
    no_abbreviation = True
    requires = "anywhere"
    do: Literal["mydata"] = "mydata"
    action: Literal["export", "delete"]
    sure: Literal["yes"] | None = None
