"""What is typed in the line of the table: sent, refused, given back."""

from abc import abstractmethod
from typing import Final

from textual import on

from crossroom_clients.connection.reconnecting import AnswerFuture, NotSent
from crossroom_clients.lineui.onboarding import QUIT_COMMANDS, WATCHING_NOTE, Onboarding
from crossroom_clients.tui.board import BoardView
from crossroom_clients.tui.board_render import Piece
from crossroom_clients.tui.finished_games import GameActions
from crossroom_clients.tui.input_line import CommandLine
from crossroom_clients.tui.message_router import MessageRouter
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.parser import MAX_LINE_BYTES

SAID_S: Final = 4.0
"""Seconds for which a word of the table's own is shown."""


class TypedLines(GameActions):
    """The half of the table that sends lines, and says what became of them."""

    _line: CommandLine
    _board: BoardView
    _router: MessageRouter
    _onboarding: Onboarding
    _said: Piece | None = None
    """What is said below the board, and its look."""
    _unsent = ""
    """The line that was given back."""

    @abstractmethod
    def _draw(self) -> None:
        """Draw everything as it is now."""

    @abstractmethod
    def action_leave(self) -> None:
        """Hang up."""

    @on(CommandLine.Cut)
    def _cut(self) -> None:
        limit = gettext("the end is cut off: a line holds {count} bytes", count=MAX_LINE_BYTES)
        self.refuse(limit)

    def _back_to_board(self) -> None:
        self._board.screen.set_focus(self._board)  # at once, for what is typed next

    @on(CommandLine.Entered)
    async def _entered(self, event: CommandLine.Entered) -> None:
        if not self.connection.entered.is_set() and event.line.lower() not in QUIT_COMMANDS:
            self._line.give_back(event.line)  # what it answers is not asked yet
            return
        unnamed = self._onboarding.is_unnamed(self.connection)
        is_asked = self._onboarding.is_asked(self.connection)
        line = self._onboarding.to_command(self.connection, event.line)
        if unnamed and self._onboarding.only_watches:
            self._router.note(gettext(WATCHING_NOTE))
        self._said, self._unsent = None, ""
        if line.lower() in QUIT_COMMANDS:
            self.action_leave()
        elif line and not await self._send_typed(line, is_answer=is_asked):
            self._unsent = line
            self._line.give_back(line)
        elif self.state.is_playing and not self._line.value and event.line[:1] in ("", "/"):
            self._board.focus()
        self._draw()

    async def send(self, line: str) -> bool:
        """Send a line; was it sent? If not, it is said why."""
        return await self._send_typed(line, is_answer=True)

    async def _send_typed(self, line: str, *, is_answer: bool) -> bool:
        """Send a line; what is refused is shown again, unless it answered a question of ours."""
        try:
            answered = await self.connection.send(line)
        except NotSent as why:
            self.refuse(str(why))
            return False
        if not is_answer:
            self.run_worker(self._give_back_refused(line, answered), group="typed")
        return True

    async def _give_back_refused(self, line: str, answered: AnswerFuture) -> None:
        """Show a line again that the server has refused, unless the person does other things."""
        ended = await answered
        is_idle = len(self.screen_stack) == 1 and not self.tentative.laid
        if ended is not None and ended.mark == "!" and is_idle:
            self._unsent = line
            self._line.give_back(line)
            self._draw_lines()

    def refuse(self, text: str) -> None:
        """Say why something is not done."""
        self._said = text, "refusal"
        self._draw_lines()

    def say(self, text: str) -> None:
        """Say something below the board, until the next key or for a few seconds."""
        said = self._said = text, "good"
        self._draw_lines()

        def forget() -> None:
            if self._said is said:
                self._said = None
                self._draw_lines()

        self.set_timer(SAID_S, forget)
