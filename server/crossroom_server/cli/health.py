"""`crossroom health`: check that the server on this machine is running."""

import argparse
import http.client
import ssl
from typing import Final

from crossroom_server.config import loading
from crossroom_server.config.loading import load_configuration
from crossroom_server.config.settings import NEAREST_ADDRESS, Settings

ANSWER_TIMEOUT_S: Final = 5.0
"""Seconds for the answer."""


class UnhealthyServer(OSError):
    """It says what ails it, or nothing at all.

    Args:
        told: What it says, or why it cannot be heard.
        has_answered: Does it say anything?
    """

    def __init__(self, told: str, has_answered: bool) -> None:
        super().__init__(told)
        self.has_answered = has_answered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags: those of ``crossroom serve``, which tell where it listens."""
    loading.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print ``ok``, if it is.

    Raises:
        UnhealthyServer: it is not.
        ConfigError: a setting cannot be understood.
    """
    print(ask_health(load_configuration(args).settings()))
    return 0


def ask_health(settings: Settings) -> str:
    """Ask the server that these settings are for, and return what it says if it is well.

    Raises:
        UnhealthyServer: it is not.
    """
    host = NEAREST_ADDRESS.get(settings.host, settings.host)
    connection: http.client.HTTPConnection
    if settings.cert is None:
        connection = http.client.HTTPConnection(host, settings.port, timeout=ANSWER_TIMEOUT_S)
    else:
        # The certificate is for the name that friends use, and whom we ask is ourselves.
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            host, settings.port, timeout=ANSWER_TIMEOUT_S, context=trusting
        )
    try:
        connection.request("GET", "/healthz")
        response = connection.getresponse()
        said = response.read(1000).decode("utf-8", "replace").strip()
    except (OSError, http.client.HTTPException) as error:
        raise UnhealthyServer(
            f"no answer from {host}, port {settings.port}: {error}; "
            "give the flags with which the server was started, such as --port",
            has_answered=False,
        ) from error
    finally:
        connection.close()
    if response.status != http.client.OK:
        raise UnhealthyServer(said, has_answered=True)
    return said
