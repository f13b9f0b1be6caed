"""``crossroom join``: take a seat at somebody's table, with lines up and lines down."""

import argparse
import asyncio
import sys
from contextlib import closing
from typing import Final

from crossroom_clients.cli.run_session import add_plain, choose_screen, stay
from crossroom_clients.cli.table_options import add_whereabouts, ways_back
from crossroom_clients.connection.address import parse
from crossroom_clients.connection.saved_seats import Seats
from crossroom_clients.connection.session import Visit
from crossroom_clients.support.language import add_language, speaking_of
from crossroom_clients.support.login import check_name
from crossroom_protocol.cli.flags import add_data_flag, data_folder

ABOUT: Final = """\
In a terminal you get a line to type in, a bar with your rack, colours and completion. In a pipe,
each line of input is sent when the one before has been answered. What the server says goes to
standard output, everything else to standard error. At the end of the input we leave.

A connection that drops is made again by itself. Your seat is remembered in the data folder: the
same command brings you back to it, also tomorrow and in another terminal. (In a pipe, name it.)

exit status: 0 if you left, 1 if the server cannot be reached, refuses the name, or sends you away
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    add_whereabouts(parser)
    add_plain(parser)
    add_language(parser)
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Visit a server until the person leaves; returns the exit status.

    Raises:
        BadText: the name is none to play under.
        BadAddress: the address cannot be understood.
        Unreachable: the server cannot be reached.
    """
    with speaking_of(args):
        return asyncio.run(_join(args))


async def _join(args: argparse.Namespace) -> int:
    check_name(args.name)
    address = parse(args.address, args.room)
    # A script is nobody in particular, unless it says who.
    is_anybody = args.name is None and not sys.stdin.isatty()
    screen = choose_screen(plain=args.plain)
    with closing(Seats(data_folder(args), address.server)) as seats:
        seat = None if args.new or is_anybody else seats.find(address.room, args.name)
        visit = Visit(address, screen, seats, args.name)
        return await stay(visit, seat, ways_back(address, "join"))
