"""`crossroom backup` and `restore`, ended from outside: no half of a copy stays."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from crossroom_server.store.sqlite.backup import back_up
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import chat_entries
from tests.unit.server.store.sqlite.test_backup import names_in, silent

ENDED: Final = """
import os, signal, sys
from contextlib import contextmanager
from crossroom_clients.cli.main import main
from crossroom_server.cli import options

@contextmanager
def progress(unit):
    def heard(done, total):
        os.kill(os.getpid(), int(sys.argv[1]))
    yield heard

options.progress = progress
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_who_is_ended_leaves_nothing(tmp_path: Path, command: str, number: int) -> None:
    games, copy = tmp_path / "data" / "games.db", tmp_path / "copies" / "copy.db"
    for path in (games, copy):
        path.parent.mkdir()
    store = SqliteStore(games)
    asyncio.run(store.append("kitchen", 0, chat_entries(1)))
    store.close()
    back_up(games, copy, silent)
    before = [names_in(path.parent) for path in (games, copy)], copy.read_bytes()
    flags = [command, str(copy), "--data", str(games.parent)]
    done = subprocess.run(
        [sys.executable, "-c", ENDED, str(int(number)), *flags], capture_output=True, check=False
    )
    assert done.returncode == 128 + number, done.stderr
    assert ([names_in(path.parent) for path in (games, copy)], copy.read_bytes()) == before
