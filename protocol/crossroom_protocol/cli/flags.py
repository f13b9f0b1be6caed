"""Flags, variables and files that mean the same in every command."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

LOOPBACK_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8765
CONFIG_VARIABLE: Final = "CROSSROOM_CONFIG"


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
