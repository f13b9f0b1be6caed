"""Run the tests, and print how much of the engine, the protocol and the server they reach.

``python -m tools.coverage``, in the root of the tree; arguments go to pytest instead of ``--full``.
The servers that tests start count, too. The status is 1 if a test fails, if fewer than 90 % of the
lines and branches are reached, or fewer than 75 % of a module's.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

FLOOR: Final = 90.0
"""Per cent of everything."""
MODULE_FLOOR: Final = 75.0
"""Per cent of each module."""


def main(arguments: Sequence[str]) -> int:
    """Run the tests with *arguments*, and report."""
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "erase"], check=True)
    tests = subprocess.run(
        [*coverage, "run", "-m", "pytest", *(arguments or ["--full"])], check=False
    )
    subprocess.run([*coverage, "combine", "--quiet"], check=True)
    subprocess.run([*coverage, "report", "--skip-covered"], check=True)
    with TemporaryDirectory() as folder:
        file = Path(folder, "coverage.json")
        subprocess.run([*coverage, "json", "--quiet", "-o", str(file)], check=True)
        faults = below_floor(json.loads(file.read_text(encoding="utf-8")))
    print(*faults, sep="\n")
    return 1 if tests.returncode or faults else 0


def below_floor(report: dict[str, Any]) -> list[str]:
    """Say what is reached too little, by the JSON report of coverage.py."""
    modules = {name: file["summary"]["percent_covered"] for name, file in report["files"].items()}
    faults = [
        f"{name}: {percent:.0f} %, below {MODULE_FLOOR:.0f} %"
        for name, percent in modules.items()
        if percent < MODULE_FLOOR
    ]
    total = report["totals"]["percent_covered"]
    return [*faults, f"all: {total:.1f} %, below {FLOOR:.0f} %"] if total < FLOOR else faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
