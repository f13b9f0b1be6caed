"""What the person at the server may choose."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crossroom_engine.core.units import DAY_S
from crossroom_protocol.cli.flags import DEFAULT_PORT, default_data_folder
from crossroom_server.config.certificate import Certificate
from crossroom_server.config.fields import (
    YES_NO,
    ValueType,
    choice,
    declared_settings,
    number,
    path,
    setting,
    whole_number,
    word,
)
from crossroom_server.config.limits import Limits
from crossroom_server.config.logging import FORMATS, LEVELS
from crossroom_server.config.store_url import StoreUrl, read_store_flag, read_store_url
from crossroom_server.identity.client_address import Network, read_network

ALL_INTERFACES: Final = "0.0.0.0"
"""The address of all IPv4 interfaces."""
MAX_PORT: Final = 65535
BUS_VARIABLE: Final = "CROSSROOM_BUS"
"""The environment variable that names the bus."""
MAX_NODE_NAME_CHARS: Final = 40
"""Characters in the name of a node."""


def _url(text: str) -> str:
    try:
        url = urlsplit(text)
        is_ours = url.scheme in ("ws", "wss") and url.hostname and url.port != 0
    except ValueError:  # of the brackets, or the port
        is_ours = False
    if not is_ours or url.query or url.fragment:
        raise ValueError(f"{text!r} does not look like wss://example.org/words")
    return text.rstrip("/")


def _bus(text: str) -> str:
    for part in text.split(","):
        url = urlsplit(part.strip())
        if url.scheme not in ("nats", "tls") or not url.hostname:
            raise ValueError("this is no bus; one is named nats://HOST:4222, or tls://HOST:4222")
    return text


def _bus_flag(text: str) -> str:
    if "@" in _bus(text):
        raise ValueError(
            "everybody on this machine can read the password in a command line; put the address "
            f"into the variable {BUS_VARIABLE}, or into the file"
        )
    return text


def _node_name(text: str) -> str:
    if not (
        text.isascii() and text.replace("-", "").isalnum() and len(text) <= MAX_NODE_NAME_CHARS
    ):
        raise ValueError(f"{text!r} is no name of a node: letters, digits and -, at most 40")
    return text


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(_network(part.strip()) for part in text.split(","))


def _network(text: str) -> Network:
    try:
        return read_network(text)
    except ValueError:
        example = "10.0.0.0/8 or 192.0.2.7"
        raise ValueError(f"{text!r} is no address or network: {example}") from None


@dataclass(frozen=True)
class Settings:
    """The settings of one server."""

    data: Path = setting(
        default_data_folder,
        "folder of the games and of word lists of your own",
        path("DIR"),
        usually="a folder of your user account",
    )
    keep: bool = setting(
        True,
        "are the games written to the data folder? Otherwise they are in memory only, and end with "
        "the server",
        YES_NO,
        also="--forget",
    )
    store: StoreUrl | None = setting(
        None,
        "where the games are kept: sqlite:PATH, or postgresql://USER@HOST/DATABASE, with the "
        "password in the file that PGPASSFILE names, or in the variable, but not in a flag",
        ValueType("STORE", read_store_url, read_flag=read_store_flag),
        usually="games.db in the data folder",
    )
    bus: str | None = setting(
        None,
        "makes this server a node of many that share a store in PostgreSQL: the NATS server over "
        "which they speak, as nats://HOST:4222; several with commas",
        ValueType("URL", _bus, read_flag=_bus_flag),
        usually="none, this server is alone",
    )
    node: str | None = setting(
        None,
        "the name of this node in logs and on the bus",
        ValueType("NAME", _node_name),
        usually="the name of the machine",
    )
    host: str = setting(ALL_INTERFACES, "name or address to listen on", word("ADDRESS"))
    port: int = setting(
        DEFAULT_PORT,
        "TCP port of pages and websockets; 0 takes any that is free",
        whole_number(0, MAX_PORT),
    )
    line_port: int | None = setting(
        None,
        "TCP port of plain lines, for nc and telnet; 0 takes any that is free",
        whole_number(0, MAX_PORT),
    )
    url: str | None = setting(
        None,
        "what friends use if a proxy stands in front, as wss://example.org/words",
        ValueType("URL", _url),
        usually="what they came in by",
    )
    proxies: tuple[Network, ...] = setting(
        (),
        "proxies in front, which are believed when they say whom a request comes from: addresses "
        "or networks, with commas",
        ValueType("CIDR", _networks, (list,)),
        usually="none is",
        also="--proxy",
    )
    cert: Path | None = setting(
        None, "speak TLS, with this certificate chain; SIGHUP reads it again", path("FILE")
    )
    key: Path | None = setting(None, "the private key of the certificate", path("FILE"))
    thinkers: int | None = setting(
        None,
        "bots and analyses that may think at a time",
        whole_number(1, MAX_PORT),
        usually="one for each processor",
    )
    rest_after: float = setting(
        600.0,
        "seconds until a room where nobody is leaves memory; the next visitor brings it back",
        number(1, DAY_S),
    )
    guests: float = setting(
        90.0,
        "days until the resume code of somebody who never took a seat is forgotten, counted from "
        "when it was last used; 0: never",
        number(0, 36500),
    )
    vacant: float = setting(
        30.0,
        "days until a room in which no game was ever begun is forgotten, with what was said and "
        "set there, even a lock or a ban, counted from when something last happened in it; one "
        "where over 1,000 things have happened stays; 0: never",
        number(0, 36500),
    )
    open_metrics: bool = setting(
        False,
        "may anybody read /metrics? Otherwise only programs on this machine may, and nobody if "
        "there is a proxy",
        YES_NO,
        also="--metrics",
    )
    mask: Path | None = setting(
        None,
        "file of words to be told as stars, one a line, * at the end for all that begin so",
        path("FILE"),
    )
    log_level: str = setting("info", "what is logged to standard error", choice(LEVELS))
    log_format: str = setting(
        "text",
        "one line a message for people, or one JSON object for programs",
        choice(tuple(FORMATS)),
    )
    limits: Limits = field(default_factory=Limits)
    """How much connections and addresses may ask for."""

    @property
    def certificate(self) -> Certificate | None:
        """For TLS on the port of pages and websockets; None: a proxy does that, or nobody.

        Raises:
            OSError: one of the two files is not named.
        """
        if self.cert is None and self.key is None:
            return None
        if self.cert is None or self.key is None:
            raise OSError("--cert and --key go together")
        return Certificate(self.cert, self.key)


SETTINGS: Final = {setting.name: setting for setting in declared_settings(Settings)}
"""All settings, by name."""
