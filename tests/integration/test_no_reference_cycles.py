"""What has ended, or is not needed any more, is gone at once: nobody has to look for garbage."""

import asyncio
import gc
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from crossroom_engine.core.errors import IllegalMove
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.app import App
from crossroom_server.listeners.tcp import LineProtocol
from crossroom_server.listeners.websocket import GuardedConnection
from crossroom_server.net.throttle import ThrottledTransport
from crossroom_server.net.weakrefs import clear_tracebacks, weak_callback
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.inactivity import InactivityMonitor
from crossroom_server.room.room import Room
from crossroom_server.session.session import Session
from tests.integration.test_tls import trusting, write
from tests.support.server import LOOPBACK, UNLIMITED, receive_until, run_server
from tests.support.virtual_time import until

ROOM: Final = (Room, EventLog, InactivityMonitor)
ENDING: Final = (
    GuardedConnection,
    ServerProtocol,
    LineProtocol,
    ThrottledTransport,
    Session,
    *ROOM,
    Refusal,
    IllegalMove,
)
"""What comes and goes all day."""
NUMBER: Final = count()

Visit: TypeAlias = Callable[[App, ssl.SSLContext | None], Awaitable[None]]


def left(kinds: tuple[type, ...] = ENDING) -> list[str]:
    return sorted(type(one).__name__ for one in gc.get_objects() if issubclass(type(one), kinds))


def transports(app: App) -> list[asyncio.Transport]:
    """Those of this server, and not of who visits it."""
    found = [one for one in gc.get_objects() if issubclass(type(one), asyncio.Transport)]
    ports = {app.port, app.line_port}
    return [one for one in found if (one.get_extra_info("sockname") or (0, 0))[1] in ports]


@contextmanager
def nobody_tidies() -> Iterator[None]:
    gc.collect()
    gc.freeze()  # what was there before is no concern of ours
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


async def play(app: App, tls: ssl.SSLContext | None, *, politely: bool = True) -> None:
    """Play against a bot until something is refused, in every way that there is, and go."""
    scheme = "ws" if tls is None else "wss"
    peer = await connect(f"{scheme}://{LOOPBACK}:{app.port}/t/kitchen{next(NUMBER)}", ssl=tls)
    for line in "/name ann", "/bot add", "/ready":
        await peer.send(line)
    await receive_until(peer, "begins")
    for line in "/play 8H QQQQQQQQQ", "/frob", "/ready":
        await peer.send(line)
        await receive_until(peer, "! ")
    await peer.send("/resign yes")
    await receive_until(peer, "game over")
    if politely:
        await peer.close()
    else:
        peer.transport.abort()


async def drop(app: App, tls: ssl.SSLContext | None) -> None:
    await play(app, tls, politely=False)


async def ask_for_a_page(app: App, tls: ssl.SSLContext | None) -> None:
    reader, writer = await asyncio.open_connection(LOOPBACK, app.port, ssl=tls)
    writer.write(f"GET / HTTP/1.1\r\nHost: {LOOPBACK}:{app.port}\r\n\r\n".encode())
    assert await reader.read()
    writer.close()


async def talk_nonsense(app: App, tls: ssl.SSLContext | None) -> None:
    _, writer = await asyncio.open_connection(LOOPBACK, app.port, ssl=tls)
    writer.write(b"GET / HT")
    await asyncio.sleep(0.05)
    writer.close()


async def speak_no_tls(app: App, _: ssl.SSLContext | None) -> None:
    reader, writer = await asyncio.open_connection(LOOPBACK, app.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    await reader.read()
    writer.close()


async def send_what_is_no_text(app: App, tls: ssl.SSLContext | None) -> None:
    scheme = "ws" if tls is None else "wss"
    peer = await connect(f"{scheme}://{LOOPBACK}:{app.port}/t/kitchen", ssl=tls)
    await peer.send(b"\xff", text=True)
    await peer.wait_closed()


async def come_by_lines(app: App, _: ssl.SSLContext | None) -> None:
    assert app.line_port is not None
    reader, writer = await asyncio.open_connection(LOOPBACK, app.line_port)
    writer.write(b"/join kitchen\n/name bob\n/frob\n/quit\n")
    assert b"bob" in await reader.read()
    writer.close()


VISITS: Final = [play, drop, ask_for_a_page, talk_nonsense, speak_no_tls, send_what_is_no_text]


@pytest.mark.parametrize(
    ("visit", "tls"),
    [*((visit, tls) for visit in VISITS for tls in (False, True)), (come_by_lines, False)],
)
async def test_who_has_gone_leaves_nothing(visit: Visit, tls: bool, tmp_path: Path) -> None:
    made = write(tmp_path)
    cert, key = (made.cert, made.key) if tls else (None, None)
    async with run_server(rest_after=0.1, cert=cert, key=key) as app:
        with nobody_tidies():
            for _ in range(3):
                await visit(app, trusting() if tls else None)
            await until(lambda: not left() and not transports(app))


@pytest.mark.parametrize("visit", [play, drop, come_by_lines])
async def test_a_room_that_stays_does_not_keep_who_left(visit: Visit) -> None:
    async with run_server() as app:
        with nobody_tidies():
            await visit(app, None)
            await until(lambda: not left((GuardedConnection, LineProtocol, Session)))
            assert left((Room,))


async def test_who_is_not_let_in_leaves_nothing() -> None:
    async with run_server(replace(UNLIMITED, everybody=1)) as app:
        with nobody_tidies():
            _, guest = await asyncio.open_connection(LOOPBACK, app.port)
            for _ in range(3):
                reader, writer = await asyncio.open_connection(LOOPBACK, app.port)
                with suppress(ConnectionError):
                    await reader.read()
                writer.close()
            await until(lambda: left((GuardedConnection,)) == ["GuardedConnection"])
            guest.close()


class CyclicOwner:
    """Something with a part that calls it."""

    def __init__(self) -> None:
        self.part = weak_callback(self.add)

    def add(self, number: int, *, more: int = 1) -> int:
        return number + more


def test_a_part_calls_the_whole_without_holding_it() -> None:
    whole = CyclicOwner()
    assert whole.part(2, more=3) == 5
    with nobody_tidies():
        part = whole.part
        del whole
        with pytest.raises(ReferenceError):
            part(2)


def test_a_failure_forgets_its_frames_and_those_of_its_causes() -> None:
    try:
        try:
            _ = 1 / 0
        except ZeroDivisionError as error:
            raise Refusal("INTERNAL", "no") from error
    except Refusal as refusal:
        failure = refusal
    assert failure.__traceback__ is not None
    clear_tracebacks(failure)
    assert failure.__traceback__ is None
    assert failure.__cause__ is not None
    assert failure.__cause__.__traceback__ is None
    clear_tracebacks(None)


def test_failures_may_be_causes_of_each_other() -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    for failure in (one, other):
        try:
            raise failure
        except (ValueError, KeyError):
            pass
    clear_tracebacks(one)
    assert one.__traceback__ is None
    assert other.__traceback__ is None


async def test_the_headers_of_a_request_are_not_kept() -> None:
    async with (
        run_server() as app,
        connect(f"ws://{LOOPBACK}:{app.port}/t/kitchen", max_queue=None) as peer,
    ):
        await receive_until(peer, "welcome")
        kept = [one for one in gc.get_objects() if type(one) is GuardedConnection]
        assert kept
        assert not any(one.request.headers for one in kept if one.request is not None)
        assert not any(one.response.headers for one in kept if one.response is not None)
