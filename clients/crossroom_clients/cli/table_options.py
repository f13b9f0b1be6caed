"""Somebody's table, on whichever screen: where it is, as whom one comes, and how one comes back."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from crossroom_clients.connection.address import ADDRESS_FORMS, Address
from crossroom_protocol.base.translate import gettext

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from crossroom_clients.connection.resume_state import ResumeState


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``ADDRESS``, ``ROOM``, ``--name`` and ``--new``."""
    parser.add_argument("address", metavar="ADDRESS", help=ADDRESS_FORMS)
    parser.add_argument("room", nargs="?", metavar="ROOM", help="the room, if not in the address")
    parser.add_argument("--name", metavar="NAME", help="your name there (default: you are asked)")
    parser.add_argument(
        "--new", action="store_true", help="join as somebody new instead of taking your seat again"
    )


def add_plain_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--plain``."""
    parser.add_argument(
        "--plain",
        action="store_true",
        help="plain lines: no full screen, no colours, no status bar, nothing redrawn",
    )


def add_reader_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--reader``, which implies ``--plain``."""
    parser.add_argument(
        "--reader",
        action="store_true",
        help="for screen readers: plain lines, and sentences instead of drawings",
    )


def add_notify_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--no-notify``."""
    parser.add_argument(
        "--no-notify",
        dest="notify",
        action="store_false",
        help="no bell, no terminal title and no notification when it is your turn",
    )


def resume_hints(address: Address, by: str) -> Callable[[ResumeState], list[str]]:
    """Return a function that tells how to come back to a seat with the command *by*."""

    def ways(resume: ResumeState) -> list[str]:
        place = str(Address(address.server, resume.room))
        command = ["crossroom", by, place, "--name", resume.name or ""]
        return [
            gettext("to come back: {command}", command=shlex.join(command)),
            gettext("from any other client: {request}", request=resume.resume_line),
        ]

    return ways
