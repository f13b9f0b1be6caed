"""The documents: their examples run, their commands exist, and their links lead somewhere."""

import argparse
import doctest
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from crossroom_clients.cli.main import COMMANDS
from tests.support.paths import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / ".github").glob("*.md")),
    *sorted((ROOT / "docker").glob("*.md")),
    *sorted((ROOT / "engine").glob("*.md")),
    *sorted((ROOT / "protocol").glob("*.md")),
    *sorted((ROOT / "server").glob("*.md")),
]
TEXTS = {path: path.read_text(encoding="utf-8") for path in DOCUMENTS}
MAX_README_LINES = 160


def fenced(text: str, language: str) -> list[str]:
    """The blocks of code in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def in_repository(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


WITH_EXAMPLES = [
    path for path in DOCUMENTS if any(">>> " in block for block in fenced(TEXTS[path], "python"))
]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=in_repository)
def test_the_examples_run(path: Path) -> None:
    blocks = [block for block in fenced(TEXTS[path], "python") if ">>> " in block]
    parser = doctest.DocTestParser()
    example = parser.get_doctest("\n".join(blocks), {}, path.stem, str(path), 0)
    assert doctest.DocTestRunner().run(example).failed == 0


MODULES = [
    path
    for folder in ("engine", "protocol", "server", "clients")
    for path in sorted((ROOT / folder).rglob("crossroom_*/**/*.py"))
    if "\n    >>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", MODULES, ids=in_repository)
def test_the_examples_of_a_module_run(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts[1:])
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_engine_is_shown_by_example() -> None:
    assert ROOT / "docs" / "engine" / "tour.md" in WITH_EXAMPLES


def command_lines() -> Iterator[str]:
    """Every call of ``crossroom`` that a document shows, without the program's name."""
    call = re.compile(rf"(?:^|[ /])crossroom ((?:{'|'.join(COMMANDS)})\b[^#|<&]*)")
    for text in TEXTS.values():
        for block in fenced(text, "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                yield from (found.strip() for found in call.findall(line))


@pytest.mark.parametrize("line", sorted(set(command_lines())))
def test_a_command_line_is_understood(line: str) -> None:
    name, *rest = shlex.split(line)
    parser = argparse.ArgumentParser()
    import_module(COMMANDS[name].module).add_arguments(parser)
    if "--help" not in rest:
        parser.parse_args(rest)


@pytest.mark.parametrize("path", DOCUMENTS, ids=in_repository)
def test_the_modules_that_are_named_exist(path: Path) -> None:
    for module in re.findall(r"python3? -m ((?:tests|tools|crossroom_)[\w.]*)", TEXTS[path]):
        assert find_spec(module.rstrip(".")), module


def slug(heading: str) -> str:
    """The anchor of a heading, as hosting sites and the site make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def anchors(text: str) -> set[str]:
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose, re.MULTILINE)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=in_repository)
def test_links_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]+`", "", TEXTS[path], flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(([^()\s]+)\)|src=\"([^\"]+)\"", prose)
    for target in (written or source for written, source in targets):
        name, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", name):
            continue
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), target


def test_the_site_has_every_document() -> None:
    nav = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    hooks = (ROOT / "tools" / "site_hooks.py").read_text(encoding="utf-8")
    elsewhere = {page for _, page in re.findall(r'"(\S+\.md)": "(\S+\.md)"', hooks)}
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(nav) == sorted(pages | elsewhere)


def test_the_readme_is_short() -> None:
    assert len(TEXTS[ROOT / "README.md"].splitlines()) <= MAX_README_LINES
