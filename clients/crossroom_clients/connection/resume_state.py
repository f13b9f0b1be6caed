"""Track a person's place in a room's log, and the code that brings them back. No sockets.

A server that speaks tags tells everything needed: the room and the number of its newest entry on
arrival, the resume code with the name, and the number of each entry. Whoever reads all tags with
:meth:`ResumeState.update` can lose the connection at any moment and ask for exactly the rest.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import LANGUAGES
from crossroom_protocol.commands.connection import ResumeCommand
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.commands.table import SetCommand

LEFT_NOTE: Final = "left"
"""The subject of the note that says that one has left the room."""
_RENAMED: Final = re.compile(r"[^\W\d_]+ [^\W\d_]+ ([\w-]+)")
"""``you are alice``, in every language of a server: two words, and the name."""


@dataclass
class ResumeState:
    """The room of a person (None: not in one), and their ``name``.

    ``code`` is the secret that brings one back, ``seq`` the number of the newest entry heard,
    ``language`` what they have asked to be told things in, ``reader`` whether they listen.
    """

    room: str | None = None
    name: str | None = None
    code: str | None = None
    seq: int | None = None
    language: str | None = None
    reader: bool = False
    _typed: str | None = None

    @property
    def seat(self) -> tuple[str, str, str] | None:
        """Room, name and code, if all are known: what opens the seat from anywhere."""
        if self.room is None or self.name is None or self.code is None:
            return None
        return self.room, self.name, self.code

    @property
    def resume_line(self) -> str | None:
        """The line that brings this person back and tells them what they missed, if any does."""
        if self.code is None:
            return None
        return f"/resume {self.code}" + ("" if self.seq is None else f" {self.seq}")

    def update(self, tags: Mapping[str, str], text: str = "") -> bool:
        """Learn from one line: its tags, and its text where they say that it holds a new name.

        False if it tells of an entry heard before.
        """
        if "protocol" in tags:
            self._enter(tags.get("room"), tags.get("seq"))
        elif "live" in tags:
            self.seq = int(tags["live"])
            if self._typed not in (None, self.code):
                self.code, self.name = self._typed, None
            self._typed = None
        elif "seq" in tags:
            seq = int(tags["seq"])
            if self.seq is not None and seq <= self.seq:
                return False
            self.seq = seq
        elif "name" in tags and "code" in tags and "about" not in tags:
            self.name, self.code = tags["name"], tags["code"]
        elif tags.get("about") == LEFT_NOTE:
            self._enter(None, None)
        elif tags.get("about") == "name" and (renamed := _RENAMED.fullmatch(text)):
            self.name = renamed[1]
        if "state" in tags:
            self.room = tags.get("room", self.room)
        if self.name is None and "you" in tags:
            self.name = tags["players"].split(",")[int(tags["you"])]
        return True

    def note_sent(self, line: str) -> None:
        """Take note of a line that the person sends: codes typed by hand are as good as ours."""
        try:
            request = read_line(line, in_room=self.room is not None)
        except Refusal:
            return
        match request and request.command:
            case ResumeCommand(code=code, seq=seq):
                self._typed = code
                self.seq = self.seq if seq is None else seq
            case SetCommand(setting="language", value=value) if value.lower() in LANGUAGES:
                self.language = value.lower()
            case SetCommand(setting="reader", value=value) if value.lower() in ("on", "off"):
                self.reader = value.lower() == "on"

    def _enter(self, room: str | None, seq: str | None) -> None:
        if room != self.room:
            self.room, self.name, self.code = room, None, None
        self.seq = int(seq) if seq is not None else None
