"""Pictures of real games for the documents: ``python -m tests.pictures table OUT.svg``."""

import argparse
from pathlib import Path

from tests.pictures.table import draw_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("what", choices=["table"], help="the table in a terminal")
    parser.add_argument("out", type=Path, metavar="OUT", help="an SVG file to write")
    parser.add_argument("--size", default="110x36", metavar="COLUMNSxROWS")
    parser.add_argument("--theme", default="dark")
    parser.add_argument(
        "--turns",
        type=int,
        default=13,
        help="turns that are played before; odd, so that alice is on turn",
    )
    args = parser.parse_args()
    columns, rows = map(int, args.size.split("x"))
    draw_table(args.out, (columns, rows), args.theme, args.turns)


main()
