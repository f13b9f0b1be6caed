"""Ports for servers that stop and start again."""

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

_DICE: Final = SystemRandom()
"""Not seeded by anybody, so that tests beside each other take different ports."""


def free_port() -> int:
    """A port that nobody listens on, and that no connection can be given meanwhile as its own."""
    while True:
        port = _DICE.randrange(20_000, 30_000)  # below those that systems choose from
        with suppress(OSError), socket.create_server(("", port)):
            return port
