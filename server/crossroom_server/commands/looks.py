"""What these commands share: where the games are, and how progress looks."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from crossroom_protocol import flags
from crossroom_protocol.progress import Progress
from crossroom_server.store.place import Database, Place, named_in_environment, read_argument


def games(args: argparse.Namespace) -> Path:
    """The file of the games.

    Raises:
        OSError: they are in a database.
    """
    place = home(args)
    if isinstance(place, Database):
        raise OSError(f"the games are in {place}; pg_dump copies them, pg_restore brings them back")
    return place


def home(args: argparse.Namespace) -> Place:
    """Where a server keeps its games that is told nothing else: in a file in the data folder.

    Raises:
        OSError: the environment names no store.
    """
    return named_in_environment() or flags.data_folder(args) / "games.db"


def store(text: str) -> Place:
    """Read the name of a store, for argparse."""
    try:
        return read_argument(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Something that may be told how much is done, and of how much; shown on standard error."""
    shown: list[Progress] = []

    def heard(done: int, total: int) -> None:
        if not shown:
            shown.append(Progress(total, unit, done))
        shown[0].show(done)

    try:
        yield heard
    finally:
        for bar in shown:
            bar.clear()
