"""Terminals with `crossroom` in them, for tests that sit at one; and pipes."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")

COMMAND: Final = (sys.executable, "-m", "crossroom_clients")
OUTPUT_TIMEOUT_S: Final = 60
"""Seconds for what is expected to appear."""

_ESCAPE: Final = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])|[\r\x08]")


class TerminalSession:
    """What is on a terminal and who sits at it; ``seen`` is all that was read, escapes included."""

    def __init__(self, child: Any) -> None:
        self.pid: int = child.pid
        self.seen = ""
        self._child = child
        self._at = 0  # how much of what was seen has been expected

    def type(self, keys: str) -> None:
        """Press keys; ``\\r`` is Enter."""
        self._child.send(keys)

    def expect(self, pattern: str) -> re.Match[str]:
        """Wait until text that was not expected before matches *pattern*, colours left out."""
        deadline = time.monotonic() + OUTPUT_TIMEOUT_S
        begun = self._at
        while (match := re.search(pattern, self._text[begun:])) is None:
            assert time.monotonic() < deadline, f"no {pattern!r} in {self._text[begun:]!r}"
            assert self._read(), f"ended without {pattern!r}: {self._text[begun:]!r}"
        self._at = begun + match.end()
        return match

    def status(self) -> int:
        """The exit status, once the program has ended by itself."""
        deadline = time.monotonic() + OUTPUT_TIMEOUT_S
        while self._read():
            assert time.monotonic() < deadline, "does not end"
        self._child.close()
        return int(self._child.exitstatus)

    def has_ended(self) -> bool:
        """Has the program ended, whatever of its output nobody has read?"""
        deadline = time.monotonic() + OUTPUT_TIMEOUT_S
        while self._child.isalive() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self._child.isalive()

    @property
    def _text(self) -> str:
        return _ESCAPE.sub("", self.seen)

    def _read(self) -> bool:
        """Read what there is, or wait a moment for it; False at the end."""
        try:
            self.seen += self._child.read_nonblocking(65536, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        return True


@contextmanager
def terminal(*args: str, data: Path, **environment: str) -> Iterator[TerminalSession]:
    """A terminal of 100 by 40 in which ``crossroom ARGS`` runs; it ends with the block."""
    usual = {"CROSSROOM_DATA": str(data), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *args],
        env=os.environ | usual | environment,
        dimensions=(40, 100),
        encoding="utf-8",
    )
    try:
        yield TerminalSession(child)
    finally:
        child.close(force=True)


def run_piped(
    *args: str, data: Path, lines: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """``crossroom ARGS`` between two pipes."""
    return subprocess.run(
        [*COMMAND, *args],
        env=os.environ | {"CROSSROOM_DATA": str(data)} | environment,
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=OUTPUT_TIMEOUT_S,
        check=False,
    )
