"""Names, and what is said under them."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from crossroom_protocol.commands.base import Name, Secret, TalkCommand, Words


class NameCommand(TalkCommand):
    """Say who you are: 1 to 20 letters, digits, - and _.

    CODE proves that a name is yours which is registered here (/register); if it has a seat in the
    room, you take that over.
    """

    aliases = ("nick",)
    example = "/name alice"
    requires = "anywhere"
    do: Literal["name"] = "name"
    name: Name
    code: Annotated[Secret, Field(title="CODE", repr=False)] = ""


class MeCommand(TalkCommand):
    """Say what you do: /me yawns."""

    example = "/me yawns"
    compact_help = True
    do: Literal["me"] = "me"
    text: Words


class SayCommand(TalkCommand):
    """Talk to the room; a line that is no command does the same."""

    example = "/say good luck"
    compact_help = True
    do: Literal["say"] = "say"
    text: Words


class TellCommand(TalkCommand):
    """Say something to one person here; nobody else hears it, and it is kept nowhere."""

    aliases = ("msg",)
    example = "/tell bob shall we stop after this game?"
    do: Literal["tell"] = "tell"
    to: Annotated[str, StringConstraints(min_length=1, max_length=64), Field(title="NAME")]
    text: Words
