"""The websocket on a real port: framing, refusals, hostile peers, and readers who stop reading."""

import asyncio
import contextlib
import json
import logging
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from crossroom_server import app as app_module
from crossroom_server.app import App
from crossroom_server.net.throttle import FRAME_PRICE, ThrottledTransport
from tests.support.server import LOOPBACK, UNLIMITED, receive_until, run_server


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


def dial(app: App, path: str = "/t/kitchen", **options: object) -> connect:
    return connect(f"ws://{LOOPBACK}:{app.port}{path}", **options)  # type: ignore[arg-type]


async def vanish(peer: ClientConnection) -> None:
    """Break a connection off without a word."""
    peer.transport.abort()
    await peer.wait_closed()


async def close_of(peer: ClientConnection) -> tuple[int | None, str | None]:
    """Read everything; the close code and reason at the end."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await asyncio.wait_for(peer.recv(), 30)
    return peer.close_code, peer.close_reason


async def test_a_path_is_a_room_and_lines_are_frames(app: App) -> None:
    async with dial(app) as ann, dial(app) as bob:
        await ann.send("/name ann")
        await bob.send("/name bob\nhello ann")
        frames = await receive_until(ann, "hello ann")
        assert frames[0].startswith("- welcome to kitchen")
        assert frames[-1].startswith(": #")
        await bob.send("/board")
        assert not [frame for frame in await receive_until(bob, "! NO_GAME") if "\n" in frame]


async def test_the_root_is_the_door(app: App) -> None:
    async with dial(app, "/") as ann:
        assert "/join ROOM" in (await receive_until(ann, "the door"))[-1]


@pytest.mark.parametrize(
    ("offered", "chosen", "first"),
    [
        ([], None, "-"),
        (["tags.v1.crossroom"], "tags.v1.crossroom", "@"),
        (["chat", "json.v1.crossroom", "tags.v1.crossroom"], "json.v1.crossroom", "{"),
        (["chat"], None, "-"),
    ],
)
async def test_the_subprotocol_chooses_the_mode(
    app: App, offered: list[str], chosen: str | None, first: str
) -> None:
    subprotocols = [Subprotocol(name) for name in offered] or None
    async with dial(app, subprotocols=subprotocols) as ann:
        assert ann.subprotocol == chosen
        assert str(await ann.recv())[0] == first


async def test_json_all_the_way(app: App) -> None:
    async with dial(app, subprotocols=[Subprotocol("json.v1.crossroom")]) as ann:
        assert json.loads(await ann.recv())["tell"] == "welcome"
        await ann.send('{"do": "name", "name": "ann", "id": "7"}')
        told = [json.loads(frame) for frame in await receive_until(ann, '"done"')]
        assert told[-1]["id"] == "7"
        assert "event" in [one["tell"] for one in told]


async def test_nothing_is_compressed(app: App) -> None:
    async with dial(app, compression="deflate") as ann:
        assert ann.protocol.extensions == []


@pytest.mark.parametrize("frames", [["", "/ping"], ["\n", "\r\n", " ", "/ping"]])
async def test_empty_frames_are_ignored(app: App, frames: list[str]) -> None:
    async with dial(app, "/") as ann:
        await receive_until(ann, "/rooms")
        for frame in frames:
            await ann.send(frame)
        assert await receive_until(ann, "pong") == ["- pong"]


async def test_an_empty_frame_has_a_price_too(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    paid: list[int] = []
    monkeypatch.setattr(ThrottledTransport, "charge", lambda _, price: paid.append(price))
    async with dial(app, "/") as ann:
        await receive_until(ann, "/rooms")
        paid.clear()
        for _ in range(7):
            await ann.pong()
        await ann.send("/ping")
        await receive_until(ann, "pong")
        assert paid == [FRAME_PRICE] * 8


@pytest.mark.parametrize(
    ("frame", "is_text", "code"),
    [(b"\x00", False, 1003), (b"/say \xff", True, 1007), (b"x" * 5000, True, 1009)],
    ids=["binary", "not UTF-8", "giant"],
)
async def test_frames_that_are_not_taken(app: App, frame: bytes, is_text: bool, code: int) -> None:
    async with dial(app) as ann, dial(app) as bob:
        await ann.send(frame, text=is_text)
        assert (await close_of(ann))[0] == code
        await bob.send("/ping")
        await receive_until(bob, "pong")


async def test_a_message_of_many_fragments_is_held_to_the_same_limit(app: App) -> None:
    async with dial(app) as ann:
        with contextlib.suppress(ConnectionClosed):
            await ann.send("x" * 1000 for _ in range(1000))
        assert (await close_of(ann))[0] == 1009


async def test_a_long_line_is_refused_and_the_next_one_heard(app: App) -> None:
    async with dial(app, "/") as ann:
        await ann.send("/ping " + "x" * 2000)
        await ann.send("/ping")
        assert [f[:10] for f in (await receive_until(ann, "pong"))[-2:]] == ["! TOO_LONG", "- pong"]


async def test_quitting_closes_with_1000(app: App) -> None:
    async with dial(app) as ann:
        await ann.send("/quit")
        assert (await receive_until(ann, "bye"))[-1] == "- bye"
        assert await close_of(ann) == (1000, "bye")


async def test_a_bad_room_is_told_and_closed(app: App) -> None:
    async with dial(app, "/t/no_such_name") as ann:
        assert str(await ann.recv()).startswith("! NO_ROOM join:")
        assert await close_of(ann) == (1008, "NO_ROOM")


async def test_coming_back_closes_the_old_connection_with_4001(app: App) -> None:
    async with dial(app) as ann, dial(app, "/") as again:
        await ann.send("/name ann")
        code = (await receive_until(ann, "/resume"))[-1].split()[-1]
        await again.send(f"/resume {code} 0")
        await receive_until(again, "up to date (event ")
        assert await close_of(ann) == (4001, "replaced by your new connection")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://{host}", None),
        ("https://{host}", 403),
        ("http://games.example", 403),
        ("https://games.example:443", None),
        ("https://games.example", None),
        ("http://evil.example", 403),
        ("http://{host}.evil.example", 403),
        ("null", 403),
        ("http://[", 403),
    ],
)
async def test_only_pages_of_ours_may_open_a_socket(origin: str, status: int | None) -> None:
    async with run_server(url="wss://games.example/words") as app:
        origin = origin.format(host=f"{LOOPBACK}:{app.port}")
        if status is None:
            async with dial(app, origin=Origin(origin)) as ann:
                await receive_until(ann, "welcome")
        else:
            with pytest.raises(InvalidStatus) as refused:
                await dial(app, origin=Origin(origin))
            assert refused.value.response.status_code == status


async def test_sockets_elsewhere_are_not_found(app: App) -> None:
    with pytest.raises(InvalidStatus, match="404"):
        await dial(app, "/elsewhere")


async def test_too_many_connections_are_told_so(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossroom_server.session.server_state.is_loopback", lambda address: False)
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(UNLIMITED.connections):
            await stack.enter_async_context(dial(app))
        with pytest.raises(InvalidStatus, match="429"):
            await dial(app)


async def test_a_flood_does_not_disturb_the_others() -> None:
    async with (
        run_server(replace(UNLIMITED, burst=5, pace=100.0)) as app,
        dial(app) as ann,
        dial(app) as bob,
    ):
        await ann.send("/name ann")
        flood = asyncio.create_task(_flood(ann))
        for _ in range(3):
            spent = time.process_time()
            await bob.send("/ping")
            await receive_until(bob, "pong")
            assert time.process_time() - spent < 2
        flood.cancel()
        await vanish(ann)


async def _flood(peer: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await peer.send("/ping\n" * 600)


async def deaf(app: App, room: str) -> ClientConnection:
    """A peer who never reads, and whose system takes little for them."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, (LOOPBACK, app.port))
    peer = await dial(app, f"/t/{room}", sock=sock, max_queue=1, ping_interval=None)
    peer.transport.pause_reading()
    return peer


