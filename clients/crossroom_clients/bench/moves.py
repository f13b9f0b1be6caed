"""`crossroom bench moves`: how fast the word engine is, and whether it is right.

Each figure stands beside that of the engine in plain Python, measured in the same run, so that
machines and days can be compared.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple, TypeAlias

from crossroom_clients.bench.figures import format_number, machine
from crossroom_clients.bench.positions import (
    BenchPosition,
    Progress,
    SolvedPosition,
    disagreements,
    make_positions,
    read_positions,
)
from crossroom_clients.support.rules_for import rules_for_lexicon
from crossroom_engine.analysis import selfplay
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.movegen import leaves
from crossroom_engine.movegen.backends import BACKEND, BackendName, Generator, generator
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli.data_folder import data_folder
from crossroom_protocol.cli.progress import status_line

POSITIONS: Final[dict[BackendName, int]] = {"c": 500, "python": 25}
"""Positions to make, by the backend that finds the plays."""

MOST_TOLD: Final = 10
"""Disagreements that are told one by one."""

STARTS: Final = 5
"""Processes that are started; the median counts."""

NAMES: Final[dict[BackendName, str]] = {"c": "C kernel", "python": "plain Python"}


class EngineFigure(NamedTuple):
    """Something measured of this engine; and in plain Python, if this one is another.

    The ``key`` is for programs, and stays; :data:`LABELS` says what people read.
    """

    key: str
    ours: float
    twins: float | None = None
    ratio: float | None = None


Question: TypeAlias = Callable[[Generator, BenchPosition, Leaves], object]

LABELS: Final = {
    "all_plays_positions_per_s": "all plays, positions/s",
    "count_positions_per_s": "their number, positions/s",
    "best_score_positions_per_s": "best by score, positions/s",
    "best_equity_positions_per_s": "best by equity, positions/s",
    "any_play_positions_per_s": "is there any, positions/s",
    "self_play_games_per_s": "static self-play, games/s",
    "start_ms": "process start with list, ms",
    "start_memory_mb": "its memory at most, MB",
}

QUESTIONS: Final[dict[str, Question]] = {
    "all_plays_positions_per_s": lambda engine, at, _: engine.plays(at.board, at.rack),
    "count_positions_per_s": lambda engine, at, _: engine.count(at.board, at.rack),
    "best_score_positions_per_s": lambda engine, at, _: engine.best(at.board, at.rack, 1, None),
    "best_equity_positions_per_s": lambda engine, at, worth: engine.best(
        at.board, at.rack, 1, worth
    ),
    "any_play_positions_per_s": lambda engine, at, _: engine.any(at.board, at.rack),
}


def run(args: argparse.Namespace) -> int:
    """Check, measure and print.

    Returns:
        0, or 1 if the engine disagrees with the file.

    Raises:
        BadText: the file has a line of another form, or there is no such word list.
        OSError: a file cannot be read.
    """
    path = Path(args.lexicon)
    if not path.is_file():
        path = catalog.lexicon_path(args.lexicon, [data_folder(args) / "lexica"])
    lexicon = Lexicon.open(path)
    rules = rules_of(lexicon)
    worth = leaves.find_leaves(lexicon, rules.tiles)
    if not args.json:
        print(f"word list {lexicon.name}: {len(lexicon):,} words; leaves {worth.name}")
    with status_line() as progress:
        if args.positions:
            known = list(read_positions(args.positions, rules))
            wrong = list(disagreements(known, generator(rules, lexicon), progress))
            progress("")
            if not args.json or wrong:
                _print_verdict(known, wrong)
            if wrong:
                return 1
            positions = [one.position for one in known]
        else:
            progress("games, to make positions")
            positions = list(islice(make_positions(rules, lexicon, worth), POSITIONS[BACKEND]))
            progress("")
            if not args.json:
                print(f"{len(positions)} positions of games that the engine played with itself")
        bench = EngineBench(rules, lexicon, path, worth, positions, args.seconds)
        if args.json:
            print(json.dumps({"machine": machine(), "figures": bench.measure(progress)}))
        else:
            bench.print(progress)
    return 0


def _print_verdict(known: Sequence[SolvedPosition], wrong: Sequence[tuple[int, str]]) -> None:
    print(f"{len(known) - len(wrong)} of {len(known)} agree")
    for line, what in wrong[:MOST_TOLD]:
        print(f"line {line}: {what}")
    if len(wrong) > MOST_TOLD:
        print(f"and {len(wrong) - MOST_TOLD} more")


def rules_of(lexicon: Lexicon) -> Ruleset:
    """Return the tournament rules with the tiles that the list was made for."""
    return rules_for_lexicon(lexicon, PRESETS["tournament"])


class EngineBench:
    """Measures this process's engine, and beside it the one in plain Python."""

    def __init__(
        self,
        rules: Ruleset,
        lexicon: Lexicon,
        path: Path,
        worth: Leaves,
        positions: Sequence[BenchPosition],
        seconds: float,
    ) -> None:
        self._rules, self._lexicon, self._path = rules, lexicon, path
        self._worth, self._seconds = worth, seconds
        self._positions = [*positions]
        Random(0).shuffle(self._positions)  # so that the first few are like all of them
        self._fewest = len(positions)

    def measure(self, progress: Progress) -> dict[str, dict[str, float | None]]:
        """Return the figures by key."""
        return {
            figure.key: {"ours": figure.ours, "python": figure.twins, "ratio": figure.ratio}
            for figure in self._figures(progress)
        }

    def print(self, progress: Progress) -> None:
        """Print a table, line by line as it is measured."""
        heads = [NAMES[BACKEND], *([NAMES["python"], "ratio"] if BACKEND == "c" else [])]
        print(f"{'':<28}" + "".join(f"{head:>15}" for head in heads))
        for figure in self._figures(progress):
            cells = [
                format_number(number)
                for number in (figure.ours, figure.twins, figure.ratio)
                if number is not None
            ]
            progress("")
            print(
                f"{LABELS[figure.key]:<28}" + "".join(f"{cell:>15}" for cell in cells), flush=True
            )
        if BACKEND == "c":
            print(
                f"plain Python was asked {self._fewest} or more of the {len(self._positions)} "
                "positions; the ratios are about those"
            )

    def _figures(self, progress: Progress) -> Iterator[EngineFigure]:
        for key, question in QUESTIONS.items():
            progress(LABELS[key])
            yield self._question(key, question)
        progress("static self-play")
        yield self._self_play()
        progress("process start")
        yield from self._starts()

    def _question(self, key: str, question: Question) -> EngineFigure:
        ask = self._asker(question, generator(self._rules, self._lexicon))
        ours, _ = rate(ask, self._positions, self._seconds)
        if BACKEND == "python":
            return EngineFigure(key, ours)
        ask_twin = self._asker(question, PythonBackend(self._rules, self._lexicon))
        twins, asked = rate(ask_twin, self._positions, self._seconds, whole=False)
        self._fewest = min(self._fewest, asked)
        same, _ = rate(ask, self._positions[:asked], self._seconds / 4)
        return EngineFigure(key, ours, twins, same / twins)

    def _asker(self, question: Question, engine: Generator) -> Callable[[BenchPosition], object]:
        return lambda position: question(engine, position, self._worth)

    def _self_play(self) -> EngineFigure:
        key = "self_play_games_per_s"
        ours, _ = self_play(self._rules, self._lexicon, self._worth, self._seconds)
        if BACKEND == "python":
            return EngineFigure(key, ours)
        twins, games = map(
            float, _in_process("python", _SELF_PLAY, self._path, self._seconds).split()
        )
        same, _ = self_play(self._rules, self._lexicon, self._worth, self._seconds / 4, int(games))
        return EngineFigure(key, ours, twins, same / twins)

    def _starts(self) -> Iterator[EngineFigure]:
        """A process that has answered a first question, from nothing, and what it takes."""
        ours, twins = (
            [_start(engine, self._path) for _ in range(STARTS)] for engine in (BACKEND, "python")
        )
        for place, key in enumerate(("start_ms", "start_memory_mb")):
            one, other = (median(start[place] for start in each) for each in (ours, twins))
            yield (
                EngineFigure(key, one, other, one / other)
                if BACKEND == "c"
                else EngineFigure(key, one)
            )


