"""`crossroom backup FILE`: copy all games into one file; the server may run meanwhile."""

import argparse
import re
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill
from typing import Final

from crossroom_engine.core.units import DAY_S, HOUR_S, MINUTE_S
from crossroom_protocol.cli.data_folder import add_data_flag
from crossroom_server.cli import options
from crossroom_server.config.settings import COPIES

MAX_COPIES: Final = 100_000
MIN_INTERVAL_S: Final = MINUTE_S
RETRY_S: Final = 10 * MINUTE_S
"""Seconds after a copy that failed until another is tried."""
NAP_S: Final = 30.0
"""Seconds between two looks at the clock: it may be set, and machines are suspended."""
_UNITS: Final = {"m": MINUTE_S, "h": HOUR_S, "d": DAY_S}
_COPY: Final = re.compile(r"games-[0-9]{8}-[0-9]{6}\.db")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "The server may keep running. A copy is written completely or not at all, and replaced in "
        "one step. It contains all racks, so only you may read it. With --keep or --every, PLACE "
        "is a folder, by default backups in the data folder, and each copy is named after its "
        "time. Only copies named so are ever deleted.",
        80,
    )
    parser.add_argument(
        "place", type=Path, nargs="?", metavar="PLACE", help="file to write the copy to"
    )
    parser.add_argument(
        "--keep",
        type=_count,
        metavar="N",
        help="write into a folder, and delete all copies there but the newest N",
    )
    parser.add_argument(
        "--every",
        type=_interval,
        metavar="TIME",
        help="keep running, and make a copy as often as this: 1d, 12h, 30m",
    )
    add_data_flag(parser)


def _interval(text: str) -> float:
    unit = _UNITS.get(text[-1:])
    if unit is None or not (text[:-1].isascii() and text[:-1].isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 1d, 12h or 30m")
    seconds = int(text[:-1]) * unit
    if not MIN_INTERVAL_S <= seconds <= 366 * DAY_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not between a minute and a year")
    return seconds


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= MAX_COPIES):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of copies")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Make a copy, or one after the other until this process is ended, and say how large they are.

    Raises:
        OSError: it cannot be made; what was there is as it was.
    """
    source = options.games_file(args)
    with options.exit_on_signals():
        if args.keep is None and args.every is None:
            if args.place is None:
                raise OSError("name the file of the copy, or say how many to keep: --keep 14")
            _copy(source, args.place)
            return 0
        folder = args.place or source.parent / COPIES
        if args.every is None:
            _copy_into(folder, source, args.keep)
            return 0
        for _ in _due(folder, args.every):
            try:
                _copy_into(folder, source, args.keep)
            except OSError as error:
                print(f"crossroom: {error}", file=sys.stderr, flush=True)
                time.sleep(min(RETRY_S, args.every))
    return 0


def _due(folder: Path, every: float) -> Iterator[None]:
    """Wait until a copy is due, again and again: a restart makes no more of them."""
    while True:
        newest = max((path.stat().st_mtime for path in copies(folder)), default=0.0)
        # one from the future was made before the clock was set
        while newest <= time.time() < newest + every:
            time.sleep(min(NAP_S, max(1.0, newest + every - time.time())))
        yield


def copies(folder: Path) -> list[Path]:
    """Return the copies in a folder that were named after their time, the oldest first."""
    return sorted(path for path in folder.glob("games-*.db") if _COPY.fullmatch(path.name))


def _copy_into(folder: Path, source: Path, keep: int | None) -> None:
    from crossroom_server.store.sqlite.replacing import give

    is_new = not folder.exists()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    target = folder / f"games-{stamp}.db"
    _copy(source, target)
    for made in [target, *([folder] if is_new else [])]:
        give(made, source)  # the server's user makes the next copy, perhaps
    if keep is not None:
        for old in copies(folder)[:-keep]:
            old.unlink()


def _copy(source: Path, target: Path) -> None:
    from crossroom_server.store.sqlite.backup import back_up  # takes long to load

    with options.progress("bytes") as heard:
        back_up(source, target, heard)
    print(f"{target}: {target.stat().st_size:,} bytes; `crossroom verify` checks them", flush=True)
