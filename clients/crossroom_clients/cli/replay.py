"""`crossroom replay`: show a recorded game, move by move."""

import argparse

from crossroom_protocol.cli import flags


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("file", metavar="FILE", help="a game in GCG, or as JSON from /export json")
    parser.add_argument("--move", type=int, metavar="N", help="show only this move, 1 the first")
    parser.add_argument("--all", action="store_true", help="show all moves at once, ask nothing")
    parser.add_argument(
        "--delay", type=_seconds, metavar="SECONDS", help="go on by itself after so long"
    )
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """See :func:`crossroom_clients.cli.replay_record.run`."""
    from crossroom_clients.cli import replay_record

    return replay_record.run(args)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 3600")
    return seconds
