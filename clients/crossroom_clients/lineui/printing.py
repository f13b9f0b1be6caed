"""Printing above the line that is being typed; lines that come together are drawn together."""

import asyncio
from typing import Final

from prompt_toolkit import print_formatted_text
from prompt_toolkit.application import get_app_session
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.styles import Style

from crossroom_clients.connection.game_status import Fragments

BATCH_DELAY_S: Final = 0.02
"""Seconds to wait for more lines."""
INDENT: Final = "   "
"""The indent of the continuation of a folded line."""


class Printer:
    """The log of a terminal."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._lines: list[tuple[Fragments, bool]] = []

    def print(self, line: Fragments, *, folded: bool = True) -> None:
        """Print a line, soon; a picture is not *folded* where it is wider than the terminal."""
        if not self._lines:
            asyncio.get_running_loop().call_later(BATCH_DELAY_S, self.flush)
        self._lines.append((line, folded))

    def flush(self) -> None:
        """Print what waits, now."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        width = get_app_session().output.get_size().columns
        text: Fragments = []
        for line, folded in lines:
            text += [*(fold(line, width) if folded else line), ("", "\n")]
        print_formatted_text(FormattedText(text[:-1]), style=self._style)


def fold(line: Fragments, width: int) -> Fragments:
    """Break a line at spaces, so that no part is wider than *width* columns if that can be."""
    text = "".join(piece for _, piece in line)
    breaks: set[int] = set()
    start, indent, space = 0, 0, -1
    for at, symbol in enumerate(f"{text} "):
        if symbol == " ":
            if at - start + indent > width and space > start:
                breaks.add(space)
                start, indent = space + 1, len(INDENT)
            space = at
    folded: Fragments = []
    at = 0
    for style, piece in line:
        cut = (f"\n{INDENT}" if at + i in breaks else symbol for i, symbol in enumerate(piece))
        folded.append((style, "".join(cut)))
        at += len(piece)
    return folded
