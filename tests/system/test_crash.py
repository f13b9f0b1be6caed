"""A few rounds of ``python -m tests.system.crash``, and proof that a power cut loses things."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.support.paths import ROOT
from tests.system.crash.power_cut import CAN_CUT, PowerCut

WRITE_AND_DIE = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE numbers (number)")
db.execute(f"PRAGMA synchronous = {sys.argv[2]}")
for number in range(20):
    db.execute("INSERT INTO numbers VALUES (?)", (number,))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="servers are forked")
def test_a_server_that_is_killed_loses_nothing() -> None:
    command = [sys.executable, "-m", "tests.system.crash", "--rounds", "4", "--rooms", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    last = done.stdout.splitlines()[-1]  # on a slow machine there are others
    assert last.startswith("4 kills, ")
    assert last.endswith("nothing lost")


@pytest.mark.skipif(not CAN_CUT, reason="the power is cut on Linux, with a C compiler")
def test_only_what_was_synced_survives_a_power_cut(tmp_path: Path) -> None:
    power, survived = PowerCut(tmp_path), {}
    environment = {**os.environ, **power.environment()}
    for level in ("FULL", "NORMAL"):
        power.forget()
        path = tmp_path / f"{level}.db"
        subprocess.run(
            [sys.executable, "-c", WRITE_AND_DIE, str(path), level], env=environment, check=False
        )
        undone = power.cut(Random(5))
        with closing(sqlite3.connect(path)) as db:
            survived[level] = db.execute("SELECT count(*) FROM numbers").fetchone()[0]
        assert bool(undone) == (level == "NORMAL")
    assert survived["FULL"] == 20
    assert survived["NORMAL"] < 20
