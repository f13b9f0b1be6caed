"""``crossroom table``: somebody's table on the whole screen, with the board always in sight."""

import argparse
from contextlib import closing
from typing import Final

from crossroom_clients.cli.table_options import add_notify_flag, add_table_arguments, resume_hints
from crossroom_clients.connection.address import Address, parse_address
from crossroom_clients.support.language import add_language_flag, using_language_of
from crossroom_clients.support.login import check_name
from crossroom_clients.tui.terminal_check import check_full_screen
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

THEMES: Final = ("dark", "light", "contrast", "colour-blind", "sixteen")
ABOUT: Final = """\
Board, rack, players, clocks, log and talk stand side by side, in a terminal of 80 by 24 or larger,
also over ssh; a mouse is not needed. You lay tiles with the arrow keys and by typing, see at once
what they would earn, and play with Enter. Tab goes to the line for talk and /commands; F1 lists
all keys.

A connection that drops is made again by itself. Your seat is remembered in the data folder: the
same command, or `crossroom join`, brings you back to it.

The table is drawn with Textual, which comes with: pip install 'crossroom[tui]'

exit status: 0 if you left, 1 if the server cannot be reached, or sends you away
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    add_table_arguments(parser)
    parser.add_argument(
        "--theme",
        choices=THEMES,
        default="",
        help="colours; sixteen are those of the terminal itself (default: as you chose last)",
    )
    add_notify_flag(parser)
    add_language_flag(parser)
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Sit at a table until the person leaves; returns the exit status.

    Raises:
        BadText: the name is none to play under.
        BadAddress: the address cannot be understood.
        OSError: the terminal cannot show a table, or the server cannot be reached.
    """
    import asyncio

    check_name(args.name)
    address = parse_address(args.address, args.room)
    check_full_screen()
    with using_language_of(args):
        return asyncio.run(_sit(args, address))


async def _sit(args: argparse.Namespace, address: Address) -> int:
    from crossroom_clients.cli.run_session import run_session
    from crossroom_clients.connection.saved_seats import SavedSeats
    from crossroom_clients.connection.session import ClientSession
    from crossroom_clients.tui.screen import TableScreen
    from crossroom_clients.tui.theme_store import ThemeStore

    data = data_folder(args)
    with closing(SavedSeats(data, address.server)) as seats:
        seat = None if args.new else seats.find(address.room, args.name)
        screen = TableScreen(colours=ThemeStore(data, args.theme), notifies=args.notify)
        visit = ClientSession(address, screen, seats, args.name)
        return await run_session(visit, seat, resume_hints(address, "table"))
