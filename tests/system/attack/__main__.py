"""Attack a server on the loopback, and look whether the next table notices.

``python -m tests.system.attack [ATTACK…]``, in the root of the tree: each attack by itself, for so
many seconds, from an address of its own. Each must end in a refusal or a closed connection; two
people play on meanwhile, and what the server holds in memory must not grow. The status is 1
otherwise.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from tests.system.attack.floods import FLOODS
from tests.system.attack.impersonation import PEOPLE
from tests.system.attack.malformed import RUBBISH
from tests.system.attack.next_table import Latencies, next_table
from tests.system.attack.peer import Target
from tests.system.attack.victim import Victim, attacked

Attack: TypeAlias = Callable[[Target], Awaitable[None]]

ATTACKS: Final[dict[str, Attack]] = {
    attack.__name__.replace("_", "-"): attack for attack in (*FLOODS, *RUBBISH, *PEOPLE)
}
MOST_MEMORY: Final = 48.0
"""MiB that a server may hold more than before, while it is attacked from one address."""
LONGEST_WAIT: Final = 1.0
"""Seconds that a move at the next table may take more than before, and half of them a tenth."""
ALL_GONE: Final = 20
"""Seconds until the server must have closed what attackers left open."""
QUIET: Final = 2.0
"""Seconds without an attack, to see what moves take."""
_LOGGED: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING) [\w.]+: ")


class AttackReport(NamedTuple):
    """What came of it: ``faults`` are what was found."""

    faults: list[str]
    waits: Latencies
    grown: float
    held: float


async def attack(names: Sequence[str], seconds: float, *, hasty: bool) -> AttackReport:
    """Attack a server in all these ways at a time, each from its own address."""
    with attacked(hasty=hasty) as victim:
        async with next_table(victim) as waits:
            await asyncio.sleep(QUIET)
            usual = waits.take()
            before, files = victim.process.memory_mib, victim.process.open_files
            assault = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.system.attack", "--assault", str(victim.port)),
                *(str(victim.line_port), "--seconds", str(seconds), *names),
                stdout=asyncio.subprocess.PIPE,
            )
            told = asyncio.create_task(assault.communicate())
            most = before
            while not told.done():
                most = max(most, victim.process.memory_mib)
                await asyncio.sleep(0.05)
            faults = json.loads((await told)[0] or b'["the attack broke off"]')
            held = victim.process.memory_mib
            await asyncio.sleep(1)
            for _ in range(ALL_GONE):
                if (left := victim.process.open_files - files) <= 4:
                    break
                await asyncio.sleep(1)
            else:
                faults.append(f"{left} sockets or files are still open")
        faults += judge(waits, usual, most - before, 20 if hasty else 1) + misread(victim)
    return AttackReport(faults, waits, most - before, held)


def judge(waits: Latencies, usual: Latencies, grown: float, leave: int) -> list[str]:
    """What is to be said against how the table and the memory fared.

    What moves take anyway is added, and where all attacks come at a time they may take *leave*
    times as long: a machine may have other things to do.
    """
    faults = []
    is_long = waits.part(1.0) > leave * LONGEST_WAIT + 3 * usual.part(1.0)
    if is_long or waits.part(0.5) > leave * LONGEST_WAIT / 10 + 3 * usual.part(0.5):
        faults.append(f"the next table waited: {waits}; before: {usual}")
    if grown > MOST_MEMORY:
        faults.append(f"memory grew by {grown:.0f} MiB")
    return faults


def misread(victim: Victim) -> list[str]:
    """Lines of the log that are not the server's own, or tell of a fault."""
    bad = [line for line in victim.process.log if not _LOGGED.match(line) or not line.isprintable()]
    return [f"in the log: {line[:200]!r}" for line in bad[:5]]


async def assault(port: int, line_port: int, names: Sequence[str], seconds: float) -> list[str]:
    """Carry the attacks out; returns what did not end as it should."""

    async def one(number: int, name: str) -> list[str]:
        aim = Target(port, line_port, f"127.0.1.{number}", seconds)
        try:
            async with asyncio.timeout(seconds + 120):
                await ATTACKS[name](aim)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no typed refusal
            return [f"{name}: {type(error).__name__}: {error}"]
        return []

    found = await asyncio.gather(*(one(number, name) for number, name in enumerate(names, 1)))
    return list(chain(*found))


def main() -> int:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(prog="python -m tests.system.attack", description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=20.0, help="for each (default: 20)")
    parser.add_argument("--together", action="store_true", help="all at a time")
    parser.add_argument("--assault", type=int, nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.attacks or list(ATTACKS)
    if strange := [name for name in names if name not in ATTACKS]:
        parser.error(f"there is no attack {strange[0]!r}; there are {', '.join(ATTACKS)}")
    if arguments.assault:
        port, line_port = arguments.assault
        print(json.dumps(asyncio.run(assault(port, line_port, names, arguments.seconds))))
        return 0
    status = 0
    for some in [names] if arguments.together else [[name] for name in names]:
        outcome = asyncio.run(attack(some, arguments.seconds, hasty=False))
        told = f"memory +{outcome.grown:.0f} MiB, at the next table {outcome.waits}"
        print(f"{' '.join(some) if len(some) == 1 else 'all':26}{told}", flush=True)
        for fault in outcome.faults:
            print(f"    {fault}", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
