"""Reads settings from flags, the environment and a file, in that order of precedence."""

import argparse
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from crossroom_protocol.cli.flags import CONFIG_VARIABLE, read_config, read_variable
from crossroom_server.config.fields import VARIABLE_PREFIX
from crossroom_server.config.limits import Limits
from crossroom_server.config.settings import SETTINGS, Settings

_ALSO_OURS: Final = (CONFIG_VARIABLE, "CROSSROOM_KERNEL")
"""Our variables that are no settings of the server."""


class ConfigError(OSError):
    """Settings are wrong; each line says what, and where."""


class SourcedValue(NamedTuple):
    """The value of a setting and its source: ``"CROSSROOM_PORT"``, ``"a flag"``."""

    value: Any
    origin: str


@dataclass(frozen=True)
class Configuration:
    """All settings by name, and the file that was read, if any."""

    sourced: Mapping[str, SourcedValue]
    file: Path | None

    def settings(self) -> Settings:
        """Return the settings without their sources."""
        values = {name: found.value for name, found in self.sourced.items()}
        within = {name: values.pop(name) for name in SETTINGS if name.startswith("limits.")}
        limits = {name.removeprefix("limits."): value for name, value in within.items()}
        return Settings(**values, limits=Limits(**limits))


GROUPS: Final = {
    "addresses": "host port line_port url allowed_hosts proxies cert key",
    "storage": "data keep store guests vacant",
    "rooms": "private thinkers rest_after mask",
    "logs and metrics": "log_level log_format open_metrics metrics_port metrics_host",
    "cluster": "bus node",
}
"""The settings under each heading of ``--help``, but for the limits."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare a flag for each setting, and ``--config``."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"TOML file of settings (default: ${CONFIG_VARIABLE}, else none)",
    )
    groups = {title: parser.add_argument_group(title) for title in GROUPS}
    limits = parser.add_argument_group("limits", "Limits of one connection and of one address.")
    titles = {name: title for title, names in GROUPS.items() for name in names.split()}
    for setting in SETTINGS.values():
        is_limit = setting.name.startswith("limits.")
        group = limits if is_limit else groups[titles[setting.name]]
        told = f"{setting.doc} (default: {setting.default_text})".replace("%", "%%")
        flags = [*filter(None, [setting.alias]), setting.flag]
        if not setting.value_type.metavar:
            flags.append(f"--no-{setting.flag[2:]}")
            yes = {flags[-2], *(flags[:1] if not setting.default() else ())}
            flags = [*flags[-2:], *flags[:-2]]  # what it is called comes first
            group.add_argument(*flags, dest=setting.name, action=_YesOrNo, const=yes, help=told)
            continue
        group.add_argument(
            *flags,
            dest=setting.name,
            type=_reader(setting.value_type.read_flag or setting.value_type.read),
            action="append" if list in setting.value_type.types else "store",
            metavar=setting.value_type.metavar,
            help=told,
        )


class _YesOrNo(argparse.Action):
    """Stores True for the flags in its ``const``, else False."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, option_string in self.const)


def _reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def reading(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reading


def load_configuration(
    args: argparse.Namespace, environment: Mapping[str, str] = os.environ
) -> Configuration:
    """Read each setting from its flag, else its variable, else the file, else use the default.

    Args:
        args: The parsed flags of :func:`add_arguments`.
        environment: An empty variable counts as unset.

    Raises:
        ConfigError: some values are wrong; lists all of them.
        OSError: the file cannot be read.
    """
    chosen = args.config or environment.get(CONFIG_VARIABLE)
    file = Path(chosen).expanduser() if chosen else None
    wrong: list[str] = []
    said = {} if file is None else _in_file(file, wrong)
    said |= _in_environment(environment, wrong) | _in_flags(args)
    found = {
        name: said.get(name) or SourcedValue(setting.default(), "default")
        for name, setting in SETTINGS.items()
    }
    if (found["cert"].value is None) != (found["key"].value is None):
        there, lacking = ("key", "cert") if found["cert"].value is None else ("cert", "key")
        wrong.append(
            f"{found[there].origin}: --cert and --key go together, and there is no {lacking}"
        )
    if wrong:
        raise ConfigError("\n".join(wrong))
    return Configuration(found, file)


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """List the variables that look like settings and are none, a line for each."""
    settings = [setting.variable for setting in SETTINGS.values()]
    names = [*_ALSO_OURS, *settings, *(f"{name}_FILE" for name in settings)]
    return [
        f"{name}: there is no such variable{_near(name, names)}"
        for name in sorted(environment)
        if name.startswith(VARIABLE_PREFIX) and name not in names
    ]


def _in_flags(args: argparse.Namespace) -> dict[str, SourcedValue]:
    given = {name: getattr(args, name) for name in SETTINGS}
    return {
        name: SourcedValue(_joined(value), "a flag")
        for name, value in given.items()
        if value is not None
    }


def _joined(value: Any) -> Any:
    """Combine the values of a flag that was given several times."""
    return tuple(one for part in value for one in part) if isinstance(value, list) else value


def _in_environment(environment: Mapping[str, str], wrong: list[str]) -> dict[str, SourcedValue]:
    found = {}
    for name, setting in SETTINGS.items():
        origin = setting.variable
        try:
            text, origin = read_variable(setting.variable, environment)
            if text:
                found[name] = SourcedValue(setting.value_type.read(text), origin)
        except OSError as error:
            wrong.append(str(error))
        except ValueError as error:
            wrong.append(f"{origin}: {error}")
    return found


def _in_file(file: Path, wrong: list[str]) -> dict[str, SourcedValue]:
    text, document = read_config(file)
    found = {}
    for name, written in _flat(document):
        line = _line_of(text, name)
        origin = f"{file}, line {line}" if line else str(file)
        if name not in SETTINGS:
            wrong.append(f"{origin}: there is no setting {name}{_near(name, SETTINGS)}")
            continue
        try:
            value = SETTINGS[name].value_type.from_toml(written)
        except ValueError as error:
            wrong.append(f"{origin}: {name}: {error}")
        else:
            is_path = isinstance(value, Path)
            found[name] = SourcedValue(file.parent / value if is_path else value, origin)
    return found


def _flat(document: Mapping[str, Any], table: str = "") -> Iterable[tuple[str, object]]:
    """Yield each key with its value; keys in a table are prefixed by its name."""
    for key, value in document.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{table}{key}.")
        else:
            yield table + key, value


def _line_of(text: str, name: str) -> int | None:
    """Return the line of a key, counted from 1; None if it is written in an unusual way."""
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            table = f"{header[1]}."
        elif (key := re.match(r"\s*([\w.-]+)\s*=", line)) and table + key[1] == name:
            return number
    return None


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name.replace("-", "_"), names, n=1)
    return f"; did you mean {near[0]}?" if near else ""
