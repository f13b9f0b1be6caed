"""ARCHITECTURE.md names what is there: packages, modules, classes and functions."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = {path.parent.name: path.parent for path in ROOT.glob("*/crossroom_*/__init__.py")}
DEFINITION = re.compile(
    r"^\s*(?:class|(?:async )?def|type) (\w+)|^\s*(\w+)(?:: [^=\n]+)? = ", re.MULTILINE
)
SECTION = re.compile(r"^### `\w+/(\w+)`\n(.*?)(?=^##)", re.DOTALL | re.MULTILINE)


def names_in(folder: Path) -> set[str]:
    """Modules and definitions of a package, or of one module."""
    files = [folder.with_suffix(".py")] if folder.with_suffix(".py").exists() else []
    files += folder.rglob("*.py")
    found = {path.stem for path in files} | {path.parent.name for path in files}
    for path in files:
        text = path.read_text(encoding="utf-8")
        found |= {name for match in DEFINITION.finditer(text) for name in match.groups() if name}
    return found


def rows() -> list[tuple[str, str, list[str]]]:
    """Each row of the tables: the top package, the package in it, and its key names."""
    return [
        (top, package, re.findall(r"`([^`]+)`", names))
        for top, section in SECTION.findall(TEXT)
        for package, names in re.findall(r"^\| `(\w+)` \|.*\|(.*)\|$", section, re.MULTILINE)
    ]


def test_the_tables_have_every_package() -> None:
    shown = {(top, package) for top, package, _ in rows()}
    assert shown == {
        (top, path.name.removesuffix(".py"))
        for top, folder in PACKAGES.items()
        for path in [*folder.iterdir()]
        if (path / "__init__.py").exists()
        or (path.suffix == ".py" and not path.name.startswith("_"))
    }


@pytest.mark.parametrize(("top", "package", "names"), rows())
def test_the_key_names_of_a_package_are_in_it(top: str, package: str, names: list[str]) -> None:
    known = names_in(PACKAGES[top] / package)
    assert [name for name in names if not known.issuperset(name.split("."))] == []


def test_all_names_in_the_text_exist() -> None:
    known = set().union(*map(names_in, PACKAGES.values()))
    known |= {path.stem for path in ROOT.glob("*/crossroom_*/**/*")}
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    known |= {path.name for path in ROOT.iterdir()}
    code = re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", prose)
    named = [name for name in code if re.search(r"[a-z]_[a-z]|^[A-Z]\w*[a-z]", name)]
    assert [
        name
        for name in named
        if not known.issuperset({name}) and not known.issuperset(name.split("."))
    ] == []


@pytest.mark.parametrize("text", [TEXT, GUIDE], ids=["ARCHITECTURE", "CONTRIBUTING"])
def test_all_paths_in_the_text_exist(text: str) -> None:
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    paths = re.findall(r"`([a-z_.]+/[\w./*-]+)`", prose)
    folders = [ROOT, *(package.parent for package in PACKAGES.values()), *PACKAGES.values()]
    assert [
        path
        for path in paths
        if "NAME" not in path and not any(list(folder.glob(path)) for folder in folders)
    ] == []
