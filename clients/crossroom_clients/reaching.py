"""Opening a websocket to a server of ours; what cannot be reached is explained to the person."""

import errno
import socket
import ssl
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from crossroom_clients.address import Address
from crossroom_clients.spelling import TAGS as TAGS

PATIENCE: Final = 10.0
"""Seconds until a server that does not answer counts as gone."""


class Unreachable(OSError):
    """There is no server of ours to talk to; the message says what to check."""


async def reach(address: Address, subprotocol: Subprotocol = TAGS) -> ClientConnection:
    """Connect to the door of a server, in tags mode or another.

    Raises:
        Unreachable: that is not possible now.
    """
    try:
        connection = await connect(
            address.url,
            subprotocols=[subprotocol],
            compression=None,
            proxy=None if address.is_loopback else True,
            open_timeout=PATIENCE,
            ping_interval=PATIENCE,
            ping_timeout=2 * PATIENCE,
            close_timeout=1,
        )
    except (OSError, WebSocketException, ImportError) as error:
        raise Unreachable(explain(address, error)) from error
    if connection.subprotocol != subprotocol:
        await connection.close()
        raise Unreachable(f"{address} answers, but is no crossroom server")
    return connection


def explain(address: Address, error: Exception) -> str:
    """One line about a failed attempt: what was tried, and what to check."""
    match error:
        case socket.gaierror():
            return f"there is no host as in {address}, or no network; check the spelling"
        case TimeoutError():
            return (
                f"no answer from {address} within {PATIENCE:.0f} s; "
                "is the address right, and does a firewall let you through?"
            )
        case ssl.SSLError():
            return f"{address} offers no safe connection: {error.reason or error}"
        case InvalidStatus(response=response) if response.status_code in (429, 503):
            said = bytes(response.body or b"").decode("utf-8", "replace").strip()
            return f"{address} takes no one in at the moment: {said or response.reason_phrase}"
        case InvalidStatus(response=response):
            return _stranger(address, f"HTTP {response.status_code}")
        case OSError():
            known = error.errno in (None, errno.ECONNREFUSED)
            detail = "" if known else f" ({error.strerror})"
            return (
                f"nothing answers at {address}{detail}; is a server running there "
                "(crossroom serve), and is the port right?"
            )
        case ImportError():
            return f"{address} cannot be reached through your proxy: {error}"
        case _:
            return _stranger(address, str(error))


def _stranger(address: Address, why: str) -> str:
    hint = "" if address.url.startswith("wss:") else "; if it speaks TLS, say wss:// in front"
    return f"{address} answers, but is no crossroom server ({why}){hint}"
