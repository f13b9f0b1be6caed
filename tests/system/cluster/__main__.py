"""Kill nodes of a cluster under load, then restart all of them one after the other.

``python -m tests.system.cluster``, in the root of the tree, where the servers of PostgreSQL and
NATS are installed. Two people in each room, at different nodes, play and talk. One node, or more,
is killed with SIGKILL; whoever was there goes to another. Then it comes back, and every node is
stopped with SIGTERM and started again, one after the other. With --cut, one node alone loses the
bus for so many seconds between the two. It prints how long it took until everybody was answered
again, and what was refused. Nothing that anybody was told may be missing or different in the
store, nothing that was acknowledged may be missing, nobody may be refused a move by a restart,
and no node may log an error. Otherwise the status is 1.
"""

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.nats_server import nats_server
from tests.support.postgres_server import postgres_server
from tests.support.tcp_proxy import LOOPBACK, tcp_proxy_in_thread
from tests.system.cluster.cluster_run import ClusterRun, report
from tests.system.cluster.node_process import NodeProcess
from tests.system.crash.players import CrashPlayer, LostEvent


def main() -> int:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.cluster",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nodes", type=int, default=2, help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds that a person thinks (default: 2)"
    )
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="between two events (default: 10)"
    )
    parser.add_argument(
        "--cut", type=float, help="seconds for which one node alone loses the bus (default: none)"
    )
    parser.add_argument(
        "--kill", type=int, default=1, help="nodes killed at the same time (default: %(default)s)"
    )
    parser.add_argument(
        "--entries", type=int, default=0, help="that each room has before (default: %(default)s)"
    )
    parser.add_argument(
        "--missed",
        action="store_true",
        help="who comes back asks for what they missed, not for all",
    )
    parser.add_argument("--seed", type=int, default=1, help="of all that is left to chance here")
    arguments = parser.parse_args()
    with (
        TemporaryDirectory() as home,
        postgres_server() as postgres,
        nats_server() as nats,
        tcp_proxy_in_thread(nats.port) as way,
    ):
        database = postgres.empty_database()
        nodes = [
            NodeProcess(f"node{number}", Path(home) / str(number), database, bus)
            for number in range(1, arguments.nodes + 1)
            for bus in [nats.url if number != 2 else f"nats://{LOOPBACK}:{way.port}"]
        ]
        CrashPlayer.wants_missed_only = arguments.missed
        evening = ClusterRun(nodes, arguments.games, arguments.pause, arguments.seed)
        try:
            asyncio.run(evening.fill(database, arguments.entries))
            for node in nodes:
                node.start()
            cut = None if arguments.cut is None else (way, arguments.cut)
            asyncio.run(evening.run(arguments.seconds, cut, arguments.kill))
            for node in nodes:
                node.drain()
            asyncio.run(evening.compare(database))
        except LostEvent as loss:
            print(f"LOST: {loss}")
            return 1
        finally:
            for node in nodes:
                node.kill()
        errors = [line for node in nodes for line in node.errors()]
        print(*errors, sep="\n", end="\n" if errors else "")
        return report(evening) or int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
