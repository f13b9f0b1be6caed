"""`crossroom bench`: measure this machine."""

import argparse

from crossroom_clients.bench import moves as bench_moves
from crossroom_clients.bench import server as bench_server


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands and their flags."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    summary = "measure the word engine, and check it on positions of yours"
    moves = commands.add_parser("moves", help=summary, description=f"{summary.capitalize()}.")
    moves.set_defaults(run_bench=bench_moves.run)
    bench_moves.add_arguments(moves)
    summary = "measure a server under load, beside a bare websocket server"
    server = commands.add_parser("server", help=summary, description=f"{summary.capitalize()}.")
    server.set_defaults(run_bench=bench_server.run)
    bench_server.add_arguments(server)


def run(args: argparse.Namespace) -> int:
    """Do what the command line says, and return its exit status."""
    status: int = args.run_bench(args)
    return status
