"""`crossroom migrate`: move the games of a server from one kind of store to another."""

import argparse
from textwrap import fill

from crossroom_protocol.cli import flags
from crossroom_server.cli import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "A store is sqlite:PATH (a server's is games.db in its data folder) or "
        "postgresql://USER@HOST/DATABASE; either may be left out, and defaults to the store of the "
        "server on this machine. Stop the server, or all nodes, first. Every log is played, copied "
        "and compared. The new store stays empty until the end, also after an interrupt; the old "
        "one is kept.",
        80,
    )
    for flag, what in (
        ("--from", "store to copy the games from"),
        ("--to", "empty store to copy them to"),
    ):
        parser.add_argument(flag, dest=flag[2:], type=options.store, metavar="STORE", help=what)
    flags.add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Move everything, and say how much it was.

    Raises:
        OSError: it cannot be moved; nothing has changed.
    """
    from crossroom_server.store.migrate import migrate_store  # takes long to load

    source, target = getattr(args, "from"), args.to
    if source is None and target is None:
        raise OSError("--from STORE or --to STORE, or both, are needed")
    source, target = source or options.store_url(args), target or options.store_url(args)
    with options.progress("steps") as heard:
        moved = migrate_store(source, target, heard)
    print(
        f"{target} has now what {source} has: {moved.rooms:,} rooms, {moved.entries:,} entries, "
        f"{moved.codes:,} resume codes, all compared"
    )
    return 0
