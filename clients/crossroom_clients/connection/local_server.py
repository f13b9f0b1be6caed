"""A server for one person, as a child of this process: it ends when we do, however we end."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import ServerUnreachable
from crossroom_clients.connection.reconnecting import retry_pauses
from crossroom_protocol.cli.flags import LOOPBACK_HOST

STOP_TIMEOUT_S: Final = 5.0
"""Seconds for the server to stop before it is killed."""


@dataclass(frozen=True)
class LocalServer:
    """A running server: its address, port, log and process."""

    address: Address
    port: int
    log: Path
    process: subprocess.Popen[bytes]

    def retry_pauses(self) -> Iterator[float]:
        """Seconds between attempts to reach it, as long as it lives.

        Raises:
            ServerUnreachable: it does not.
        """
        for pause in retry_pauses():
            if self.process.poll() is not None:
                raise ServerUnreachable(
                    "the server of this game has stopped; crossroom play goes on with it"
                )
            yield min(pause, 1.0)


def local_server(data: Path, *flags: str) -> AbstractContextManager[LocalServer]:
    """A running server that keeps its games in *data*, and its complaints in ``server.log`` there.

    It stops when its standard input closes, which is when this process is gone, even if killed.

    Args:
        data: The data folder.
        flags: More of ``crossroom serve``.

    Raises:
        OSError: it does not start; the message is the server's own.
    """
    command = ["crossroom_clients", "serve", "--data", str(data), "--log-level", "warning"]
    address = ["--host", LOOPBACK_HOST, "--port", "0"]
    return server_process([*command, *address, "--until-eof", "--json", *flags], data)


@contextmanager
def server_process(module: Sequence[str], data: Path) -> Iterator[LocalServer]:
    """A running *module*, with its arguments, that says where it listens as a server does.

    Raises:
        OSError: it does not start.
    """
    data.mkdir(parents=True, exist_ok=True)
    log = data / "server.log"
    environment = {  # without settings of a server of the host, not meant for a private one
        name: value
        for name, value in os.environ.items()
        if not name.startswith("CROSSROOM_") or name == "CROSSROOM_KERNEL"
    }
    with (
        log.open("wb") as complaints,
        subprocess.Popen(
            # -P: no module that lies about in the current folder is taken for one of Python's.
            [sys.executable, "-P", "-m", *module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment,
            start_new_session=True,  # Ctrl-C in the terminal is meant for us alone
        ) as server,
    ):
        try:
            assert server.stdout is not None
            ready = server.stdout.readline()
            if not ready:
                server.wait()
                raise OSError(_last_line(log) or f"the server did not start; see {log}")
            port = json.loads(ready)["listening"]["port"]
            yield LocalServer(Address(f"ws://{LOOPBACK_HOST}:{port}"), port, log, server)
        finally:
            _stop(server)


def _stop(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin is not None
    with suppress(BrokenPipeError):
        server.stdin.close()
    try:
        server.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        server.kill()


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].removeprefix("crossroom: ") if lines else ""
