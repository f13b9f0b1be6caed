"""Flags that mean the same in every command: where the data is, which address, prose or JSON."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

LOOPBACK_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8765
DATA_VARIABLE: Final = "CROSSROOM_DATA"
CONFIG_VARIABLE: Final = "CROSSROOM_CONFIG"


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


def read_variable(name: str, environment: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """Return a variable's value and name: *name* or, if that names a file of it, *name*``_FILE``.

    Secrets come in files, for others on the machine can see what is in an environment. Nothing is
    said by an empty variable, and none that is not there.

    Raises:
        OSError: both say something, or the file cannot be read.
    """
    text, in_file = environment.get(name, ""), f"{name}_FILE"
    if not (path := environment.get(in_file)):
        return text, name
    if text:
        raise OSError(f"{name} and {in_file} are both set; take one of them away")
    try:
        return Path(path).read_text(encoding="utf-8").strip(), in_file
    except OSError as error:
        raise OSError(f"{in_file}: {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise OSError(f"{in_file}: {path} is not a text in UTF-8") from None


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


def read_config(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file of settings, and what is in it.

    Raises:
        OSError: it cannot be read, or is not TOML; says where.
    """
    import tomllib  # few have such a file

    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except ValueError as error:  # of the encoding, too
        raise OSError(f"{path} is not TOML: {error}") from None


def add_json_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``: a boolean, ``args.json``."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
