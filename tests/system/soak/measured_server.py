"""A server in a process of its own, which is asked how much it has.

``python -m tests.system.soak.measured_server FOLDER SECONDS``: empty rooms rest after so many
seconds. It says on which port it listens, and for each line of its input how much there is of
everything.
"""

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.request import urlopen

from crossroom_server.app import App
from crossroom_server.config.settings import Settings
from crossroom_server.monitoring.gc_policy import managed_gc
from tests.support.subprocess_server import SubprocessServer, run_subprocess

LOOPBACK: Final = "127.0.0.1"


class Sample(NamedTuple):
    """How much a server has at a moment; ``memory`` (RSS) is in MiB."""

    memory: float
    tasks: int
    files: int
    rooms: int
    connections: int
    rested: int
    stored: int

    def __str__(self) -> str:
        return (
            f"{self.memory:.1f} MiB, {self.tasks} tasks, {self.files} files, {self.rooms} rooms, "
            f"{self.connections} connections, {self.rested} rooms rested, {self.stored} entries"
        )


class MeasuredServer:
    """A server that has said where it listens."""

    def __init__(self, process: SubprocessServer) -> None:
        self._process = process
        self.port = int(process.hear())

    def sample(self) -> Sample:
        """How much it has now."""
        tasks = int(self._process.ask())
        memory, files = self._process.memory_mib, self._process.open_files
        with urlopen(f"http://{LOOPBACK}:{self.port}/metrics", timeout=60) as answer:
            pairs = (line.split() for line in answer.read().decode().splitlines())
            counts = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
        return Sample(
            memory,
            tasks,
            files,
            int(counts["crossroom_rooms"]),
            int(counts["crossroom_connections"]),
            int(counts["crossroom_rooms_rested_total"]),
            int(counts["crossroom_events_stored_total"]),
        )

    @property
    def complaints(self) -> list[str]:
        """The warnings and errors that it has logged."""
        return self._process.log


@contextmanager
def run_measured_server(rest_after: float) -> Iterator[MeasuredServer]:
    """A server, and its end."""
    with run_subprocess("tests.system.soak.measured_server", str(rest_after)) as process:
        yield MeasuredServer(process)


async def _serve(folder: Path, rest_after: float) -> None:
    settings = Settings(data=folder, host=LOOPBACK, port=0, rest_after=rest_after)
    async with App(settings) as app, managed_gc():
        print(app.port, flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(len(asyncio.all_tasks()), flush=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    # That the loop is late, it says on a machine that has other things to do as well.
    logging.getLogger("crossroom_server.monitoring.loop_monitor").setLevel(logging.ERROR)
    asyncio.run(_serve(Path(sys.argv[1]), float(sys.argv[2])))
