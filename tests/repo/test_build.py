"""Wheels with the kernel and without, as there is a compiler or not."""

import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.build import build, try_build
from tests.support.paths import ROOT


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A compiler that fails."""
    if sys.platform == "win32":
        pytest.skip("the compiler there cannot be replaced like this")
    compiler = tmp_path / "broken-cc"
    compiler.write_text("#!/bin/sh\necho this compiler is broken >&2\nexit 1\n")
    compiler.chmod(0o755)
    return str(compiler)


def the_wheel(folder: Path) -> tuple[str, list[str]]:
    """The tags of its name, and what it has of the kernel."""
    (path,) = folder.glob("*.whl")
    files = [name for name in ZipFile(path).namelist() if "kernel" in name]
    return path.stem.removeprefix("crossroom-").partition("-")[2], files


def test_without_a_compiler_the_wheel_goes_without(tmp_path: Path, broken: str) -> None:
    done = build(ROOT, tmp_path, "wheel", CC=broken)
    assert "so the word engine will be in plain Python, and slow" in done.stderr
    assert the_wheel(tmp_path) == ("py3-none-any", ["crossroom_engine/_kernel.pyi"])


def test_a_kernel_that_is_demanded_must_be_built(tmp_path: Path, broken: str) -> None:
    done = try_build(ROOT, tmp_path, "wheel", CC=broken, CROSSROOM_KERNEL="c")
    assert done.returncode != 0
    assert "broken-cc" in done.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_a_kernel_that_is_not_wanted_is_not_built(tmp_path: Path, broken: str) -> None:
    done = build(ROOT, tmp_path, "wheel", CC=broken, CROSSROOM_KERNEL="python")
    assert "compiler is broken" not in done.stderr
    assert the_wheel(tmp_path) == ("py3-none-any", ["crossroom_engine/_kernel.pyi"])
