"""Serves a connection: reads its lines and carries them out, one after the other.

Each line that has a label ends in exactly one ``Done`` or ``Refused``, whatever happens.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import CODES, Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands import parser
from crossroom_protocol.commands.analysis import RecallCommand
from crossroom_protocol.commands.connection import (
    HelloCommand,
    PingCommand,
    QuitCommand,
    ResumeCommand,
)
from crossroom_protocol.commands.parser import ParseError, Request
from crossroom_protocol.commands.queries import HelpCommand, RulesCommand
from crossroom_protocol.commands.table import JoinCommand, SetCommand
from crossroom_protocol.commands.talk import NameCommand
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import Done, Note, Refused, Welcome
from crossroom_server.room.routes import ROUTES
from crossroom_server.session.commands import HANDLERS, enter_room
from crossroom_server.session.session import (
    NORMAL_CLOSURE,
    POLICY_VIOLATION,
    TRY_AGAIN_LATER,
    Session,
)

log = logging.getLogger(__name__)

FAREWELL_WARNING_S: Final = 60.0
"""Seconds before a silent connection is closed at which it is told so."""
FRAMES_OF_A_LINE: Final = 100
"""Frames of an answer that count like one more line of the one who asked."""
OUTSIDE: Final = (
    *(HelloCommand, PingCommand, QuitCommand, HelpCommand, RulesCommand, SetCommand),
    *(JoinCommand, ResumeCommand, NameCommand),
)
"""What anybody may ask of a private server: it tells nothing of who is there, or opens the door."""
RETRY_AT_DOOR: Final = ("NEED_KEY", "BANNED", "SHUTTING_DOWN")
"""Refusals that leave the connection open, so that the client can send a key or a code."""


class _Disconnected(Exception):
    """The connection was closed meanwhile."""


async def serve_session(
    session: Session, texts: AsyncIterator[str], room: str | None = None
) -> None:
    """Serve the peer until they are gone.

    Args:
        session: Their connection.
        texts: Messages received: lines of text, or in JSON mode an object each.
        room: The name of the room to enter at once.
    """
    session.server.add_session(session)
    log.debug("%(address)s: connected", {"address": session.address})
    try:
        if await _arrive(session, room):
            await _listen(session, texts)
    except _Disconnected:
        pass
    finally:
        how = "cut" if session.transport.was_aborted else str(session.closed_with or "peer")
        log.debug("%(address)s: gone (%(how)s)", {"address": session.address, "how": how})
        session.server.metrics.connections_ended[how] += 1
        session.server.remove_session(session)
        await session.leave()


async def _arrive(session: Session, name: str | None) -> bool:
    """Enter the room *name*, if one is given; return whether to keep the connection."""
    refused = None
    if name is not None:
        refused = await _attempt(session, enter_room(session, name), "join")
    if refused is not None:
        session.server.metrics.refusals[refused.code] += 1
        session.tell(refused)
    if name is None or (refused is not None and refused.code in RETRY_AT_DOOR):
        session.tell(Welcome(room=None, rules=None))
        return True
    if session.room is None and refused is not None:
        code = POLICY_VIOLATION if refused.code == "NO_ROOM" else TRY_AGAIN_LATER
        session.close(code, refused.code)
    return session.room is not None


async def _listen(session: Session, texts: AsyncIterator[str]) -> None:
    limit, loop = session.server.limits.introduction, asyncio.get_running_loop()
    timers = [loop.call_later(limit, _send_away, session)]
    if limit > FAREWELL_WARNING_S:
        timers.append(loop.call_later(limit - FAREWELL_WARNING_S, _warn_of_silence, session))
    try:
        async for text in texts:
            for line in [text] if session.style.mode == "json" else text.split("\n"):
                if line.strip():
                    for timer in timers:
                        timer.cancel()
                    await _handle_line(session, line.rstrip("\r"))
                if session.has_quit:
                    session.close(NORMAL_CLOSURE, "bye")
                    return
    finally:
        for timer in timers:
            timer.cancel()


def _warn_of_silence(session: Session) -> None:
    if session.room is None:
        told = gettext("still there? The connection closes in a minute; /join ROOM enters a room")
        session.tell(Note(about="silence", lines=(told,)))


def _send_away(session: Session) -> None:
    if session.room is None:
        seconds = session.server.limits.introduction
        told = gettext("nothing was said for {introduction:.0f} s", introduction=seconds)
        session.close(POLICY_VIOLATION, told)


async def _handle_line(session: Session, line: str) -> None:
    """Carry out one line, send the outcome, and wait until most of the answer is read."""
    await _pace(session)
    if session.closed_with is not None:  # what came too late is neither done nor refused
        raise _Disconnected
    wire, metrics, limits = session.transport, session.server.metrics, session.server.limits
    wire.is_replying = True
    metrics.lines_received += 1
    style, label, refused = session.style, None, None
    try:
        request = _read(session, line)
        if request is not None:
            label = request.label
            if request.shown:
                session.bucket.take(asyncio.get_running_loop().time(), limits.shown - 1)
            before = session.frames_sent
            refused = await _attempt(session, _execute(session, request), request.command.do)
            answered = session.frames_sent - before
            if isinstance(request.command, RecallCommand) and refused is None:
                answered = max(answered, request.command.last)  # one frame in JSON
            session.bucket.take(asyncio.get_running_loop().time(), answered // FRAMES_OF_A_LINE)
    except ParseError as no:
        label = no.label
        refused = Refused(code=no.code, command=no.command, text=no.prose)
    if refused is not None or label is not None:
        session.send(encode(refused or Done(), style, label))
    if refused is not None:
        metrics.refusals[refused.code] += 1
    await wire.drained()
    wire.is_replying = False


async def _attempt(session: Session, work: Awaitable[None], command: str) -> Refused | None:
    """Await *work*; return the refusal if it failed."""
    try:
        await work
    except Refusal as no:
        return Refused(code=no.code, command=command, text=no.prose)
    except Exception:
        told = {"address": session.address, "command": command}
        log.exception("%(address)s: /%(command)s failed", told)
        prose = Phrase("an internal error; it has been logged")
        return Refused(code="INTERNAL", command=command, text=prose)
    return None


async def _pace(session: Session) -> None:
    """Wait until the rate limit lets this connection go on, or it is gone."""
    wait = session.bucket.take(asyncio.get_running_loop().time())
    if not wait:
        return
    try:
        async with asyncio.timeout(wait):
            await session.transport.wait_closed()
    except TimeoutError:
        return
    raise _Disconnected


def _read(session: Session, line: str) -> Request | None:
    if session.style.mode == "json":
        return parser.read_json(line)
    label = None
    if session.style.mode == "tags":
        label, line = parser.split_label(line)
    try:
        request = parser.read_line(line, in_room=session.room is not None)
        if request is None and label is not None:
            raise ParseError("BAD_ARGS", "there is nothing behind the label")
    except ParseError as error:
        error.label = label
        raise
    return request and replace(request, label=label)


async def _execute(session: Session, request: Request) -> None:
    """Carry out a command, here or in the room.

    Raises:
        Refusal: it was not done.
    """
    if session.server.closing:
        raise Refusal("SHUTTING_DOWN", CODES["SHUTTING_DOWN"])
    kind = type(request.command)
    if kind not in OUTSIDE:
        session.check_admitted()
    if (field := ROUTES[kind].text_field) is not None:
        request = request.with_command(session.server.word_filter.filtered(request.command, field))
    handler = HANDLERS.get(kind)
    if handler is None or (session.room is None and kind.requires == "room"):
        await session.room_for(request.command).ask(session, request)
    else:
        await handler(session, request, request.command)
