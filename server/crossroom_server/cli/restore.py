"""`crossroom restore FILE`: let the games be what they were when FILE was made."""

import argparse
from pathlib import Path
from textwrap import fill

from crossroom_protocol.cli.data_folder import add_data_flag
from crossroom_server.cli import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "Stop the server first. FILE is checked entry by entry; if it is damaged, nothing changes. "
        "The current games are kept beside the new file, under a name that is printed.",
        80,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="copy made by `crossroom backup`")
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Check the file, put it in its place, and say where the former one is.

    Raises:
        OSError: the file is damaged, a server is running, or the folder cannot be written; nothing
            has changed.
    """
    from crossroom_server.store.sqlite.backup import restore  # takes long to load

    games = options.games_file(args)
    games.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with options.exit_on_signals(), options.progress("entries") as heard:
        aside = restore(args.file, games, heard)
    print(f"{games} is now what {args.file} was")
    if aside is not None:
        print(f"what was there before is {aside}")
    return 0
