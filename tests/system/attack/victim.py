"""A server in a process of its own, whose limits hold for the loopback too.

``python -m tests.system.attack.victim``: it says where it listens, and runs until its input ends.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crossroom_server.app import App
from crossroom_server.config.limits import Limits
from crossroom_server.config.logging import OneLineFormatter
from crossroom_server.config.settings import Settings
from crossroom_server.monitoring.gc_policy import managed_gc
from tests.support.subprocess_server import SubprocessServer, run_subprocess

LOOPBACK: Final = "127.0.0.1"
HASTY: Final = Limits(own=True, stalled=4.0, opening=8.0, introduction=8.0)
"""For those who cannot wait: the same limits, but where it is about seconds of patience."""
PATIENT: Final = Limits(own=True)


class Victim:
    """A server that has said where it listens; ``process`` is what it runs in."""

    def __init__(self, process: SubprocessServer) -> None:
        self.process = process
        ports = json.loads(process.hear())
        self.port, self.line_port = int(ports["port"]), int(ports["line_port"])


@contextmanager
def attacked(*, hasty: bool) -> Iterator[Victim]:
    """A server to be attacked, and its end."""
    with run_subprocess("tests.system.attack.victim", *["hasty"] * hasty) as process:
        yield Victim(process)


async def _serve(folder: Path, limits: Limits) -> None:
    settings = Settings(data=folder, host=LOOPBACK, port=0, line_port=0, limits=limits)
    async with App(settings) as app, managed_gc():
        print(json.dumps({"port": app.port, "line_port": app.line_port}), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    handler = logging.StreamHandler()
    handler.setFormatter(OneLineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level="DEBUG", handlers=[handler])
    logging.getLogger("websockets").setLevel(logging.WARNING)
    asyncio.run(_serve(Path(sys.argv[1]), HASTY if "hasty" in sys.argv else PATIENT))
