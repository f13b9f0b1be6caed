"""The table: what is heard changes the state, the state is drawn, keys become lines."""

import time
from collections.abc import AsyncIterator, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from crossroom_clients.connection.json_codec import NoticeMessage
from crossroom_clients.connection.reconnecting import (
    NORMAL_CLOSURE,
    Closed,
    Connection,
    ConnectionEvent,
    Disconnected,
    Reconnected,
)
from crossroom_clients.connection.session import OnEntered, do_nothing
from crossroom_clients.lineui.completion import command_hint
from crossroom_clients.lineui.onboarding import Onboarding
from crossroom_clients.support.turn_alert import TurnAlert, write_nothing
from crossroom_clients.tui import browse
from crossroom_clients.tui.board import BoardView
from crossroom_clients.tui.board_render import Piece
from crossroom_clients.tui.dialogs import TextDialog
from crossroom_clients.tui.help import keys_line
from crossroom_clients.tui.input_line import CommandLine
from crossroom_clients.tui.layout import share_out
from crossroom_clients.tui.message_router import MessageRouter
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.panels import LinesPanel, RackView, bar, players
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.prefetch import Prefetcher
from crossroom_clients.tui.prompts import ENTERING_PROMPT, LOST_PROMPT, prompt
from crossroom_clients.tui.score_preview import ScorePreview
from crossroom_clients.tui.sheets import two_columns
from crossroom_clients.tui.state import TableState
from crossroom_clients.tui.theme_store import ThemeStore
from crossroom_clients.tui.themes import palettes
from crossroom_clients.tui.typed_lines import TypedLines
from crossroom_protocol.base.translate import current_language, gettext, set_language
from crossroom_protocol.notices import Recalled, Refused, Tried, Welcome, YourTurn

SHORT_LINES_COLUMNS: Final = 90
"""Columns of a terminal from which moves are told in whole sentences."""
MIN_COLUMNS: Final = 80
MIN_ROWS: Final = 24
"""Size of a terminal from which the whole table is shown."""
TEXT_PLACES: Final = ("bar", "players", "tentative", "prompt", "question")
"""The widgets of one changing text each."""


