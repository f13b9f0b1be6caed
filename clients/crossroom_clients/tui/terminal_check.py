"""Can this terminal show a whole table? Asked before the library that draws it is loaded."""

import os
import shutil
import sys
from importlib.util import find_spec
from typing import Final

MIN_COLUMNS: Final = 80
MIN_ROWS: Final = 24
"""The smallest terminal that holds a table."""
INSTALL_COMMAND: Final = "pip install 'crossroom[tui]'"


def check_full_screen() -> None:
    """Let pass who can be shown a table.

    Raises:
        OSError: not here; the message says why, and what to do.
    """
    if (obstacle := full_screen_obstacle()) is not None:
        raise OSError(obstacle)


def full_screen_obstacle() -> str | None:
    """Why a table cannot be shown here; None if it can."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "dumb"):
        return "a table needs a terminal; `crossroom join` does without"
    if find_spec("textual") is None:
        return f"the table needs Textual, which comes with: {INSTALL_COMMAND}"
    columns, rows = shutil.get_terminal_size()
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        return (
            f"a table needs {MIN_COLUMNS} columns and {MIN_ROWS} rows, and this terminal has "
            f"{columns} and {rows}; `crossroom join` needs less"
        )
    return None
