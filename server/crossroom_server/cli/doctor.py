"""`crossroom doctor`: what a host asks first when something does not work."""

import argparse
import json
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

from crossroom_protocol.cli import flags
from crossroom_protocol.cli.console import PORT_FILE_NAME, SOCKET_NAME
from crossroom_server.config import loading
from crossroom_server.config.loading import ConfigError, load_configuration

if TYPE_CHECKING:
    from crossroom_server.cli.checks.finding import Finding
    from crossroom_server.config.settings import Settings

_CONSOLE_TIMEOUT_S: Final = 5.0
_WIDTH: Final = 92
_INDENT: Final = " " * 9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags: those of ``crossroom serve``, which tell what to look at."""
    parser.description = fill(
        "Look at the server on this machine, or at what it would need, and say how to mend what "
        "is wrong. Give the flags and variables with which the server is started, as its user. "
        "Nothing is changed. The status is 1 if something does not work.",
        80,
    )
    loading.add_arguments(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 if something does not work, else 0."""
    found = list(_examine(args))
    if args.json:
        print(json.dumps([finding._asdict() for finding in found], indent=1))
    else:
        print(*_told(found), sep="\n")
    return int(any(finding.level == "problem" for finding in found))


def _examine(args: argparse.Namespace) -> "Iterator[Finding]":
    from crossroom_server.cli.checks.finding import Finding

    try:
        configured = load_configuration(args)
    except ConfigError as error:
        for line in str(error).splitlines():
            yield Finding("settings", "problem", line, "crossroom config check names all of them")
        return
    unknown = loading.unknown_variables()
    for line in unknown:
        yield Finding("settings", "warning", line, "mend its name, or take it away")
    if not unknown:
        yield Finding("settings", "ok", f"read; file: {configured.file or 'none'}")
    yield from examine(configured.settings())


def examine(settings: "Settings") -> "Iterator[Finding]":
    """Look at everything that the settings concern."""
    from crossroom_server.cli.checks import cluster, machine, reach, storage  # all heavy
    from crossroom_server.cli.checks.certificate import check_certificate

    answer = reach.check_port(settings)
    yield answer
    yield from reach.check_addresses(settings, is_running=answer.level == "ok")
    if settings.certificate is not None:
        yield from check_certificate(settings.certificate)
    if settings.url is not None:
        yield from reach.check_url(settings)
    yield from reach.check_proxies(settings, _status(settings.data))
    yield from storage.check_folder(settings)
    yield from storage.check_disk(settings)
    yield from storage.check_store(settings)
    yield from cluster.check_database(settings)
    yield from cluster.check_bus(settings)
    yield machine.check_clock(storage.newest_entry(settings))
    yield machine.check_engine()
    yield from machine.check_extras(settings)
    yield from machine.check_files()


def _told(found: "Iterable[Finding]") -> Iterator[str]:
    counts = dict.fromkeys(("problem", "warning"), 0)
    for finding in found:
        text = f"{finding.level:8} {finding.topic}: {finding.said}"
        yield _wrapped(text, _INDENT)
        if finding.mend:
            yield _wrapped(f"{_INDENT}-> {finding.mend}", f"{_INDENT}   ")
        if finding.level in counts:
            counts[finding.level] += 1
    yield ""
    yield f"problems: {counts['problem']}, warnings: {counts['warning']}"


def _wrapped(text: str, indent: str) -> str:
    """Wrap, leaving paths and addresses whole, so that they can be copied."""
    return fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _status(folder: Path) -> list[str]:
    """Ask the console of the running server how it is; empty: none can be asked."""
    try:
        with _console(folder) as console, console.makefile("rw", encoding="utf-8") as wire:
            wire.write("status\n")
            wire.flush()
            return [line.rstrip("\n")[2:] for line in wire if line.startswith("- ")]
    except (OSError, ValueError):
        return []


def _console(folder: Path) -> socket.socket:
    path = folder / SOCKET_NAME
    if path.exists():
        console = socket.socket(socket.AF_UNIX)
        console.settimeout(_CONSOLE_TIMEOUT_S)
        try:
            console.connect(str(path))
        except OSError:
            console.close()
            raise
        return console
    port, token = (folder / PORT_FILE_NAME).read_text(encoding="utf-8").split()
    console = socket.create_connection((flags.LOOPBACK_HOST, int(port)), _CONSOLE_TIMEOUT_S)
    console.sendall(f"{token}\n".encode())
    return console
