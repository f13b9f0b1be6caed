"""How a store of many years is used: ``python -m tools.bench_years``.

It fills a SQLite store with finished games of registered players, and with one room that has a long
log and one that has a short one. Then it measures what is asked of it: adding the games up once, as
after an update from a version that did not; `/top` and `/stats` after the next start; opening both
rooms. Meanwhile a ticker tells how late anything else would have been.
"""

import argparse
import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from crossroom_protocol.cli.progress import status_line
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry, Said
from crossroom_server.lobby.leaderboard import Leaderboard
from crossroom_server.store.rows import FINISHED_JSON
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.server import new_lobby

PRESETS: Final = ("official", "tournament", "race")
TICK_S: Final = 0.001

T = TypeVar("T")


def _games(games: int, players: int) -> Iterator[tuple[int, str, str, str]]:
    """Yield rows of finished games."""
    dice = Random(1)
    for number in range(1, games + 1):
        first, second = dice.sample(range(players), 2)
        scores = dice.gauss(350 + first % 100, 60), dice.gauss(350 + second % 100, 60)
        seats = tuple(
            PlayerResult(
                f"player{who}",
                round(score),
                score == max(scores),
                False,
                True,
                None,
                14,
                1,
                "AXE",
                60,
            )
            for who, score in zip((first, second), scores, strict=True)
        )
        game = FinishedGame(
            *(f"page{number}", f"room{number % 50_000}", 1, 1, 40, 1, number),
            *(PRESETS[number % 3], "english", "out", seats, True, True, True),
        )
        yield number, game.page, game.room, FINISHED_JSON.dump_json(game).decode()


def _fill(path: Path, games: int, players: int, long: int) -> None:
    SqliteStore(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executemany("INSERT INTO finished VALUES (?, ?, ?, ?)", _games(games, players))
        for room, length in (("long", long), ("short", 100)):
            entries = (
                LogEntry(seq, seq, Said("ann", f"line {seq}")) for seq in range(1, length + 1)
            )
            rows = ((room, one.seq, LOG_ENTRY.dump_json(one).decode()) for one in entries)
            db.executemany("INSERT INTO entries (room, seq, entry) VALUES (?, ?, ?)", rows)
        db.commit()


@contextlib.asynccontextmanager
async def _lateness() -> AsyncIterator[Callable[[], float]]:
    """Tell how late, in seconds, a timer was at most since this was asked for."""
    worst, loop = 0.0, asyncio.get_running_loop()

    async def tick() -> None:
        nonlocal worst
        while True:
            due = loop.time() + TICK_S
            await asyncio.sleep(TICK_S)
            worst = max(worst, loop.time() - due)

    ticking = asyncio.create_task(tick())
    yield lambda: worst
    ticking.cancel()


async def _timed(what: str, work: Coroutine[Any, Any, T]) -> T:
    async with _lateness() as worst:
        await asyncio.sleep(0.05)
        begun = time.perf_counter()
        result = await work
        took = time.perf_counter() - begun
        print(f"{what:<58}{1000 * took:>12,.1f} ms{1000 * worst():>10.1f} ms")
    return result


async def _add_up(store: SqliteStore, games: int) -> None:
    board, added = Leaderboard(store), 0
    with status_line() as progress:
        while batch := await board.add_games():
            added += batch
            progress(f"added up {added:,} of {games:,} games")


async def _measure(path: Path, games: int, long: int) -> None:
    print(f"{'':<58}{'took':>15}{'late by':>13}")
    begun = time.perf_counter()
    store = SqliteStore(path)
    print(f"{'open the store':<58}{1000 * (time.perf_counter() - begun):>12,.1f} ms")
    await _timed(f"add {games:,} games up, once", _add_up(store, games))
    store.close()
    store = SqliteStore(path)
    board = Leaderboard(store)
    await _timed("/top after the next start", board.top("official"))
    await _timed("/stats", board.profile("player7"))
    for room, length in (("long", long), ("long", long), ("short", 100)):
        lobby = new_lobby(store)
        await _timed(f"open a room with {length:,} entries", lobby.room(room))
        await lobby.close()
    store.close()


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument(
        "--games", type=int, default=1_000_000, metavar="N", help="(default: 1000000)"
    )
    parser.add_argument("--players", type=int, default=20_000, metavar="N", help="(default: 20000)")
    parser.add_argument(
        "--entries",
        type=int,
        default=100_000,
        metavar="N",
        help="of the long log (default: 100000)",
    )
    args = parser.parse_args()
    with TemporaryDirectory(prefix="crossroom-bench-") as folder:
        path = Path(folder) / "games.db"
        _fill(path, args.games, args.players, args.entries)
        asyncio.run(_measure(path, args.games, args.entries))


if __name__ == "__main__":
    main()
