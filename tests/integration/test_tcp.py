"""The line port: lines are found in whatever bytes come, and everybody is answered."""

import asyncio
import json
import logging
import socket
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_server.app import App
from crossroom_server.listeners.tcp import LineSplitter, listen
from tests.support.server import LOOPBACK, UNLIMITED, RawClient, new_server_state, run_server

LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=20))
TEXT = st.sampled_from([b"a", b"\n", "é".encode()])
TELNET = st.sampled_from(
    [b"\xff\xfb\x01", b"\xff\xfe\xff", b"\xff\xf4", b"\xff\xff", b"\xff\xfa\x18\xff\xff\n\xff\xf0"]
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in pairwise(edges)]


@given(LINES, st.lists(st.integers(0, 10_000), max_size=8), st.sampled_from([b"\n", b"\r\n"]))
def test_however_bytes_arrive_the_lines_are_the_same(
    lines: list[str], places: list[int], end: bytes
) -> None:
    splitter = LineSplitter(100)
    stream = b"".join(line.encode() + end for line in lines) + b"rest"
    found = [line for piece in cut(stream, places) for line in splitter.feed(piece)]
    assert [line.decode() for line in found] == lines
    assert splitter.rest() == b"rest"


@given(
    st.lists(TELNET | st.sampled_from([b"a", b"\n", "é".encode()])), st.lists(st.integers(0, 99))
)
def test_telnet_commands_are_dropped_wherever_they_stand(
    pieces: list[bytes], places: list[int]
) -> None:
    splitter = LineSplitter(1000)
    plain = b"".join(piece for piece in pieces if not piece.startswith(b"\xff"))
    found = [line for piece in cut(b"".join(pieces), places) for line in splitter.feed(piece)]
    assert [*found, splitter.rest()] == plain.split(b"\n")


def test_an_endless_line_is_cut_and_takes_no_memory() -> None:
    splitter = LineSplitter(100)
    tracemalloc.start()
    for chunk in (b"x" * 4096, b"\xff\xfa" + b"y" * 4094):
        for _ in range(1000):
            assert splitter.feed(chunk) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000  # of 8 MB that were fed
    assert splitter.feed(b"\xff\xf0\nnext\n") == [b"x" * 100, b"next"]


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


Dial: TypeAlias = Callable[[App], Awaitable[RawClient]]


@pytest.fixture
async def dial() -> AsyncIterator[Dial]:
    """Calls a server; all calls end with the test."""
    callers: list[RawClient] = []

    async def dial(app: App) -> RawClient:
        assert app.line_port is not None
        callers.append(await RawClient.dial(app.line_port))
        return callers[-1]

    yield dial
    for caller in callers:
        await caller.hang_up()


async def test_lines_go_out_with_crlf_and_come_in_with_or_without(app: App, dial: Dial) -> None:
    ann = await dial(app)
    await ann.hear_until("/rooms")
    ann.say("/ping\n/ping\r\n")
    assert [await ann.hear(), await ann.hear()] == ["- pong", "- pong"]


async def test_a_game_of_words_between_a_tcp_and_a_tcp_client(app: App, dial: Dial) -> None:
    ann, bob = await dial(app), await dial(app)
    ann.say("/join kitchen\n/name ann\n")
    await ann.hear_until("ann takes seat 1")
    bob.say("/join kitchen\n/name bob\nhello ann\n")
    assert (await ann.hear_until("hello ann"))[-1].endswith("bob: hello ann")
    bob.say("/invite\n")
    assert f"ws://{LOOPBACK}:{app.port}/t/kitchen" in (await bob.hear_until("join ws"))[-1]


async def test_json_over_tcp(app: App, dial: Dial) -> None:
    ann = await dial(app)
    await ann.hear_until("/rooms")
    ann.say("/hello json=1\n")
    assert json.loads(await ann.hear())["plain"] == ["- protocol 1; json mode"]
    ann.say('{"do": "ping", "id": "7"}\n')
    assert [json.loads(await ann.hear())["tell"] for _ in range(2)] == ["note", "done"]


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
async def test_who_has_finished_sending_is_answered_and_then_hung_up_on(
    app: App, dial: Dial, end: str
) -> None:
    ann = await dial(app)
    ann.say("/ping\n/rooms\n/ping" + end)
    ann.finish()
    assert (await ann.hear_all())[-3:] == [
        "- pong",
        "- no room is open; /join ROOM opens one",
        "- pong",
    ]


async def test_who_has_finished_sending_too_much_is_answered_at_the_pace(dial: Dial) -> None:
    async with run_server(replace(UNLIMITED, burst=2, pace=50.0)) as app:
        ann = await dial(app)
        ann.say("/ping\n" * 8)
        ann.finish()
        assert (await ann.hear_all()).count("- pong") == 8


async def test_who_reads_slowly_hears_everything_to_the_end() -> None:
    server = await listen(new_server_state(), LOOPBACK, 0, web_port=80)
    async with server:
        server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        ann = await RawClient.dial(server.sockets[0].getsockname()[1])
        ann.stop_reading()
        ann.say("/help\n" * 40 + "/ping")
        ann.finish()
        await asyncio.sleep(0.3)
        ann.read_again()
        assert (await ann.hear_all())[-1] == "- pong"
        await ann.hang_up()