async def people(app: App, count: int) -> bool:
    """Does the room come to have so many people soon?"""
    async with dial(app, "/") as asker:
        for _ in range(200):
            await asker.send("/rooms")
            if (await receive_until(asker, "- kitchen:"))[-1].startswith(
                f"- kitchen: {count} here"
            ):
                return True
            await asyncio.sleep(0.1)
    return False


async def test_who_does_not_read_is_cut_off_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "crossroom_server.net.transport")
    async with (
        run_server(replace(UNLIMITED, unread=16 * 1024)) as app,
        dial(app) as ann,
        dial(app) as bob,
    ):
        stalled = await deaf(app, "kitchen")
        await ann.send("/name ann")
        for peer in (ann, bob):
            await peer.send("/set width off")
        for number in range(1000, 3000):
            await ann.send("\n".join([f"{number} " + "x" * 800] * 4))
            for peer in (ann, bob):
                for _ in range(4):
                    await receive_until(peer, f"{number} x")
            if "cut off" in caplog.text:
                break
        assert "bytes unread" in caplog.text
        assert await people(app, 2)
        assert len(caplog.records) == 1
        await vanish(stalled)


async def test_who_does_not_read_their_own_answers_is_cut_off_by_the_sweep(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "crossroom_server.net.transport")
    monkeypatch.setattr(app_module, "STALL_CHECK_S", 0.05)
    limits = replace(UNLIMITED, unread=16 * 1024, stalled=0.2)
    async with run_server(limits) as app, dial(app):
        stalled = await deaf(app, "kitchen")
        await stalled.send("/help\n" * 600)
        await stalled.send("/help\n" * 600)
        for _ in range(100):
            await asyncio.sleep(0.05)
            if "nothing read for" in caplog.text:
                break
        assert "nothing read for" in caplog.text
        assert await people(app, 1)
        await vanish(stalled)


