"""Builds the word engine's kernel into the wheel, or beside its sources for an editable install.

Without a C compiler the wheel does without: then the engine is in plain Python, which is slower and
finds the same plays. ``CROSSROOM_KERNEL=c`` makes that a failure, ``CROSSROOM_KERNEL=python`` does
not try.
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

PACKAGE: Final = Path("engine", "crossroom_engine")
LIMITED_API: Final = "cp311"
"""One binary for this Python and all newer ones."""


class KernelHook(BuildHookInterface[Any]):
    """Named ``custom``, as hatchling has it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless told not to. *version* is ``editable`` or ``standard``."""
        demanded = os.environ.get("CROSSROOM_KERNEL", "")
        if version == "editable":
            self._remove()  # rather none than one of an older tree
        if demanded == "python":
            return
        self._built = TemporaryDirectory(prefix="crossroom-kernel-")
        try:
            library = self._build(Path(self._built.name))
        except (BaseError, CCompilerError, OSError) as error:
            if demanded == "c":
                raise
            self.app.display_warning(
                "crossroom: no C compiler works here, so the word engine will be in plain Python, "
                f"and slow; install again when there is one ({error})"
            )
            return
        if version == "editable":
            Path(self.root, PACKAGE, library.name).write_bytes(library.read_bytes())
        else:
            build_data["force_include"][str(library)] = f"{PACKAGE.name}/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{LIMITED_API}-abi3-{_platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up."""
        if hasattr(self, "_built"):
            self._built.cleanup()

    def _remove(self) -> None:
        """Unlink a library beside the sources; a program that runs keeps it open."""
        for suffix in EXTENSION_SUFFIXES:
            Path(self.root, PACKAGE, f"_kernel{suffix}").unlink(missing_ok=True)

    def _build(self, folder: Path) -> Path:
        sources = sorted(Path(self.root, PACKAGE, "kernel").glob("*.c"))
        kernel = Extension(
            f"{PACKAGE.name}._kernel",
            list(map(os.fspath, sources)),
            depends=list(map(os.fspath, sources[0].parent.glob("*.h"))),
            extra_compile_args=["/std:c11"] if os.name == "nt" else ["-std=c11", "-g0"],
            py_limited_api=True,
        )
        command = build_ext(Distribution({"ext_modules": [kernel]}))
        command.build_lib = command.build_temp = os.fspath(folder)
        command.ensure_finalized()
        command.run()
        return Path(command.get_ext_fullpath(kernel.name))


def _platform() -> str:
    """The platform of a wheel that is made on this machine, for machines like it."""
    return next(
        tag.platform
        for tag in sys_tags()
        if not tag.platform.startswith(("manylinux", "musllinux"))
    )
