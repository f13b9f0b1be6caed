"""A program in a process of its own, which says where it listens and runs until its input ends."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SubprocessServer:
    """A program that runs, and is asked by line; on Linux, also how much it holds."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process, self._log = process, log

    def ask(self) -> str:
        """Send an empty line, and wait for the next one that it says."""
        assert self.process.stdin is not None
        print(file=self.process.stdin, flush=True)
        return self.hear()

    def hear(self) -> str:
        """The next line that it says."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    @property
    def memory_mib(self) -> float:
        """What it holds in memory (RSS), in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    @property
    def open_files(self) -> int:
        """Files and sockets that it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def log(self) -> list[str]:
        """What it has logged."""
        return self._log.read_text(encoding="utf-8").split("\n")[:-1]


@contextmanager
def run_subprocess(module: str, *arguments: str) -> Iterator[SubprocessServer]:
    """``python -m MODULE FOLDER ARGUMENTS…`` with an empty folder, and its end in good order."""
    with tempfile.TemporaryDirectory(prefix="crossroom-apart-") as folder:
        log = Path(folder, "log")
        with (
            log.open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                [sys.executable, "-m", module, folder, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as process,
        ):
            try:
                yield SubprocessServer(process, log)
                assert process.stdin is not None
                process.stdin.close()
                assert process.wait(20) == 0, "it did not end in good order"
            finally:
                process.kill()
