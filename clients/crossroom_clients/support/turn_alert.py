"""Tells somebody who looks elsewhere that it is their turn, by what terminals offer for that."""

import os
import time
from collections.abc import Callable, Mapping
from typing import Final

from crossroom_protocol.base.translate import gettext

QUIET_S: Final = 15.0
"""Seconds without a key from you after which your turn rings."""

_BELL: Final = "\a"
_KEEP_TITLE: Final = "\x1b[22;2t"
_FORMER_TITLE: Final = "\x1b[23;2t"
_TITLE: Final = "\x1b]2;{}\a"
# A terminal may know both and would show both, so it is sent one: that of iTerm2, or that of rxvt.
_NOTE: Final = "\x1b]9;{}\a"
_TITLED_NOTE: Final = "\x1b]777;notify;crossroom;{}\a"
_NOTE_TERMINALS: Final = {"iTerm.app", "WezTerm", "ghostty", "vscode"}
_UNABLE: Final = {"", "dumb", "linux"}
"""Values of ``TERM`` of which some print such sequences."""


class TurnAlert:
    """The bell, the title and the notifications of one terminal.

    A terminal that does not know a sequence ignores it. What is sent holds nothing that another
    person wrote but the name of the room, which has letters, digits and dashes alone.

    Args:
        write: Takes what goes to the terminal, between other output.
        environ: Tells which terminal it is: ``TERM`` and ``TERM_PROGRAM``.
    """

    def __init__(
        self, write: Callable[[str], None], environ: Mapping[str, str] = os.environ
    ) -> None:
        self._write = write
        self._is_able = environ.get("TERM", "") not in _UNABLE
        is_plain = environ.get("TERM_PROGRAM") in _NOTE_TERMINALS
        self._note = _NOTE if is_plain else _TITLED_NOTE
        self._typed_at = time.monotonic()
        self._title = ""

    def typed(self) -> None:
        """Take down that somebody sits there."""
        self._typed_at = time.monotonic()

    def show(self, room: str | None, *, is_yours: bool) -> None:
        """Name the room in the terminal's title, and whether it is your turn there."""
        title = " · ".join(("crossroom",) if room is None else (room, "crossroom"))
        if is_yours:
            title = gettext("your turn · {title}", title=title)
        if self._is_able and title != self._title:
            self._write((_KEEP_TITLE if not self._title else "") + _TITLE.format(title))
            self._title = title

    def ring(self, room: str | None) -> None:
        """Say that it is your turn, unless you have just typed."""
        if time.monotonic() - self._typed_at <= QUIET_S:
            return
        note = self._note.format(gettext("It is your turn in {room}.", room=room))
        self._write(_BELL + (note if self._is_able else ""))

    def close(self) -> None:
        """Give the terminal its former title back."""
        if self._title:
            self._write(_FORMER_TITLE)
            self._title = ""


def write_nothing(_: str) -> None:
    """Take what goes to a terminal that is to be left alone."""
