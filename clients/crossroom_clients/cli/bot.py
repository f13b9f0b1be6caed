"""`crossroom bot`: a program of yours at a table, and a check of it beforehand."""

import argparse
import shlex
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from crossroom_clients.support import arg_types
from crossroom_clients.support.login import check_name
from crossroom_engine.core.errors import BadText
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

if TYPE_CHECKING:
    from crossroom_clients.bots.engines import Engine

ABOUT: Final = """\
An engine is named after --, in one of three ways:

  --engine command -- ./mybot       reads a JSON object a turn, writes `8H WORD`, `exchange ABC`
                                    or `pass`
  --engine ucgi -- ./engine ucgi    speaks UCGI
  --engine python -- module:function
                                    a function that takes a Position and returns a move

docs/play/programs.md has the fields of the object, and a bot in ten lines of Python.
"""
EXIT_FAULTY: Final = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands and their flags."""
    parser.epilog = ABOUT
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run_parser = _declare(commands, "run", _run, "let a program play at a table")
    run_parser.add_argument("address", metavar="ADDRESS", help="as for `crossroom join`")
    run_parser.add_argument("--name", required=True, help="what the program is called there")
    run_parser.add_argument(
        "--games", type=arg_types.whole_number(1, 10**6), metavar="N", help="stop after N games"
    )
    run_parser.add_argument(
        "--no-challenge", action="store_true", help="challenge nothing, whatever is played"
    )
    check_parser = _declare(commands, "check", _check, "ask a program about 20 positions")
    check_parser.add_argument("--lexicon", default="english", help="word list (default: english)")
    for each in (run_parser, check_parser):
        each.add_argument(
            "engine_command",
            nargs="+",
            metavar="ENGINE",
            help="its program and arguments, after --",
        )


def _declare(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    do: Callable[[argparse.Namespace], int],
    summary: str,
) -> argparse.ArgumentParser:
    made = commands.add_parser(
        name,
        help=summary,
        description=f"{summary.capitalize()}.",
        epilog=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(run_bot=do)
    made.add_argument(
        "--engine",
        choices=("command", "ucgi", "python"),
        default="command",
        help="how the engine is spoken to (default: command)",
    )
    made.add_argument(
        "--seconds",
        type=arg_types.seconds(3600),
        default=10.0,
        metavar="S",
        help="for a turn at most (default: 10)",
    )
    add_data_flag(made)
    return made


def run(args: argparse.Namespace) -> int:
    """Do what the subcommand says; return the exit status.

    Raises:
        BadText: the engine or the name cannot be.
        BadAddress: the address cannot be understood.
        ServerUnreachable: the server cannot be reached.
    """
    status: int = args.run_bot(args)
    return status


def _engine(args: argparse.Namespace) -> "Engine":
    from crossroom_clients.bots.engines import CommandEngine, FunctionEngine, UcgiEngine

    command = args.engine_command
    if args.engine == "python":
        if len(command) != 1:
            raise BadText(f"{shlex.join(command)!r} is no function; write module:function")
        return FunctionEngine.named(command[0])
    if shutil.which(command[0]) is None:
        raise BadText(f"there is no program {command[0]} that can be run")
    return UcgiEngine(command) if args.engine == "ucgi" else CommandEngine(command)


def _run(args: argparse.Namespace) -> int:
    import asyncio

    check_name(args.name)
    return asyncio.run(_play(args))


async def _play(args: argparse.Namespace) -> int:
    from functools import partial

    from crossroom_clients.bots import CommandRefused, connect
    from crossroom_clients.bots.runner import play_games
    from crossroom_engine.words import catalog

    engine = _engine(args)
    folders = [data_folder(args) / "lexica"]
    open_lexicon = partial(catalog.open_lexicon, folders=folders)
    try:
        async with connect(
            args.address, args.name, open_lexicon=open_lexicon, challenges=not args.no_challenge
        ) as table:
            print(f"{args.name} is at the table; Ctrl+C leaves it", flush=True)
            await play_games(table, engine, args.seconds, args.games)
            if table.closed is not None and table.closed.reason:
                print(table.closed.reason)
    except CommandRefused as no:
        raise BadText(str(no)) from None
    finally:
        await engine.close()
    return 0


def _check(args: argparse.Namespace) -> int:
    import asyncio

    return asyncio.run(_check_all(args))


async def _check_all(args: argparse.Namespace) -> int:
    from crossroom_clients.bots.conformance import check_engine
    from crossroom_engine.words import catalog

    lexicon = catalog.open_lexicon(args.lexicon, [data_folder(args) / "lexica"])
    engine, faults, phonies, asked = _engine(args), 0, 0, 0
    try:
        async for found in check_engine(engine, lexicon, args.seconds):
            asked += 1
            faults += bool(found.fault)
            phonies += found.is_phony
            told = found.fault or ("a phony" if found.is_phony else "good")
            print(f"{asked:>2}. {found.about}: {found.answer or 'no answer'}: {told}", flush=True)
    finally:
        await engine.close()
    print(f"{asked} positions, {faults} faults, {phonies} phonies")
    return EXIT_FAULTY if faults else 0
