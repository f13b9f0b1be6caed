"""A server in a process of its own, whose limits hold for the loopback too.

``python -m tests.attack.victim``: it says where it listens, and runs until its input ends.
"""

import asyncio
import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crossroom_server.app import App
from crossroom_server.config import Settings
from crossroom_server.limits import Limits
from crossroom_server.logs import OneLine

LOOPBACK: Final = "127.0.0.1"
HASTY: Final = Limits(own=True, stalled=4.0, opening=8.0, introduction=8.0)
"""For those who cannot wait: the same limits, but where it is about seconds of patience."""
PATIENT: Final = Limits(own=True)


class Victim:
    """A server that has said where it listens."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process, self._log = process, log
        assert process.stdout is not None
        ports = json.loads(process.stdout.readline())
        self.port, self.line_port = int(ports["port"]), int(ports["line_port"])

    @property
    def memory(self) -> float:
        """What it holds in memory (RSS), in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    @property
    def files(self) -> int:
        """Files and sockets that it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def log(self) -> list[str]:
        """What it has logged."""
        return self._log.read_text(encoding="utf-8").split("\n")[:-1]


@contextmanager
def attacked(*, hasty: bool) -> Iterator[Victim]:
    """A server to be attacked, and its end."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = [sys.executable, "-m", "tests.attack.victim", folder, *["hasty"] * hasty]
        with (
            log.open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as process,
        ):
            try:
                yield Victim(process, log)
                assert process.stdin is not None
                process.stdin.close()
                assert process.wait(20) == 0, "it did not end in good order"
            finally:
                process.kill()


async def _serve(folder: Path, limits: Limits) -> None:
    settings = Settings(data=folder, host=LOOPBACK, port=0, line_port=0, limits=limits)
    async with App(settings) as app:
        print(json.dumps({"port": app.port, "line_port": app.line_port}), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level="DEBUG", handlers=[handler])
    logging.getLogger("websockets").setLevel(logging.WARNING)
    asyncio.run(_serve(Path(sys.argv[1]), HASTY if "hasty" in sys.argv else PATIENT))
