"""Servers that are there to be killed: forked where everything has been imported already.

``python -m tests.system.crash.fork_server``: for each folder named on standard input, a server that
keeps its games there, as a process of its own; a line of JSON on standard output tells its ``pid``
and ``port``. It is ``crossroom serve``, except that nobody has to pace themselves.
"""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from crossroom_engine.words import catalog
from crossroom_server.app import App
from crossroom_server.config.limits import Limits
from crossroom_server.config.settings import Settings
from tests.support.paths import ROOT

LOOPBACK: Final = "127.0.0.1"


class ForkedServer(NamedTuple):
    """A process of its own, and its TCP port."""

    pid: int
    port: int

    def kill(self) -> None:
        """End it without a word, and see it gone."""
        os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)


class ForkServer:
    """Where servers come from."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def serve(self, folder: Path) -> ForkedServer:
        """A server that listens."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(folder, file=self._process.stdin, flush=True)
        return ForkedServer(**json.loads(self._process.stdout.readline()))


@contextlib.contextmanager
def run_fork_server(environment: Mapping[str, str]) -> Iterator[ForkServer]:
    """A place for servers, with this in their environment; the last one ends with it."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.system.crash.fork_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    ) as process:
        yield ForkServer(process)


def main() -> None:
    """Fork until standard input ends."""
    logging.basicConfig(level=logging.WARNING)
    catalog.open_lexicon("english")
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are gone at once
    pid = 0
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            asyncio.run(_serve(Path(line.removesuffix("\n"))))
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def _serve(folder: Path) -> None:
    limits = Limits(burst=1_000_000, connections=10_000, wrong_codes=10_000)
    async with App(Settings(data=folder, host=LOOPBACK, port=0, limits=limits)) as app:
        print(json.dumps({"pid": os.getpid(), "port": app.port}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
