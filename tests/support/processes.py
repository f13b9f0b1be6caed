"""Programs of Python that tests start to see what they load."""

import os
import subprocess
import sys


def run_script(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script of Python that nothing measures: that would load modules of its own."""
    environment = {name: it for name, it in os.environ.items() if "COVERAGE" not in name}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
