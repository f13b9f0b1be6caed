"""Too much, too often, or too slowly."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from typing import Final, TypeVar

from tests.system.attack.peer import PATIENCE, PING, RawPeer, Target, frame

T = TypeVar("T")

LETTERS: Final = "abcdefghjkmnpqrs"


async def all_of(works: Iterable[Awaitable[T]]) -> list[T]:
    """The results of all that did not fail for want of a connection."""
    results = await asyncio.gather(*works, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, OSError):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def listening(aim: Target, path: str = "/", *fields: str) -> RawPeer:
    peer = await RawPeer.dial(aim.port, aim.source)
    status = await peer.upgrade(path, *fields)
    assert status == 101, status
    return peer


async def slow_readers(aim: Target) -> None:
    """Sixteen who talk all the time, in one room, and read nothing: cut off."""
    room = f"/t/{aim.source.replace('.', '-')}"
    peers = []
    for letter in LETTERS:
        peers.append(peer := await RawPeer.dial(aim.port, aim.source, receives=4096))
        assert await peer.upgrade(room) == 101
        peer.stop_reading()
        await peer.say(frame(f"/name eve{letter}".encode()))
    await all_of(ignored(peer, frame(b"!rules") * 1000) for peer in peers)


async def slow_line_readers(aim: Target) -> None:
    """The same on the line port."""
    room = f"l{aim.source.replace('.', '-')}"
    peers = []
    for letter in LETTERS:
        peers.append(peer := await RawPeer.dial(aim.line_port, aim.source, receives=4096))
        await peer.say(f"/join {room}\n/name eve{letter}\n".encode())
        await asyncio.wait_for(peer.reader.readuntil(b"- you are eve"), PATIENCE)
        peer.stop_reading()
    await all_of(ignored(peer, b"!rules\n" * 1000) for peer in peers)


async def ignored(peer: RawPeer, data: bytes) -> None:
    """Talk on until the server has had enough."""
    await press(peer, data, PATIENCE)
    assert peer.writer.is_closing(), "who reads nothing is still there"


async def press(peer: RawPeer, data: bytes, seconds: float) -> None:
    """Send the same again and again, for so long or until nobody listens any more."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            listens = True
            while listens:
                listens = await peer.say(data)


async def must_be_closed(peer: RawPeer) -> None:
    transport = peer.writer.transport
    assert isinstance(transport, asyncio.Transport)
    transport.resume_reading()
    await peer.rest()


async def drip(peer: RawPeer, data: bytes) -> None:
    """Say something byte by byte; the server hangs up before the end."""
    hung_up = asyncio.create_task(peer.rest())
    for at in range(len(data)):
        await peer.say(data[at : at + 1])
        await asyncio.wait([hung_up], timeout=0.1)
        if hung_up.done():
            hung_up.result()
            return
    raise AssertionError("everything was listened to")


async def slow_writers(aim: Target) -> None:
    """A request, a line, and a frame that come byte by byte: hung up on."""
    endless = b"x" * 100 * int(aim.seconds + 15)
    await all_of(
        [
            drip(await RawPeer.dial(aim.port, aim.source), b"GET / HTTP/1.1\r\nHost: " + endless),
            drip(await RawPeer.dial(aim.line_port, aim.source), endless),
            drip(await listening(aim), b"\x81\xfe\x0f\x00" + endless),
        ]
    )


async def half_open(aim: Target) -> None:
    """Connections that say nothing at all: closed."""
    peers = [await RawPeer.dial(aim.port, aim.source) for _ in range(5)]
    peers += [await RawPeer.dial(aim.line_port, aim.source) for _ in range(5)]
    peers += [await listening(aim) for _ in range(5)]
    await all_of(peer.rest() for peer in peers)