async def test_a_long_answer_may_wait_for_a_reader_who_takes_their_time() -> None:
    async with (
        run_server(replace(UNLIMITED, unread=1024)) as app,
        dial(app, ping_interval=None) as ann,
    ):
        ann.transport.pause_reading()
        await ann.send("/help\n" * 300)
        await asyncio.sleep(0.2)
        ann.transport.resume_reading()
        await ann.send("/ping")
        assert len(await receive_until(ann, "pong")) > 300


@pytest.mark.parametrize("how", ["abort", "half", "garbage", "close"])
async def test_who_drops_is_gone_without_a_word_in_the_log(
    app: App, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    caplog.set_level(logging.INFO)
    async with dial(app):
        ann = await dial(app)
        await ann.send("/ping")
        if how == "abort":
            await vanish(ann)
        elif how == "half":
            ann.transport.write(b"\x81\xfe\x01")
            ann.transport.close()
        elif how == "garbage":
            ann.transport.write(b"\xff" * 100)
            await close_of(ann)
        else:
            await ann.close()
        assert await people(app, 1)
    assert not [r for r in caplog.records if r.name.startswith(("crossroom", "asyncio"))]
    assert not [r for r in caplog.records if r.levelno > logging.INFO]


@pytest.mark.parametrize(
    "data", [b"", b"\x00\xff\n", b"GET / HTTP/1.1\r\n", b"GET / NONSENSE\r\n\r\n"]
)
async def test_half_a_handshake_disturbs_nobody(
    app: App, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    _, writer = await asyncio.open_connection(LOOPBACK, app.port)
    writer.write(data)
    await writer.drain()
    writer.transport.abort()
    async with dial(app) as ann:
        await receive_until(ann, "welcome")
    assert not [r for r in caplog.records if r.levelno > logging.INFO]


async def test_the_end_of_the_server_is_announced_and_closes_with_1001() -> None:
    async with run_server() as app:
        ann = await dial(app)
        await ann.send("/name ann")
        await receive_until(ann, "takes seat")
    frames = await receive_until(ann, "is stopping")
    assert frames[-1].startswith("- the server is stopping; your games are stored")
    assert (await close_of(ann))[0] == 1001


async def test_a_stalled_peer_does_not_keep_the_server_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "CLOSE_TIMEOUT_S", 0.2)
    async with run_server(replace(UNLIMITED, unread=16 * 1024)) as app:
        stalled = await deaf(app, "kitchen")
        await stalled.send("/help\n" * 500)
        await asyncio.sleep(0.3)
        begun = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - begun < 5
    assert not [task for task in asyncio.all_tasks() if "protocol_handler" in repr(task)]
    await vanish(stalled)


@pytest.mark.parametrize(
    ("asked", "greeted"),
    [
        ("?language=de", "willkommen"),
        ("?a=b&language=de", "willkommen"),
        ("?language=xx", "welcome"),
    ],
)
async def test_an_address_may_say_which_language_is_spoken(
    app: App, asked: str, greeted: str
) -> None:
    async with dial(app, f"/t/kitchen{asked}") as ann:
        assert (await receive_until(ann, "/name"))[0].startswith(f"- {greeted}")


async def test_whoever_connects_is_greeted_in_their_language(app: App) -> None:
    german = {"Accept-Language": "de-CH, en;q=0.5"}
    async with dial(app, additional_headers=german) as ann, dial(app) as bob:
        assert (await receive_until(ann, "/name"))[0].startswith("- willkommen in kitchen")
        await bob.send("/name bob")
        assert (await receive_until(ann, "bob"))[-1] == "* #1 bob nimmt Platz 1"
        assert (await receive_until(bob, "seat 1"))[-1] == "* #1 bob takes seat 1"
