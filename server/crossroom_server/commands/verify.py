"""`crossroom verify [FILE]`: read everything that is stored, and name what is damaged."""

import argparse
from pathlib import Path

from crossroom_protocol import flags
from crossroom_server.commands import looks
from crossroom_server.store.audit import audit
from crossroom_server.store.sqlite_file import snapshot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = "Every log is played from its beginning. The server may run meanwhile."
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="made by `crossroom backup` (default: the games in the data folder)",
    )
    flags.add_data(parser)


def run(args: argparse.Namespace) -> int:
    """Name every damage in a line of its own, then what there is; 1 if there was any.

    Raises:
        OSError: the file cannot be opened, or is no store at all.
    """
    path = args.file or looks.games(args)
    with snapshot(path) as db, looks.progress("entries") as heard:
        report = audit(db, heard)
    for damage in report.damages:
        print(damage)
    count = len(report.damages)
    found = f"{count} {'damage' if count == 1 else 'damages'}" if count else "all is well"
    print(
        f"{path}: {report.rooms:,} rooms, {report.entries:,} entries, {report.codes:,} resume "
        f"codes: {found}"
    )
    return 1 if count else 0
