"""`crossroom ucgi`: a bot of ours as an engine for other programs."""

import argparse
import sys
from typing import Final

from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

ABOUT: Final = """\
UCGI is the interface of https://github.com/woogles-io/open-protocols: lines on standard input,
answers on standard output. Understood are ucgi, isready, ucginewgame, setoption name level value
expert (or solid), position cgp CGP, go movetime MS, stop and quit. Moves after a position are not:
send the position after them.

  position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0 lex english;
  go movetime 1000
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    parser.add_argument(
        "--level",
        choices=("expert", "solid"),
        default="expert",
        help="how it plays, unless the option level says otherwise (default: expert)",
    )
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Answer until the input ends."""
    from crossroom_clients.bots.ucgi_server import UcgiServer
    from crossroom_engine.words import catalog

    def open_lexicon(name: str | None) -> Lexicon:
        return catalog.open_lexicon(name or "english", [data_folder(args) / "lexica"])

    def write(line: str) -> None:
        print(line, flush=True)

    UcgiServer(write, open_lexicon, args.level).serve(sys.stdin)
    return 0
