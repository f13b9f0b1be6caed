"""Words that the host does not want to read."""

from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.analysis import CheckCommand
from crossroom_protocol.commands.moves import PlayCommand
from crossroom_protocol.commands.parser import read_line
from crossroom_server.room.routes import ROUTES
from crossroom_server.session.word_filter import WordFilter
from tests.support.server import LOOPBACK, run_server

MASK = WordFilter("# not here\n\ndarn\nblast*  # all of it\nbüchse\n")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("darn it", "**** it"),
        ("DARN, that is a Blasted pity", "****, that is a ******* pity"),
        ("d\u0430rn d4rn dárn", "**** d4rn ****"),
        ("darning is a hobby", "darning is a hobby"),
        ("die BÜCHSE", "die ******"),
        ("(darn)", "(****)"),
        ("not here", "not here"),
    ],
)
def test_listed_words_are_told_as_stars(said: str, told: str) -> None:
    assert MASK.censor(said) == told


@pytest.mark.parametrize("line", ["darn", "/me says darn", "/tell bob darn"])
def test_all_ways_to_say_something(line: str) -> None:
    request = read_line(line, in_room=True)
    assert request is not None
    field = ROUTES[type(request.command)].text_field
    assert field is not None
    covered = MASK.filtered(request.command, field)
    assert "darn" not in str(covered)
    assert "****" in str(covered)


def test_other_commands_stay_as_they_are() -> None:
    assert ROUTES[PlayCommand].text_field is None
    assert ROUTES[CheckCommand].text_field is None
    assert WordFilter().censor("darn") == "darn"


@pytest.mark.parametrize("name", ["darn", "Darn-it", "the_dARN", "blaster", "darn7"])
def test_nobody_is_called_so(name: str) -> None:
    with pytest.raises(Refusal, match="choose another"):
        MASK.check_name(name)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mask.txt"
    with pytest.raises(OSError, match="No such file"):
        WordFilter.read(path)
    path.write_bytes(b"caf\xe9")
    with pytest.raises(OSError, match="one word a line"):
        WordFilter.read(path)
    path.write_text("darn\n", encoding="utf-8")
    assert WordFilter.read(path).censor("darn") == "****"


async def test_whoever_hears_it_hears_stars(tmp_path: Path) -> None:
    path = tmp_path / "mask.txt"
    path.write_text("darn\n", encoding="utf-8")
    async with run_server(mask=path) as app:
        url = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
        async with connect(url, max_queue=None) as ann, connect(url, max_queue=None) as bob:
            await ann.send("/name darn")
            await ann.send("/name ann")
            await ann.send("oh darn")
            heard = ""
            while "oh" not in heard:
                heard = str(await bob.recv())
            assert heard.endswith("ann: oh ****")
            told = [str(await ann.recv()) for _ in range(6)]
            assert any(line.startswith("! BAD_NAME name: ") for line in told)
