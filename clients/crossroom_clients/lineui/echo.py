"""Keeping the terminal from showing what is typed while no prompt is open: it may be a password."""

import contextlib
import sys
from collections.abc import Iterator

if sys.platform != "win32":
    import termios


@contextlib.contextmanager
def echo_off(terminal: int) -> Iterator[None]:
    """Turn the echo of a terminal off, whose file descriptor is given; do nothing elsewhere."""
    if sys.platform == "win32":
        yield
        return
    try:
        before = termios.tcgetattr(terminal)
    except termios.error:  # no terminal
        yield
        return
    silent = list(before)
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
