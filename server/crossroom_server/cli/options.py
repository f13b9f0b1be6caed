"""Arguments, signals and progress that several commands share."""

import argparse
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import data_folder
from crossroom_protocol.cli.progress import Progress
from crossroom_server.config.settings import GAMES_FILE
from crossroom_server.config.store_url import (
    Database,
    StoreUrl,
    read_store_flag,
    read_store_url,
    store_url_in_environment,
)

STDIN: Final = "-"
"""The name of a file that stands for standard input."""


def games_file(args: argparse.Namespace) -> Path:
    """The file of the games.

    Raises:
        OSError: they are in a database.
    """
    place = store_url(args)
    if isinstance(place, Database):
        raise OSError(
            f"the games are in {place}; pg_dump copies them while servers run, "
            "pg_restore brings them back when none does"
        )
    return place


def store_url(args: argparse.Namespace) -> StoreUrl:
    """Return the store of a server that is told nothing else on its command line.

    Raises:
        OSError: what the environment, or the file of settings, names is no store.
    """
    return store_url_in_environment() or _named_in_file() or data_folder(args) / GAMES_FILE


def _named_in_file() -> StoreUrl | None:
    """The store that the file of settings names, whose name is in the environment."""
    if not (path := os.environ.get(flags.CONFIG_VARIABLE)):
        return None
    file = Path(path).expanduser()
    _, config = flags.read_config(file)
    if not isinstance(named := config.get("store"), str):
        return None
    try:
        place = read_store_url(named)
    except ValueError as error:
        raise OSError(f"{file}: {error}") from None
    return place if isinstance(place, Database) else file.parent / place


def store(text: str) -> StoreUrl:
    """Read the name of a store, for argparse."""
    try:
        return read_store_flag(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Let who ends this process by SIGTERM or SIGHUP leave nothing half done behind."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(one, end) for one in signals]
    try:
        yield
    finally:
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)


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
