"""`crossroom migrate`: move the games of a server from one kind of store to another."""

import argparse
from textwrap import fill

from crossroom_protocol.cli.data_folder import add_data_flag
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
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only say what it would take; the server may run meanwhile",
    )
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Say what it takes, move everything, and say how much it was.

    Raises:
        OSError: it cannot be moved; nothing has changed.
    """
    # they take long to load
    from crossroom_server.monitoring.process_stats import format_size
    from crossroom_server.store.migrate import migrate_store, migration_cost

    source, target = getattr(args, "from"), args.to
    if source is None and target is None:
        raise OSError("--from STORE or --to STORE, or both, are needed")
    source, target = source or options.store_url(args), target or options.store_url(args)
    cost = migration_cost(source, target)
    print(
        f"{source}: {cost.counts.rooms:,} rooms, {cost.counts.entries:,} entries; to move them "
        f"takes about {_duration(cost.seconds)}, in which no server may use them",
        flush=True,
    )
    if cost.free_bytes is not None:
        needed = "" if cost.needed_bytes is None else f"about {format_size(cost.needed_bytes)}, of "
        print(f"{target} needs {needed}{format_size(cost.free_bytes)} that are free", flush=True)
        if cost.needed_bytes is not None and cost.free_bytes < cost.needed_bytes:
            raise OSError(f"{target}: there is not enough space on that disk")
    if args.dry_run:
        return 0
    with options.progress("steps") as heard:
        moved = migrate_store(source, target, heard)
    print(
        f"{target} has now what {source} has: {moved.rooms:,} rooms, {moved.entries:,} entries, "
        f"{moved.codes:,} resume codes, all compared"
    )
    return 0


def _duration(seconds: float) -> str:
    return f"{round(seconds / 60)} minutes" if seconds > 100 else f"{max(1, round(seconds))} s"
