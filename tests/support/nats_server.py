"""A real NATS server, from the system's packages, for tests alone."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.support.ports import free_port

LOOPBACK: Final = "127.0.0.1"
START_TIMEOUT_S: Final = 40.0
"""Seconds for it to listen."""


class NatsServer:
    """A server with a port of its own, which may be stopped and started.

    Args:
        program: Where it is.
        config: A file for it that names *port*; None: it has neither users nor passwords.
        port: Where it listens; 0 takes any that is free.
    """

    def __init__(self, program: str, config: Path | None = None, port: int = 0) -> None:
        self.port = port or free_port()
        self._command = [program, "-a", LOOPBACK, "-p", str(self.port)]
        self._command += [] if config is None else ["-c", str(config)]
        self.start()

    @property
    def url(self) -> str:
        """What a node takes for ``--bus``."""
        return f"nats://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Start it, and see it listen."""
        self._process = subprocess.Popen(
            self._command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection((LOOPBACK, self.port), 1):
                return
            time.sleep(0.02)
        raise RuntimeError("nats-server does not listen")

    def stop(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait()


@contextmanager
def nats_server(config: Path | None = None, port: int = 0) -> Iterator[NatsServer]:
    """A server, which ends with the block; see :class:`NatsServer`.

    Raises:
        LookupError: there is none on this machine.
    """
    program = shutil.which("nats-server") or shutil.which("/usr/sbin/nats-server")
    if program is None:
        raise LookupError("no NATS server is installed (Debian: nats-server)")
    server = NatsServer(program, config, port)
    try:
        yield server
    finally:
        server.stop()
