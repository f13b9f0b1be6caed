"""How many appends a second become durable, by store: ``python -m tools.bench_appends``.

The same short entries go into SQLite and into a PostgreSQL server of their own, on the same disk,
there from a server alone and from a node; from one caller and from many, each of whom waits for one
append before the next, in turns of a few seconds.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.store.contract import Store
from crossroom_server.store.postgres.store import PostgresStore
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.lease_store import AutoClaimStore
from tests.support.postgres_server import postgres_server

CALLERS: Final = (1, 64)
TEXT: Final = "x" * 300
"""Makes an entry as long as that of a move."""


async def pace(store: Store, callers: int, seconds: float, turn: int) -> float:
    """Appends a second."""
    until = time.perf_counter() + seconds

    async def write(room: str) -> int:
        number = 0
        while time.perf_counter() <= until:
            entry = LogEntry(number + 1, 1_700_000_000_000 + number, Said("Ada", TEXT))
            await store.append(room, number, [entry])
            number += 1
        return number

    begun = time.perf_counter()
    done = await asyncio.gather(*(write(f"{turn}-{callers}-{n}") for n in range(callers)))
    return sum(done) / (time.perf_counter() - begun)


async def measure(stores: dict[str, Store], turns: int, seconds: float) -> Iterator[str]:
    """A line for each store and number of callers: the paces of all turns."""
    found: dict[tuple[int, str], list[float]] = {}
    for turn in range(turns):
        for callers in CALLERS:
            for name, store in stores.items():
                told = await pace(store, callers, seconds, turn)
                found.setdefault((callers, name), []).append(told)
    return (
        f"{name:10} {callers:3} callers: " + " ".join(f"{told:8,.0f}" for told in sorted(paces))
        for (callers, name), paces in found.items()
    )


@contextmanager
def stores(folder: Path) -> Iterator[dict[str, Store]]:
    """A store of each kind."""
    with (
        postgres_server() as server,
        closing(PostgresStore(server.empty_database())) as postgres,
        closing(AutoClaimStore(server.empty_database("node"), "node-1")) as node,
        closing(SqliteStore(folder / "games.db")) as sqlite,
    ):
        yield {"SQLite": sqlite, "PostgreSQL": postgres, "node": node}


def main() -> None:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_appends", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="for one turn")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="crossroom-") as folder, stores(Path(folder)) as found:
        for line in asyncio.run(measure(found, arguments.turns, arguments.seconds)):
            print(line)


if __name__ == "__main__":
    main()
