"""The worked example of CONTRIBUTING.md: a copy of the tree gets the command, and plays it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

FOLDERS = ("engine", "protocol", "server", "clients", "tests/support", "tests/unit")
MAX_LINES = 50
MAX_PLACES = 5

PLAY = '''
"""What holds for all talk holds for the new command, without a line of its own."""

from dataclasses import replace

from crossroom_protocol.notices import ReaderSettings
from tests.support.room_driver import any_contains, open_room
from tests.support.server import UNLIMITED, SessionDriver, new_server_state


async def test_slow_talk() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/set slow 60")
    assert any_contains(await driver.type("bob", "/coin"), "* bob tosses a coin: ")
    assert any_contains(await driver.type("bob", "/coin"), "! SLOW_DOWN coin: talk is slow here")
    assert any_contains(await driver.type("bob", "hello"), "! SLOW_DOWN say: talk is slow here")
    driver.now += 60_000
    assert any_contains(await driver.type("bob", "/coin"), "tosses a coin: ")


async def test_mutes_and_watchers() -> None:
    driver = await open_room("ann", "bob", "watcher")
    await driver.type("ann", "/mute bob")
    assert any_contains(await driver.type("bob", "/coin"), "! MUTED coin: ")
    assert any_contains(await driver.type("watcher", "/coin"), "! NEED_NAME coin: ")
    await driver.type("ann", "/unmute bob")
    assert any_contains(await driver.type("bob", "/coin"), "tosses a coin: ")
    assert any_contains(driver.clients["watcher"].received, "bob tosses a coin: ")


async def test_the_line_and_the_json_form() -> None:
    state = new_server_state()
    ann = await SessionDriver(state, ReaderSettings("json")).join("kitchen")
    await ann.say('{"do": "name", "name": "ann"}')
    assert any_contains(await ann.say('{"do": "coin", "id": "7"}'), "tosses a coin: ")
    assert any_contains(await ann.say('{"do": "help", "about": "coin"}'), "Toss a coin")
    bob = await SessionDriver(state).join()
    assert any_contains(await bob.say("/coin"), "! NOT_IN_ROOM coin: ")
    assert any_contains(await bob.say("/coin now"), "! BAD_ARGS coin: ")


async def test_it_counts_as_written_down() -> None:
    state = new_server_state(replace(UNLIMITED, written=2))
    ann = await SessionDriver(state, address="192.0.2.1").join("kitchen")
    await ann.say("/name ann")
    assert any_contains(await ann.say("/coin"), "tosses a coin: ")
    assert any_contains(await ann.say("/coin"), "! SLOW_DOWN coin: ")
'''


@pytest.fixture(scope="module")
def section() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"^## Your first command\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def blocks(section: str) -> list[tuple[str, Path, str]]:
    """The blocks of code that name their file: in which language, which file, and the rest."""
    found = re.findall(r"^```(\w+)\n# (\S+)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return [(language, Path(path), code) for language, path, code in found]


def change(path: Path, language: str, code: str) -> None:
    """Do to a file what a block says: append it, or apply the difference."""
    if language == "diff":
        before = "".join(line[1:] for line in code.splitlines(keepends=True) if line[0] == " ")
        after = "".join(line[1:] for line in code.splitlines(keepends=True) if line[0] != "-")
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{path} is not what the document says"
        path.write_text(text.replace(before, after), encoding="utf-8")
    else:
        text = path.read_text(encoding="utf-8").rstrip() + "\n\n\n" if path.exists() else ""
        path.write_text(text + code, encoding="utf-8")


@pytest.fixture(scope="module")
def tree(section: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the command in it."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for name in ("pyproject.toml", "tests/conftest.py", "tests/__init__.py"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy / name)
    for language, path, code in blocks(section):
        change(copy / path, language, code)
    (copy / "tests/unit/server/table/test_play_coin.py").write_text(PLAY, encoding="utf-8")
    return copy


def run(tree: Path, *arguments: str) -> None:
    folders = (tree, *(tree / name for name in ("engine", "protocol", "server", "clients")))
    paths = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_section_is_short_and_changes_few_places(section: str) -> None:
    assert section.count("\n") <= MAX_LINES
    changed = [path for _, path, _ in blocks(section)]
    assert 3 <= len(set(changed)) == len(changed) <= MAX_PLACES
    assert section.count("```") == 2 * len(changed)


def test_the_copy_plays_it(tree: Path) -> None:
    run(tree, "-m", "crossroom_protocol.docs.reference")
    table, protocol = "tests/unit/server/table/", "tests/unit/protocol/"
    tests = (
        f"{table}test_coin.py",
        f"{table}test_play_coin.py",
        "tests/unit/server/room/test_routes.py",
        f"{protocol}docs/test_reference.py",
    )
    names = "coin or play or help or page or schema or every or limits"
    run(tree, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", names, *tests)
    assert "/coin" in (tree / "protocol/PROTOCOL.md").read_text(encoding="utf-8")


def test_the_tree_itself_has_no_coin() -> None:
    run(
        ROOT,
        "-c",
        "from crossroom_protocol.commands.registry import NAMES as n; assert 'coin' not in n",
    )
