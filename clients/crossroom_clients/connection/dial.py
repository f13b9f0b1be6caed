"""Opening a websocket to a server of ours; what cannot be reached is explained to the person."""

import errno
import socket
import ssl
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.codec import TAGS_SUBPROTOCOL as TAGS_SUBPROTOCOL
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import ENGLISH, gettext

CONNECT_TIMEOUT_S: Final = 10.0
"""Seconds until a server that does not answer counts as gone."""


class ServerUnreachable(OSError):
    """There is no server of ours to talk to; the message says what to check."""


async def open_websocket(
    address: Address, subprotocol: Subprotocol = TAGS_SUBPROTOCOL, language: str = ENGLISH
) -> ClientConnection:
    """Connect to the door of a server, in tags mode or another, to be told things in *language*.

    Raises:
        ServerUnreachable: that is not possible now.
    """
    try:
        connection = await connect(
            address.url,
            subprotocols=[subprotocol],
            additional_headers={"Accept-Language": language},
            compression=None,
            proxy=None if address.is_loopback else True,
            open_timeout=CONNECT_TIMEOUT_S,
            ping_interval=CONNECT_TIMEOUT_S,
            ping_timeout=2 * CONNECT_TIMEOUT_S,
            close_timeout=1,
        )
    except (OSError, WebSocketException, ImportError) as error:
        raise ServerUnreachable(explain_failure(address, error)) from error
    if connection.subprotocol != subprotocol:
        await connection.close()
        raise ServerUnreachable(
            gettext("{address} answers, but is no crossroom server", address=address)
        )
    return connection


def explain_failure(address: Address, error: Exception) -> str:
    """One line about a failed attempt: what was tried, and what to check."""
    about = {"address": address, "error": error}
    match error:
        case socket.gaierror():
            return gettext(
                "cannot find the host of {address} (or no network); check the spelling", **about
            )
        case TimeoutError():
            template = Phrase(
                "no answer from {address} within {seconds:.0f} s; is the address right, and does a "
                "firewall let you through?"
            )
            return gettext(template, address=address, seconds=CONNECT_TIMEOUT_S)
        case ssl.SSLError():
            reason = error.reason or error
            return gettext(
                "{address} offers no safe connection: {reason}", address=address, reason=reason
            )
        case InvalidStatus(response=response) if response.status_code in (429, 503):
            said = bytes(response.body or b"").decode("utf-8", "replace").strip()
            why = said or response.reason_phrase
            return gettext(
                "{address} lets nobody in at the moment: {why}", address=address, why=why
            )
        case InvalidStatus(response=response):
            return _not_our_server(address, f"HTTP {response.status_code}")
        case OSError():
            known = error.errno in (None, errno.ECONNREFUSED)
            template = Phrase(
                "nothing answers at {address}{detail}; is a server running there "
                "(crossroom serve), and is the port right?"
            )
            return gettext(
                template, address=address, detail="" if known else f" ({error.strerror})"
            )
        case ImportError():
            return gettext("{address} cannot be reached through your proxy: {error}", **about)
        case _:
            return _not_our_server(address, str(error))


def _not_our_server(address: Address, why: str) -> str:
    template = Phrase("{address} answers, but is no crossroom server ({why})")
    if not address.url.startswith("wss:"):
        template = Phrase(
            "{address} answers, but is no crossroom server ({why}); if it speaks TLS, say wss:// "
            "in front"
        )
    return gettext(template, address=address, why=why)