def rate(
    ask: Callable[[BenchPosition], object],
    positions: Sequence[BenchPosition],
    seconds: float,
    *,
    whole: bool = True,
) -> tuple[float, int]:
    """Ask about the positions again and again: how many a second, and about how many of them.

    Stops after so many *seconds*, at the end of a round; if not *whole*, at the first position.
    """
    begun, asked, spent = perf_counter(), 0, 0.0
    while spent < seconds or not asked:
        for position in positions:
            ask(position)
            asked += 1
            if not whole and perf_counter() - begun > seconds:
                break
        spent = perf_counter() - begun
    return asked / spent, min(asked, len(positions))


def self_play(
    rules: Ruleset, lexicon: Lexicon, worth: Leaves, seconds: float, different: int = 1 << 32
) -> tuple[float, int]:
    """Play games for so many *seconds*: how many a second, and how many.

    After so many *different* ones they are the same again.
    """
    begun, games, spent = perf_counter(), 0, 0.0
    while spent < seconds:
        selfplay.play_match(rules, lexicon, games % different, (worth, worth))
        games += 1
        spent = perf_counter() - begun
    return games / spent, games


# Other processes: what has to be measured in a fresh one, and games in plain Python.

_SELF_PLAY: Final = """\
import sys
from pathlib import Path
from crossroom_clients.bench.moves import rules_of, self_play
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words.lexicon import Lexicon
path, seconds = Path(sys.argv[1]), float(sys.argv[2])
lexicon = Lexicon.open(path)
rules = rules_of(lexicon)
print(*self_play(rules, lexicon, find_leaves(lexicon, rules.tiles), seconds))
"""

_START: Final = """\
import sys
from crossroom_engine.core.board import Board
from crossroom_engine.words.lexicon import Lexicon
from crossroom_engine.movegen import is_any_play_left
from crossroom_engine.core.rules import PRESETS
rules = PRESETS["tournament"]
is_any_play_left(rules, Board.empty(rules.layout), ("A", "T"), Lexicon.open(sys.argv[1]))
try:
    with open("/proc/self/status") as status:
        print(next(line for line in status if line.startswith("VmHWM")).split()[1])
except OSError:
    try:
        import resource
    except ImportError:
        print("nan")
    else:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(most / 1024 if sys.platform == "darwin" else most)
"""
"""Prints the most memory that the process ever held, in KiB, where that can be known. What
``resource`` says on Linux may be that of the process it was started from."""


def _in_process(engine: BackendName, script: str, *args: object) -> str:
    """Run a script in a process with that word engine, and return its output."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *map(str, args)],
        env={**os.environ, "CROSSROOM_KERNEL": engine},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"a process to measure in has failed: {done.stderr.strip()[-200:]}")
    return done.stdout


def _start(engine: BackendName, path: Path) -> tuple[float, float]:
    """Start a process: milliseconds until it is over, megabytes of memory at most."""
    begun = perf_counter()
    most = float(_in_process(engine, _START, path))
    return 1000 * (perf_counter() - begun), most * 1024 / 1e6
