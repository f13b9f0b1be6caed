"""The line port: the same lines over bare TCP, for ``nc`` and ``telnet``.

Lines go out with CR LF and may come in with or without the CR. Half a line at the end counts as
one, and a peer that has finished sending (``printf '/rooms' | nc -N HOST PORT``) is still answered.
"""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, Literal, TypeAlias, cast

from crossroom_protocol.base.refusals import CODES, Refusal
from crossroom_protocol.notices import ReaderSettings, Refused
from crossroom_protocol.text.short_move_text import COLUMNS
from crossroom_server.config.limits import Limits
from crossroom_server.identity.urls import host_and_port, http_url, netloc
from crossroom_server.net.admission import LISTEN_BACKLOG
from crossroom_server.net.throttle import ThrottledTransport, limit_socket_buffers
from crossroom_server.net.transport import TextTransport
from crossroom_server.session.serve import serve_session
from crossroom_server.session.server_state import ServerState
from crossroom_server.session.session import NORMAL_CLOSURE, Session

READ_BYTES: Final = 4096
"""Bytes read at a time."""
EARLY_TIMEOUT_S: Final = 0.2
"""Seconds of silence after which a peer is no browser: those ask at once."""
NOT_TEXT: Final = 1007
"""Close code of the websocket protocol: not UTF-8."""

