"""Compare the speed of two commits: ``python -m tools.bench_compare COMMIT``.

Each gets a checkout and an installation of its own in a temporary folder, and then the same bench,
in turn: the other commit, this one, the other, this one. What the machine does meanwhile hits both,
and each pair of runs gives a ratio; how far these lie apart says how much to believe. What stands
behind ``--`` is for the bench, for instance ``-- --rooms 500``. It needs a checkout with its
history, and a machine that does nothing else.
"""

import argparse
import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

from crossroom_clients.bench.figures import LABELS, format_number, machine
from crossroom_clients.bench.moves import LABELS as MOVES_LABELS
from crossroom_protocol.cli.progress import status_line

Figures: TypeAlias = Mapping[str, float]

RATIO_TO_BARE: Final = "_to_bare"
"""Ends the key of a figure that is divided by that of the bare server of the same run."""


class Comparison(NamedTuple):
    """One figure of both commits: medians, and the least, median and greatest ratio of a pair."""

    key: str
    before: float
    after: float
    ratios: tuple[float, float, float]


def compare(before: Sequence[Figures], after: Sequence[Figures]) -> Iterator[Comparison]:
    """Yield the figures that all runs have; run n of both commits is a pair."""
    runs = [*before, *after]
    for key in runs[0]:
        if not all(run.get(key) for run in runs):  # 0 has no ratio
            continue
        ratios = [new[key] / old[key] for old, new in zip(before, after, strict=True)]
        yield Comparison(
            key,
            median(run[key] for run in before),
            median(run[key] for run in after),
            (min(ratios), median(ratios), max(ratios)),
        )


def read_figures(text: str) -> dict[str, float]:
    """Read what a bench printed as JSON, of this commit or of one that had labels for keys.

    Raises:
        ValueError: it is something else.
    """
    figures: dict[str, float] = {}
    for name, cells in json.loads(text)["figures"].items():
        key = _former_key(name)
        ours = cells.get("crossroom", cells.get("ours"))
        if key is None or ours is None:
            continue
        figures[key] = ours
        if cells.get("bare", cells.get("bare websockets")):
            figures[key + RATIO_TO_BARE] = cells["ratio"]
    return figures


def _former_key(name: str) -> str | None:
    """Return the key of a figure by its key, or by the label that it once had in its place."""
    if name in LABELS or name in MOVES_LABELS:
        return name
    where = "crowd" if name.endswith("rooms of 100") else "talk"
    for key, text in LABELS.items():
        front = text.partition(", rooms of")[0]
        if name == text or (key.startswith(where) and name.startswith(front)):
            return key
    return None


class Checkout:
    """A commit that gets an installation of its own.

    Args:
        root: The repository.
        folder: Where it goes; must not exist.
        commit: What is checked out.
        python: The interpreter that runs it.
    """

    def __init__(self, root: Path, folder: Path, commit: str, python: str) -> None:
        self._root, self._folder = root, folder
        self._commit, self._python = commit, python

    @contextlib.contextmanager
    def installed(self) -> "Iterator[Checkout]":
        """Install it while inside.

        Raises:
            OSError: there is no such commit, or it cannot be installed.
        """
        _run("git", "-C", self._root, "worktree", "add", "--detach", self._folder, self._commit)
        try:
            environment = self._folder / ".venv"
            _run(self._python, "-m", "venv", environment)
            _run(environment / "bin" / "pip", "install", "--quiet", self._folder)
            yield self
        finally:
            _run("git", "-C", self._root, "worktree", "remove", "--force", self._folder)

    def measure(self, bench: str, flags: Sequence[str]) -> dict[str, float]:
        """Run the bench once.

        Raises:
            OSError: it failed; the text is what it said.
        """
        program = self._folder / ".venv" / "bin" / "crossroom"
        return read_figures(_run(program, "bench", bench, "--json", *flags))


def _run(*command: object) -> str:
    """Return what a command printed.

    Raises:
        OSError: it failed; the text is what it said.
    """
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout}")
    return done.stdout


def in_turns(
    before: Callable[[], Figures],
    after: Callable[[], Figures],
    runs: int,
    progress: Callable[[str], None],
) -> tuple[list[Figures], list[Figures]]:
    """Measure both so many times, in turn."""
    old, new = list[Figures](), list[Figures]()
    for number in range(1, runs + 1):
        progress(f"run {number} of {runs}: the other commit")
        old.append(before())
        progress(f"run {number} of {runs}: this commit")
        new.append(after())
    return old, new


def table(found: Sequence[Comparison]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{'':<34}{'before':>12}{'after':>12}{'ratio':>8}  {'least to most'}"
    for one in found:
        least, middle, most = one.ratios
        before, after = format_number(one.before), format_number(one.after)
        yield f"{one.key:<34}{before:>12}{after:>12}{middle:>8.3f}  {least:.3f} to {most:.3f}"


def main() -> int:
    """Read the command line, compare and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_compare",
        usage="%(prog)s [OPTIONS] COMMIT [-- FLAGS OF THE BENCH]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("commit", metavar="COMMIT", help="that HEAD is compared with")
    parser.add_argument("--bench", choices=("server", "moves"), default="server")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each (default: 5)")
    parser.add_argument(
        "--python", default=sys.executable, metavar="FILE", help="(default: the one that runs this)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args, flags = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1 :]
    root = Path(__file__).parent.parent
    try:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="crossroom-compare-")))
            progress = stack.enter_context(status_line())
            progress("installing both")
            old, new = (
                stack.enter_context(Checkout(root, folder / name, commit, args.python).installed())
                for name, commit in (("old", args.commit), ("new", "HEAD"))
            )
            before, after = in_turns(
                lambda: old.measure(args.bench, flags),
                lambda: new.measure(args.bench, flags),
                args.runs,
                progress,
            )
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError) as error:
        print(
            f"{error}\nIs {args.commit} a commit of this checkout, and knows its bench --json?",
            file=sys.stderr,
        )
        return 1
    found = list(compare(before, after))
    if args.json:
        told = {one.key: one._asdict() for one in found}
        print(
            json.dumps(
                {"commit": args.commit, "runs": args.runs, "machine": machine(), "figures": told}
            )
        )
    else:
        print(*table(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
