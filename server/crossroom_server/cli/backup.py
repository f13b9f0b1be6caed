"""`crossroom backup FILE`: copy all games into one file; the server may run meanwhile."""

import argparse
from pathlib import Path
from textwrap import fill

from crossroom_protocol.cli import flags
from crossroom_server.cli import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "The server may run meanwhile. The copy is complete, or is not there: FILE is replaced at "
        "the end, in one step. All racks are in it, so only you may read it.",
        80,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="where the copy goes")
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
