"""`crossroom admin`: the console of the server that runs on this machine."""

import argparse
import socket
from pathlib import Path
from typing import Final

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.console import CONSOLE_COMMANDS, PORT_FILE_NAME, SOCKET_NAME
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

ANSWER_TIMEOUT_S: Final = 30.0
"""Seconds for the server to answer."""


class CommandRefused(OSError):
    """The server says no; the message says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    width = max(map(len, CONSOLE_COMMANDS))
    lines = (f"  {usage:{width}}  {what}" for usage, what in CONSOLE_COMMANDS.items())
    parser.epilog = "\n".join(("commands:", *lines))
    add_data_flag(parser)
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="see below (default: rooms)")


def run(args: argparse.Namespace) -> int:
    """Ask the server that keeps its games in the data folder, and print what it answers.

    Raises:
        CommandRefused: it says no.
        OSError: no server is running there, or it is another user's.
    """
    line = " ".join(" ".join(args.words or ["rooms"]).split())
    with (
        connect_console(data_folder(args)) as reached,
        reached.makefile("rw", encoding="utf-8") as wire,
    ):
        wire.write(f"{line}\n")
        wire.flush()
        for answer in wire:
            mark, _, text = answer.rstrip("\n").partition(" ")
            if mark == "!":
                raise CommandRefused(text.partition(" ")[2])
            if mark == ".":
                return 0
            print(text)
    raise OSError("the server has hung up in the middle of its answer")


def connect_console(folder: Path) -> socket.socket:
    """A connection to the console of the server that keeps its games in *folder*.

    Raises:
        OSError: there is none, or it is another user's.
    """
    path = folder / SOCKET_NAME
    try:
        if not path.exists():
            port, token = (folder / PORT_FILE_NAME).read_text(encoding="utf-8").split()
            reached = socket.create_connection((flags.LOOPBACK_HOST, int(port)), ANSWER_TIMEOUT_S)
            reached.sendall(f"{token}\n".encode())
            return reached
        return _connected(path)
    except (FileNotFoundError, ConnectionRefusedError):
        raise OSError(f"no server keeps its games in {folder}; --data says where it does") from None


def _connected(path: Path) -> socket.socket:
    reached = socket.socket(socket.AF_UNIX)
    try:
        reached.settimeout(ANSWER_TIMEOUT_S)
        reached.connect(str(path))
    except OSError:
        reached.close()
        raise
    return reached