class TableApp(TypedLines):
    """A table with a person at it; the result is how it ended.

    Args:
        connection: The way to the room.
        told: What is heard over it.
        opening: What is done for the person when they are in.
        notes: What to say before anything is heard.
        colours: Which to begin with, and where the choice is kept.
        notifies: Do bell, title and notifications tell whose turn it is?
    """

    CSS_PATH = "table.tcss"
    TITLE = "crossroom"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d,ctrl+q", "leave", priority=True),
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("ctrl+z", "suspend_process", priority=True),
        Binding("ctrl+y", "yes", priority=True),
        Binding("ctrl+n", "no", priority=True),
        Binding("f1", "help"),
        Binding("f2", "shuffle"),
        Binding("f3", "exchange"),
        Binding("f4", "pass_turn"),
        Binding("f5", "challenge"),
        Binding("f6", "unseen"),
        Binding("f7,pageup", "browse(-1)"),
        Binding("pagedown", "browse(1)"),
        Binding("end", "back_to_now", priority=True),
        Binding("f8", "next_theme"),
        Binding("f9", "people"),
        Binding("ctrl+up", "scroll_log(-4)", priority=True),
        Binding("ctrl+down", "scroll_log(4)", priority=True),
    ]

    def __init__(
        self,
        connection: Connection,
        told: AsyncIterator[ConnectionEvent],
        opening: OnEntered = do_nothing,
        notes: Sequence[str] = (),
        colours: ThemeStore | None = None,
        *,
        notifies: bool = True,
    ) -> None:
        super().__init__()
        self.connection, self._told, self._opening = connection, told, opening
        self._notes = list(notes)
        self.tentative, self.state, self._onboarding = TentativePlay(), TableState(), Onboarding()
        self.palettes = palettes(self.console.color_system)
        for palette in self.palettes.values():
            self.register_theme(palette.theme)
        self._theme_store = colours or ThemeStore()
        self.theme = self._theme_store.first_theme(self.console.color_system)
        self._rack = RackView(id="rack")
        self._log_panel = LinesPanel(gettext("log"), self.palette, id="log")
        self._talk_panel = LinesPanel(gettext("talk"), self.palette, id="talk")
        self._router = MessageRouter(self._log_panel, self._talk_panel)
        self._score_preview = ScorePreview(connection, self.tentative, self._answer)
        self._prefetcher = Prefetcher(connection)
        self._line = CommandLine(id="line", people=self.state.people, leave=self._back_to_board)
        self._board = BoardView(self.tentative, self.palette, self._line.begin)
        self._places = {place: Static(id=place) for place in TEXT_PLACES}
        self._left, self._right = Vertical(id="left"), Vertical(id="right")
        self._panels = Vertical(id="panels")
        self._shown: dict[str, tuple[Text, str]] = {}
        self._placed: tuple[object, ...] = ()
        self._was_playing = False
        self._alert = TurnAlert(self._write if notifies else write_nothing)

    @property
    def palette(self) -> Palette:
        """The colours of now."""
        return self.palettes[self.theme]

    def compose(self) -> ComposeResult:
        """A bar; board and rack, beside them what was said; the lines at the bottom."""
        places = self._places
        yield places["bar"]
        with Horizontal(id="table"):
            with self._left:
                yield self._board
                yield self._rack
            with self._right:
                yield places["players"]
                with self._panels:
                    yield self._log_panel
                    yield self._talk_panel
        yield places["tentative"]
        yield places["prompt"]
        with Horizontal(id="typing"):
            yield places["question"]
            yield self._line
        yield Static(keys_line(), id="keys")

    def on_mount(self) -> None:
        """Begin to listen."""
        for note in self._notes:
            self._router.note(note)
        self._line.focus()
        self.app_resume_signal.subscribe(self, self._repaint)
        self.set_interval(1.0, self._tick)
        self.run_worker(self._listen(), group="listening")
        self.run_worker(self._arrive(), group="arriving")
        self.call_after_refresh(self._draw)

    def _tick(self) -> None:
        """Draw the clocks, if there are any."""
        if self.state.is_ticking:
            self.call_next(self._draw_lines)

    def _repaint(self, _: object) -> None:
        """Draw all of it again: the shell has written on the terminal while this was suspended."""
        for widget in (self.screen, *self.screen.walk_children()):
            widget.refresh()

    def on_unmount(self) -> None:
        """Ask nothing more."""
        self._score_preview.stop()
        self._prefetcher.stop()
        self._alert.close()

    def _write(self, sequence: str) -> None:
        if self._driver is not None:
            self._driver.write(sequence)

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        self._router.note(text)

    # What comes in.

    async def _listen(self) -> None:
        async for item in self._told:
            self._follow_language(self.connection.resume.language or current_language())
            match item:
                case NoticeMessage():
                    self._handle_message(item)
                case Disconnected(unanswered=lines):
                    self._router.drop_answers()
                    self._router.note(gettext("connection lost; trying again …"), "trouble")
                    for line in lines:
                        self._router.note(
                            gettext("not answered, so perhaps not done: {line}", line=line)
                        )
                case Reconnected():
                    self._router.note(gettext("connected again"), "trouble")
                    self._said = None
                    self._score_preview.request()
                case Closed():
                    self.exit(item)
                    return
            self._draw()

    def _follow_language(self, language: str) -> None:
        """Speak the language that the person has asked the server for."""
        if language != current_language():
            set_language(language)
            for pump in (self._board, self._board.screen):  # each is a task, and speaks for itself
                pump.call_later(set_language, language)
            self.call_later(self._set_language, language)

    def _set_language(self, language: str) -> None:
        set_language(language)
        self._log_panel.rename(gettext("log"))
        self._talk_panel.rename(gettext("talk"))
        self.query_one("#keys", Static).update(keys_line())
        self._draw()

    async def _arrive(self) -> None:
        """Do what is done for who has come in, and show them where to begin."""
        await self.connection.entered.wait()
        await self._opening(self.connection)
        if self.connection.resume.room is None:
            await self.send("/rooms")
        self._draw()

    def _handle_message(self, heard: NoticeMessage) -> None:
        notice = heard.notice
        if notice is not None:
            self.state.update(notice, heard.lines, _monotonic_ms())
        self._prefetcher.handle(notice)
        if self._prefetcher.awaits(heard, notice):
            self._settle()
            return
        if self.takes_game(heard, notice):
            return
        if isinstance(notice, YourTurn):
            self._said = None  # it was about another turn
        match notice:
            case Tried() as tried:
                self._score_preview.receive(tried)
                if not self.tentative.laid:  # it was typed
                    self._said = heard.text, "good"
                return
            case Recalled(entries=entries):
                self._router.recall(entries)
            case Refused(command="try") if self.tentative.laid:
                return
            case Refused(code=code, text=text):
                self._onboarding.note_refusal(self.connection, code)
                self._said = text, "refusal"
            case Welcome():
                self._router.begin_anew()
            case YourTurn():
                self._alert.ring(self.connection.resume.room)
        if not isinstance(notice, Recalled) and (answer := self._router.route(heard)) is not None:
            sheet = two_columns(answer.about, answer.lines)
            self.push_screen(
                TextDialog(answer.title, answer.lines, sheet, is_drawing=answer.is_drawing)
            )
        self._settle()

    def _settle(self) -> None:
        """Let the person's tiles, and what they look at, follow what the room has become."""
        room, game, rules = self.state.room, self.state.game, self.state.rules
        laid = len(self.tentative.laid)
        seated = game is not None and game.seat is not None
        rack = game.rack if game is not None else ()
        self.tentative.update(self.state.rows, rack, game.reclaimable if game is not None else ())
        if len(self.tentative.laid) != laid:
            self._score_preview.request()
        if rules is not None and room is not None:
            board = room.room, room.games, rules.layout
            if self._placed != board:
                self.tentative.cursor, self._placed = rules.layout.start, board
        if room is not None:
            self._prefetcher.look_back(room.room)
        elif self._board.has_focus:  # there is none at the door
            self._line.focus()
        if self.state.is_playing and not self._was_playing and seated and not self._line.value:
            self._board.focus()
        self._was_playing = self.state.is_playing
        self._alert.show(self.connection.resume.room, is_yours=self.state.is_yours)

    def _answer(self, answer: Tried | Refused | None) -> None:
        """The server has counted the tentative play, or is about to (None)."""
        self.state.tried = answer
        self._draw_lines()

    # What is drawn.

    def on_resize(self, event: events.Resize) -> None:
        """Share the new space out; say so if it is too small for all."""
        columns, rows = event.size
        if columns < MIN_COLUMNS or rows < MIN_ROWS:
            told = gettext(
                "this terminal has {columns} by {rows}; the whole table needs {most} by {least}",
                columns=columns,
                rows=rows,
                most=MIN_COLUMNS,
                least=MIN_ROWS,
            )
            self.refuse(told)
        self.call_after_refresh(self._draw)

    def on_descendant_focus(self) -> None:
        """Show where keys go now."""
        self._draw()

    def _draw(self) -> None:
        if not self._line.is_attached:
            return
        rules, state = self.state.rules, self.state
        shares = share_out(rules.layout if rules is not None else None, *self.size)
        self._left.styles.width = shares.board_columns
        self._board.styles.height = shares.board_rows
        self._panels.set_class(shares.is_wide, "wide")
        self._log_panel.shorten(self.size.width < SHORT_LINES_COLUMNS)
        self._board.is_open = (
            state.is_playing and state.game is not None and state.game.seat is not None
        )
        self._board.show(browse.scene(state, self.tentative, has_cursor=self._board.has_focus))
        tiles = rules.tiles if rules is not None else None
        self._rack.show(browse.hand(state, self.tentative), tiles, self.palette)
        self._draw_lines()

    def _draw_lines(self) -> None:
        """Draw what changes with every key or second."""
        if not self._line.is_attached:
            return
        now = self.state.time.at(_monotonic_ms())
        width = self._right.content_size.width
        self._put("players", players(self.state, now, width, self.palette))
        self._put("bar", bar(self.state, self.size.width))
        said = self._hint() or self._said or browse.caption(self.state, self.tentative)
        self._put("tentative", self._piece(said))
        prompted = prompt(
            self.state,
            now,
            wait=self._wait(),
            unnamed=self._onboarding.is_unnamed(self.connection),
            suggested=self._onboarding.suggested_name,
            is_locked=self._onboarding.asks_password(self.connection),
            laid=bool(self.tentative.laid),
            at_board=not self._line.has_focus,
        )
        self._put("prompt", self._piece(prompted))
        self.show_room(self._piece(prompted))
        asked = self._onboarding.question(self.connection) if not self._wait() else ""
        self._put("question", Text(asked or "> "))
        self._line.password = self._onboarding.asks_password(self.connection)

    def _wait(self) -> str:
        """Why nothing can be done at the moment; empty if it can."""
        if not self.connection.connected.is_set():
            return LOST_PROMPT
        return "" if self.connection.entered.is_set() else ENTERING_PROMPT

    def _put(self, place: str, text: Text) -> None:
        """Show a text in its place; what is as it was costs nothing."""
        shown = text, str(text.style)  # which a text does not compare
        if shown != self._shown.get(place):
            self._shown[place] = shown
            self._places[place].update(text, layout=place in ("players", "question"))

    def _piece(self, piece: Piece) -> Text:
        text, look = piece
        return Text(f" {text}", self.palette.style(look), no_wrap=True, overflow="ellipsis")

    def _hint(self) -> Piece | None:
        """Return usage of the command that is being typed; why it was not sent comes first."""
        typed = self._line.value
        text = command_hint(typed) if self._line.has_focus and typed != self._unsent else ""
        return (text, "own") if text else None

    # What is typed.

    def on_key(self, event: events.Key) -> None:
        """Somebody is there."""
        self._alert.typed()

    @on(events.Click, "#players")
    def _players_clicked(self) -> None:
        self.action_people()

    @on(RackView.Picked)
    def _picked(self, event: RackView.Picked) -> None:
        self._board.focus()
        self._board.type(str(event.place))

    @on(BoardView.Changed)
    def _changed(self, event: BoardView.Changed) -> None:
        self._alert.typed()
        self._said = (event.said, "refusal") if event.said else None
        self.state.moment = None
        self._score_preview.request()
        self._draw()

    @on(CommandLine.Changed)
    def _typed(self) -> None:
        self._alert.typed()
        self._draw_lines()

    def changed(self) -> None:
        """Draw the tiles, the colours and what is looked at as they are now."""
        self._said = None
        for panel in (self._board, self._log_panel, self._talk_panel):
            panel.palette = self.palette
        self._router.recolour()
        self._score_preview.request()
        self._draw()

    def action_scroll_log(self, lines: int) -> None:
        """Show older or newer lines of the log."""
        self._log_panel.scroll_relative(y=lines, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the End key to the line, or to a dialog, unless one looks back."""
        if action == "back_to_now":
            return self.state.moment is not None and len(self.screen_stack) == 1
        return super().check_action(action, parameters)

    def action_interrupt(self) -> None:
        """Copy what is selected; else say how to leave."""
        if self._line.has_focus and self._line.selected_text:
            self._line.action_copy()
        elif selected := self.screen.get_selected_text():
            self.copy_to_clipboard(selected)
        else:
            self.say(gettext("Ctrl+D leaves; your seat stays yours"))

    def action_leave(self) -> None:
        """Hang up; the end is heard then."""
        self.run_worker(self.connection.close(), group="leaving")
        self.set_timer(2.0, lambda: self.exit(Closed(NORMAL_CLOSURE, "")))


def _monotonic_ms() -> int:
    """Return our time, which nobody can set; :class:`ServerTime` knows how far it is off."""
    return round(time.monotonic() * 1000)
