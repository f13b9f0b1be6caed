"""Checks the machine: its clock, the word engine, what is installed, and limits of the system."""

import ctypes
import os
import struct
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Final

from crossroom_server.cli.checks.finding import Finding
from crossroom_server.config.settings import Settings
from crossroom_server.config.store_url import Database
from crossroom_server.net.admission import RESERVED_FDS

MIN_FILES: Final = RESERVED_FDS + 700
"""Open files that a small server should be allowed."""
_PAST: Final = 1_700_000_000
"""Seconds since 1970 at which this program did not exist yet."""
_STATUS_OFFSET: Final = 8 + 4 * struct.calcsize("l")
"""Where ``struct timex`` has its status: behind a mode, padded, and four longs."""
_STA_UNSYNC: Final = 0x40
_TIMEX_BYTES: Final = 512
"""More than ``struct timex`` takes anywhere."""


def check_clock(newest_entry_ms: int | None) -> Finding:
    """Check the clock of the machine.

    Args:
        newest_entry_ms: When the newest stored entry was written, in ms since 1970.
    """
    now = time.time()
    shown = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d %H:%M:%S} UTC"
    mend = "set the clock, and let NTP keep it: timedatectl set-ntp true"
    if now < _PAST:
        return Finding("clock", "problem", f"it shows {shown}, which is past", mend)
    if newest_entry_ms is not None and now * 1000 < newest_entry_ms - 1000:
        newest = datetime.fromtimestamp(newest_entry_ms / 1000, UTC)
        return Finding(
            "clock",
            "problem",
            f"it shows {shown}, but the newest stored move is of {newest:%Y-%m-%d %H:%M:%S}; "
            "clocks of games stand still until then",
            mend,
        )
    match _is_synchronized():
        case True:
            return Finding("clock", "ok", f"{shown}, kept by NTP")
        case False:
            return Finding("clock", "warning", f"{shown}, but nothing sets it", mend)
    return Finding("clock", "note", f"{shown}; whether NTP keeps it cannot be seen from here")


def _is_synchronized() -> bool | None:
    """Ask the system whether something sets its clock; None: it does not tell."""
    if sys.platform != "linux":
        return None
    asked = ctypes.create_string_buffer(_TIMEX_BYTES)  # all zero: change nothing
    try:
        state = ctypes.CDLL(None).adjtimex(asked)
    except (OSError, AttributeError):
        return None
    if state < 0:
        return None
    (status,) = struct.unpack_from("i", asked.raw, _STATUS_OFFSET)
    return not status & _STA_UNSYNC


def check_engine() -> Finding:
    """Check that the word engine is the fast one."""
    from crossroom_engine.movegen.backends import BACKEND

    if BACKEND == "c":
        return Finding("word engine", "ok", "in C")
    if os.environ.get("CROSSROOM_KERNEL"):
        return Finding(
            "word engine",
            "warning",
            "in plain Python, because CROSSROOM_KERNEL is set; strong bots take long to move",
            "take CROSSROOM_KERNEL out of the environment",
        )
    return Finding(
        "word engine",
        "warning",
        "in plain Python; strong bots take long to move",
        "install a compiler and the headers of Python (apt install gcc python3-dev), then "
        "pip install --force-reinstall --no-deps crossroom, from where you had it",
    )


def check_extras(settings: Settings) -> Iterator[Finding]:
    """Check that the packages are there that the settings need, or that make things faster."""
    needed = {
        "asyncpg": ("postgres", isinstance(settings.store, Database)),
        "nats": ("cluster", settings.bus is not None),
    }
    for package, (extra, is_needed) in needed.items():
        if is_needed and find_spec(package) is None:
            yield Finding(
                "packages",
                "problem",
                f"{package} is not installed, which the settings need",
                f"pip install 'crossroom[{extra}]'",
            )
    if find_spec("uvloop") is not None:
        yield Finding("packages", "ok", "uvloop, the faster event loop, is installed")
    elif sys.platform != "win32":
        yield Finding(
            "packages",
            "note",
            "uvloop, a faster event loop, is not installed; a small server does without",
            "pip install 'crossroom[fast]'",
        )


def check_files() -> Iterator[Finding]:
    """Check how many files, and so connections, a process may open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < MIN_FILES:
        yield Finding(
            "open files",
            "warning",
            f"a process may open {hard}, so fewer than {max(hard - RESERVED_FDS, hard // 2)} "
            "connections fit",
            "raise the limit: LimitNOFILE= in the unit, --ulimit nofile= of a container",
        )
