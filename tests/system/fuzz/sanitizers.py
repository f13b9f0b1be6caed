"""The kernel as Python loads it, compiled with sanitizers."""

import ctypes
import os
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.system.fuzz.driver import COMPILER, KERNEL, SANITIZE

_NAME: Final = "crossroom_engine._kernel"
_LIBRARY: Final = "CROSSROOM_FUZZ_LIBRARY"
"""Set in the process that runs with it."""


def compile_library(folder: Path) -> Path:
    """Compile it into *folder*.

    Raises:
        CalledProcessError: the compiler fails; it has said why.
    """
    library = folder / "_kernel.abi3.so"
    headers = sysconfig.get_path("include")
    sources = map(str, sorted(KERNEL.glob("*.c")))
    command = [COMPILER, *SANITIZE, "-shared", "-fPIC", f"-I{headers}", *sources]
    subprocess.run([*command, "-o", str(library)], check=True)
    return library


def load_kernel() -> None:
    """Use it in this process; which is begun anew, for sanitizers must be there from the start."""
    if path := os.environ.get(_LIBRARY):
        _import(Path(path))
        return
    with TemporaryDirectory(prefix="crossroom-fuzz-") as folder:
        asked = subprocess.run(
            [COMPILER, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
        )
        environment = {
            "LD_PRELOAD": asked.stdout.strip(),
            "PYTHONMALLOC": "malloc",  # each object by itself, so that its bounds are known
            "ASAN_OPTIONS": f"leak_check_at_exit=0:quarantine_size_mb=16:log_path={folder}/log",
            _LIBRARY: str(compile_library(Path(folder))),
        }
        command = [sys.executable, "-m", "tests.system.fuzz", *sys.argv[1:]]
        status = subprocess.run(command, env=os.environ | environment, check=False).returncode
        for log in Path(folder).glob("log.*"):
            print(log.read_text(errors="replace"))
    sys.exit(status)


def find_leaks() -> int:
    """Look for memory that nobody knows any more; returns the status.

    All of it counts: an object that the kernel forgets to let go of comes from the interpreter's
    own allocator. What only a local variable of Python knows is told as well, since the frames of
    Python lie where no sanitizer looks; so nobody up the stack may keep a text or a number there.
    """
    return 1 if ctypes.CDLL(None).__lsan_do_recoverable_leak_check() else 0


def _import(path: Path) -> None:
    spec = spec_from_file_location(_NAME, path, loader=ExtensionFileLoader(_NAME, str(path)))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[_NAME] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
