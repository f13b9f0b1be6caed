"""Turn what a newcomer types into commands: the name of a room, its password, or their own name."""

from typing import Final

from crossroom_clients.connection.reconnecting import Connection
from crossroom_clients.support.login import login_name
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.parser import find_command

WATCHING_NOTE: Final = Phrase("you only watch; /name YOURNAME takes a free seat")
"""The text for somebody who wants no name."""


QUIT_COMMANDS: Final = ("/quit", "/q", "/bye")
"""The commands that leave, also without a connection."""


class Onboarding:
    """The questions on the way in: which room, with what password, and what name."""

    def __init__(self) -> None:
        self.suggested_name = login_name()
        """The name that is proposed; empty if none is, or that one was refused."""
        self.only_watches = False
        """Has this person said that they want no name?"""
        self._wanted = ""
        self._locked_room = ""

    def question(self, connection: Connection) -> str:
        """Return the prompt of the line that is typed; empty for who has a name."""
        if self.asks_password(connection):
            return gettext("password for {room}: ", room=self._locked_room)
        if connection.resume.room is None:
            return gettext("room: ")
        if not self.is_unnamed(connection):
            return ""
        if self.suggested_name:
            return gettext("your name [{name}]: ", name=self.suggested_name)
        return gettext("your name: ")

    def asks_password(self, connection: Connection) -> bool:
        """Is the line a password, which nobody else may read?"""
        return connection.resume.room is None and bool(self._locked_room)

    def note_refusal(self, connection: Connection, code: str) -> None:
        """Learn from the code of a refusal that the room asked for is locked."""
        if connection.resume.room is None and code == "NEED_KEY":
            self._locked_room = self._wanted or connection.address.room or ""

    def is_unnamed(self, connection: Connection) -> bool:
        """Is this person in a room, and still to say who they are?"""
        mark = connection.resume
        return mark.room is not None and mark.name is None and not self.only_watches

    def is_asked(self, connection: Connection) -> bool:
        """Is one of the questions open?"""
        return connection.resume.room is None or self.is_unnamed(connection)

    def to_command(self, connection: Connection, line: str) -> str:
        """The line to send for what was typed; empty if none is."""
        unnamed, outside = self.is_unnamed(connection), connection.resume.room is None
        if outside and (room := self._locked_room) and not _is_command(line):
            if not line:  # another room, then
                self._locked_room = ""
            return " ".join(("/join", room, line)) if line else ""
        if unnamed:
            line = line or self.suggested_name
            self.only_watches = line.lower() in ("", "/watch")
            if self.only_watches:
                return ""
        if line and (unnamed or outside) and not line.startswith(("/", ".", "!")):
            line = f"/name {line}" if unnamed else f"/join {line}"
            self.suggested_name = ""  # if it is refused, then not once more
        if outside and line.lower().startswith("/join "):
            self._wanted, self._locked_room = line.split()[1], ""
        return line


def _is_command(line: str) -> bool:
    """Is this a command, and no password that begins like one?"""
    try:
        return line.startswith("/") and bool(find_command(line[1:].partition(" ")[0]))
    except Refusal:
        return False
