"""Encode and decode what clients send and receive: lines with tags, or otherwise. No sockets.

Whatever the spelling, a connection is given lines as a person types them, and what it hears has the
tags of tags mode; so one way of connecting, resuming and remembering serves both.
"""

from typing import ClassVar, Final, Protocol

from websockets.typing import Subprotocol

from crossroom_clients.connection.message import Message
from crossroom_protocol.encoding import tags

TAGS_SUBPROTOCOL: Final = Subprotocol("tags.v1.crossroom")


class Codec(Protocol):
    """One spelling of the protocol.

    ``wants_rules``: does whoever listens draw a table, and so want the rules on every return?
    """

    subprotocol: ClassVar[Subprotocol]
    wants_rules: ClassVar[bool]

    def encode(self, label: str, line: str, *, in_room: bool) -> str:
        """The frame that says *line*.

        Raises:
            Refusal: it says nothing that can be asked for.
        """
        ...

    def decode(self, frame: str) -> Message | None:
        """Decode a frame of the server; None if it is nothing we know."""
        ...


class TagsCodec:
    """Lines behind tags."""

    subprotocol: ClassVar = TAGS_SUBPROTOCOL
    wants_rules: ClassVar = False

    def encode(self, label: str, line: str, *, in_room: bool) -> str:
        """The line behind its label; what it says is for the server to understand."""
        return f"@{label} {line}"

    def decode(self, frame: str) -> Message:
        """One line."""
        return Message(*tags.parse_tags(frame))
