"""What a hundred thousand stored rooms cost: ``python -m tools.bench_many_rooms``.

A store is made with that many rooms, each with two people and a game that has begun. Then a server
is started with it, again and again, and asked. With ``--copy`` it is also copied and verified, and
what that would take for a file of 50 GB is told by proportion. What the file needs to be written,
and read by the disk for the first time, is not measured.
"""

import argparse
import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from crossroom_protocol.events.room import LOG_ENTRY, LogEntry
from crossroom_server.store.audit import audit
from crossroom_server.store.sqlite.backup import back_up
from crossroom_server.store.sqlite.file import read_snapshot
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.store.sqlite.table_dump import SqliteDump
from tests.support.room_driver import start_game
from tests.support.serve_process import run_serve

LARGE_GB: Final = 50
"""A store that was never made; its times follow by proportion."""
TIMES: Final = 5
"""Each is measured so often; the median counts."""


class Costs(NamedTuple):
    """Seconds, the median of some tries."""

    start: float
    """From starting the process until it says where it listens."""
    rooms: float
    """From asking /rooms until the answer is there."""
    found: float
    """From asking /stored for somebody who has a game."""
    unknown: float
    """From asking /stored for somebody who never was there."""
    opened: float
    """From asking to enter one of the rooms until one is in it."""


def fill(path: Path, rooms: int) -> None:
    """A store with so many rooms."""
    log = asyncio.run(_log())
    SqliteStore(path).close()
    rows = [(entry.seq, LOG_ENTRY.dump_json(entry).decode()) for entry in log]
    with closing(sqlite3.connect(path)) as db, db:
        entries = (
            (f"room{n}", seq, text.replace('"ann"', f'"ann{n}"'))
            for n in range(rooms)
            for seq, text in rows
        )
        db.executemany("INSERT INTO entries (room, seq, entry) VALUES (?, ?, ?)", entries)
        codes = (
            (sha256(f"{n} {seat}".encode()).hexdigest(), f"room{n}", f"m{seat}", f"{who}{n}")
            for n in range(rooms)
            for seat, who in enumerate(("ann", "bob"))
        )
        db.executemany("INSERT INTO codes (digest, room, member, name) VALUES (?, ?, ?, ?)", codes)


async def _log() -> Sequence[LogEntry]:
    driver = await start_game("ann", "bob")
    log = await driver.store.read("kitchen")
    await driver.lobby.close()
    return log


def measure(folder: Path, rooms: int, times: int = TIMES) -> Costs:
    """What so many rooms cost."""
    fill(folder / "games.db", rooms)
    asked = [_ask(folder, number * rooms // times) for number in range(times)]
    return Costs(*map(median, zip(*asked, strict=True)))


def _ask(folder: Path, room: int) -> Costs:
    begun = time.perf_counter()
    with run_serve(folder) as server:
        start = time.perf_counter() - begun
        with server.dial("/") as socket:

            def answered(line: str, end: str) -> float:
                begun = time.perf_counter()
                socket.send(line)
                while end not in (told := str(socket.recv(timeout=60))):
                    assert not told.startswith("!"), told
                return time.perf_counter() - begun

            answered("/ping", "pong")
            return Costs(
                start,
                answered("/rooms", "no room is open"),
                answered(f"/stored ann{room}", "/resume CODE"),
                answered("/stored stranger", "no game of stranger"),
                answered(f"/join room{room}", "welcome"),
            )


def _care(folder: Path) -> Iterator[str]:
    """Yield how long a copy and a check of it take, and would take for 50 GB."""
    store, copy = folder / "games.db", folder / "copy.db"

    def copy_store() -> None:
        back_up(store, copy, lambda _done, _total: None)

    def check() -> None:
        with read_snapshot(copy) as db:
            report = audit(SqliteDump(db), lambda _done, _total: None)
        assert not report.damages, report.damages[0]

    for what, do in (
        ("backup", copy_store),
        ("verify", check),
    ):
        begun = time.perf_counter()
        do()
        took = time.perf_counter() - begun
        gigabytes = copy.stat().st_size / 1e9
        minutes = took / 60 * LARGE_GB / gigabytes
        yield f"{what} of {gigabytes:.1f} GB: {took:.0f} s; of {LARGE_GB} GB: {minutes:.0f} minutes"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_many_rooms", description=__doc__)
    parser.add_argument("--rooms", type=int, default=100_000, metavar="N")
    parser.add_argument("--copy", action="store_true", help="time a backup and `verify`, too")
    args = parser.parse_args(arguments)
    for number in (0, args.rooms):
        with TemporaryDirectory() as folder:
            found = measure(Path(folder), max(1, number))
            size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 2**20
            care = list(_care(Path(folder))) if args.copy and number else []
        told = ", ".join(f"{what} {1000 * s:.1f} ms" for what, s in found._asdict().items())
        print(f"{max(1, number):,} rooms, {size:,.0f} MiB: {told}", *care, sep="\n", flush=True)


if __name__ == "__main__":
    main()
