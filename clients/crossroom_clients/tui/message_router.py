"""Route messages to the log, to the talk, or to a dialog."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from crossroom_clients.connection.json_codec import NoticeMessage
from crossroom_clients.tui.panels import LinesPanel, LogLine, styled_line
from crossroom_clients.tui.sheets import is_long
from crossroom_clients.tui.short_lines import recalled_lines, short_line
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.notices import ReplayedEntry

WHISPER_NOTE: Final = "tell"
"""The subject of a note with a whisper."""
SEAL: Final = re.compile(r";[^;]*(?:: sha256 [0-9a-f]+\.\.\.|\b[0-9a-f]{64}\b)")
"""What a line says of the seal and the seed of the bag, in every language; few ever check them."""


TITLES: Final = (
    Phrase("analysis"),
    Phrase("bag"),
    Phrase("bans"),
    Phrase("board"),
    Phrase("clock"),
    Phrase("games"),
    Phrase("help"),
    Phrase("hint"),
    Phrase("history"),
    Phrase("invitation"),
    Phrase("levels"),
    Phrase("rooms"),
    Phrase("rules"),
    Phrase("score"),
    Phrase("seats"),
    Phrase("settings"),
    Phrase("stats"),
    Phrase("stored"),
    Phrase("text"),
    Phrase("top"),
    Phrase("who"),
)
"""The titles of answers by subject, as far as there are any."""


class LongAnswer(NamedTuple):
    """A long answer to a command of this person."""

    title: str
    lines: list[str]
    is_drawing: bool
    about: str


class MessageRouter:
    """Log and talk, and the answers that are still coming."""

    def __init__(self, log: LinesPanel, talk: LinesPanel) -> None:
        self._log, self._talk = log, talk
        self._entries: dict[int, tuple[str, LogLine]] = {}
        self._others: list[LogLine] = []
        self._answers: dict[str, list[NoticeMessage]] = {}

    def note(self, text: str, look: str = "own") -> None:
        """Say something that does not come from the server."""
        self._tell_aside(LogLine([(f"class:{look}", text)]))

    def begin_anew(self) -> None:
        """Forget it all: this is another room."""
        self._entries.clear()
        self._others.clear()
        self._log.tell_anew([])
        self._talk.tell_anew([])

    def recolour(self) -> None:
        """Draw it all in the colours of now."""
        self._log.fold()
        self._talk.fold()

    def drop_answers(self) -> None:
        """Wait for answers no more."""
        self._answers.clear()

    def route(self, heard: NoticeMessage) -> LongAnswer | None:
        """Take in a notice; returns the long answer that it completes, if it does."""
        label = heard.label
        if label is not None and heard.mark in ("|", "-"):
            self._answers.setdefault(label, []).append(heard)
            return None
        answer = self._complete(label) if label is not None and heard.mark in (".", "!") else None
        is_drawn = heard.mark in (".", "?") or (heard.mark == "=" and label is None)
        if not is_drawn and "protocol" not in heard.tags and "live" not in heard.tags:
            self._tell(heard)
        return answer

    def recall(self, entries: Iterable[ReplayedEntry]) -> None:
        """Show what was said before, and below it what is no entry of the log."""
        entries = list(entries)
        short = recalled_lines(entries)
        for past in entries:
            self._entries.setdefault(past.seq, _entry(past.plain, {}, short.get(past.seq)))
        told = [self._entries[seq] for seq in sorted(self._entries)]
        self._log.tell_anew([*(line for mark, line in told if mark != ":"), *self._others])
        self._talk.tell_anew([line for mark, line in told if mark == ":"])

    def _complete(self, label: str) -> LongAnswer | None:
        heard = self._answers.pop(label, [])
        lines = [text.partition(" ")[2] for one in heard for text in one.lines]
        is_drawing = any(one.mark == "|" for one in heard)
        if is_long(lines) or is_drawing:
            about = heard[0].tags.get("about", "")
            return LongAnswer(_title(about), lines, is_drawing, about)
        for one in heard:
            self._tell(one)
        return None

    def _tell(self, heard: NoticeMessage) -> None:
        if "event" in heard.tags:
            mark, line = self._entries[int(heard.tags["seq"])] = _entry(
                heard.lines, heard.tags, short_line(heard.notice)
            )
            (self._talk if mark == ":" else self._log).tell(line)
            return
        for text in heard.lines:
            line = LogLine(styled_line(text[:1], text[2:], heard.tags))
            if heard.tags.get("about") == WHISPER_NOTE:
                self._talk.tell(line)
            else:
                self._tell_aside(line)

    def _tell_aside(self, line: LogLine) -> None:
        self._others.append(line)
        self._log.tell(line)


def _entry(lines: Iterable[str], tags: dict[str, str], short: str | None) -> tuple[str, LogLine]:
    text = SEAL.sub("", " ".join(lines))
    line = styled_line(text[:1], text[2:], tags)
    brief = styled_line(text[:1], SEAL.sub("", short), tags) if short is not None else None
    return text[:1], LogLine(line, brief)


def _title(about: str) -> str:
    return next((gettext(title) for title in TITLES if title == about), about)
