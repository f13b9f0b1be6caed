"""Making wheels and sdists of a tree, as installers do."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

_CC: Final = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl"
_HEADERS: Final = Path(sysconfig.get_path("include"), "Python.h")

CAN_COMPILE: Final = shutil.which(_CC.split()[0]) is not None and _HEADERS.exists()
"""Is there what the kernel is built with? Otherwise wheels go without."""


def build(
    tree: Path, folder: Path, target: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Build a wheel or an sdist of *tree* into *folder*; fails if that fails.

    What the environment of the tests demands of the kernel does not count.
    """
    done = try_build(tree, folder, target, **environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done


def try_build(
    tree: Path, folder: Path, target: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The same, and it may fail."""
    usual = {name: text for name, text in os.environ.items() if name != "CROSSROOM_KERNEL"}
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
        cwd=tree,
        env=usual | environment,
        capture_output=True,
        text=True,
        check=False,
    )
