"""`crossroom serve` as a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

LOOPBACK: Final = "127.0.0.1"


class ServeProcess:
    """A server process that has said where it listens."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.first = process.stdout.readline()
        self.listening: dict[str, Any] = json.loads(self.first)["listening"]

    def dial(self, path: str = "/t/kitchen") -> ClientConnection:
        return connect(f"ws://{LOOPBACK}:{self.listening['port']}{path}", max_queue=None)

    def end(self) -> tuple[int, str, str]:
        """Wait for the end: status, the rest of standard output, standard error."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def serve_command(folder: Path, *flags: str) -> list[str]:
    serve = [sys.executable, "-m", "crossroom_clients", "serve", "--host", LOOPBACK, "--port", "0"]
    return [*serve, "--data", str(folder), *flags]


@contextmanager
def run_serve(folder: Path, *flags: str) -> Iterator[ServeProcess]:
    with subprocess.Popen(
        serve_command(folder, "--json", *flags),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield ServeProcess(process)
        finally:
            process.kill()
