"""Kill a server at random moments, under load, and compare what people were told with what is kept.

``python -m tests.system.crash``, in the root of the tree. In each round a server begins where the
last one was killed; people come back to their seats, play and talk, and after a random time it is
killed with SIGKILL. In half of the rounds the power is cut as well: what was not synced is undone
or torn, as chance will have it (Linux with a C compiler only). Now and then the store is backed up
in the middle of it all. Then nothing that anybody was told may be missing or different, nothing
that was acknowledged may be missing or there twice, every resume code must lead back, whoever comes
back must hear everything in between, and backups are sound. Otherwise the status is 1.
"""

import argparse
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.system.crash.fork_server import run_fork_server
from tests.system.crash.players import LostEvent
from tests.system.crash.power_cut import CAN_CUT, PowerCut
from tests.system.crash.rounds import EVENING, CrashCounts, CrashRun


def main() -> int:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.crash",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=500, help="(default: %(default)s)")
    parser.add_argument("--rooms", type=int, default=8, help="of two people each, some with a bot")
    parser.add_argument(
        "--longest",
        type=float,
        default=0.8,
        help="life of a server, in seconds: a slow machine may need more",
    )
    parser.add_argument("--seed", type=int, default=1, help="of all that is left to chance here")
    arguments = parser.parse_args()
    dice, tally = Random(arguments.seed), CrashCounts()
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory(prefix="crossroom-crash-")))
        power = PowerCut(home) if CAN_CUT else None
        servers = stack.enter_context(run_fork_server(power.environment() if power else {}))
        began = time.monotonic()
        try:
            while tally.rounds < arguments.rounds:
                folder = home / f"evening-{tally.rounds}" / "data"
                evening = CrashRun(
                    folder, servers, power, dice, arguments.rooms, arguments.longest, tally
                )
                _spend(evening, min(EVENING, arguments.rounds - tally.rounds))
        except LostEvent as loss:
            print(f"{tally}\nLOST in round {tally.rounds}: {loss}", flush=True)
            return 1
    print(f"{tally}; {time.monotonic() - began:.0f} seconds: nothing lost")
    return 0


def _spend(evening: CrashRun, rounds: int) -> None:
    told = time.monotonic()
    for _ in range(rounds):
        evening.round()
        if time.monotonic() > told + 10:
            told = time.monotonic()
            print(evening.tally, flush=True)
    evening.finish()


if __name__ == "__main__":
    sys.exit(main())
