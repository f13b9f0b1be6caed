"""`crossroom bench`: measure this machine."""

import argparse
from pathlib import Path

from crossroom_clients.connection.address import parse_address
from crossroom_clients.support import arg_types
from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands and their flags."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="bench")
    summary = "measure the word engine, and check it on positions of yours"
    moves = commands.add_parser("moves", help=summary, description=f"{summary.capitalize()}.")
    _declare_moves(moves)
    summary = "measure a server under load, beside a bare websocket server"
    server = commands.add_parser("server", help=summary, description=f"{summary.capitalize()}.")
    _declare_server(server)


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was asked for, and return its exit status."""
    if args.bench == "moves":
        from crossroom_clients.bench import moves

        return moves.run(args)
    from crossroom_clients.bench import server

    return server.run(args)


def _declare_moves(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Without a file, the positions are those of games that the engine plays with itself. A "
        "line of a file is the 225 squares row by row (. empty, a small letter a blank), the rack "
        "(? a blank), three numbers that do not count here, the number of plays (on an empty board "
        "those across), and the best score, with spaces between. Exit status 1: the engine "
        "disagrees with the file."
    )
    parser.add_argument(
        "--positions", type=Path, metavar="FILE", help="check and measure on these positions"
    )
    parser.add_argument(
        "--lexicon",
        default="english",
        metavar="NAME",
        help="word list, or the file of one (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=arg_types.seconds(3600),
        default=2.0,
        metavar="S",
        help="for each figure, about (default: %(default)s)",
    )
    add_data_flag(parser)
    flags.add_json_flag(parser)


def _declare_server(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "People in rooms make the best plays of real games and talk. First they do so at set "
        "times, and latencies count from these until everybody in the room has been told; then as "
        "fast as they can. Run it on a machine that does nothing else."
    )
    whole, seconds = arg_types.whole_number, arg_types.seconds(3600)
    parser.add_argument(
        "--url",
        type=parse_address,
        metavar="URL",
        help="a server that runs already, and may be elsewhere",
    )
    parser.add_argument(
        "--rooms", type=whole(1, 5000), default=100, metavar="N", help="(default: %(default)s)"
    )
    parser.add_argument(
        "--players",
        type=whole(2, 4),
        default=4,
        metavar="N",
        help="in each room (default: %(default)s)",
    )
    parser.add_argument(
        "--watchers",
        type=whole(0, 1000),
        default=0,
        metavar="N",
        help="who watch in each room (default: %(default)s)",
    )
    parser.add_argument(
        "--crowd",
        type=whole(5, 1000),
        default=100,
        metavar="N",
        help="people in each of the full rooms, in which talk goes to many (default: %(default)s)",
    )
    parser.add_argument(
        "--every",
        type=seconds,
        default=10.0,
        metavar="S",
        help="seconds from move to move in a room (default: %(default)s)",
    )
    parser.add_argument(
        "--chat",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds from remark to remark in a room (default: %(default)s)",
    )
    parser.add_argument(
        "--idle",
        type=whole(1, 20000),
        default=500,
        metavar="N",
        help="connections that do nothing, to see what memory they take (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=10.0,
        metavar="S",
        help="for each kind of load (default: %(default)s)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="where the games are kept meanwhile, whose disk counts (default: a temporary one)",
    )
    parser.add_argument(
        "--nodes",
        type=whole(1, 16),
        metavar="N",
        help="measure nodes that share a database and a bus: one, two, four, up to so many",
    )
    parser.add_argument(
        "--store", metavar="STORE", help="with --nodes: an empty database of PostgreSQL for this"
    )
    parser.add_argument("--bus", metavar="URL", help="with --nodes: a NATS server for this")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the latencies, as SVG")
    flags.add_json_flag(parser)
