"""Read the processor time and memory of a process, where the system tells."""

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple


class ProcessUsage(NamedTuple):
    """Seconds of processor time, and bytes of memory now; not a number where that is not known."""

    seconds: float
    octets: float


UNKNOWN: Final = ProcessUsage(float("nan"), float("nan"))


def process_usage(pid: int) -> ProcessUsage:
    """Read the usage of a process; known on Linux only."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return UNKNOWN
    ticks = int(after_name[11]) + int(after_name[12])
    return ProcessUsage(ticks / os.sysconf("SC_CLK_TCK"), int(pages) * os.sysconf("SC_PAGE_SIZE"))


def allow_connections(wanted: int) -> None:
    """Let this process, and those it starts, have so many connections open.

    Raises:
        OSError: the system allows fewer.
    """
    if sys.platform == "win32":
        return
    import resource

    wanted += 100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise OSError(f"the system allows {hard} open files, and this takes {wanted}: ulimit -n")
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
