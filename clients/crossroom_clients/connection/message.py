"""Hold one notice of the server, as a line with tags in front of it."""

from dataclasses import dataclass
from typing import Final, get_args

from crossroom_protocol.commands.analysis import ExportCommand
from crossroom_protocol.text.ansi import ESCAPE

EXPORT_FORMATS: Final = get_args(ExportCommand.model_fields["form"].annotation)
"""The subjects of pictures that are the record of a game."""
RESUME_LABEL: Final = "resume"
ENTRY_LABELS: Final = (RESUME_LABEL, "name", "join")
"""Labels of what a connection says by itself; a person's lines are numbered."""


@dataclass(frozen=True)
class Message:
    """One line of the server, and the tags that stood in front of it.

    ``line`` is coloured if the person has asked the server for that; mark and text never are.
    """

    tags: dict[str, str]
    line: str

    @property
    def mark(self) -> str:
        """Its first character, which says what kind it is."""
        return ESCAPE.sub("", self.line)[:1]

    @property
    def text(self) -> str:
        """The text after the mark and a space."""
        return ESCAPE.sub("", self.line)[2:]

    @property
    def label(self) -> str | None:
        """The label of the line that this answers."""
        return self.tags.get("label")

    @property
    def is_record(self) -> bool:
        """Is it a line of an exported game, which is a line of a file?"""
        return self.mark == "|" and self.tags.get("about") in EXPORT_FORMATS

    @property
    def is_entry_refused(self) -> bool:
        """Does it refuse the name or the room that was asked for on the way in?"""
        return self.mark == "!" and self.label in ENTRY_LABELS
