"""How our clients spell what they say and hear: lines with tags, or otherwise. No sockets.

Whatever the spelling, a connection is given lines as a person types them, and what it hears has the
tags of tags mode; so one way of connecting, resuming and remembering serves both.
"""

from typing import ClassVar, Final, Protocol

from websockets.typing import Subprotocol

from crossroom_clients.connection.message import Heard
from crossroom_protocol.encoding import tags

TAGS: Final = Subprotocol("tags.v1.crossroom")


class Spelling(Protocol):
    """One spelling of the protocol.

    ``draws``: does whoever listens draw a table, and so want the rules on every return?
    """

    subprotocol: ClassVar[Subprotocol]
    draws: ClassVar[bool]

    def write(self, label: str, line: str, *, in_room: bool) -> str:
        """The frame that says *line*.

        Raises:
            Refusal: it says nothing that can be asked for.
        """
        ...

    def read(self, frame: str) -> Heard | None:
        """What a frame of the server says; None if that is nothing we know."""
        ...


class Tagged:
    """Lines behind tags."""

    subprotocol: ClassVar = TAGS
    draws: ClassVar = False

    def write(self, label: str, line: str, *, in_room: bool) -> str:
        """The line behind its label; what it says is for the server to understand."""
        return f"@{label} {line}"

    def read(self, frame: str) -> Heard:
        """One line."""
        return Heard(*tags.parse_tags(frame))
