"""The folder in which games, word lists and seats are kept, and the flag that names another."""

import argparse
import os
from pathlib import Path
from typing import Final

from crossroom_protocol.cli.flags import CONFIG_VARIABLE, read_config, read_variable

DATA_VARIABLE: Final = "CROSSROOM_DATA"


def add_data_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--data DIR``; :func:`data_folder` reads it."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of games and word lists "
        f"(default: ${DATA_VARIABLE}, else a folder of your user account)",
    )


def data_folder(args: argparse.Namespace) -> Path:
    """Tell where data lives: ``--data``, else ``$CROSSROOM_DATA``, else the platform's usual place.

    Before the usual place comes what the file of settings says that ``$CROSSROOM_CONFIG`` names,
    relative to that file.
    An empty variable counts as unset, and ``~`` is your home. The folder may not exist yet: whoever
    first writes into it makes it.

    Raises:
        OSError: the file cannot be read.
    """
    if chosen := args.data or read_variable(DATA_VARIABLE)[0]:
        return Path(chosen).expanduser()
    if named := os.environ.get(CONFIG_VARIABLE):
        path = Path(named).expanduser()
        data = read_config(path)[1].get("data")
        if isinstance(data, str) and data:
            return path.parent / Path(data).expanduser()
    return default_data_folder()


def default_data_folder() -> Path:
    """A folder of the user's account, where the platform has such.

    Raises:
        OSError: this user has no home.
    """
    from platformdirs import user_data_path  # most command lines do without

    try:
        return user_data_path("crossroom", appauthor=False)
    except RuntimeError:
        told = f"you have no home folder; --data or {DATA_VARIABLE} says where to keep things"
        raise OSError(told) from None
