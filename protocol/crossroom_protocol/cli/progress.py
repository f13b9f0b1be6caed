"""Show progress on standard error: a bar at a terminal, now and then a line elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

BAR_COLUMNS: Final = 24
"""Columns of the bar."""

_REDRAW_INTERVAL_S: Final = 0.1
_REPORT_INTERVAL_S: Final = 30.0
"""Seconds from one sign of life to the next, at a terminal and elsewhere."""


class Progress:
    """Work of known length.

    Args:
        total: Its length, in *unit*.
        unit: What is counted, in the plural.
        done: What was done before this began.
    """

    def __init__(self, total: int, unit: str, done: int = 0) -> None:
        self._total, self._unit, self._before = total, unit, done
        self._begun = self._told = time.monotonic()
        self._is_drawn = False

    def show(self, done: int, note: str = "") -> None:
        """Tell that so much is done, if it is time to; a *note* comes first."""
        now, terminal = time.monotonic(), sys.stderr.isatty()
        if now - self._told < (_REDRAW_INTERVAL_S if terminal else _REPORT_INTERVAL_S):
            return
        self._told = now
        text = f"{note}{done:,} of {self._total:,} {self._unit}{self._rest(done, now)}"
        if terminal:
            full = BAR_COLUMNS * done // max(1, self._total)
            bar = "#" * full + "." * (BAR_COLUMNS - full)
            print(f"\r\x1b[K[{bar}] {text}", end="", file=sys.stderr, flush=True)
            self._is_drawn = True
        else:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the bar away."""
        if self._is_drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._is_drawn = False

    def _rest(self, done: int, now: float) -> str:
        fresh, seconds = done - self._before, now - self._begun
        if fresh <= 0 or seconds <= 0:
            return ""
        left = round((self._total - done) * seconds / fresh)
        return f", {fresh / seconds:,.3g} a second, {left // 60}:{left % 60:02} left"


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """A way to say what is being done, at a terminal, in a line that is gone in the end."""

    def say(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield say
    finally:
        say("")
