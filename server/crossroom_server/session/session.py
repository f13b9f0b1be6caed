"""A connection, as rooms and the handlers of its commands see it."""

import contextlib
from collections.abc import Iterable, Sequence
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import translate
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import AnyNotice, Note, ReaderSettings
from crossroom_server.lobby.room_handle import RoomHandle
from crossroom_server.net.rate_limits import TokenBucket
from crossroom_server.net.transport import TextTransport
from crossroom_server.room.routes import ROUTES
from crossroom_server.session.server_state import ServerState

PRIVATE: Final = Phrase("this server is private: its host invites you, or you come back to a seat")
NORMAL_CLOSURE: Final = 1000
POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013
"""Close codes of the websocket protocol."""


class Session:
    """One connection: the ``Client`` of :mod:`crossroom_server.room.audience`.

    Args:
        wire: The connection as text.
        server: The state shared by all connections.
        style: The initial display settings.

    Attributes:
        proven: Comparison keys of the registered names this client has authenticated.
        room: The room they are in.
        name: The name they have, or will have in the next room.
        is_named_here: Have they that name in the room?
        is_invited: Have they shown an invitation of the host?
        has_quit: Have they said goodbye?
        closed_with: The close code, once we have closed.
    """

    __slots__ = (
        *("style", "address", "base_url", "proven", "transport", "server", "bucket", "frames_sent"),
        *("room", "name", "is_named_here", "is_invited", "has_quit", "closed_with"),
    )

    def __init__(
        self, wire: TextTransport, server: ServerState, style: ReaderSettings | None = None
    ) -> None:
        self.style = style or ReaderSettings()
        self.frames_sent = 0
        self.address, self.base_url = wire.address, wire.base_url
        self.transport, self.server = wire, server
        self.bucket = TokenBucket(server.limits.burst, server.limits.pace)
        self.room: RoomHandle | None = None
        self.name: str | None = None
        self.proven: set[str] = set()
        self.is_named_here = self.is_invited = self.has_quit = False
        self.closed_with: int | None = None

    def send(self, frames: Sequence[str]) -> None:
        """Send frames without waiting; who reads too slowly is cut off."""
        self.server.metrics.frames_sent += len(frames)
        self.frames_sent += len(frames)
        self.transport.send(frames)

    def close(self, code: int, reason: str) -> None:
        """Hang up."""
        self.closed_with = self.closed_with or code
        self.transport.close(code, translate(reason, self.style.language))

    def abandon(self) -> None:
        """Hang up at once."""
        self.transport.abort("the server is stopping")

    @property
    def unread(self) -> int:
        """Bytes that wait for the peer."""
        return self.transport.unread

    def check(self, now: float) -> None:
        """Cut the peer off if they have stopped reading; *now* in seconds."""
        self.transport.abort_if_stalled(now)

    def tell(self, *notices: AnyNotice, label: str | None = None) -> None:
        """Tell the peer something."""
        for notice in notices:
            self.send(encode(notice, self.style, label))

    def answer(self, request: Request, lines: Iterable[str], about: str = "") -> None:
        """Answer a request with some lines *about* something, or about its command."""
        note = Note(about=about or request.command.do, lines=tuple(lines))
        self.tell(note, label=request.label)

    async def change_style(self, style: ReaderSettings) -> None:
        """Change the display settings."""
        if style != self.style:
            self.style = style
            if self.room is not None:
                await self.room.restyle(self)

    def check_admitted(self) -> None:
        """Check that they may look around: at a private server, whoever was invited or is known.

        Raises:
            Refusal: ``NEED_KEY``.
        """
        is_known = self.is_invited or self.proven or self.room is not None
        if self.server.is_private and not is_known:
            raise Refusal("NEED_KEY", PRIVATE)

    def room_for(self, command: Command) -> RoomHandle:
        """Return the room, if the host and the limits let it carry *command* out.

        Raises:
            Refusal: ``NOT_IN_ROOM``, ``SHUTTING_DOWN`` or ``SLOW_DOWN``.
        """
        if self.room is None:
            raise Refusal("NOT_IN_ROOM", "enter a room first: /join ROOM; /rooms lists them")
        route = ROUTES[type(command)]
        if route.begins_game:
            self.server.check_not_draining()
        if route.writes:
            self.server.count_written_line(self.address)
        return self.room

    async def leave(self) -> None:
        """Leave the room, if they are in one."""
        room, self.room, self.is_named_here = self.room, None, False
        if room is not None:
            with contextlib.suppress(Refusal):  # out is out, even if that could not be written down
                await room.leave(self)
