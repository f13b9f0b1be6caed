"""The screen of a person: a log that scrolls, below it a line to type in, and a bar at the bottom.

When it is your turn the board is shown, for nobody can play without it.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import DummyHistory, InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from crossroom_clients.connection.codec import Codec
from crossroom_clients.connection.reconnecting import (
    NORMAL_CLOSURE,
    Closed,
    Connection,
    ConnectionEvent,
    Disconnected,
    Message,
    NotSent,
    Reconnected,
)
from crossroom_clients.connection.session import OnEntered, do_nothing
from crossroom_clients.lineui import styles
from crossroom_clients.lineui.completion import CommandCompleter, command_hint
from crossroom_clients.lineui.echo import echo_off
from crossroom_clients.lineui.onboarding import QUIT_COMMANDS, WATCHING_NOTE, Onboarding
from crossroom_clients.lineui.printing import Printer
from crossroom_clients.support.turn_alert import TurnAlert, write_nothing
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext, set_language

CLOSE_TIMEOUT_S: Final = 2.0
"""Seconds for the server to close its end."""

PASSWORD_HINT: Final = Phrase(" what you type is not shown; Enter alone: another room")
LOST_HINT: Final = Phrase(" not connected; trying again … ")
ON_TURN_HINT: Final = Phrase(
    " /play 8H WORD  /exchange ABC  /pass  /shuffle  /board  /help  Ctrl-D leaves"
)
AT_DOOR_HINT: Final = Phrase(
    " type a room name to join or create it   /rooms   /help   Ctrl-D leaves"
)
BEFORE_GAME_HINT: Final = Phrase(
    " /ready when you agree   /bot add   /rules   /invite   /help   Ctrl-D leaves"
)
OFF_TURN_HINT: Final = Phrase(
    " what you write goes to the room; / and Tab: commands  /help  Ctrl-D leaves"
)
ADJOURNED_HINT: Final = Phrase(
    " /ready goes on when all are back   /board   /rack   /help   Ctrl-D leaves"
)
UNNAMED_HINT: Final = Phrase(
    " the name you play under; Enter alone if you only watch   Ctrl-D leaves"
)
SUGGESTED_NAME_HINT: Final = Phrase(
    " Enter takes [the name]; or type another   /watch only watches   Ctrl-D leaves"
)
INTERRUPTED_NOTE: Final = Phrase("Ctrl-D leaves, and so does Ctrl-C again; your seat stays yours")


def select_all(buffer: Buffer) -> None:
    """Select what stands in the line, so that what is typed next replaces it."""
    if not buffer.text:
        return
    buffer.cursor_position = 0
    buffer.start_selection()
    if buffer.selection_state is not None:
        buffer.selection_state.enter_shift_mode()  # the mode in which typing replaces
    buffer.cursor_position = len(buffer.text)


class LineScreen:
    """A terminal with a person at it.

    Args:
        opening: What is done for them when they are in, before they type.
        notifies: Do bell, title and notifications tell whose turn it is?
    """

    codec: Codec | None = None

    def __init__(self, opening: OnEntered = do_nothing, *, notifies: bool = True) -> None:
        self._opening = opening
        style = Style.from_dict(styles.STYLES)
        self._printer = Printer(style)
        self._history, self._no_history = InMemoryHistory(), DummyHistory()
        self._session: PromptSession[str] = PromptSession(
            history=self._history,
            completer=CommandCompleter(),
            complete_while_typing=False,
            enable_suspend=True,
            complete_style=CompleteStyle.COLUMN,
            style=style,
        )
        self._returning = False
        self._onboarding = Onboarding()
        self._alert = TurnAlert(self._write if notifies else write_nothing)
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        self._printer.print([("class:own", text)])

    def print_resume_hints(self, ways: Sequence[str]) -> None:
        """Say, at the very end, how to come back."""
        for way in ways:
            self.note(way)
        self._printer.flush()

    async def run(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        """Show what is told and send what is typed, until either ends."""
        self._returning = connection.resume.seat is not None
        hearing = asyncio.create_task(self._hear(connection, told))
        typing = asyncio.create_task(self._type(connection))
        with echo_off(self._session.input.fileno()):
            try:
                await asyncio.wait((hearing, typing), return_when=asyncio.FIRST_COMPLETED)
                if typing.done():
                    typing.result()
                    await connection.close()
                    await asyncio.wait((hearing,), timeout=CLOSE_TIMEOUT_S)
                return hearing.result() if hearing.done() else Closed(NORMAL_CLOSURE, "")
            finally:
                tasks = (typing, hearing, *self._tasks)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self._printer.flush()
                self._alert.close()

    # What comes in.

    async def _hear(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        async for item in told:
            _follow_language(connection)
            match item:
                case Message():
                    self._show_message(connection, item)
                case Disconnected(unanswered=lines):
                    self._tell_trouble(gettext("connection lost; trying again …"))
                    for line in lines:
                        self._tell_trouble(
                            gettext("not answered, so perhaps not done: {line}", line=line)
                        )
                case Reconnected():
                    self._tell_trouble(gettext("connected again"))
                case Closed():
                    return item
        return Closed(NORMAL_CLOSURE, "")

    def _show_message(self, connection: Connection, item: Message) -> None:
        self._alert.show(connection.resume.room, is_yours=connection.status.is_yours)
        if self._returning:
            self.note(
                gettext(
                    "back in {room} as {name}",
                    room=connection.resume.room,
                    name=connection.resume.name,
                )
            )
            self._returning = False
        if item.mark == "?":
            self._begin(self._announce_turn(connection, item))
        elif item.mark != ".":
            self._onboarding.note_refusal(connection, item.tags.get("code", ""))
            self._print(item)

    async def _announce_turn(self, connection: Connection, item: Message) -> None:
        """Show the board, and below it the line that says that it is your turn."""
        await connection.entered.wait()
        await self._show_board(connection)
        self._print(item)
        self._alert.ring(connection.resume.room)

    async def _show_board(self, connection: Connection) -> None:
        with suppress(NotSent):
            await (await connection.send("/board", typed=False))

    def _print(self, item: Message) -> None:
        line = styles.style_line(item.mark, item.text, item.tags)
        self._printer.print(line, folded=item.mark != "|")

    def _write(self, sequence: str) -> None:
        self._session.output.write_raw(sequence)
        self._session.output.flush()

    def _tell_trouble(self, text: str) -> None:
        self._printer.print([("class:trouble", text)])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What is typed.

    async def _type(self, connection: Connection) -> None:
        """Send lines until the person leaves."""
        returning = self._returning
        await connection.entered.wait()
        await self._opening(connection)
        standing = connection.status
        if connection.resume.room is None:
            await self._submit(connection, "/rooms")
        if returning and standing.is_playing and not standing.is_yours:
            await self._show_board(connection)
        self._alert.typed()
        unsent, interrupted = "", False
        while True:
            is_secret = self._onboarding.asks_password(connection)
            self._session.default_buffer.history = self._no_history if is_secret else self._history
            try:
                text = await self._session.prompt_async(
                    lambda: [("class:prompt", self._onboarding.question(connection) or "> ")],
                    default=unsent,
                    pre_run=lambda: select_all(self._session.default_buffer),
                    is_password=is_secret,
                    bottom_toolbar=lambda: self._toolbar(connection),
                )
            except EOFError:
                return
            except KeyboardInterrupt:
                if not self._session.default_buffer.text:
                    if interrupted:
                        return
                    interrupted = True
                    self.note(gettext(INTERRUPTED_NOTE))
                unsent = ""
                continue
            unsent, interrupted = "", False
            for line in text.splitlines() or [""]:
                unsent = await self._submit(connection, line.strip())
            if text.strip().lower() in QUIT_COMMANDS:
                return

    async def _submit(self, connection: Connection, line: str) -> str:
        """Send a line, or what it says in answer to a question; returns it if it was not sent."""
        _follow_language(connection)
        unnamed = self._onboarding.is_unnamed(connection)
        arriving = self._onboarding.is_asked(connection)
        line = self._onboarding.to_command(connection, line)
        if unnamed and self._onboarding.only_watches:
            self.note(gettext(WATCHING_NOTE))
        if not line:
            return ""
        self._alert.typed()
        try:
            answered = await connection.send(line)
        except NotSent as why:
            self._printer.print([("class:refusal", str(why))])
            return line
        if arriving or line.lower() in QUIT_COMMANDS:
            await answered
        return ""

    def _usual_hint(self, connection: Connection) -> str:
        """Return the hint for what a newcomer may want to do next."""
        if self._onboarding.is_unnamed(connection):
            return SUGGESTED_NAME_HINT if self._onboarding.suggested_name else UNNAMED_HINT
        if self._onboarding.asks_password(connection):
            return PASSWORD_HINT
        if connection.resume.room is None:
            return AT_DOOR_HINT
        if not connection.status.is_playing:
            return BEFORE_GAME_HINT
        if connection.status.adjourned:
            return ADJOURNED_HINT
        return ON_TURN_HINT if connection.status.is_yours else OFF_TURN_HINT

    def _toolbar(self, connection: Connection) -> FormattedText:
        """Two lines: help with what is being typed, and where the game stands."""
        _follow_language(connection)
        standing, typed = connection.status, self._session.default_buffer.text
        told = (
            f" {command_hint(typed)}"
            if typed.startswith("/")
            else gettext(self._usual_hint(connection))
        )
        width = self._session.output.get_size().columns
        lost = "" if connection.connected.is_set() else gettext(LOST_HINT)
        bar = standing.bar(connection.resume.room, width - len(lost))
        bar = [("class:bar.trouble", lost), *bar]
        return FormattedText([("class:bar.hint", told), ("", "\n"), *bar])


def _follow_language(connection: Connection) -> None:
    """Speak the language that the person has asked the server for."""
    if connection.resume.language is not None:
        set_language(connection.resume.language)