async def test_text_that_is_none_is_refused_and_the_connection_closed(app: App, dial: Dial) -> None:
    ann = await dial(app)
    ann.say(b"/ping\n/say \xc3\x28\n/ping\n")
    heard = await ann.hear_all()
    assert heard[-3] == "- pong"
    assert heard[-2].startswith("! INVALID_UTF8 line: ")
    assert heard[-1] == "- connection closed: not UTF-8 (1007)"


@pytest.mark.parametrize("length", [1025, 4095, 4096, 4097, 300_000])
async def test_a_long_line_is_refused_whole_and_the_next_one_heard(
    app: App, dial: Dial, length: int
) -> None:
    ann = await dial(app)
    ann.say("/ping " + "é" * (length // 2) + "x" * (length % 2) + "\n/ping\n")
    heard = await ann.hear_until("pong")
    assert [line for line in heard if line.startswith("! ")] == [heard[-2]]
    assert heard[-2].startswith("! TOO_LONG line: ")


async def test_telnet_negotiates_in_vain(app: App, dial: Dial) -> None:
    ann = await dial(app)
    ann.say(b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0\xff\xfd\x01/ping\r\0\r\n")
    assert (await ann.hear_until("pong"))[-1] == "- pong"


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
async def test_a_browser_is_sent_to_the_other_port(app: App, dial: Dial, method: str) -> None:
    ann = await dial(app)
    ann.say(f"{method} /t/kitchen HTTP/1.1\r\nHost: x\r\n\r\n/join kitchen\r\n/name ann\r\n")
    heard = await ann.hear_all()
    assert heard[0] == "HTTP/1.1 400 Bad Request"
    assert f"http://{LOOPBACK}:{app.port}/" in heard[-1]
    assert not [line for line in heard if line.startswith("-")]


async def test_a_slow_browser_may_not_speak_lines_either(app: App, dial: Dial) -> None:
    ann = await dial(app)
    await ann.hear_until("/rooms")
    ann.say("POST / HTTP/1.1\r\n\r\n/join kitchen\r\n")
    heard = await ann.hear_all()
    assert not [line for line in heard if "kitchen" in line]
    assert f"http://{LOOPBACK}:{app.port}/" in heard[-1]


async def test_tags_over_tcp(app: App, dial: Dial) -> None:
    ann = await dial(app)
    ann.say("/hello tags=1\n@7 /ping\n")
    assert (await ann.hear_until(" ."))[-1] == "@label=7 ."


async def test_quitting_hangs_up(app: App, dial: Dial) -> None:
    ann = await dial(app)
    ann.say("/quit\n/ping\n")
    assert (await ann.hear_all())[-1] == "- bye"


async def test_who_drops_is_gone_without_a_word_in_the_log(
    app: App, dial: Dial, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for data in ("", "/join kit", "/join kitchen\n/name ann\n/help\n/help\n", "/ping\n" * 1000):
        ann = await dial(app)
        ann.say(data)
        await asyncio.sleep(0)
        ann.break_off()
    bob = await dial(app)
    for _ in range(100):
        bob.say("/rooms\n")
        if "no room is open" in (await bob.hear_until("room"))[-1]:
            break
        await asyncio.sleep(0.02)
    else:
        pytest.fail("somebody is still there")
    assert not [r for r in caplog.records if r.name.startswith(("crossroom", "asyncio"))]


async def test_who_does_not_read_is_cut_off(dial: Dial, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "crossroom_server.net.transport")
    async with run_server(replace(UNLIMITED, unread=16 * 1024)) as app:
        deaf, ann = await dial(app), await dial(app)
        deaf.say("/join kitchen\n")
        ann.say("/join kitchen\n/name ann\n/set width off\n")
        await ann.hear_until("width is off")
        deaf.stop_reading()
        for number in range(1000, 20_000):
            ann.say((f"{number} " + "x" * 800 + "\n") * 20)
            for _ in range(20):
                await ann.hear_until(f"{number} x")
            if "bytes unread" in caplog.text:
                break
        assert "bytes unread" in caplog.text
        ann.say("/ping\n")
        await ann.hear_until("pong")
        deaf.break_off()


async def test_too_many_connections_are_told_so(
    app: App, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.session.server_state.is_loopback", lambda address: False)
    callers = [await dial(app) for _ in range(UNLIMITED.connections)]
    for caller in callers:
        await caller.hear_until("welcome")
    late = await dial(app)
    (line,) = await late.hear_all()
    assert line.startswith("! TOO_MANY line: 16 connections")


async def test_who_come_all_at_once_are_counted_like_any(dial: Dial) -> None:
    async with run_server(replace(UNLIMITED, connections=2, own=True)) as app:
        callers = [await dial(app) for _ in range(4)]
        heard = [(await caller.hear()).split()[1] for caller in callers]
        assert sorted(heard) == ["TOO_MANY", "TOO_MANY", "welcome;", "welcome;"]


async def test_the_end_of_the_server_is_announced(dial: Dial) -> None:
    async with run_server() as app:
        ann = await dial(app)
        ann.say("/join kitchen\n/name ann\n")
        await ann.hear_until("takes seat")
    heard = await ann.hear_all()
    assert heard[0].startswith("- the server is stopping; your games are stored")
    assert heard[-1] == "- connection closed: the server is stopping (1001)"
