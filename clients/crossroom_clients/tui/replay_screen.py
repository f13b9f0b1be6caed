"""A finished game in front of the table: its board, scores and racks, move by move."""

from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from crossroom_clients.tui.board_picture import BoardPicture
from crossroom_clients.tui.board_render import BoardScene
from crossroom_clients.tui.browse import rack_at
from crossroom_clients.tui.layout import share_out
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.panels import clip, rack_text
from crossroom_clients.tui.replay import Replay
from crossroom_clients.tui.save_record import save_record
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_tiles, split_squares
from crossroom_protocol.text.profile_text import format_date
from crossroom_protocol.text.rules_text import rules_summary

KEYS: Final = Phrase("Left, Right: move by move   Home, End   S saves it as GCG   Esc: the room")
SCORE_COLUMNS: Final = 6


class ReplayScreen(ModalScreen[None]):
    """A game to step through, with all racks.

    Args:
        replay: The game.
        palette: The colours.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "back"),
        Binding("left", "step(-1)", priority=True),
        Binding("right", "step(1)", priority=True),
        Binding("s", "save"),
    ]

    def __init__(self, replay: Replay, palette: Palette) -> None:
        super().__init__()
        self._replay, self._palette = replay, palette
        self._at = 0
        self._board = BoardPicture(palette)
        moves = (f"{at:>3} {moment.line}" for at, moment in enumerate(replay.moments))
        self._moves = OptionList(
            *(Option(Text(move, no_wrap=True, overflow="ellipsis")) for move in moves), compact=True
        )
        self._left = Vertical(self._board, Static(id="replay-rack"), classes="left")

    def compose(self) -> ComposeResult:
        """The board and a rack; beside them the scores and the moves."""
        yield Static(self._title(), classes="bar")
        with Horizontal(classes="table"):
            yield self._left
            with Vertical(classes="right"):
                yield Static(id="replay-scores")
                yield self._moves
        yield Static(id="replay-move", classes="line")
        yield Static(id="replay-room", classes="line")
        yield Static(gettext(KEYS), classes="bar")

    def on_mount(self) -> None:
        """Begin at the beginning."""
        self._moves.focus()
        self._moves.highlighted = 0
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """Share the new space out."""
        self.call_after_refresh(self._draw)

    def _title(self) -> Text:
        started, game = self._replay.started, self._replay.game
        told = gettext(
            "{room} · game {game}, {day} · {rules}",
            room=game.room,
            game=game.game,
            day=format_date(game.ended),
            rules=rules_summary(started.rules, started.lexicon),
        )
        return Text(f" {told}", no_wrap=True, overflow="ellipsis")

    @on(OptionList.OptionHighlighted)
    def _looked(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._at = event.option_index
        self._draw()

    def action_step(self, steps: int) -> None:
        """Go so many moves on, or back."""
        at = (self._moves.highlighted or 0) + steps
        self._moves.highlighted = min(max(at, 0), len(self._replay.moments) - 1)

    def action_save(self) -> None:
        """Write the game to a file, in the folder where the program was begun."""
        name = f"{self._replay.game.room}-{self._replay.game.game}.gcg"
        try:
            path = save_record(Path.cwd(), name, self._replay.gcg)
        except OSError as error:
            self._say(gettext("it cannot be saved: {error}", error=error), "refusal")
        else:
            self._say(gettext("saved as {path}", path=path), "good")

    def show_room(self, told: Text) -> None:
        """Say what goes on in the room meanwhile."""
        if self.is_mounted:
            self.query_one("#replay-room", Static).update(told)

    def _say(self, told: str, look: str) -> None:
        text = Text(f" {told}", self._palette.style(look), no_wrap=True, overflow="ellipsis")
        self.query_one("#replay-move", Static).update(text)

    def _draw(self) -> None:
        then = self._replay.moments[self._at]
        rules = self._replay.started.rules
        shares = share_out(rules.layout, *self.size)
        self._left.styles.width = shares.board_columns
        self._board.styles.height = shares.board_rows
        rows = [split_squares(row) for row in then.board.rows]
        self._board.show(BoardScene(rules.layout, rules.tiles, rows, fresh=then.laid))
        rack = rack_at(self._replay.moments, self._at, then.seat)
        self.query_one("#replay-rack", Static).update(rack_text(rack, rules.tiles, self._palette))
        self.query_one("#replay-scores", Static).update(self._scores())
        self._say(then.line, "name")

    def _scores(self) -> Text:
        """A line for each player: who moved, name, score and rack after the move."""
        then, text = self._replay.moments[self._at], Text(no_wrap=True, overflow="ellipsis")
        names = self._replay.started.players
        wide = min(max(map(len, names)), 16)
        for seat, name in enumerate(names):
            style = self._palette.style("turn" if seat == then.seat else "")
            text.append(f"{'>' if seat == then.seat else ' '} {clip(name, wide)}", style)
            text.append(f"{then.scores[seat]:>{SCORE_COLUMNS}}", style)
            rack = format_tiles(sorted(then.racks[seat]))
            text.append(f"  {rack}", self._palette.style("label"))
            text.append("\n" if seat < len(names) - 1 else "")
        return text
