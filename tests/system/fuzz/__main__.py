"""Throw rubbish at the word engine, until something breaks that should not.

``python -m tests.system.fuzz TARGET``, in the root of the tree. Each case has a seed of its own;
what was found is told with it, and the status is 1.
"""

import argparse
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from tests.system.fuzz import driver, sanitizers
from tests.system.fuzz.cases import Budget, repeat

TARGETS: Final[Mapping[str, str]] = {
    "kernel": "the files of the kernel that know nothing of Python, in C, with sanitizers",
    "boundary": "the kernel's types and methods, with arguments of all kinds",
    "lexicons": "the bytes of word lists",
    "network_input": "lines, objects, bytes, names and requests, as peers send them",
    "texts": "boards, racks, tile sets, leaves, rules, positions and records as text",
}


def main() -> int:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.system.fuzz",
        description=__doc__,
        epilog="\n".join(["targets:", *(f"  {name:15}{what}" for name, what in TARGETS.items())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--cases", type=int, default=100_000, help="at least so many")
    parser.add_argument("--seconds", type=int, default=10**6, help="but no longer than that")
    parser.add_argument("--seed", type=int, default=1, help="of the first case")
    parser.add_argument(
        "--sanitize", action="store_true", help="the targets in Python, with a kernel that does"
    )
    arguments = parser.parse_args()
    budget = Budget(arguments.seed, arguments.cases, arguments.seconds)
    if arguments.target == "kernel":
        return driver.run(budget)
    if arguments.sanitize:
        sanitizers.load_kernel()
    target = import_module(f"tests.system.fuzz.{arguments.target}")
    return repeat(target.case, budget) or (sanitizers.find_leaks() if arguments.sanitize else 0)


if __name__ == "__main__":
    sys.exit(main())
