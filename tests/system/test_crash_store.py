"""A server that is killed at any moment keeps what it has acknowledged, and no half of anything."""

import asyncio
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from crossroom_protocol.events.room import LogEntry
from crossroom_server.store.sqlite.store import SqliteStore

BATCH = 3

APPEND_FOREVER = f"""
import asyncio, pathlib, sys
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.store.sqlite.store import SqliteStore

async def write(store, room):
    end = len(await store.read(room))
    while True:
        numbers = range(end + 1, end + 1 + {BATCH})
        await store.append(room, end, [LogEntry(n, n, Said("Ada", "x" * n)) for n in numbers])
        end += {BATCH}
        print(room, end, flush=True)

async def main():
    store = SqliteStore(pathlib.Path(sys.argv[1]))
    await asyncio.gather(*(write(store, f"room-{{n}}") for n in range(8)))

asyncio.run(main())
"""


def killed_after(path: Path, lines: int) -> dict[str, int]:
    """Run a writer, kill it once it has printed *lines*: what it acknowledged, by room."""
    command = [sys.executable, "-c", APPEND_FOREVER, str(path)]
    acknowledged: defaultdict[str, int] = defaultdict(int)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for _ in range(lines):
            room, end = child.stdout.readline().split()
            acknowledged[room] = int(end)
        child.kill()
        for line in child.stdout:  # said before it died, and not yet heard
            if line.endswith("\n"):
                room, end = line.split()
                acknowledged[room] = int(end)
    return acknowledged


@pytest.mark.parametrize("rounds", [12])
def test_what_was_acknowledged_is_there_after_kill(tmp_path: Path, rounds: int) -> None:
    path, dice = tmp_path / "rooms.db", random.Random(20)
    promised: dict[str, int] = {}
    for _ in range(rounds):
        promised |= killed_after(path, dice.randint(1, 120))
        store = SqliteStore(path)  # nothing is locked by the dead
        logs = {room: asyncio.run(store.read(room)) for room in promised}
        assert set(asyncio.run(store.rooms())) >= set(promised)
        store.close()
        for room, log in logs.items():
            assert len(log) >= promised[room]
            assert len(log) % BATCH == 0
            assert all(len(text(entry)) == entry.seq for entry in log)


def text(entry: LogEntry) -> str:
    assert entry.what.kind == "said"
    return entry.what.text
