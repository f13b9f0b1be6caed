"""`crossroom config`: the settings of a server, where each comes from, and are they right?"""

import argparse
import json
from typing import Final

from crossroom_protocol.cli import flags
from crossroom_server.config import loading
from crossroom_server.config.fields import to_toml
from crossroom_server.config.loading import ConfigError, Configuration, load_configuration

_WIDTH: Final = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags: those of ``crossroom serve``, which here start nothing."""
    parser.description = (
        "Show or check the settings that `crossroom serve` would use with the same flags, "
        "environment and file."
    )
    parser.add_argument(
        "what",
        choices=("show", "check"),
        help="show: print all settings in the format of the settings file, each with its source; "
        "check: print what is wrong, and exit with 1 if anything is",
    )
    loading.add_arguments(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Show, or check; 0, or 1 if a check finds something.

    Raises:
        ConfigError: something cannot be understood.
        OSError: the file, or the certificate, cannot be read.
    """
    configured = load_configuration(args)
    if args.what == "check":
        return _check(configured)
    print(_as_json(configured) if args.json else _as_toml(configured))
    return 0


def _check(configured: Configuration) -> int:
    if unknown := loading.unknown_variables():
        raise ConfigError("\n".join(unknown))
    if certificate := configured.settings().certificate:
        certificate.server_context()
    chosen = sum(found.origin != "default" for found in configured.sourced.values())
    print(
        f"nothing is wrong; settings that are chosen: {chosen}, file: {configured.file or 'none'}"
    )
    return 0


def _as_json(configured: Configuration) -> str:
    told = {
        name: {"value": _plain(found.value), "origin": found.origin}
        for name, found in configured.sourced.items()
    }
    return json.dumps(told, indent=1)


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [str(part) for part in value]
        case _:
            return str(value)


def _as_toml(configured: Configuration) -> str:
    lines, table = [], ""
    for name, found in configured.sourced.items():
        within, _, key = name.rpartition(".")
        if within != table:
            lines += ["", f"[{within}]"]
            table = within
        line = f"# {key} =" if found.value is None else f"{key} = {to_toml(found.value)}"
        lines.append(f"{line:{_WIDTH}} # {found.origin}")
    return "\n".join(lines)
