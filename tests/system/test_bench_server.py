"""`crossroom bench server`: its client, its percentiles, its figures, and how it ends."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection, serve

from crossroom_clients.bench import load
from crossroom_clients.bench import server as bench_server
from crossroom_clients.bench.figures import LABELS, percentile
from crossroom_clients.bench.load import Crowd, LoadPlan
from crossroom_clients.bench.load_client import LoadClient, connect
from crossroom_clients.bench.plot import Curve, draw_latencies
from crossroom_clients.bench.rooms import ChatRoom, Findings, GameRoom
from crossroom_clients.cli.main import main
from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import ServerUnreachable
from crossroom_engine.words.catalog import open_lexicon
from crossroom_server import app as app_module
from tests.support.server import LOOPBACK, run_server

ENGLISH = open_lexicon("english")


def frame(text: bytes, opcode: int = 1) -> bytes:
    size = len(text)
    if size < 126:
        return bytes([0x80 | opcode, size]) + text
    if size < 1 << 16:
        return bytes([0x80 | opcode, 126]) + size.to_bytes(2) + text
    return bytes([0x80 | opcode, 127]) + size.to_bytes(8) + text


@given(st.lists(st.sampled_from([0, 1, 125, 126, 300, 70_000]), max_size=5), st.data())
def test_frames_are_heard_however_they_arrive(sizes: list[int], data: st.DataObject) -> None:
    texts = [bytes([65 + at]) * size for at, size in enumerate(sizes)]
    stream = b"HTTP/1.1 101 OK\r\n\r\n" + b"".join(map(frame, texts))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    heard: list[bytes] = []

    async def feed() -> None:
        peer = LoadClient("h", "/", heard.append, None)
        for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
            peer.data_received(stream[begin:end])
        assert peer.opened.done()

    asyncio.run(feed())
    assert heard == texts


async def test_the_client_answers_pings_and_sees_the_end() -> None:
    heard: list[bytes] = []
    over = asyncio.Event()

    async def handle(connection: ServerConnection) -> None:
        await asyncio.wait_for(await connection.ping(), 30)
        assert await connection.recv() == "x" * 200
        await connection.send("well")
        over.set()

    async with serve(handle, LOOPBACK, 0) as server:
        address = Address(f"ws://{LOOPBACK}:{server.sockets[0].getsockname()[1]}")
        peer = await connect(address, heard.append)
        peer.say("x" * 200)
        await asyncio.wait_for(over.wait(), 30)
        for _ in range(1000):
            if peer.is_lost:
                break
            await asyncio.sleep(0.02)
    assert heard == [b"well"]
    assert peer.is_lost


@pytest.mark.parametrize(("p", "value"), [(50, 50), (99, 99), (99.9, 100), (100, 100), (0, 1)])
def test_percentiles_are_values_that_occurred(p: float, value: int) -> None:
    assert percentile(range(1, 101), p) == value
    assert percentile([7.0], p) == 7.0


async def test_a_server_that_stops_for_a_while_cannot_hide_it() -> None:
    """Ten remarks a second; the server stands still for the second half of the first second."""
    people: set[ServerConnection] = set()
    now = asyncio.get_running_loop().time
    begun = now()

    async def handle(connection: ServerConnection) -> None:
        people.add(connection)
        async for message in connection:
            if (wait := begun + 1.2 - now()) > 0 and now() > begun + 0.7:
                await asyncio.sleep(wait)
            for one in people:
                await one.send(message)

    async with serve(handle, LOOPBACK, 0) as server:
        port = server.sockets[0].getsockname()[1]
        crowd = Crowd([ChatRoom([Address(f"ws://{LOOPBACK}:{port}", "x")], 2)])
        await crowd.open(lambda _: None)
        begun = now()
        plan = LoadPlan(
            rooms=1, people=2, watchers=0, every=0.1, chat=100.0, seconds=1.0, idle=1, crowd=5
        )
        result = await crowd.on_time(plan, lambda _: None)
        await crowd.close()
    waits = sorted(result.findings.latencies)
    assert len(waits) == 10
    assert result.findings.deliveries == 20
    assert percentile(waits, 30) < 0.1
    assert (
        sum(wait > 0.15 for wait in waits) >= 3
    )  # each that was due meanwhile, not only the first
    assert waits[-1] > 0.35


class SilentBenchPeer:
    """Somebody who says nothing to anybody."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)


