"""`crossroom autoplay`: let two bots play many games, and tell who is better."""

import argparse
from textwrap import fill

from crossroom_clients.support import arg_types
from crossroom_clients.support.arg_types import LEVEL_NAMES
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "Games come in pairs: in the second the bots have changed seats, and each seat draws from "
        "the same end of the same bag. What follows a ± is a standard error. Levels, from the "
        f"weakest: {', '.join(LEVEL_NAMES)}.",
        80,
    )
    for side in "ab":
        parser.add_argument(
            f"--{side}",
            required=True,
            choices=LEVEL_NAMES,
            metavar="LEVEL",
            help=f"bot {side.upper()}",
        )
    parser.add_argument(
        "--games",
        type=arg_types.whole_number(1, 10**9),
        default=100,
        metavar="N",
        help="an odd number is made even (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=arg_types.whole_number(0, 2**63),
        default=1,
        metavar="N",
        help="of bags and bots (default: %(default)s)",
    )
    parser.add_argument("--lexicon", metavar="NAME", help="word list (default: that of the preset)")
    parser.add_argument(
        "--preset", choices=PRESETS, default="official", help="rules (default: %(default)s)"
    )
    parser.add_argument(
        "--budget",
        type=arg_types.seconds(3600),
        metavar="SECONDS",
        help="of a turn, for levels that think (default: what each takes at a table)",
    )
    parser.add_argument(
        "--jobs",
        type=arg_types.whole_number(1, 1024),
        default=1,
        metavar="N",
        help="processes; bots that think need a processor each (default: %(default)s)",
    )
    add_data_flag(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """See :func:`crossroom_clients.cli.bot_match.run`."""
    from crossroom_clients.cli import bot_match

    return bot_match.run(args)
