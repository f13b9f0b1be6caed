"""Read addresses of tables as people write them, and make websocket URLs of them."""

import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote, unquote

from crossroom_protocol.base.tokens import SEAT_TOKEN
from crossroom_protocol.cli.flags import DEFAULT_PORT

_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_HOST: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.%\w]+\]|[^\s:/?#@\[\]]+)(?::(?P<port>\d*))?")
_ROOM: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")

ADDRESS_FORMS: Final = (
    "HOST, HOST:PORT, HOST/ROOM, or the link you were sent: ws://HOST:8765/t/ROOM"
)


class BadAddress(OSError):
    """Nothing can be reached under this text; the message says what to write."""


@dataclass(frozen=True)
class Address:
    """A server, and perhaps one of its rooms.

    ``server`` is a websocket URL without a slash at the end, ``ws://host:8765``; behind a proxy it
    may go on with a path. ``key`` is that of an invitation, and never part of a URL.
    """

    server: str
    room: str | None = None
    key: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.url if self.room is None else f"{self.server}/t/{quote(self.room)}"

    @property
    def url(self) -> str:
        """The door of the server: where you are before you are in a room."""
        return f"{self.server}/"

    @property
    def is_seat_link(self) -> bool:
        """Does it lead to one's own seat, once?"""
        return self.key is not None and self.key.startswith(SEAT_TOKEN)

    @property
    def is_loopback(self) -> bool:
        """Is it this machine, by one of its usual names?"""
        host = self.server.partition("://")[2].partition("/")[0]
        return re.fullmatch(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?", host) is not None


def parse_address(text: str, room: str | None = None) -> Address:
    """Read an address as a person writes or pastes it; see :data:`ADDRESS_FORMS`.

    Without a scheme it is ``ws`` on port 8765. With one, the port is what a browser would take: 80,
    or 443 for ``https`` and ``wss``. What follows ``#`` is the key of an invitation,
    or of a link to one's own seat.

    Args:
        text: The address.
        room: A room, if it was named apart from the address.

    Raises:
        BadAddress: it is none, or names a different room.
    """
    text, sharp, key = text.strip().partition("#")
    scheme, separator, rest = text.rpartition("://")
    if separator and scheme.lower() not in _SCHEMES:
        raise BadAddress(f"{scheme}:// leads to no game; write {ADDRESS_FORMS}")
    host, _, path = rest.partition("/")
    if host.count(":") > 1 and not host.startswith("["):
        raise BadAddress(f"an IPv6 address goes into brackets: [{host}]")
    match = _HOST.fullmatch(host)
    if match is None:
        raise BadAddress(f"{text.strip()!r} is no address; write {ADDRESS_FORMS}")
    port = _port(match["port"], "" if separator else f":{DEFAULT_PORT}")
    found = _locate(f"{_SCHEMES[scheme.lower() or 'ws']}://{match['host'].lower()}{port}", path)
    if room is not None and found.room not in (None, room.lower()):
        raise BadAddress(f"the address leads to the room {found.room}, not to {room}")
    room = found.room if room is None else room.lower()
    if room is not None and _ROOM.fullmatch(room) is None:
        raise BadAddress(f"no room is called {room!r}: names are of letters a to z, digits and -")
    if sharp and (room is None or re.fullmatch(r"[\w-]{1,64}", key) is None):
        raise BadAddress("what follows # is an invitation to a room: ws://HOST:8765/t/ROOM#KEY")
    return replace(found, room=room, key=key or None)


def _port(text: str | None, usual: str) -> str:
    if not text:
        return usual
    if not 0 < int(text) < 1 << 16:
        raise BadAddress(f"there is no port {text}; ports are 1 to 65535")
    return f":{text}"


def _locate(server: str, path: str) -> Address:
    """Find the room in a path: behind ``/t/``, or all there is."""
    if "?" in path:
        raise BadAddress("no question may follow the name of the room; leave out all from ? on")
    parts = [unquote(part) for part in path.split("/") if part]
    if parts[-2:-1] == ["t"]:
        prefix, room = parts[:-2], parts[-1:]
    elif parts[-1:] == ["t"]:
        prefix, room = parts[:-1], []
    elif len(parts) < 2:
        prefix, room = [], parts
    else:
        raise BadAddress(f"the name of a room comes after /t/, as in {server}/t/{parts[-1]}")
    front = "".join(f"/{quote(part)}" for part in prefix)
    return Address(server + front, room[0].lower() if room else None)
