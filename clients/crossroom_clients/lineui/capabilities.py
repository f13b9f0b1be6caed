"""Can this terminal show a whole table? Asked before the library that draws it is loaded."""

import os
import shutil
import sys
from importlib.util import find_spec
from typing import Final

COLUMNS: Final = 80
ROWS: Final = 24
"""The smallest terminal that holds a table."""
INSTALL: Final = "pip install 'crossroom[tui]'"


def check_able() -> None:
    """Let pass who can be shown a table.

    Raises:
        OSError: not here; the message says why, and what to do.
    """
    if (obstacle := find_obstacle()) is not None:
        raise OSError(obstacle)


def find_obstacle() -> str | None:
    """Why a table cannot be shown here; None if it can."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "dumb"):
        return "a table needs a terminal; `crossroom join` does without"
    if find_spec("textual") is None:
        return f"the table needs Textual, which comes with: {INSTALL}"
    columns, rows = shutil.get_terminal_size()
    if columns < COLUMNS or rows < ROWS:
        return (
            f"a table needs {COLUMNS} columns and {ROWS} rows, and this terminal has {columns} and "
            f"{rows}; `crossroom join` needs less"
        )
    return None
