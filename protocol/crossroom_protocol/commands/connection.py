"""The connection itself: coming back, the form of lines, the end."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from crossroom_protocol.commands.base import NAMED, ConnectionCommand, Requirement


class ResumeCommand(ConnectionCommand):
    """Come back to your seat with your code, and hear what happened after line number SEQ."""

    example = "/resume k7qm-4ftz-9w2h 9"
    do: Literal["resume"] = "resume"
    code: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    seq: Annotated[int | None, Field(ge=0)] = None


class LinkCommand(ConnectionCommand):
    """Show a link that takes your seat to another device, once, within ten minutes.

    Where you are now is closed then. Keep it to yourself: whoever opens it has your seat.
    """

    example = "/link"
    requires: ClassVar[Requirement] = "named"
    no_abbreviation = True
    do: Literal["link"] = "link"


class HelloCommand(ConnectionCommand):
    """Choose how lines look: tags=1 puts stable tags in front of each, json=1 makes them JSON."""

    example = "/hello tags=1"
    do: Literal["hello"] = "hello"
    tags: Annotated[int, Field(ge=0, le=1), NAMED] = 0
    json_: Annotated[int, Field(ge=0, le=1, alias="json"), NAMED] = 0


class PingCommand(ConnectionCommand):
    """Check the connection."""

    example = "/ping"
    do: Literal["ping"] = "ping"


class QuitCommand(ConnectionCommand):
    """Close the connection. In a game your seat stays yours."""

    aliases = ("q", "bye")
    example = "/quit"
    no_abbreviation = True
    do: Literal["quit"] = "quit"
