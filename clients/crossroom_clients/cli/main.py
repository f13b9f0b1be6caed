"""The `crossroom` command: a table of commands, each a module that is imported only when it runs.

Such a module has ``add_arguments(parser)``, which declares its flags, and ``run(args) -> int``,
which returns the exit status. It lets expected failures out as :exc:`OSError` or as one of the
engine's own exceptions, and writes nothing about them: here they become one line and status 1.

Whatever takes time to load is loaded inside :func:`main`, which an interrupt ends quietly.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

EXIT_INTERRUPTED: Final = 128 + 2
EXIT_BROKEN_PIPE: Final = 128 + 13
"""Exit statuses, as a shell reports SIGINT and SIGPIPE."""


class Subcommand(NamedTuple):
    """The module of a command, and its purpose in one line without a full stop."""

    module: str
    summary: str


COMMANDS: Final = {
    "play": Subcommand("crossroom_clients.cli.play", "play at once, against a bot"),
    "serve": Subcommand("crossroom_server.cli.serve", "open a server for your friends"),
    "config": Subcommand("crossroom_server.cli.config", "show or check the settings of a server"),
    "health": Subcommand(
        "crossroom_server.cli.health", "check that the server on this machine is running"
    ),
    "doctor": Subcommand(
        "crossroom_server.cli.doctor", "look for what is wrong with a server, and how to mend it"
    ),
    "admin": Subcommand("crossroom_clients.cli.admin", "manage the server on this machine"),
    "backup": Subcommand("crossroom_server.cli.backup", "copy the games of a server into a file"),
    "restore": Subcommand("crossroom_server.cli.restore", "restore games from a backup"),
    "migrate": Subcommand(
        "crossroom_server.cli.migrate", "move the games of a server to another database"
    ),
    "verify": Subcommand(
        "crossroom_server.cli.verify",
        "check stored games for damage, and that the bag was fair",
    ),
    "join": Subcommand("crossroom_clients.cli.join", "join a room of a server, line by line"),
    "table": Subcommand(
        "crossroom_clients.cli.table", "join a room of a server, on the full screen"
    ),
    "moves": Subcommand("crossroom_clients.cli.moves", "find the best plays of a position"),
    "lexicon": Subcommand("crossroom_clients.cli.lexicon", "build and inspect word lists"),
    "check": Subcommand("crossroom_clients.cli.check", "find the errors in recorded games"),
    "replay": Subcommand("crossroom_clients.cli.replay", "show a recorded game, move by move"),
    "picture": Subcommand(
        "crossroom_server.cli.board_image", "draw the last board of a recorded game"
    ),
    "analyze": Subcommand(
        "crossroom_clients.cli.analyze", "compare every turn of a recorded game with the best play"
    ),
    "train-leaves": Subcommand(
        "crossroom_clients.cli.train_leaves", "learn the value of tiles kept on the rack"
    ),
    "autoplay": Subcommand("crossroom_clients.cli.autoplay", "let two bots play many games"),
    "bot": Subcommand("crossroom_clients.cli.bot", "let a program of yours play"),
    "ucgi": Subcommand("crossroom_clients.cli.ucgi", "be an engine for other programs"),
    "bench": Subcommand("crossroom_clients.cli.bench", "measure the word engine, or a server"),
}
"""By name, in the order of the help. Modules are named as text: nothing here imports the server."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line, the process's own by default, and return its exit status.

    Raises:
        SystemExit: the help was shown, or the line cannot be understood (status 2).
    """
    if sys.stdin is None:  # whoever started us has closed it
        sys.stdin = io.StringIO()
    try:
        return _tell_failures(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _tell_failures(argv: list[str]) -> int:
    from crossroom_clients.support.errors import EXPECTED_ERRORS, describe_error

    try:
        try:
            return _dispatch(argv)
        finally:
            print(end="", flush=True)  # a reader who is gone is noticed here, not at exit
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except EXPECTED_ERRORS as error:
        print(f"crossroom: {describe_error(error)}", file=sys.stderr)
        return 1


def _dispatch(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        return _run(argv[0], argv[1:])
    parser = _parser()
    if argv and not argv[0].startswith("-"):
        parser.exit(2, f"crossroom: {_unknown(argv[0])}\n")
    if parser.parse_args(argv).version:
        print(f"crossroom {_version()}\nword engine: {_word_engine()}")
        return 0
    parser.print_help(sys.stderr)
    return 2


def _run(name: str, argv: list[str]) -> int:
    import argparse
    from importlib import import_module

    command = COMMANDS[name]
    module = import_module(command.module)
    parser = argparse.ArgumentParser(
        prog=f"crossroom {name}",
        description=f"{command.summary.capitalize()}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(argv))
    return status


def _parser() -> argparse.ArgumentParser:
    """The parser of a line that names no command: it only knows how to help."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="crossroom",
        description="Play the crossword tile game with friends, from a terminal.",
        epilog="`crossroom COMMAND --help` shows the options of one command.",
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.summary)
    return parser


def _unknown(name: str) -> str:
    from difflib import get_close_matches  # only a slip of the finger pays for it

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(COMMANDS)}"
    return f"there is no command {name!r}; {hint}"


def _version() -> str:
    from importlib.metadata import version

    return version("crossroom")


def _word_engine() -> str:
    try:
        from crossroom_engine.movegen.backends import BACKEND
    except ImportError as error:
        return f"none; CROSSROOM_KERNEL is {os.environ['CROSSROOM_KERNEL']}, but {error}"
    if BACKEND == "c":
        return "C kernel"
    if os.environ.get("CROSSROOM_KERNEL"):
        return (
            "plain Python, slower; without CROSSROOM_KERNEL in the environment, C if it was built"
        )
    return "plain Python, slower; install again where there is a C compiler, and it is in C"
