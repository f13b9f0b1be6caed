"""How many moves a second become durable, over many rooms: ``python -m tools.bench_moves_durable``.

Whole games of two, each in a room of its own, with two people who are told everything, as lines of
text. What they play is worked out before; what is measured is deciding, storing, applying and
telling, in one process, without sockets. A move counts when its answer is there, and then it is on
the disk. Each person makes a move as soon as the one before is told. For comparison: the same logs
written to the store alone, by as many rooms and by one.
"""

import argparse
import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from crossroom_engine.core.board import Board
from crossroom_engine.game.views import view
from crossroom_engine.movegen import best
from crossroom_engine.words import catalog
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.monitoring.gc_policy import managed_gc
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.room.room import Room
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.store.contract import Store
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table.state import Sources
from tests.support.fake_bots import line_of
from tests.support.room_driver import SHIPPED_LEXICA, FakeClient

GAMES: Final = 20
"""Different games that are played; more rooms play the same again."""


class Script(NamedTuple):
    """A game: the seed of its dice, who says what, and how long its log is in the end."""

    seed: int
    lines: tuple[tuple[int, str], ...]
    log: tuple[LogEntry, ...]


class SilentClient(FakeClient):
    """Somebody who does not look at what they hear, as that is no work of the server."""

    def send(self, frames: Sequence[str]) -> None:
        self.received += frames


class BenchGame:
    """A room with two people in it, who have sat down and are ready to begin."""

    def __init__(self, name: str, seed: int, store: Store) -> None:
        self.clients = (SilentClient("ann"), SilentClient("bob"))
        sources = Sources(SHIPPED_LEXICA, Random(seed), count(1_700_000_000_000, 1000).__next__)
        self.room = Room(name, store, sources, WorkerPool(1), Metrics())

    async def gather(self) -> None:
        await self.room.open()
        self._running = asyncio.create_task(self.room.run())
        for client in self.clients:
            await self.room.enter(client, client.name)
        await self.say(0, "/set first-player seat")
        await self.say(0, "/ready")

    async def say(self, seat: int, line: str) -> None:
        request = read_line(line, in_room=True)
        assert request is not None
        await self.room.ask(self.clients[seat], request)

    async def go(self, script: Script) -> None:
        for seat, line in script.lines:
            await self.say(seat, line)
            for client in self.clients:
                client.received.clear()

    async def close(self) -> None:
        await self.room.close()
        await self._running


async def record_script(seed: int) -> Script:
    """Let two greedy people play a game to its end."""
    store, english = MemoryStore(), catalog.open_lexicon("english")
    play, lines = BenchGame("room", seed, store), []
    await play.gather()
    lines.append((1, "/ready"))
    await play.say(*lines[0])
    while (game := play.room.table.playing) is not None:
        if game.phase == "last_word":
            lines.append((game.awaited[0], "/accept"))
        else:
            seen = view(game, game.on_turn)
            board = Board.from_rows(seen.board, game.rules.tiles)
            found = best(game.rules, board, seen.rack, english, 1)
            lines.append((game.on_turn, line_of(found[0]) if found else "/pass"))
        await play.say(*lines[-1])
    await play.close()
    return Script(seed, tuple(lines), tuple(await store.read("room")))


class Throughput(NamedTuple):
    """So much of something a second, by the clock and by the processor time of this process."""

    what: str
    by_clock: float
    by_processor: float


class Stopwatch:
    """Measures from when it is made."""

    def __init__(self) -> None:
        self._clock, self._processor = time.perf_counter(), time.process_time()

    def pace(self, what: str, number: int) -> Throughput:
        """What it comes to if *number* were done since."""
        clock, processor = time.perf_counter(), time.process_time()
        return Throughput(
            what, number / (clock - self._clock), number / (processor - self._processor)
        )


async def through_rooms(what: str, scripts: Sequence[Script], store: Store) -> Throughput:
    """All the games at once; afterwards the logs hold what was rehearsed."""
    plays = [BenchGame(f"room-{at}", one.seed, store) for at, one in enumerate(scripts)]
    await asyncio.gather(*(play.gather() for play in plays))
    watch = Stopwatch()
    await asyncio.gather(*(play.go(one) for play, one in zip(plays, scripts, strict=True)))
    found = watch.pace(what, sum(len(script.lines) for script in scripts))
    for play, script in zip(plays, scripts, strict=True):
        assert _moves(await store.read(play.room.name)) == _moves(script.log)
    await asyncio.gather(*(play.close() for play in plays))
    return found


def _moves(log: Iterable[LogEntry]) -> list[Moved]:
    return [entry.what for entry in log if isinstance(entry.what, Moved)]


async def through_store(what: str, scripts: Sequence[Script], store: Store) -> Throughput:
    """The logs of all the games, entry by entry."""

    async def write(room: str, log: tuple[LogEntry, ...]) -> None:
        for entry in log:
            await store.append(room, entry.seq - 1, [entry])

    watch = Stopwatch()
    await asyncio.gather(*(write(f"log-{at}", one.log) for at, one in enumerate(scripts)))
    return watch.pace(what, sum(len(script.log) for script in scripts))


async def measure(rooms: int, folder: Path) -> list[Throughput]:
    """All figures."""
    games = [await record_script(seed) for seed in range(min(rooms, GAMES))]
    scripts = [games[number % len(games)] for number in range(rooms)]
    with (
        closing(SqliteStore(folder / "games.db")) as store,
        closing(SqliteStore(folder / "one.db")) as alone,
        closing(MemoryStore()) as memory,
    ):
        async with managed_gc():  # as in a server
            return [
                await through_store(f"entries stored, from {rooms} rooms", scripts, store),
                await through_store("entries stored, from one room", scripts[:1], alone),
                await through_rooms(f"moves made, stored and told, {rooms} rooms", scripts, store),
                await through_rooms("the same, kept in memory only", scripts, memory),
            ]


def main() -> None:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_moves_durable",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rooms", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured")
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=arguments.folder, prefix="crossroom-") as folder:
        found = asyncio.run(measure(arguments.rooms, Path(folder)))
    print(f"{'a second':>10} {'of processor time':>18}")
    for pace in found:
        print(f"{pace.by_clock:10,.0f} {pace.by_processor:18,.0f}  {pace.what}")


if __name__ == "__main__":
    main()
