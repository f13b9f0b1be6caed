"""The board of the game: keys and clicks lay tiles on it."""

from collections.abc import Callable, Sequence
from typing import Final

from textual import events
from textual.message import Message

from crossroom_clients.tui.board_picture import BoardPicture
from crossroom_clients.tui.board_render import MARGIN
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.placement import TentativePlay
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.tiles import BLANK
from crossroom_protocol.base.translate import gettext

MOVES: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class BoardView(BoardPicture, can_focus=True):
    """A board with a cursor.

    Args:
        tentative: The person's tiles; keys change them.
        palette: The colours.
        begin_line: What Tab and a slash do: go on with a line somewhere else, or begin one.
    """

    class Changed(Message):
        """The cursor moved, or a tile was laid or taken back; ``said`` is what did not work."""

        def __init__(self, said: str = "") -> None:
            self.said = said
            super().__init__()

    class Submitted(Message):
        """The tiles are to be played as they lie."""

    class BlankWanted(Message):
        """A blank is to be laid; what it stands for is not said yet."""

    def __init__(
        self, tentative: TentativePlay, palette: Palette, begin_line: Callable[[str | None], None]
    ) -> None:
        super().__init__(palette)
        self.tentative, self._begin_line = tentative, begin_line
        self.is_open = False
        """Can tiles be laid: does somebody sit here, and is it the board of now?"""

    @property
    def wanted(self) -> Sequence[Square]:
        """Where the cursor is."""
        return (self.tentative.cursor,)

    # Keys and clicks.

    def on_key(self, event: events.Key) -> None:
        """Lay tiles and move about."""
        tentative, said = self.tentative, ""
        focused = self.screen.focused
        if focused not in (None, self):  # typed fast, behind a slash
            focused.post_message(events.Key(event.key, event.character))
            return
        if event.key == "enter" and tentative.laid:
            self.post_message(self.Submitted())
            return
        if event.key in ("tab", "shift+tab") or event.character == "/":
            self._begin_line(event.character if event.character == "/" else None)
            event.stop()
            event.prevent_default()
            return  # the board stays as it is, also that of an earlier move
        if event.key in MOVES:
            tentative.move(*MOVES[event.key])
        elif event.key == "space" or (event.key == "enter" and not tentative.laid):
            tentative.turn()
        elif event.key == "backspace" and self.is_open:
            tentative.take_back()
        elif event.key == "delete" and self.is_open:
            tentative.lift(tentative.cursor)
        elif event.key == "escape" and self.is_open:
            tentative.recall()
        elif event.is_printable and event.character is not None:
            said = self._type(event.character)
        else:
            return
        event.stop()
        event.prevent_default()
        self.post_message(self.Changed(said))

    def type(self, symbol: str) -> None:
        """Do what a key with that *symbol* does."""
        self.post_message(self.Changed(self._type(symbol)))

    def _type(self, symbol: str) -> str:
        """Lay what a key stands for: a letter, the place of a tile in the rack, ``?`` a blank."""
        if not self.is_open:
            return gettext("only players lay tiles, and only in a game") if symbol.isalnum() else ""
        tentative = self.tentative
        if symbol in (BLANK, "*") or (symbol.isdecimal() and self._tile(int(symbol)) == BLANK):
            if BLANK not in tentative.left:
                return gettext("you have no blank")
            self.post_message(self.BlankWanted())
            return ""
        if symbol.isdecimal():
            tile = self._tile(int(symbol))
            return "" if tile is not None and tentative.lay(tile) else gettext("no such tile")
        return (
            "" if tentative.type(symbol) else gettext("you have no {symbol}", symbol=symbol.upper())
        )

    def _tile(self, place: int) -> str | None:
        """The tile at that place of the rack, counted from 1; None if none is there any more."""
        hand = self.tentative.hand
        if not 0 < place <= len(hand) or hand[place - 1][1]:
            return None
        return hand[place - 1][0]

    def on_click(self, event: events.Click) -> None:
        """Go to a square, or turn where the cursor is; a tile that was laid comes back."""
        square = self._under(event.x, event.y)
        if square is not None:
            self.focus()
            if self.tentative.lift(square):
                self.tentative.cursor = square
            else:
                self.tentative.point(square)
            self.post_message(self.Changed())

    def _under(self, x: int, y: int) -> Square | None:
        size, part = self._square, self._part
        column, row = (x - MARGIN) // size.columns, (y - 1) // size.rows
        if x < MARGIN or y < 1 or column >= part.columns or row >= part.rows:
            return None
        return Square(part.row + row, part.column + column)