_PROBES: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Seconds of silence, seconds between two probes, probes; then nobody is there any more."""
_HTTP: Final = re.compile(rb"[A-Z]{3,10} \S+ HTTP/\d")
_IAC, _SB, _SE, _OPTIONS = 255, 250, 240, range(251, 255)


Handler: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class LineSplitter:
    """Bytes in, lines out, without line ends and without telnet's commands; in bounded memory.

    Args:
        longest: Bytes of a line that are kept; what follows in that line is thrown away.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._line = b""
        self._state: Literal["text", "command", "option", "sub", "sub_end"] = "text"

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that *data* completes."""
        *whole, last = (self._line + self._without_telnet(data)).split(b"\n")
        self._line = last[: self._longest]
        return [line[: self._longest].rstrip(b"\r\0") for line in whole]

    def rest(self) -> bytes:
        """Return the text behind the last line end."""
        return self._line.rstrip(b"\r\0")

    def _without_telnet(self, data: bytes) -> bytes:
        """RFC 854: no byte of UTF-8 is IAC, so that whatever begins with it can go."""
        if self._state == "text" and _IAC not in data:
            return data
        kept = bytearray()
        for byte in data:
            match self._state:
                case "text" if byte == _IAC:
                    self._state = "command"
                case "text":
                    kept.append(byte)
                case "command" if byte in _OPTIONS:
                    self._state = "option"
                case "command" if byte == _SB:
                    self._state = "sub"
                case "command" | "option":
                    self._state = "text"
                case "sub" if byte == _IAC:
                    self._state = "sub_end"
                case "sub_end":
                    self._state = "text" if byte == _SE else "sub"
                case "sub":
                    pass
        return bytes(kept)


class LineProtocol(asyncio.StreamReaderProtocol):
    """A stream that was let in at the door and is read through a gate.

    ``gone`` is set when the connection is gone, even while nobody reads.
    """

    gone: asyncio.Event

    def __init__(self, reader: asyncio.StreamReader, handle: Handler, server: ServerState) -> None:
        super().__init__(reader, handle)
        self._server = server
        self._gate: ThrottledTransport | None = None
        self._peer = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", transport)
        self.gone = asyncio.Event()
        self._peer, _ = host_and_port(transport.get_extra_info("peername"))
        if self._server.connection_limiter.admit(self._peer):
            _probe(transport)
            limit_socket_buffers(transport, self._server.limits)
            self._gate = ThrottledTransport(transport, super().data_received, self._server.limits)
            super().connection_made(self._gate)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._gate is not None:
            self._gate.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        if self._gate is not None:
            self._gate.discard()
            self._server.connection_limiter.release(self._peer)
        super().connection_lost(exc)


def _probe(transport: asyncio.Transport) -> None:
    """Let the system find out when a silent peer is gone; websockets have pings for that."""
    own = transport.get_extra_info("socket")
    with contextlib.suppress(OSError):  # they have hung up already
        own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _PROBES.items():
            if (option := getattr(socket, name, None)) is not None:
                own.setsockopt(socket.IPPROTO_TCP, option, value)


class LineTransport(TextTransport):
    """A TCP connection."""

    def __init__(self, writer: asyncio.StreamWriter, limits: Limits, url: str) -> None:
        address, _ = host_and_port(writer.get_extra_info("peername"))
        super().__init__(writer.transport, limits, address, url)
        writer.transport.set_write_buffer_limits(high=limits.unread)
        protocol = writer.transport.get_protocol()
        assert isinstance(protocol, LineProtocol)
        self._writer, self._gone = writer, protocol.gone

    def _packed(self, frame: str) -> bytes:
        return frame.encode("utf-8", "replace") + b"\r\n"

    def close(self, code: int, reason: str) -> None:
        """Say why, and hang up when that has been read."""
        if code != NORMAL_CLOSURE:
            self.send([f"- connection closed: {reason} ({code})"])
        self._writer.close()

    async def wait_closed(self) -> None:
        await self._gone.wait()

    async def drained(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.drain()

    async def finish(self) -> None:
        """Hang up when everything has been read, or soon."""
        self._writer.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._limits.stalled):
                await self._gone.wait()
        self._transport.abort()


async def listen(server: ServerState, host: str, port: int, web_port: int) -> asyncio.Server:
    """Serve the line port (0: any that is free); *web_port* is where pages and websockets are.

    Raises:
        OSError: the address cannot be had.
    """

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own, _ = host_and_port(writer.get_extra_info("sockname"))
        url = server.url or f"{'wss' if server.is_secure else 'ws'}://{netloc(own, web_port)}"
        wire = LineTransport(writer, server.limits, url)
        await _serve(server, wire, reader)
        await wire.finish()

    def connected() -> LineProtocol:
        return LineProtocol(asyncio.StreamReader(limit=READ_BYTES), handle, server)

    return await asyncio.get_running_loop().create_server(
        connected, host, port, backlog=LISTEN_BACKLOG
    )


async def _serve(server: ServerState, wire: LineTransport, reader: asyncio.StreamReader) -> None:
    early = b""  # what a peer sends before they have been told anything
    with contextlib.suppress(TimeoutError, OSError):
        async with asyncio.timeout(EARLY_TIMEOUT_S):
            early = await reader.read(READ_BYTES)
    try:
        server.count_connection(wire.address)  # nothing may come between this and the session
    except Refusal as no:
        server.metrics.refusals[no.code] += 1
        wire.send([f"! {no.code} line: {no.prose}"])
        return
    if _HTTP.match(early):
        wire.send(_hint(wire.base_url))
        return
    session = Session(wire, server, ReaderSettings(width=COLUMNS))
    await serve_session(session, _texts(early, reader, session, server.limits.frame))


async def _texts(
    early: bytes, reader: asyncio.StreamReader, session: Session, longest: int
) -> AsyncIterator[str]:
    """The lines of the peer, until they have finished."""
    splitter, data, is_first = LineSplitter(longest), early, True
    with contextlib.suppress(OSError):
        while data or not reader.at_eof():
            for line in splitter.feed(data):
                if is_first and _HTTP.match(line):
                    session.send(_hint(session.base_url))
                    return
                if (text := _decode(line, session, longest)) is None:
                    return
                yield text
                is_first = False
            data = await reader.read(READ_BYTES)
    if text := _decode(splitter.rest(), session, longest):
        yield text


def _decode(line: bytes, session: Session, longest: int) -> str | None:
    """The text of a line; None if it is none, and then the connection is closed."""
    try:
        # A line that was cut may end within a letter; it is too long to be of use anyway.
        return line.decode(errors="ignore" if len(line) >= longest else "strict")
    except UnicodeDecodeError:
        prose = CODES["INVALID_UTF8"]
        session.tell(Refused(code="INVALID_UTF8", command="line", text=prose))
        session.close(NOT_TEXT, "not UTF-8")
        return None


def _hint(url: str) -> list[str]:
    return [
        "HTTP/1.1 400 Bad Request",
        "Content-Type: text/plain; charset=utf-8",
        "Connection: close",
        "",
        f"This port speaks plain lines, for nc and telnet. Pages are at {http_url(url)}/",
    ]
