"""The websocket: one frame a line, or in JSON mode one object."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, Literal, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.typing import Subprotocol

from crossroom_protocol.encoding.codecs import SUBPROTOCOLS
from crossroom_protocol.notices import ReaderSettings
from crossroom_protocol.text.short_move_text import COLUMNS
from crossroom_server.config.limits import Limits
from crossroom_server.identity.urls import host_and_port
from crossroom_server.listeners.host_page import HostPage
from crossroom_server.net.admission import LISTEN_BACKLOG
from crossroom_server.net.throttle import (
    FRAME_PRICE,
    ThrottledTransport,
    limit_socket_buffers,
)
from crossroom_server.net.transport import TextTransport
from crossroom_server.net.weakrefs import clear_tracebacks, release_connection
from crossroom_server.session.serve import serve_session
from crossroom_server.session.server_state import ServerState
from crossroom_server.session.session import Session
from crossroom_server.web.site import (
    Site,
    base_url,
    client_address,
    is_host_page,
    room_in,
    socket_language,
)

log = logging.getLogger(__name__)

TEXT_ONLY: Final = 1003
"""Close code of the websocket protocol: data of a kind that is not taken here."""
MODES: Final[dict[str | None, Literal["json", "tags"]]] = {
    name: "json" if mode == "json" else "tags" for name, mode in SUBPROTOCOLS.items()
}
MAX_QUEUED_FRAMES: Final = 16
"""Frames of a peer that wait to be read before their socket has to."""
PING_INTERVAL_S: Final = 20.0
"""Seconds between pings, so that proxies see traffic."""
PONG_TIMEOUT_S: Final = 60.0
"""Seconds for the pong: it queues behind the lines of a peer who writes faster than the pace."""
_END: Final = b"\r\n\r\n"
_TOO_LONG: Final = b"HTTP/1.1 431 Too Long\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class GuardedConnection(ServerConnection):
    """A connection that was let in at the door, and is read through a gate.

    With TLS the door comes first, too: who is not let in costs no handshake and none of its memory.

    Args:
        server: Counts the connections.
        tls: What to speak below the websocket; None: nothing.
    """

    def __init__(
        self, *args: Any, server: ServerState, tls: ssl.SSLContext | None, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        # Set here, and not by serve(): that would make a cycle of protocol and connection.
        self.protocol.select_subprotocol = _select  # type: ignore[assignment,method-assign]
        self._server, self._tls = server, tls
        self._head, self._early = b"", b""
        self._gate: ThrottledTransport | None = None
        self._securing: asyncio.Task[None] | None = None
        self._peer, self._is_lost = "", False
        self._below: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._below = transport = cast("asyncio.Transport", transport)
        self._peer, _ = host_and_port(transport.get_extra_info("peername"))
        if not self._server.connection_limiter.admit(self._peer):
            transport.abort()
            return
        limit_socket_buffers(transport, self._server.limits)
        if self._tls is None:
            self._begin(transport)
        else:
            transport.pause_reading()  # what comes is for TLS
            self._securing = asyncio.create_task(self._secure(transport, self._tls))

    async def _secure(self, transport: asyncio.Transport, tls: ssl.SSLContext) -> None:
        """Agree on TLS, then begin; who cannot or will not is gone."""
        loop, limits = asyncio.get_running_loop(), self._server.limits
        secured = None
        try:
            secured = await loop.start_tls(
                transport,
                self,
                tls,
                server_side=True,
                ssl_handshake_timeout=limits.opening,
                ssl_shutdown_timeout=limits.stalled,
            )
        except OSError as error:
            log.debug("%(address)s: no TLS: %(why)s", {"address": self._peer, "why": error})
            clear_tracebacks(error)
        finally:
            if secured is None or self._is_lost:
                transport.abort()
                self._server.connection_limiter.release(self._peer)
                release_connection(self, self._below)
        if secured is not None and not self._is_lost:
            self._begin(secured)

    def _begin(self, transport: asyncio.Transport) -> None:
        self._gate = ThrottledTransport(transport, self._deliver, self._server.limits)
        super().connection_made(self._gate)
        if self._early:
            self._gate.feed(self._early)

    def data_received(self, data: bytes) -> None:
        if self._gate is not None:
            self._gate.feed(data)
        else:  # what came with the end of the handshake
            self._early += data

    def eof_received(self) -> None:
        if self._gate is not None:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        if self._gate is not None:  # or else it never was one
            self._gate.discard()
            self._server.connection_limiter.release(self._peer)
            super().connection_lost(exc)
        release_connection(self, self._below)

    def _deliver(self, data: bytes) -> None:
        if self.protocol.state is State.CONNECTING:
            self._ask(data)
        else:
            super().data_received(data)

    def process_event(self, event: Event) -> None:
        """Count a frame, of any kind, before it is dealt with."""
        if self._gate is not None:
            self._gate.charge(FRAME_PRICE)
        super().process_event(event)

    def _ask(self, data: bytes) -> None:
        """Hear a request to its end; what stands behind it, before it is answered, is nothing."""
        if self._head.endswith(_END):
            return
        end = (self._head + data).find(_END)
        if end >= 0:
            data = data[: end + len(_END) - len(self._head)]
        self._head += data
        if len(self._head) <= self._server.limits.head:
            super().data_received(data)
            return
        with contextlib.suppress(RuntimeError):  # it has been answered
            self.transport.write(_TOO_LONG)
        self.transport.abort()


class WebsocketTransport(TextTransport):
    """A websocket connection."""

    __slots__ = ("_closing", "_connection", "_protocol")

    def __init__(
        self, connection: ServerConnection, limits: Limits, address: str, url: str
    ) -> None:
        super().__init__(connection.transport, limits, address, url)
        self._connection, self._protocol = connection, connection.protocol
        self._closing: asyncio.Task[None] | None = None

    def _packed(self, frame: str) -> bytes:
        return _packed(frame)

    @property
    def is_closing(self) -> bool:
        return self._protocol.state is not State.OPEN or self._transport.is_closing()

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, reason[:100]))

    async def wait_closed(self) -> None:
        await self._connection.wait_closed()

    async def drained(self) -> None:
        with contextlib.suppress(OSError):
            await self._connection.drain()

    async def finish(self) -> None:
        """See a close that has begun to its end, or cut the peer off."""
        if self._closing is not None:
            await asyncio.wait([self._closing], timeout=self._limits.stalled)
            self.abort("no answer to the close")

    async def texts(self) -> AsyncIterator[str]:
        """The text frames of the peer, until the connection is closed."""
        with contextlib.suppress(ConnectionClosed):
            async for message in self._connection:
                if isinstance(message, bytes):
                    self.close(TEXT_ONLY, "send text frames")
                    return
                yield message


@lru_cache(maxsize=64)
def _packed(frame: str) -> bytes:
    """A whole text frame: the same bytes for all who hear it, as there is no compression.

    The library's ``broadcast`` packs a frame anew for each connection, which costs as much as
    handing it to the system does. It, too, writes to the transport and waits for nothing.
    """
    return Frame(Opcode.TEXT, frame.encode("utf-8", "replace")).serialize(mask=False)


async def listen(
    server: ServerState,
    site: Site,
    host: str,
    port: int,
    tls: ssl.SSLContext | None = None,
    host_page: HostPage | None = None,
) -> Server:
    """Serve websockets, and the pages of *site*, on one port (0: any that is free).

    Raises:
        OSError: the address cannot be had.
    """

    async def handle(connection: ServerConnection) -> None:
        request, response = connection.request, connection.response
        assert request is not None
        assert response is not None
        url = base_url(server, connection, request)
        address = client_address(server, connection, request)
        if host_page is not None and is_host_page(request):
            await host_page.serve(connection, address)
            return
        wire = WebsocketTransport(connection, server.limits, address, url)
        style = _style(connection.subprotocol, socket_language(request))
        request.headers.clear()  # nobody needs them any more, and some are long
        response.headers.clear()
        session = Session(wire, server, style)
        await serve_session(session, wire.texts(), room_in(request))
        await wire.finish()

    def connected(*args: Any, **options: Any) -> ServerConnection:
        return GuardedConnection(*args, server=server, tls=tls, **options)

    return await serve(
        handle,
        host,
        port,
        process_request=site.respond,
        subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
        compression=None,
        max_size=server.limits.frame,
        max_queue=MAX_QUEUED_FRAMES,
        write_limit=server.limits.unread,
        open_timeout=server.limits.opening,
        close_timeout=server.limits.stalled,
        ping_interval=PING_INTERVAL_S,
        ping_timeout=PONG_TIMEOUT_S,
        server_header=None,
        create_connection=cast("type[ServerConnection]", connected),
        backlog=LISTEN_BACKLOG,
    )


def _select(offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first offer that we speak; none is fine, that is a person with a thin client."""
    return next((name for name in offered if name in SUBPROTOCOLS), None)


@cache
def _style(subprotocol: str | None, language: str) -> ReaderSettings:
    """The style of all who come like this; what they share is looked up quickly."""
    return ReaderSettings(mode=MODES.get(subprotocol, "plain"), language=language, width=COLUMNS)
