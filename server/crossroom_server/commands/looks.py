"""What these commands share: where the games are, and how progress looks."""

import argparse
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from crossroom_protocol import flags
from crossroom_protocol.progress import Progress


def games(args: argparse.Namespace) -> Path:
    """The file of the games in the data folder."""
    return flags.data_folder(args) / "games.db"


@contextmanager
def tidy_when_ended() -> Iterator[None]:
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
