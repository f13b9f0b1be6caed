"""Somebody's table, on whichever screen: where it is, as whom one comes, and how one comes back."""

import argparse
import shlex
from collections.abc import Callable

from crossroom_clients.connection.address import FORMS, Address
from crossroom_clients.connection.resume_state import Bookmark
from crossroom_protocol.base.translate import gettext


def add_whereabouts(parser: argparse.ArgumentParser) -> None:
    """Add ``ADDRESS``, ``ROOM``, ``--name`` and ``--new``."""
    parser.add_argument("address", metavar="ADDRESS", help=FORMS)
    parser.add_argument("room", nargs="?", metavar="ROOM", help="the room, if not in the address")
    parser.add_argument("--name", metavar="NAME", help="who you are there (default: you are asked)")
    parser.add_argument(
        "--new", action="store_true", help="come as somebody new, not back to your seat"
    )


def ways_back(address: Address, by: str) -> Callable[[Bookmark], list[str]]:
    """What to say at the end to whoever has a seat: how to come back, *by* which command."""

    def ways(mark: Bookmark) -> list[str]:
        place = str(Address(address.server, mark.room))
        command = ["crossroom", by, place, "--name", mark.name or ""]
        return [
            gettext("to come back: {command}", command=shlex.join(command)),
            gettext("from any other client: {request}", request=mark.request),
        ]

    return ways
