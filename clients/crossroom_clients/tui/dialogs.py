"""Show dialogs in front of the table: a text to read, a choice, tiles to pick."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from crossroom_clients.tui.palette import Palette
from crossroom_engine.core.tiles import BLANK, Tile, spell
from crossroom_protocol.base.translate import gettext

PICKER_COLUMNS: Final = 9
"""Tiles in one line of a picker."""


class Dialog(ModalScreen[str]):
    """A box in the middle; Escape closes it with an empty answer."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss('')", "back")]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with what Enter or a click has chosen."""
        self.dismiss(event.option.id or "")


class TextDialog(Dialog):
    """Lines to read; any of the usual keys scroll, Escape, Enter or q go back.

    Args:
        title: What they are.
        lines: The lines.
        sheet: The same as a table, if they are better read as one.
        is_drawing: Do the lines draw something, so that none may be folded?
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("q", "dismiss('')", "back"),
        ("enter", "dismiss('')", "back"),
        ("f1", "dismiss('')", "back"),
    ]

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        sheet: Table | None = None,
        *,
        is_drawing: bool = False,
    ) -> None:
        super().__init__()
        self._title, self._lines, self._sheet = title, lines, sheet
        self._is_drawing = is_drawing

    def compose(self) -> ComposeResult:
        """The lines, in a box that scrolls."""
        box = VerticalScroll(classes="box wide")
        box.border_title = self._title
        box.border_subtitle = gettext("Esc goes back")
        with box:
            text = Text("\n".join(self._lines), no_wrap=self._is_drawing)
            yield Static(self._sheet or text)

    def on_mount(self) -> None:
        """Let the keys scroll."""
        self.query_one(VerticalScroll).focus()


class MenuDialog(Dialog):
    """Things to choose from by the arrows and Enter, or the mouse; the answer is a name.

    Args:
        title: What they are.
        offered: Name and line of each.
    """

    def __init__(self, title: str, offered: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title, self._offered = title, offered

    def compose(self) -> ComposeResult:
        """The lines, one of them marked."""
        box = Vertical(classes="box")
        box.border_title, box.border_subtitle = self._title, gettext("Esc goes back")
        with box:
            yield OptionList(*(Option(Text(text), id=name) for name, text in self._offered))


class ChoiceDialog(Dialog):
    """A question; the answer is the name of what was chosen.

    Args:
        title: What is asked, in a few words.
        lines: What one should know.
        choices: Name and text of each; the text begins with the key that chooses it.
    """

    def __init__(
        self, title: str, lines: Sequence[str], choices: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__()
        self._title, self._lines, self._choices = title, lines, choices

    def compose(self) -> ComposeResult:
        """The lines, and below them the choices."""
        box = Vertical(classes="box")
        box.border_title = self._title
        with box:
            yield Static(Text("\n".join(self._lines)), classes="told")
            yield OptionList(*(Option(_with_key(text), id=name) for name, text in self._choices))

    def on_key(self, event: events.Key) -> None:
        """The first letter of a choice chooses it."""
        for name, text in self._choices:
            if event.character and event.character.lower() == text[:1].lower():
                event.stop()
                self.dismiss(name)
                return


def _with_key(text: str) -> Text:
    """A choice; the key that chooses it is underlined."""
    return Text.assemble((text[:1], "bold underline"), text[1:])


class TilePicker(Dialog):
    """Tiles to pick from: *many*, as for an exchange, or one.

    The answer are the tiles that were picked, spelt as a person types them, with ``?`` for a blank.
    """

    def __init__(
        self,
        title: str,
        hint: str,
        offered: Sequence[Tile],
        palette: Palette,
        *,
        many: bool,
    ) -> None:
        super().__init__()
        self._title, self._hint, self._offered = title, hint, list(offered)
        self._palette, self._many = palette, many
        self._picked: set[int] = set()
        self._at = 0

    def compose(self) -> ComposeResult:
        """The tiles, and what is to be done with them."""
        box = Vertical(classes="box")
        box.border_title, box.border_subtitle = self._title, gettext("Esc goes back")
        with box:
            yield Static(id="tiles")
            yield Static(self._hint, classes="told")

    def on_mount(self) -> None:
        """Draw them."""
        self._draw()

    def _draw(self) -> None:
        text = Text(no_wrap=True)
        for start in range(0, len(self._offered), PICKER_COLUMNS):
            text.append("\n\n" if start else "\n")
            for at in range(start, min(start + PICKER_COLUMNS, len(self._offered))):
                look = "laid" if at in self._picked else "tile"
                style = self._palette.style(look)
                tile = self._offered[at]
                mark = "x" if at in self._picked else " "
                left, right = "[]" if at == self._at else "  "
                text.append(left)
                text.append(f"{mark}{tile:<2}", style)
                text.append(right)
        text.append("\n")
        self.query_one("#tiles", Static).update(text)

    def on_key(self, event: events.Key) -> None:
        """Move, pick, and finish."""
        steps = {"left": -1, "right": 1, "up": -PICKER_COLUMNS, "down": PICKER_COLUMNS}
        if event.key in steps:
            to = self._at + steps[event.key]
            self._at = to if 0 <= to < len(self._offered) else self._at
        elif event.key == "space" and self._many:
            self._picked ^= {self._at}
        elif event.key == "enter":
            self._finish()
        elif event.is_printable and event.character is not None:
            self._type(event.character)
        else:
            return
        event.stop()
        self._draw()

    def _type(self, symbol: str) -> None:
        """Pick by letter: the next such tile that is not picked; all of them picked, none."""
        wanted = BLANK if symbol == "*" else symbol.upper()
        such = [at for at, tile in enumerate(self._offered) if tile == wanted]
        such = such or [at for at, tile in enumerate(self._offered) if tile.startswith(wanted)]
        if not such:
            return
        self._at = next((at for at in such if at not in self._picked), such[0])
        if not self._many and len(such) == 1:
            self._finish()
        elif set(such) <= self._picked:
            self._picked -= set(such)
        else:
            self._picked |= {self._at} if self._many else set()

    def _finish(self) -> None:
        picked = sorted(self._picked) if self._many else [self._at]
        if picked:
            tiles = [self._offered[at] for at in picked]
            self.dismiss(spell(tiles))

    def on_click(self, event: events.Click) -> None:
        """Pick with the mouse."""
        shown = self.query_one("#tiles", Static).region
        column, row = (event.screen_x - shown.x) // 5, (event.screen_y - shown.y - 1) // 2
        at = row * PICKER_COLUMNS + column
        if shown.contains(event.screen_x, event.screen_y) and 0 <= at < len(self._offered):
            self._at = at
            if self._many:
                self._picked ^= {at}
                self._draw()
            else:
                self._finish()
