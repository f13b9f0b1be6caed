"""Tell which answers are long, and set them as tables: commands and settings are found by name."""

import re
from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

MAX_LOG_LINES: Final = 3
"""Lines of an answer that go to the log; longer ones are read in a box in front of the table."""
_GROUP: Final = re.compile(r"([^:/]+): (/.+)")
_COMMAND: Final = re.compile(r"(/\S+)((?: \([^)]*\))?)(.*?): (.+)")
_SETTING: Final = re.compile(r"(\w+ = [^(]+?)(?: \(([^)]*)\))?: (.+)")


def is_long(lines: Sequence[str]) -> bool:
    """Is an answer too long for the log?"""
    return len(lines) > MAX_LOG_LINES


def two_columns(about: str, lines: Sequence[str]) -> Table | None:
    """A table of the answer about that subject; None if it is to be read as it is."""
    if about == "help" and len(lines) > 1:
        return _commands(lines)
    if about == "settings" and len(lines) > 1:
        return _settings(lines)
    return None


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(max_width=26)
    grid.add_column(ratio=1)
    return grid


def _commands(lines: Sequence[str]) -> Table:
    """The commands by group, a name and what it does; ``/help NAME`` tells the rest."""
    whole, grid = Table.grid(), _grid()
    whole.add_column(ratio=1)
    for line in lines:
        if group := _GROUP.fullmatch(line):
            grid.add_row("")
            grid.add_row(Text(group[1], "bold underline"))
            line = group[2]
        if command := _COMMAND.fullmatch(line):
            name, others, _, does = command.groups()
            grid.add_row(Text.assemble((name, "bold"), others), Text(does))
        elif grid.row_count:
            grid.add_row("", Text(line))
        else:
            whole.add_row(Text(line))
    whole.add_row(grid)
    return whole


def _settings(lines: Sequence[str]) -> Table:
    """The settings, their values and what they mean; below that, what else they can be."""
    grid = _grid()
    for line in lines:
        if setting := _SETTING.fullmatch(line):
            value, choices, means = setting.groups()
            grid.add_row(Text(value, "bold"), Text(means))
            if choices:
                grid.add_row("", Text(choices, "italic"))
        else:
            grid.add_row("", Text(line))
    return grid
