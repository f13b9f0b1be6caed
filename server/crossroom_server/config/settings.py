"""The settings that the host may choose."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crossroom_engine.core.units import DAY_S
from crossroom_protocol.cli.data_folder import default_data_folder
from crossroom_protocol.cli.flags import DEFAULT_PORT, LOOPBACK_HOST
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
from crossroom_server.config.store_url import Database, StoreUrl, read_store_flag, read_store_url
from crossroom_server.identity.client_address import Network, read_network

ALL_INTERFACES: Final = "0.0.0.0"  # of IPv4
NEAREST_ADDRESS: Final = {ALL_INTERFACES: LOOPBACK_HOST, "::": "::1"}
"""The address at which a server that listens everywhere is reached from its own machine."""
GAMES_FILE: Final = "games.db"
"""The file of the games in the data folder."""
COPIES: Final = "backups"
"""The folder of copies beside it, unless the host names another."""
MAX_PORT: Final = 65535
MAX_DAYS: Final = 36500
BUS_VARIABLE: Final = "CROSSROOM_BUS"
MAX_NODE_NAME_CHARS: Final = 40

_PORT: Final = whole_number(0, MAX_PORT)
_DAYS: Final = number(0, MAX_DAYS)


def _url(text: str) -> str:
    try:
        url = urlsplit(text)
        is_ours = (
            url.scheme in ("ws", "wss") and url.hostname and url.port != 0 and not url.username
        )
    except ValueError:  # of the brackets, or the port
        is_ours = False
    if not is_ours or url.query or url.fragment:
        raise ValueError(f"{text!r} does not look like wss://example.org/words")
    return url._replace(scheme=url.scheme.lower()).geturl().rstrip("/")


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


def _host_names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if not re.fullmatch("[A-Za-z0-9._-]{1,253}", name):
            raise ValueError(f"{name!r} is no name of a host, such as words.example.org")
    return names


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
        "folder of the games and of your own word lists",
        path("DIR"),
        default_text="a folder of your user account",
    )
    keep: bool = setting(
        True,
        "store the games in the data folder; --forget keeps them in memory, and they end with the "
        "server",
        YES_NO,
        alias="--forget",
    )
    store: StoreUrl | None = setting(
        None,
        "where to store the games: sqlite:PATH or postgresql://USER@HOST/DATABASE; put a "
        "password into the file named by PGPASSFILE or into the variable, not into the flag",
        ValueType("STORE", read_store_url, read_flag=read_store_flag),
        default_text="games.db in the data folder",
    )
    bus: str | None = setting(
        None,
        "make this server a node of a cluster with one store in PostgreSQL: the NATS server that "
        "connects the nodes, as nats://HOST:4222, or several separated by commas",
        ValueType("URL", _bus, read_flag=_bus_flag),
        default_text="none: a single server",
    )
    node: str | None = setting(
        None,
        "name of this node in logs and on the bus",
        ValueType("NAME", _node_name),
        default_text="the host name",
    )
    host: str = setting(ALL_INTERFACES, "host name or address to listen on", word("ADDRESS"))
    port: int = setting(DEFAULT_PORT, "TCP port of pages and websockets; 0 picks a free one", _PORT)
    line_port: int | None = setting(
        None, "TCP port of plain lines, for nc and telnet; 0 picks a free one", _PORT
    )
    url: str | None = setting(
        None,
        "public URL of the server behind a proxy, as wss://example.org/words",
        ValueType("URL", _url),
        default_text="the address that a client connects to",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (),
        "more names by which browsers may ask for the server, separated by commas; addresses, "
        "localhost, the name of the machine and that in --url are always answered",
        ValueType("NAME", _host_names, (list,)),
        default_text="none",
        alias="--allowed-host",
    )
    proxies: tuple[Network, ...] = setting(
        (),
        "trusted proxies, as addresses or networks separated by commas; only they may report the "
        "address of a client",
        ValueType("CIDR", _networks, (list,)),
        default_text="none",
        alias="--proxy",
    )
    cert: Path | None = setting(
        None, "certificate chain for TLS, in PEM format; read again on SIGHUP", path("FILE")
    )
    key: Path | None = setting(None, "private key of the certificate", path("FILE"))
    thinkers: int | None = setting(
        None,
        "maximum bots and analyses that compute at a time",
        whole_number(1, MAX_PORT),
        default_text="one per processor",
    )
    rest_after: float = setting(
        600.0,
        "seconds until an empty room is unloaded from memory; the next visitor loads it again",
        number(1, DAY_S),
    )
    guests: float = setting(
        90.0,
        "delete the resume codes of people who never took a seat after this many days without "
        "use; 0: never",
        _DAYS,
    )
    vacant: float = setting(
        30.0,
        "delete rooms that never started a game after this many days without activity, with "
        "their chat, settings, lock and bans; rooms with over 1,000 log entries are kept; "
        "0: never",
        _DAYS,
    )
    open_metrics: bool = setting(
        False,
        "serve /metrics to everybody at the port of the pages; otherwise only to programs on this "
        "machine, and to nobody behind a proxy",
        YES_NO,
        alias="--metrics",
    )
    metrics_port: int | None = setting(
        None,
        "TCP port of /metrics, which no proxy for players leads to; the port of the pages then "
        "serves them to nobody; 0 picks a free one",
        _PORT,
    )
    metrics_host: str = setting(
        LOOPBACK_HOST,
        "host name or address to serve metrics on, if they have a port of their own",
        word("ADDRESS"),
    )
    private: bool = setting(
        False,
        "let nobody in without an invitation of the host (crossroom admin invite), the code of a "
        "seat or a registered name; who plays here is shown to nobody else",
        YES_NO,
    )
    mask: Path | None = setting(
        None,
        "file of words to replace with stars in chat, one per line; a * at the end matches all "
        "words that begin so",
        path("FILE"),
    )
    log_level: str = setting(
        "info", "minimum level of messages logged to standard error", choice(LEVELS)
    )
    log_format: str = setting(
        "text",
        "log a line per message for people (text), or a JSON object for programs (json)",
        choice(tuple(FORMATS)),
    )
    limits: Limits = field(default_factory=Limits)
    """Limits of connections and addresses."""

    @property
    def games_file(self) -> Path | None:
        """Return the file of the games; None: they are in a database, or nowhere."""
        if not self.keep or isinstance(self.store, Database):
            return None
        return self.store or self.data / GAMES_FILE

    @property
    def certificate(self) -> Certificate | None:
        """Return the certificate of this server; None: it does not speak TLS itself.

        Raises:
            OSError: only one of the two files is named.
        """
        if self.cert is None and self.key is None:
            return None
        if self.cert is None or self.key is None:
            raise OSError("--cert and --key go together")
        return Certificate(self.cert, self.key)


SETTINGS: Final = {setting.name: setting for setting in declared_settings(Settings)}
"""All settings by name."""
