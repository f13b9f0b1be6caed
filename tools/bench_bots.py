"""Whether talk is late while bots think: ``python -m tools.bench_bots``.

In some rooms a person plays against an ``expert``, passing at once, so that all these bots think at
the same time. In others people play and talk at set times, and latencies count until the last of a
room has been told. It prints them without the bots and with them, and how long each bot took.
"""

import argparse
import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

from websockets.asyncio.client import connect

from crossroom_clients.bench.figures import latency_figures
from crossroom_clients.bench.load import Crowd, LoadPlan, LoadResult
from crossroom_clients.bench.nodes import FAST_PACE_FLAGS
from crossroom_clients.bench.rooms import GameRoom
from crossroom_clients.connection.address import Address
from crossroom_clients.connection.local_server import local_server
from crossroom_engine.words import catalog
from crossroom_protocol.cli.progress import status_line

_NEXT: Final = re.compile(r"\? your turn|game over")


class BotGame:
    """A game of one who passes against a bot; ``moves`` are the seconds that the bot took."""

    def __init__(self, address: str, level: str) -> None:
        self._address, self._level = address, level
        self.moves: list[float] = []

    async def play(self) -> None:
        """Play until cancelled."""
        async with connect(self._address) as peer:
            for line in ("/name ann", f"/bot add {self._level}", "/set challenge void", "/ready"):
                await peer.send(line)
            asked = time.monotonic()
            async for told in peer:
                if _NEXT.search(str(told)) is None:
                    continue
                self.moves.append(time.monotonic() - asked)
                await peer.send("/ready" if "game over" in str(told) else "/pass")
                asked = time.monotonic()


def _row(what: str, result: LoadResult) -> str:
    told = latency_figures(result)
    cells = (f"{told[f'latency_{p}_ms']:10.1f}" for p in ("p50", "p95", "p99", "max"))
    return f"{what:<34}{''.join(cells)}"


def _bot_rows(games: Sequence[BotGame]) -> Iterator[str]:
    for number, game in enumerate(games, 1):
        moves = game.moves[2:] or game.moves  # when all have begun
        if moves:
            times = f"{len(moves)} moves, {mean(moves):.1f} s each, {max(moves):.1f} s at most"
            yield f"bot {number}: {times}"


async def measure(bots: int, level: str, plan: LoadPlan, folder: Path) -> list[str]:
    """Return the lines of a table."""
    lines = [
        f"{'ms until all in a room are told':<34}" + "       p50       p95       p99       max"
    ]
    lexicon = catalog.open_lexicon("english")
    async with AsyncExitStack() as stack:
        server = stack.enter_context(local_server(folder, *FAST_PACE_FLAGS))
        progress = stack.enter_context(status_line())
        at = server.address.server
        rooms = [
            GameRoom([Address(at, f"room{n}")], plan.people, lexicon) for n in range(plan.rooms)
        ]
        crowd = Crowd(rooms, server.process.pid)
        stack.push_async_callback(crowd.close)
        await crowd.open(progress)
        lines.append(_row("without bots", await crowd.on_time(plan, progress)))
        games = [BotGame(f"{at}/t/bots{n}", level) for n in range(bots)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(game.play()) for game in games]
            await asyncio.sleep(2)
            lines.append(_row(f"with {bots} of {level}", await crowd.on_time(plan, progress)))
            for task in tasks:
                task.cancel()
    return [*lines, *_bot_rows(games)]


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_bots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--bots", type=int, default=8, metavar="N", help="(default: 8)")
    parser.add_argument("--level", default="expert", metavar="LEVEL", help="(default: expert)")
    parser.add_argument("--rooms", type=int, default=20, metavar="N", help="(default: 20)")
    parser.add_argument(
        "--seconds", type=float, default=30.0, metavar="S", help="for each load (default: 30)"
    )
    args = parser.parse_args()
    plan = LoadPlan(args.rooms, 4, 0, 10.0, 2.0, args.seconds, 0, 0)
    with TemporaryDirectory(prefix="crossroom-bench-") as folder:
        print(*asyncio.run(measure(args.bots, args.level, plan, Path(folder))), sep="\n")


if __name__ == "__main__":
    main()
