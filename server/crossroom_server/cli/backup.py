"""`crossroom backup FILE`: copy all games into one file; the server may run meanwhile."""

import argparse
from pathlib import Path
from textwrap import fill

from crossroom_protocol.cli import flags
from crossroom_server.cli import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "The server may keep running. FILE is written completely or not at all, and replaced in "
        "one step. It contains all racks, so only you may read it.",
        80,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="file to write the copy to")
    flags.add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Make the copy, and say how large it is.

    Raises:
        OSError: it cannot be made; FILE is as it was.
    """
    from crossroom_server.store.sqlite.backup import back_up  # takes long to load

    with options.exit_on_signals(), options.progress("bytes") as heard:
        back_up(options.games_file(args), args.file, heard)
    print(f"{args.file}: {args.file.stat().st_size:,} bytes; `crossroom verify` checks them")
    return 0
