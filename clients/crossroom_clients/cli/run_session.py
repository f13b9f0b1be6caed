"""Run a session of `join`, `play` or `table`: choose a screen, stay, return the exit status."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crossroom_clients.connection.reconnecting import NORMAL_CLOSURE
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.connection.session import ClientSession, OnEntered, Screen, do_nothing
from crossroom_clients.lineui.plain import PlainScreen
from crossroom_clients.tui.terminal_check import full_screen_obstacle

EXIT_GRACE_S: Final = 5
"""Seconds to leave in good order after a signal."""


def choose_screen(
    *,
    plain: bool,
    opening: OnEntered = do_nothing,
    full: bool = False,
    notifies: bool = True,
    data: Path | None = None,
) -> Screen:
    """A terminal if a person sits at one that can move its cursor; else lines in, lines out.

    Where it *notifies*, it tells by bell, title and notification whose turn it is. Where *full*,
    a table that fills the terminal, if it is able to show one; *data* is the folder in which its
    colours are kept.
    """
    if full and not plain and full_screen_obstacle() is None:
        from crossroom_clients.tui.screen import TableScreen
        from crossroom_clients.tui.theme_store import (
            ThemeStore,  # loading these takes most of a second
        )

        return TableScreen(opening, ThemeStore(data), notifies=notifies)
    able = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if plain or not able:
        return PlainScreen(opening)
    from crossroom_clients.lineui.terminal import LineScreen  # a pipe does without prompt_toolkit

    return LineScreen(opening, notifies=notifies)


async def run_session(
    visit: ClientSession, seat: ResumeState | None, back: Callable[[ResumeState], Sequence[str]]
) -> int:
    """Run a visit to its end, also by a signal; tell how to come back; return the exit status.

    Args:
        visit: The visit.
        seat: The seat to come back to.
        back: Says how to come back to a seat, a line for each way.

    Raises:
        ServerUnreachable: the server is not there.
    """
    with _leaving_by_signal() as caught:
        try:
            ended = await visit.run(seat)
        except (asyncio.CancelledError, OSError):  # a terminal that is closed cannot be written to
            if not caught:
                raise
            return 128 + caught[0]
    if ended.code != NORMAL_CLOSURE:
        visit.screen.note(ended.reason)
    # Without a seat too: the note before it may still wait to be drawn.
    visit.screen.print_resume_hints(back(visit.resume) if visit.resume.seat is not None else [])
    return 0 if ended.code == NORMAL_CLOSURE else 1


@contextmanager
def _leaving_by_signal() -> Iterator[list[int]]:
    """Let a signal that ends programs cancel this task instead; its number is then in the list.

    Where the terminal takes nothing any more, drawing waits for it, and this task waits for ever:
    after :data:`EXIT_GRACE_S` seconds the system ends the program.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    caught: list[int] = []

    def leave(number: int, _: object) -> None:
        caught.append(number)
        if hasattr(signal, "alarm"):
            signal.alarm(EXIT_GRACE_S)
        loop.call_soon_threadsafe(task.cancel)

    ending = [
        signal.Signals[it] for it in ("SIGTERM", "SIGHUP") if it in signal.Signals.__members__
    ]
    before = [signal.signal(number, leave) for number in ending]
    try:
        yield caught
    finally:
        for number, handler in zip(ending, before, strict=True):
            signal.signal(number, handler)
