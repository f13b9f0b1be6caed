"""The screen of programs, pipes and terminals that cannot move a cursor: lines in, lines out.

What the server says goes to standard output as it is, marks included; only the lines of an export
go without, so that they make a file. What we say ourselves goes to standard error. Each line is
sent when the one before has been answered, and at the end of the input all are.
"""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain
from typing import Final

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
from crossroom_protocol.base.translate import gettext

READ_AHEAD_LINES: Final = 16
"""Lines that are read before they can be sent."""


class PlainScreen:
    """Standard input and output.

    Args:
        opening: What is done when the visitor is in, before the first line is read.
    """

    codec: Codec | None = None

    def __init__(self, opening: OnEntered = do_nothing) -> None:
        self._opening = opening
        if isinstance(sys.stdout, TextIOWrapper):  # a name that it cannot write is no reason to end
            sys.stdout.reconfigure(errors="replace")

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        print(f"crossroom: {text}", file=sys.stderr)

    def print_resume_hints(self, ways: Sequence[str]) -> None:
        """Say nothing: a program knows the way, and output ends with what the server said."""

    async def run(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        """Send what comes in and print what comes back, until either ends."""
        typing = asyncio.create_task(self._type(connection))
        try:
            return await self._show(connection, told)
        finally:
            typing.cancel()

    async def _show(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        async for item in told:
            match item:
                case Message() if item.is_entry_refused:
                    await connection.close()
                    return Closed(item.tags["code"], item.text)
                case Message():
                    if item.mark != ".":
                        print(item.text if item.is_record else item.line, flush=True)
                case Disconnected(unanswered=lines):
                    self.note(gettext("connection lost; trying again"))
                    for line in lines:
                        self.note(gettext("not answered, so perhaps not done: {line}", line=line))
                case Reconnected():
                    self.note(gettext("connected again"))
                case Closed():
                    return item
        return Closed(NORMAL_CLOSURE, "")

    async def _type(self, connection: Connection) -> None:
        await connection.entered.wait()
        await self._opening(connection)
        async for line in stdin_lines():
            if line.strip():
                await connection.connected.wait()
                try:
                    await (await connection.send(line))
                except NotSent as why:
                    self.note(str(why))
        await connection.close()


async def stdin_lines() -> AsyncIterator[str]:
    """The lines of standard input, whatever it is; nobody waits for it at the end."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    room, loop = threading.Semaphore(READ_AHEAD_LINES), asyncio.get_running_loop()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            for line in chain(_lines(sys.stdin.fileno()), [None]):
                room.acquire()
                loop.call_soon_threadsafe(queue.put_nowait, line)

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not None:
        room.release()
        yield line


def _read(descriptor: int) -> bytes:
    """Return what can be read; nothing if the terminal is gone."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def _lines(descriptor: int) -> Iterator[str]:
    """The lines of a file descriptor; the last one may lack its end."""
    rest = b""
    while chunk := _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace").rstrip("\r") for line in whole)
    if rest:
        yield rest.decode("utf-8", "replace")
