"""Programs at a table, made with the library: whole games against the bots of a real server."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crossroom_clients.bots import BotTable, CommandRefused, Turn, connect
from crossroom_clients.connection.dial import ServerUnreachable
from crossroom_engine.analysis.cgp import read_cgp
from crossroom_engine.analysis.position import best_turn
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.moves import Place
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_server.app import App
from tests.support.paths import ROOT
from tests.support.server import LOOPBACK, run_server


@pytest.fixture
async def server() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


def address(app: App) -> str:
    return f"ws://{LOOPBACK}:{app.port}/t/kitchen"


async def play_on(turn: Turn) -> None:
    await turn.play(best_turn(turn.position, find_leaves(turn.lexicon, turn.rules.tiles)))


@pytest.mark.slow
async def test_a_program_plays_a_whole_game_against_a_built_in_bot(server: App) -> None:
    async with asyncio.timeout(60), connect(address(server), "robo") as table:
        await table.ask("/set first_player seat")
        await table.ask("/bot add greedy")
        numbers = []
        async for turn in table.turns(games=1):
            numbers.append(turn.number)
            known = read_cgp(turn.cgp, turn.rules)
            assert known.racks[0] == turn.view.players[0].rack
            assert known.racks[1] == ()
            assert turn.seconds_left is None
            await play_on(turn)
        assert numbers == sorted(set(numbers))
        assert len(numbers) > 5


async def test_two_programs_play_each_other_and_talk(server: App) -> None:
    async with (
        asyncio.timeout(60),
        connect(address(server), "ada") as ada,
        connect(address(server), "bob") as bob,
    ):
        await ada.say("good luck")

        async def play(table: BotTable) -> None:
            async for turn in table.turns(games=1):
                await play_on(turn)

        await asyncio.gather(play(ada), play(bob))
        for table in (ada, bob):
            assert table.room is not None
            assert table.room.game is not None
            assert sum(player.score for player in table.room.game.players) > 300


async def test_a_refused_move_says_why_and_the_turn_goes_on(server: App) -> None:
    async with asyncio.timeout(60), connect(address(server), "robo") as table:
        await table.ask("/set first_player seat")
        await table.ask("/bot add novice")
        async for turn in table.turns():
            with pytest.raises(CommandRefused, match=r"NOT_IN_RACK|BAD_PLAY") as refused:
                await turn.play(Place(Spot.parse("8H"), "ZZZZZZZ"))
            assert refused.value.code in ("NOT_IN_RACK", "BAD_PLAY")
            await play_on(turn)
            with pytest.raises(CommandRefused, match=r"STALE_TURN|NOT_YOUR_TURN"):
                await play_on(turn)
            break


async def test_a_clock_is_told_in_seconds(server: App) -> None:
    async with asyncio.timeout(60), connect(address(server), "robo") as table:
        for line in ("/set first_player seat", "/set clock 600", "/bot add greedy"):
            await table.ask(line)
        async for turn in table.turns():
            assert turn.seconds_left is not None
            assert 590 < turn.seconds_left <= 600
            break


async def test_a_program_comes_back_to_its_seat(server: App) -> None:
    async with asyncio.timeout(60), connect(address(server), "robo") as table:
        code = table.resume_code
        await table.ask("/bot add greedy")
        async for turn in table.turns():
            number = turn.number
            break
    async with (
        asyncio.timeout(60),
        connect(address(server), "robo", resume_code=code) as table,
    ):
        async for turn in table.turns():
            assert turn.number == number
            break


async def test_a_name_that_cannot_be_had_and_a_server_that_is_not_there(server: App) -> None:
    async with connect(address(server), "robo"):
        with pytest.raises(CommandRefused, match="NAME_TAKEN"):
            async with connect(address(server), "robo"):
                pass
    with pytest.raises(ServerUnreachable):
        async with connect(f"ws://{LOOPBACK}:9", "robo"):
            pass


async def test_the_ten_lines_of_the_documents_play_a_game(server: App, tmp_path: Path) -> None:
    text = (ROOT / "docs/play/programs.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len([line for line in program.splitlines() if line.strip()]) <= 12
    script = tmp_path / "robo.py"
    script.write_text(program.replace("ws://localhost:8765/t/kitchen", address(server)))
    async with asyncio.timeout(60), connect(address(server), "ada") as ada:
        process = await asyncio.create_subprocess_exec(sys.executable, str(script))
        async for turn in ada.turns(games=1):
            await play_on(turn)
        assert await process.wait() == 0


async def test_a_program_in_another_process_plays_a_game(server: App, tmp_path: Path) -> None:
    script = tmp_path / "passes.py"
    script.write_text("import sys\nfor line in sys.stdin: print('pass', flush=True)\n")
    command = ["bot", "run", f"{LOOPBACK}:{server.port}/kitchen", "--name", "robo", "--games", "1"]
    async with asyncio.timeout(60), connect(address(server), "ada") as ada:
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-m",
                "crossroom_clients",
                *command,
                "--",
                sys.executable,
                str(script),
            ),
            stdout=asyncio.subprocess.PIPE,
        )
        async for turn in ada.turns(games=1):
            await play_on(turn)
        told, _ = await process.communicate()
    assert process.returncode == 0
    assert told.startswith(b"robo is at the table")
