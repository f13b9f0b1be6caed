"""``crossroom join``: take a seat at somebody's table, with lines up and lines down."""

import argparse
import sys
from contextlib import closing
from typing import Final

from crossroom_clients.cli.table_options import (
    add_notify_flag,
    add_plain_flag,
    add_reader_flag,
    add_table_arguments,
    resume_hints,
)
from crossroom_clients.connection.address import parse_address
from crossroom_clients.support.language import add_language_flag, using_language_of
from crossroom_clients.support.login import check_name
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

ABOUT: Final = """\
In a terminal you get a line to type in, a bar with your rack, colours and completion. In a pipe,
each line of input is sent when the one before has been answered. What the server says goes to
standard output, everything else to standard error. The end of the input leaves the room.

A connection that drops is made again by itself. Your seat is remembered in the data folder: the
same command brings you back to it, also tomorrow and in another terminal. (In a pipe, say whose
seat it is with --name.)

exit status: 0 if you left, 1 if the server cannot be reached, refuses the name, or sends you away
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    add_table_arguments(parser)
    add_plain_flag(parser)
    add_reader_flag(parser)
    add_notify_flag(parser)
    add_language_flag(parser)
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Visit a server until the person leaves; returns the exit status.

    Raises:
        BadText: the name is none to play under.
        BadAddress: the address cannot be understood.
        ServerUnreachable: the server cannot be reached.
    """
    import asyncio

    with using_language_of(args):
        return asyncio.run(_join(args))


async def _join(args: argparse.Namespace) -> int:
    from crossroom_clients.cli.run_session import choose_screen, run_session
    from crossroom_clients.connection.saved_seats import SavedSeats
    from crossroom_clients.connection.session import ClientSession

    check_name(args.name)
    address = parse_address(args.address, args.room)
    # A script is nobody in particular, unless it says who.
    is_anybody = args.name is None and not sys.stdin.isatty()
    screen = choose_screen(plain=args.plain or args.reader, notifies=args.notify)
    with closing(SavedSeats(data_folder(args), address.server)) as seats:
        seat = None if args.new or is_anybody else seats.find(address.room, args.name)
        visit = ClientSession(address, screen, seats, args.name, reader=args.reader)
        return await run_session(visit, seat, resume_hints(address, "join"))