async def test_whoever_is_on_turn_may_move_before_others_hear_that_a_game_begins() -> None:
    room, ann, bob = (
        GameRoom([Address("ws://nowhere", "x")], 2, ENGLISH),
        SilentBenchPeer(),
        SilentBenchPeer(),
    )
    room._peers = [ann, bob]  # type: ignore[list-item]
    turn = b"@state=turn;phase=playing;turn=%d;rack=%s ? your turn"
    room.move(0.0)
    room.move(0.0)
    room._hear(0, b"@seq=5;event=moved;phase=playing * game 1 begins")
    room._hear(0, turn % (1, b"CATXXQQ"))
    assert ann.said == ["/play 8F QAT"]
    room._hear(1, b"@seq=5;event=moved;phase=playing * game 1 begins")
    room._hear(0, b"@seq=6;event=moved;phase=playing * ann plays 8F QAT")
    room._hear(1, b"@seq=6;event=moved;phase=playing * ann plays 8F QAT")
    assert room.findings.moves == 1
    room._hear(1, turn % (2, b"SQQXXVV"))
    assert bob.said == ["/play G7 S.X"], "by the board that ann has left"


class SlowBenchPeer(GameRoom):
    """Wants to play two games."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.is_second = asyncio.Event()
        self._games = 0

    def _agree(self) -> None:
        super()._agree()
        self._games += 1
        if self._games == 2:
            self.is_second.set()


async def test_people_play_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "SystemRandom", lambda: Random(1))  # the same bags each time
    async with run_server() as app:
        address = Address(f"ws://{LOOPBACK}:{app.port}", "bench")
        room = SlowBenchPeer([address], 2, ENGLISH, 1)
        await room.open()
        room.plays_on = True
        room.move(asyncio.get_running_loop().time())
        await asyncio.wait_for(room.is_second.wait(), 20)
        room.close()
    assert room.findings.moves > 20
    assert room.findings.refused == 0
    assert room.findings.deliveries > 3 * room.findings.moves
    assert len(room.findings.latencies) == room.findings.moves


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_server, "FLAT_OUT_ROUNDS", 2)
    monkeypatch.setattr(load, "SETTLE_S", 0.1)


SMALL = [
    "--rooms=3",
    "--players=2",
    "--every=0.2",
    "--chat=0.5",
    "--seconds=0.6",
    "--idle=40",
    "--watchers=1",
    "--crowd=5",
]


@pytest.mark.usefixtures("short_pauses")
def test_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "x.svg"
    flags = ["--json", "--plot", str(picture), "--folder", str(tmp_path)]
    assert main(["bench", "server", *SMALL, *flags]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    told: dict[str, Any] = json.loads(said.out)
    assert told["plan"]["rooms"] == 3
    figures = told["figures"]
    assert figures.keys() == LABELS.keys(), "programs know these keys"
    for name in ("latency_p99_ms", "crowd_deliveries_per_s"):
        one = figures[name]
        assert one["ratio"] == pytest.approx(one["crossroom"] / one["bare"])
        assert min(one.values()) > 0
    moves = figures["moves_per_s"]
    assert moves["crossroom"] > 1
    assert moves["bare"] is moves["ratio"] is None
    if sys.platform == "linux":
        assert 5 < figures["idle_connection_kb"]["crossroom"] < 200
    assert len(ET.parse(picture).findall("{*}polyline")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.svg"]


@pytest.mark.usefixtures("short_pauses")
async def test_a_server_that_runs_already(capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server() as app:
        args = ["bench", "server", "--url", f"ws://{LOOPBACK}:{app.port}", *SMALL, "--chat=9"]
        assert await asyncio.to_thread(main, [*args, "--every=1"]) == 0
        assert await asyncio.to_thread(main, args) == 1
    said = capsys.readouterr()
    assert "until all are told, p50, ms" in said.out
    assert "lines a second from each, and a server delays them" in said.err


async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(ServerUnreachable, match="nothing answers"):
        await connect(Address(f"ws://{LOOPBACK}:9"), lambda _: None)


def test_a_picture_of_nothing_is_a_picture() -> None:
    assert ET.fromstring(draw_latencies([Curve("x", [])])).findall("{*}polyline") == []


def descendants(root: int) -> set[int]:
    done = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in done.stdout.splitlines()[1:]]
    found = {root}
    for _ in range(3):
        found |= {pid for pid, parent in pairs if parent in found}
    return found - {root}


def is_running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send there")
def test_an_interrupt_leaves_nothing_running(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "crossroom_clients", "bench", "server", "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    begun = time.monotonic()
    while not (servers := descendants(process.pid)) and time.monotonic() < begun + 20:
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert servers
    assert not [pid for pid in servers if is_running(pid)]
    assert not list(tmp_path.iterdir())


def test_it_says_what_the_load_could_not_keep_up_with() -> None:
    plan = LoadPlan(rooms=1, people=2, watchers=0, every=1, chat=1, seconds=1, idle=1, crowd=5)
    bench = bench_server.ServerBench(plan, ENGLISH, lambda _: None)
    findings = Findings()
    findings.latencies.append(0.1)
    findings.lateness.append(0.08)
    findings.refused = 2
    bench._learn("crossroom", load.LoadResult(findings, 1.0, 1.0, 1.0))
    assert bench.remarks[0] == "crossroom refused 2 lines"
    assert "the load itself was 80 ms late" in bench.remarks[1]