async def handshake_flood(aim: Target) -> None:
    """Hundreds of requests that are never finished: few are let in, and not for long."""

    async def begin() -> RawPeer:
        peer = await RawPeer.dial(aim.port, aim.source)
        await peer.say(b"GET / HTTP/1.1\r\n" + b"X: " + b"x" * 8000 + b"\r\n")
        return peer

    until = time.monotonic() + aim.seconds
    while True:
        peers = await all_of(begin() for _ in range(200))
        for _ in range(300):
            alive = sum(not peer.reader.at_eof() and not peer.reader.exception() for peer in peers)
            if alive <= 32:
                break
            await asyncio.sleep(0.1)
        assert alive <= 32, f"{alive} unfinished requests are held"
        await all_of(peer.rest() for peer in peers)
        if time.monotonic() > until:
            return


async def connection_flood(aim: Target) -> None:
    """Hundreds of websockets from one address: 16 at a time, the others are refused."""
    told: Counter[int] = Counter()
    peers: list[RawPeer] = []
    for _ in range(200):
        with suppress(OSError):
            peer = await RawPeer.dial(aim.port, aim.source)
            # whatever it claims, it comes from here
            spoofed = f"10.{len(peers) >> 8}.{len(peers) & 255}.1"
            claims = (f"X-Forwarded-For: {spoofed}", f"X-Real-IP: {spoofed}", "Forwarded: for=1")
            told[await peer.upgrade("/", *claims)] += 1
            await peer.say(frame(b"/ping"))  # who says nothing is sent away, and others let in
            peers.append(peer)
    for peer in peers:
        peer.hang_up()
    assert set(told) <= {0, 101, 429}, told
    assert 16 <= told[101] <= 32, told  # some may be let in before the first have arrived


async def page_flood(aim: Target) -> None:
    """Pages without end: hung up on after 300 a minute."""

    async def fetch() -> int:
        peer = await RawPeer.dial(aim.port, aim.source)
        await peer.say(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        status = await peer.status()
        peer.hang_up()
        return status

    told: Counter[int] = Counter()
    for _ in range(50):
        told.update(await all_of(fetch() for _ in range(10)))
    assert set(told) <= {0, 200}, told
    assert told[200] <= 300, told


async def message_flood(aim: Target) -> None:
    """Thousands of lines at once: answered at the pace, however many come."""
    peer = await listening(aim)
    started = time.monotonic()
    said = asyncio.create_task(peer.say(frame(b"/ping") * 20_000))
    heard, passed = 0, 0.0
    while passed < aim.seconds or heard < 10:
        heard += "pong" in await peer.text()
        passed = time.monotonic() - started
        assert heard <= 10 + 2 * (passed + 1), f"{heard} answers in {passed:.1f} s"
    peer.hang_up()
    said.cancel()


async def flood_of(aim: Target, data: bytes, *, reads: bool) -> None:
    """Send the same for a while, reading or not; being cut off is an end as well."""
    peer = await listening(aim)
    if not reads:
        peer.stop_reading()
    reading = asyncio.create_task(peer.reader.read(-1)) if reads else None
    await press(peer, data, aim.seconds)
    if reading is not None:
        reading.cancel()
    peer.hang_up()


async def ping_flood(aim: Target) -> None:
    """Pings without end, whose pongs nobody reads, or somebody does."""
    await asyncio.gather(
        flood_of(aim, frame(b"x" * 125, PING) * 500, reads=False),
        flood_of(aim, frame(opcode=PING) * 10_000, reads=True),
    )


async def empty_flood(aim: Target) -> None:
    """Frames and lines with nothing in them, which no pace of lines would slow down."""
    peer = await RawPeer.dial(aim.line_port, aim.source)
    peer.stop_reading()
    web = asyncio.gather(
        *(flood_of(aim, data, reads=True) for data in (frame() * 10_000, frame(b"\n" * 125) * 500))
    )
    await press(peer, b"\n" * 60_000, aim.seconds)
    await web
    peer.hang_up()


async def fragment_flood(aim: Target) -> None:
    """A message of fragments without end and without anything in them."""
    peer = await listening(aim)
    await peer.say(frame(b"x", fin=0))
    await press(peer, frame(opcode=0, fin=0) * 10_000, aim.seconds)
    peer.hang_up()


FLOODS = [
    slow_readers,
    slow_line_readers,
    slow_writers,
    half_open,
    handshake_flood,
    connection_flood,
    page_flood,
    message_flood,
    ping_flood,
    empty_flood,
    fragment_flood,
]
