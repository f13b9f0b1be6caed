"""What this process and its disk look like from outside, for metrics and for the host."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from crossroom_engine.movegen.backends import BACKEND
from crossroom_server.config.settings import COPIES

_STARTED: Final = time.time()
"""When this module was loaded: near enough where the system does not tell of processes."""
_PROC: Final = Path("/proc/self")
_UNITS: Final = ("bytes", "KB", "MB", "GB", "TB")
_STORE_FILES: Final = ("", "-wal")
"""Endings of the files of a store."""


class ProcessStats(NamedTuple):
    """Figures of this process; those that the system does not tell are None."""

    cpu_s: float
    started: float
    resident_bytes: int | None = None
    virtual_bytes: int | None = None
    open_files: int | None = None
    max_files: int | None = None


def process_stats() -> ProcessStats:
    """Return the figures of this process as they are now."""
    spent = os.times()
    stats = ProcessStats(spent.user + spent.system, _STARTED)
    try:
        # the name of the program, in brackets, may contain anything
        fields = (_PROC / "stat").read_text().rpartition(")")[2].split()
        began = int(fields[19]) / os.sysconf("SC_CLK_TCK")  # since the machine was started
        return stats._replace(
            started=time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + began,
            virtual_bytes=int(fields[20]),
            resident_bytes=int(fields[21]) * os.sysconf("SC_PAGE_SIZE"),
            open_files=sum(1 for _ in (_PROC / "fd").iterdir()),
            max_files=_max_files(),
        )
    except (OSError, AttributeError):  # not Linux
        return stats


def _max_files() -> int:
    import resource  # Linux has it

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


@dataclass(frozen=True)
class Storage:
    """Where a server keeps its things.

    Args:
        folder: The data folder.
        store: The file of the games; None: they are in a database.
    """

    folder: Path
    store: Path | None

    def store_bytes(self) -> int | None:
        """Return the size of the files of the games; None if they are not files here."""
        if self.store is None:
            return None
        sizes = [
            path.stat().st_size
            for path in (self.store.with_name(self.store.name + end) for end in _STORE_FILES)
            if path.exists()
        ]
        return sum(sizes)

    def free_bytes(self) -> int | None:
        """Return what is free on the disk of the games; None if nobody knows."""
        folder = self.folder if self.store is None else self.store.parent
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            return None

    def newest_copy(self) -> float | None:
        """Return when the newest copy was made, in s since 1970; None if there is none."""
        times = (path.stat().st_mtime for path in (self.folder / COPIES).glob("*.db"))
        try:
            return max(times, default=None)
        except OSError:
            return None


def build_info() -> Iterator[tuple[str, str]]:
    """Yield what this program was made of, as names and values."""
    yield "version", version("crossroom")
    yield "python", ".".join(map(str, sys.version_info[:3]))
    yield "engine", BACKEND


def format_size(size: int | None) -> str:
    """Format a number of bytes.

    >>> format_size(999), format_size(12_345_678), format_size(None)
    ('999 bytes', '12.3 MB', 'unknown')
    """
    if size is None:
        return "unknown"
    scaled, unit = float(size), 0
    while scaled >= 1000 and unit + 1 < len(_UNITS):
        scaled, unit = scaled / 1000, unit + 1
    return f"{scaled:.1f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"
