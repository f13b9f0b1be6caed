"""What the person at the server may choose."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from crossroom_protocol.flags import PORT
from crossroom_server.forwarded import Network
from crossroom_server.limits import Limits
from crossroom_server.store.place import Place
from crossroom_server.tls import Certificate

EVERYWHERE: Final = "0.0.0.0"
"""The address of all IPv4 interfaces."""


@dataclass(frozen=True)
class Settings:
    """The settings of one server."""

    data: Path
    """Folder of the games and of word lists of one's own."""
    keep: bool = True
    """Are games written to the data folder? Otherwise they end with the server."""
    store: Place | None = None
    """Where the games are; None: in a file in the data folder."""
    host: str = EVERYWHERE
    """Name or address to listen on."""
    port: int = PORT
    """TCP port of pages and websockets; 0 takes any that is free."""
    line_port: int | None = None
    """TCP port of plain lines; 0 takes any that is free, None opens none."""
    url: str | None = None
    """Where friends reach the server if it is behind a proxy: ``wss://example.org/words``."""
    proxies: tuple[Network, ...] = ()
    """Proxies in front, which are believed about where their requests come from."""
    certificate: Certificate | None = None
    """For TLS on the port of pages and websockets; None: a proxy does that, or nobody."""
    thinkers: int | None = None
    """Bots and analyses that may think at a time; None: one for each processor."""
    rest_after: float = 600.0
    """Seconds until a room where nobody is leaves memory; the next visitor brings it back."""
    open_metrics: bool = False
    """May anybody read ``/metrics``? Otherwise only programs on this machine may."""
    mask: Path | None = None
    """File of words that nobody is to read here; None: there are none."""
    limits: Limits = field(default_factory=Limits)
    """How much connections and addresses may ask for."""
