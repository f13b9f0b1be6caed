"""Pictures of real games for the documents: ``python -m tools.pictures table OUT.svg``."""

import argparse
from pathlib import Path

from tools.pictures import page, table

PAGES = {"page-desk": page.page_desk, "page-phone": page.page_phone}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.pictures", description=__doc__)
    parser.add_argument(
        "what", choices=["table", *PAGES], help="the table in a terminal, or in a browser"
    )
    parser.add_argument(
        "out", type=Path, metavar="OUT", help="an SVG file, or of a page a PNG file"
    )
    terminal = parser.add_argument_group("in a terminal")
    terminal.add_argument("--size", default="110x36", metavar="COLUMNSxROWS")
    terminal.add_argument("--theme", default="dark")
    terminal.add_argument(
        "--turns",
        type=int,
        default=13,
        help="turns that are played before; odd, so that alice is on turn",
    )
    args = parser.parse_args()
    if args.what in PAGES:
        PAGES[args.what](args.out)
    else:
        columns, rows = map(int, args.size.split("x"))
        table.draw_table(args.out, (columns, rows), args.theme, args.turns)


if __name__ == "__main__":
    main()
