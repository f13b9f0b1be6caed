"""`crossroom verify`: is what a server has stored whole, and was the bag of a game fair?"""

import argparse
import json
from typing import Final

from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.wording import format_count
from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag
from crossroom_server.cli import options
from crossroom_server.config.store_url import StoreUrl, read_store_flag

EPILOG: Final = """\
For a store, every log is played from its beginning, and the tiles of every
finished game are drawn again from its seed; the server may keep running.

For a game, every tile is drawn again from the sealed seed. If the draws agree,
the game was fair, provided its seal is the one announced when it began; --seal
compares them. The rules of drawing (RULES.md, section 9) are short enough to
check this program with one of your own.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = EPILOG
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a finished game (NAME.json from /export json, or - for standard input), or a store: "
        "a copy made by `crossroom backup`, or postgresql://... (default: the server's games)",
    )
    parser.add_argument(
        "--seal",
        type=_digits,
        metavar="DIGITS",
        help="for a game: the seal announced when it began, or its first digits",
    )
    add_data_flag(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Name everything that is wrong, in a line of its own.

    Returns:
        0 if nothing is, 1 if something is, 2 if a game cannot be checked.

    Raises:
        OSError: a store cannot be opened, or is none at all.
    """
    from crossroom_server.cli import verify_draws  # takes long to load

    games = [name for name in args.files if _is_game(name)]
    stores = [_place(name) for name in args.files if name not in games]
    if not args.files:
        stores = [options.store_url(args)]
    statuses = [_verify_store(path, as_json=args.json) for path in stores]
    if games:
        statuses.append(verify_draws.check(games, args.seal, as_json=args.json))
    return max(statuses)


def _is_game(name: str) -> bool:
    """Is that an exported game, rather than a store?"""
    return name == options.STDIN or name.endswith(".json")


def _digits(text: str) -> str:
    digits = text.removesuffix("...").lower()
    if not 8 <= len(digits) <= 64 or set(digits) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError(f"{text!r} is not 8 to 64 hexadecimal digits")
    return digits


def _place(name: str) -> StoreUrl:
    try:
        return read_store_flag(name)
    except ValueError as error:
        raise OSError(str(error)) from None


def _verify_store(path: StoreUrl, *, as_json: bool) -> int:
    from crossroom_server.store.audit import audit  # takes long to load
    from crossroom_server.store.open import open_dump

    with open_dump(path) as db, options.progress("entries") as heard:
        report = audit(db, heard)
    if as_json:
        print(json.dumps({"file": str(path), **report._asdict()}, ensure_ascii=False))
        return 1 if report.damages or report.unfair else 0
    for fault in (*report.damages, *report.unfair):
        print(clean(fault))
    found = [format_count(len(report.damages), "damage")] if report.damages else []
    found += [format_count(len(report.unfair), "unfair draw")] if report.unfair else []
    print(
        f"{path}: {report.rooms:,} rooms, {report.entries:,} entries, {report.codes:,} resume "
        f"codes, {report.sealed:,} sealed games: {' and '.join(found) or 'all is well'}"
    )
    return 1 if found else 0
