"""Whole games, as the people at the table read them.

``tests/transcripts/*.txt`` say who typed what, and who heard which line in answer: rules, protocol
and secrecy in one. ``pytest --bless`` rewrites them from what happens now; read the difference
before you commit it.

The first line sets the scene: ``# seed 7: alice bob watcher``. Then ``name> line`` is typed; the
indented lines that follow are what was heard (``all``: on every connection). ``restart`` stops the
server and starts it again on the same store; everybody comes back with their code. ``wait 20`` lets
so many seconds pass. ``carol comes open-sesame`` lets somebody enter with that key, or without one,
and ``carol comes back`` resumes. A ``watcher`` never gives a name.
``bob=de`` hears German.

In a script with ``sleep 20`` in it, so many seconds pass for everything, the timers of the server
included; ``leave bob`` and ``return bob`` end and renew a connection.

``# seed 7 sealed: …`` seals the bags, with a seed that is no secret here.
"""

import asyncio
import re
from pathlib import Path

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_protocol.text.short_move_text import COLUMNS
from crossroom_server.lobby.lexica import LexicaOnDisk
from tests.support.room_driver import FakeClient, RoomDriver
from tests.support.virtual_time import AutojumpLoop

HERE = Path(__file__).parent / "transcripts"


async def perform(script: str, folder: Path) -> str:
    head, *body = script.splitlines()
    match = re.fullmatch(r"# seed (\d+)( sealed)?: (.+)", head)
    assert match, f"not a first line: {head}"
    clients = [listener(name) for name in match[3].split()]
    driver = RoomDriver(
        clients, LexicaOnDisk(folder), int(match[1]), sealed="5eed" * 16 if match[2] else ""
    )
    driver.pace = 1.0 if is_timed(script) else 0.0
    out = [head, "", "arrive"]
    await driver.join_all()
    out += driver.take_transcript()
    for line in body:
        if line.startswith((" ", "#")) or line in ("", "arrive"):
            continue
        out += ["", line]
        if line == "restart":
            await driver.restart_and_resume()
        elif line.startswith("wait "):
            await driver.wait(int(line.removeprefix("wait ")))
        elif " comes" in line and "> " not in line:
            out += await come(driver, *line.split(" comes"))
        elif line.startswith("sleep "):
            await asyncio.sleep(float(line.removeprefix("sleep ")))
        elif line.startswith("leave "):
            await driver.disconnect(line.removeprefix("leave "))
        elif line.startswith("return "):
            await driver.reconnect(line.removeprefix("return "))
        else:
            name, _, text = line.partition("> ")
            await driver.type(name, text)
        await asyncio.sleep(0)
        out += driver.take_transcript()
    await driver.lobby.close()
    return "\n".join(out) + "\n"


def listener(name: str) -> FakeClient:
    name, _, language = name.partition("=")
    return FakeClient(name, ReaderSettings(language=language or "en", width=COLUMNS))


async def come(driver: RoomDriver, name: str, key: str) -> list[str]:
    """Let somebody come; returns what they hear if they may not."""
    try:
        if key == " back":
            await driver.reconnect(name)
        else:
            await driver.join(name, key=key.strip())
    except Refusal as no:
        return [f"  {name} is kept out: {no.code}, {no}"]
    return []


def is_timed(script: str) -> bool:
    return "\nsleep " in script


@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(path: Path, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    script = path.read_text(encoding="utf-8")
    factory = AutojumpLoop if is_timed(script) else None
    with asyncio.Runner(loop_factory=factory) as runner:
        actual = runner.run(perform(script, tmp_path))
    if pytestconfig.getoption("--bless"):
        path.write_text(actual, encoding="utf-8")
    else:
        assert actual == script
