"""The check that a browser asks for this server by a name of its own, from a page of its own.

A page elsewhere may let its own name lead here ("DNS rebinding"); the browser would then take this
server for a part of that site. So only names that the server knows as its own are answered, and
addresses, which nobody can make lead elsewhere.
"""

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class OwnHosts:
    """The names of a server.

    Args:
        url: The address that it is known by, as ``wss://example.org/words``, if its host set one.
        allowed: More names.
    """

    def __init__(self, url: str | None = None, allowed: Iterable[str] = ()) -> None:
        machine = socket.gethostname().lower()
        public = urlsplit(url or "").hostname or ""
        self._names = {"localhost", machine, f"{machine}.local", public.lower()}
        self._names |= {name.lower() for name in allowed}
        self._names.discard("")
        self._public = _origin((url or "").replace("ws", "http", 1))

    def __contains__(self, host: str) -> bool:
        """Tell whether a name, without a port, is one of the server's, or an address."""
        if host.lower().removesuffix(".") in self._names:
            return True
        try:
            ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            return False
        return True

    def is_own_origin(self, origin: str, host: str | None, is_secure: bool) -> bool:
        """Tell whether a page is one of the server's.

        Args:
            origin: Scheme, name and port of the page.
            host: Name and port that the browser asks for.
            is_secure: Does it ask over TLS?
        """
        reached = _origin(f"{'https' if is_secure else 'http'}://{host}") if host else ""
        return _origin(origin) in {reached, self._public} - {""}


def _origin(url: str) -> str:
    """Return scheme, name and port of a URL, as browsers compare them; "" if it has none."""
    try:
        parts = urlsplit(url.lower())
    except ValueError:
        return ""
    place = parts.netloc.removesuffix(_DEFAULT_PORTS.get(parts.scheme, "\n"))
    return f"{parts.scheme}://{place}" if parts.scheme in _DEFAULT_PORTS and place else ""
