"""`crossroom analyze`: compare every turn of a recorded game with the best play."""

import argparse
from typing import Final

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag

ABOUT: Final = """\
Each turn is judged by equity: the points, and what the tiles that are kept are worth. Nobody looks
further ahead. A turn whose rack is not written down in full cannot be judged, and is left out.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    parser.add_argument("file", metavar="FILE", help="a game in GCG, or as JSON from /export json")
    parser.add_argument(
        "--lexicon",
        metavar="NAME",
        help="word list (default: the one that the record names, else english)",
    )
    add_data_flag(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """See :func:`crossroom_clients.cli.analyze_record.run`."""
    from crossroom_clients.cli import analyze_record

    return analyze_record.run(args)
