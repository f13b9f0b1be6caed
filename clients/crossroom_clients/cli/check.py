"""`crossroom check`: find the errors in recorded games."""

import argparse

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="records in GCG; a folder stands for the *.gcg in it, - for standard input",
    )
    parser.add_argument("--lexicon", metavar="NAME", help="judge the words too, by this word list")
    add_data_flag(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """See :func:`crossroom_clients.cli.check_records.run`."""
    from crossroom_clients.cli import check_records

    return check_records.run(args)
