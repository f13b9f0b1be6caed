"""The direction of imports, and the contents of a release."""

import ast
import sys
import sysconfig
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from tests.support.build import CAN_COMPILE, build
from tests.support.paths import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = [
    ROOT / folder for folder in PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
]
PASSING = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".venv"}


def imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def test_the_engine_needs_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"crossroom_engine"}
    strangers = {
        f"{source.relative_to(ROOT)}: {name}"
        for source in (ROOT / "engine").rglob("*.py")
        for name in imported(source)
        if name.partition(".")[0] not in allowed
    }
    assert not strangers


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of this tree, and a wheel that was made of it."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder, "sdist")
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        # Debian's Python 3.11 does not know filters, and newer ones warn where there is none.
        known = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        sdist.extractall(folder, **known)  # type: ignore[arg-type]
    build(folder / path.name.removesuffix(".tar.gz"), folder, "wheel")
    return folder


def test_the_wheel_has_every_file_of_the_packages_and_the_kernel(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    shipped = {name for name in ZipFile(path).namelist() if ".dist-info/" not in name}
    kernel = {"crossroom_engine/_kernel.abi3.so"} if CAN_COMPILE else set()
    assert shipped == kernel | {
        file.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for file in package.rglob("*")
        if file.is_file()
        and file.suffix not in {".so", ".c", ".h"}
        and not PASSING.intersection(file.parts)
    }


def test_the_kernel_is_one_binary_for_this_python_and_newer_ones(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    tags = path.stem.partition("-")[2].partition("-")[2]
    if sys.platform == "linux" and CAN_COMPILE:
        assert tags == f"cp311-abi3-{sysconfig.get_platform().replace('-', '_')}"
    else:
        assert tags.startswith("cp311-abi3-" if CAN_COMPILE else "py3-none-any")


def test_the_wheel_is_typed_licensed_and_has_the_command(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    wheel = ZipFile(path)
    (sdist,) = dist.glob("*.tar.gz")
    version = sdist.name.removeprefix("crossroom-").removesuffix(".tar.gz")
    about = f"crossroom-{version}.dist-info"  # the sdist knows the version without git
    assert {f"{package.name}/py.typed" for package in PACKAGES} <= set(wheel.namelist())
    assert wheel.read(f"{about}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    web = "crossroom_server/web"
    assert f"{about}/licenses/server/{web}/fonts/LICENSE-OpenSans.txt" in wheel.namelist()
    assert {f"{web}/templates/base.html", f"{web}/fonts/OpenSans-subset.ttf"} <= set(
        wheel.namelist()
    )
    assert b"crossroom = crossroom_clients.cli.main:main" in wheel.read(f"{about}/entry_points.txt")


def test_the_sdist_has_the_tests_and_nothing_that_lies_about(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        files = [PurePosixPath(*PurePosixPath(name).parts[1:]) for name in sdist.getnames()]
    assert PurePosixPath("tests", "repo", Path(__file__).name) in files
    assert PurePosixPath("engine", "crossroom_engine", "kernel", "kernel.h") in files
    others = {".github", "docker", "docs", "tests", "tools"}
    folders = {package.parent.name for package in PACKAGES} | others
    assert {file.parts[0] for file in files if len(file.parts) > 1} == folders
    assert not [file for file in files if PASSING.intersection(file.parts) or file.suffix == ".so"]
