"""The line that is typed: talk and commands, with completion and what was typed before."""

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from textual import events
from textual.message import Message
from textual.widgets import Input

from crossroom_clients.lineui.completion import CommandCompleter
from crossroom_protocol.commands.parser import MAX_LINE_BYTES


class CommandLine(Input):
    """A line; Enter sends it, Tab completes a command, up and down bring back older lines.

    Args:
        id: What it is called on the screen.
        people: Tells who is in the room, by name.
        leave: Called, at once, when the person goes back to the board.
    """

    class Entered(Message):
        """A ``line`` was typed; what follows already belongs to the next one."""

        def __init__(self, line: str) -> None:
            self.line = line
            super().__init__()

    class Cut(Message):
        """What was pasted is longer than a line can be; the rest of it is not there."""

    def __init__(
        self,
        *,
        id: str,  # noqa: A002
        people: Callable[[], Iterable[str]],
        leave: Callable[[], None],
    ) -> None:
        super().__init__(
            id=id, compact=True, select_on_focus=False, max_length=MAX_LINE_BYTES, highlighter=None
        )
        self.cursor_blink = False  # which would take more time than all the rest while nobody types
        self._completer, self._leave = CommandCompleter(people), leave
        self._before: list[str] = []
        self._at = 0

    def begin(self, text: str | None = None) -> None:
        """Begin a line with *text*, or go on with the one that is there."""
        if text is not None:
            self.value = text
        self.cursor_position = len(self.value)
        self.screen.set_focus(self)  # at once, for what is typed next

    def give_back(self, text: str) -> None:
        """Show a line again that was not sent, unless the next one has been begun.

        It is selected, so that what is typed next replaces it.
        """
        if not self.value:
            self.begin(text)
            self.select_all()

    def _on_paste(self, event: events.Paste) -> None:
        """Take in all lines as one, and as much of it as a line can hold."""
        event.stop()
        event.prevent_default()  # which would drop all but the first line
        text = " ".join(event.text.split())
        start, end = sorted(self.selection)
        others = len((self.value[:start] + self.value[end:]).encode())
        fitting = text.encode()[: max(0, MAX_LINE_BYTES - others)].decode(errors="ignore")
        self.replace(fitting, start, end)
        if fitting != text:
            self.post_message(self.Cut())

    def _take(self) -> str:
        """Return what was typed, and empty the line."""
        text = self.value.strip()
        if text and not self.password and text not in self._before[-1:]:
            self._before.append(text)
        self._at = len(self._before)
        self.value = ""
        return text

    def complete(self) -> bool:
        """Complete a command as far as it is certain; False if nothing begins like this."""
        before = self.value[: self.cursor_position]
        found = list(self._completer.get_completions(Document(before), CompleteEvent()))
        if not found:
            return False
        begun = before[len(before) + found[0].start_position :]
        texts = [one.text for one in found]
        common = texts[0]
        for text in texts[1:]:
            while not text.startswith(common):
                common = common[:-1]
        full = common + (" " if len(texts) == 1 else "")
        if len(full) > len(begun):
            self.value = before[: len(before) - len(begun)] + full + self.value[len(before) :]
            self.cursor_position = len(before) - len(begun) + len(full)
        return True

    def on_key(self, event: events.Key) -> None:
        """The end of a line; older and newer ones; completion; back to the board."""
        focused = self.screen.focused
        if focused not in (None, self):  # typed fast, behind a Tab
            focused.post_message(events.Key(event.key, event.character))
        elif event.key in ("tab", "shift+tab"):
            if not (self.value.startswith("/") and self.complete()):
                self._leave()
        elif event.key == "enter":
            self.post_message(self.Entered(self._take()))
        elif event.key == "escape":
            self._leave()
        elif event.key in ("up", "down"):
            self._at = min(max(self._at + (1 if event.key == "down" else -1), 0), len(self._before))
            self.value = self._before[self._at] if self._at < len(self._before) else ""
            self.cursor_position = len(self.value)
        else:
            return
        event.stop()
        event.prevent_default()
