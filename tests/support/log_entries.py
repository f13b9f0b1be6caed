"""Logs for tests of stores, and what lies on the disk, behind the back of a store."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from crossroom_protocol.events.room import LogEntry, Said
from tests.support.paths import ROOT

OLD_FILES: Final = ROOT / "tests" / "contracts" / "old_files"
"""Files as former versions left them, as SQL."""


def chat_entries(*numbers: int, text: str = "hello") -> list[LogEntry]:
    """A part of a log in which somebody talks."""
    return [LogEntry(number, number, Said("Ada", text)) for number in numbers]


def run_sql(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Run statements behind the store's back; the rows of the last one."""
    rows: list[tuple[object, ...]] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            rows = db.execute(statement).fetchall()
    return rows


def restore_old_file(path: Path, name: str) -> None:
    """Make a file of the one that has that name in the folder ``stores``."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript((OLD_FILES / f"{name}.sql").read_text(encoding="utf-8"))
