"""Kill nodes of a cluster under load, then restart all of them one after the other.

``python -m tests.system.cluster``, in the root of the tree, where the servers of PostgreSQL and
NATS are installed. Two people in each room, at different nodes, play and talk. One node, or more,
is killed with SIGKILL; whoever was there goes to another. Then it comes back, and every node is
stopped with SIGTERM and started again, one after the other. Between the two, with --cut one node
alone loses the bus for so many seconds, with --database the database is stopped, and with
--hang one node answers nobody (SIGSTOP); then people come through HAProxy as docker/cluster sets
it up, which must be installed. It prints how long people waited to be answered, and what was
refused. Nothing that anybody was told may be missing or different in the store, nothing that was
acknowledged may be missing, nobody may be refused a move by a restart, and no node may log an
error. Otherwise the status is 1.
"""

import argparse
import asyncio
import signal
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.nats_server import nats_server
from tests.support.ports import free_port
from tests.support.postgres_server import postgres_server
from tests.support.proxies import run_haproxy
from tests.support.tcp_proxy import LOOPBACK, tcp_proxy_in_thread
from tests.system.cluster.cluster_run import ClusterRun, Fault, report
from tests.system.cluster.node_process import Entrance, NodeProcess
from tests.system.crash.players import CrashPlayer, LostEvent

UNLIMITED: Final = {
    "CROSSROOM_PROXIES": LOOPBACK,
    **{f"CROSSROOM_LIMITS_{name}": "60000" for name in ("CONNECTIONS", "SOCKETS", "ROOMS")},
    **{f"CROSSROOM_LIMITS_{name}": "60000" for name in ("KNOCKS", "WRITTEN")},
}
"""All people come from one address, with HAProxy not even a near one."""


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
        "--database", type=float, help="seconds without the database (default: none)"
    )
    parser.add_argument(
        "--hang", type=float, help="seconds for which one node hangs (default: none)"
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
        tcp_proxy_in_thread(nats.port) as way_to_bus,
        ExitStack() as proxy,
    ):
        database = postgres.empty_database()
        nodes = [
            NodeProcess(f"node{number}", Path(home) / str(number), database, bus, **UNLIMITED)
            for number in range(1, arguments.nodes + 1)
            for is_cut in [arguments.cut is not None and number == 2]
            for bus in [f"nats://{LOOPBACK}:{way_to_bus.port}" if is_cut else nats.url]
        ]
        CrashPlayer.wants_missed_only = arguments.missed
        entrances: list[Entrance] = [*nodes]
        if arguments.hang is not None:
            entrances = [Entrance(free_port())]
            ports = [node.port for node in nodes]
            proxy.enter_context(run_haproxy(Path(home), entrances[0].port, ports, tls=False))
        evening = ClusterRun(nodes, entrances, arguments.games, arguments.pause, arguments.seed)
        try:
            asyncio.run(evening.fill(database, arguments.entries))
            for node in nodes:
                node.start()
            stop = partial(postgres.stop, signal.SIGQUIT)
            faults = [
                Fault("no database", arguments.database, stop, postgres.start, has_one_node=False),
                Fault("one node without bus", arguments.cut, way_to_bus.close, way_to_bus.open),
                Fault("one node hangs", arguments.hang, nodes[-1].hang, nodes[-1].wake),
            ]
            asked = [fault for fault in faults if fault.seconds is not None]
            asyncio.run(evening.run(arguments.seconds, asked, arguments.kill))
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
        if arguments.database is not None:  # then it has to be told
            errors = [line for line in errors if "the database does not answer" not in line]
        print(*errors, sep="\n", end="\n" if errors else "")
        return report(evening) or int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
