"""Nodes as processes of their own, which share a database and a bus."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

from crossroom_protocol.cli.console import SOCKET_NAME
from crossroom_server.config.store_url import Database
from tests.support.ports import free_port

LOOPBACK: Final = "127.0.0.1"
PATIENCE: Final = 30.0
"""Seconds for a node to stop."""


class Entrance:
    """Where people come in."""

    is_up = True
    """Is it worth trying?"""

    def __init__(self, port: int) -> None:
        self.port = port


class NodeProcess(Entrance):
    """``crossroom serve`` with a port that it keeps over its restarts.

    Args:
        name: Its name.
        folder: For what it keeps itself.
        database: What all share.
        bus: The address of the bus.
        environment: More settings.
    """

    def __init__(
        self, name: str, folder: Path, database: Database, bus: str, **environment: str
    ) -> None:
        self.name, self._folder = name, folder
        self._environment = {
            "CROSSROOM_STORE": database.url,
            "CROSSROOM_BUS": bus,
            **environment,
        }
        super().__init__(free_port())
        self.process: subprocess.Popen[str] | None = None

    @property
    def is_up(self) -> bool:  # type: ignore[override] # once started, until stopped
        return self.process is not None

    def start(self) -> None:
        """Start it, and see it listen."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "crossroom_clients", "serve", "--json"),
                    *("--host", LOOPBACK, "--port", str(self.port), "--node", self.name),
                    *("--data", str(self._folder)),
                ],
                env={**os.environ, **self._environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise RuntimeError(self.told())

    def kill(self) -> None:
        """End it without a word."""
        self._end(signal.SIGKILL)

    def drain(self) -> int:
        """End it in good order; its status."""
        return self._end(signal.SIGTERM)

    def hang(self) -> None:
        """Let it answer nobody, but keep all its connections."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def told(self) -> str:
        """What it has said to the host."""
        return (self._folder / "log").read_text()

    def ask(self, line: str) -> str:
        """Return what its console answers."""
        with socket.socket(socket.AF_UNIX) as console:
            console.connect(str(self._folder / SOCKET_NAME))
            console.sendall(f"{line}\n".encode())
            console.shutdown(socket.SHUT_WR)
            return console.makefile(encoding="utf-8").read()

    def errors(self) -> list[str]:
        """Return what it has logged as a fault."""
        return [f"{self.name}: {line}" for line in self.told().splitlines() if " ERROR " in line]

    def _signal(self, how: int) -> None:
        assert self.process is not None
        self.process.send_signal(how)

    def _end(self, how: int) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        process.send_signal(how)
        process.communicate(timeout=PATIENCE)
        return process.returncode
