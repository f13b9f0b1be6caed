"""Builds the driver in C, and runs it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.paths import ROOT
from tests.system.fuzz.cases import Budget

KERNEL: Final = ROOT / "engine" / "crossroom_engine" / "kernel"

COMPILER: Final = os.environ.get("CC", "gcc").split()[0]
CAN_SANITIZE: Final = sys.platform == "linux" and shutil.which(COMPILER) is not None
"""Is there a compiler, and would it know our switches?"""

SANITIZE: Final = (
    *("-std=c11", "-O2", "-g", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
"""How everything is compiled."""

_ALLOCATORS: Final = ("malloc", "calloc", "realloc")


def compile_driver(folder: Path, *switches: str) -> Path:
    """Compile it into *folder*; *switches* are for the compiler.

    Raises:
        CalledProcessError: the compiler fails; it has said why.
    """
    program = folder / "fuzz_kernel"
    pure = [path for path in sorted(KERNEL.glob("*.c")) if '"python.h"' not in path.read_text()]
    wrapped = [f"-Wl,--wrap={name}" for name in _ALLOCATORS]
    sources = map(str, [*sorted(Path(__file__).parent.glob("*.c")), *pure])
    command = [COMPILER, *SANITIZE, *switches, "-D_GNU_SOURCE", f"-I{KERNEL}", *sources, *wrapped]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def run(budget: Budget) -> int:
    """Compile the driver and run it; returns the status of the command."""
    with TemporaryDirectory(prefix="crossroom-fuzz-") as folder:
        program = compile_driver(Path(folder))
        return subprocess.run([program, *map(str, budget)], check=False).returncode
