"""Reading at a pace, through a transport that only writes down what is asked of it."""

import asyncio
import errno
from typing import Any

from crossroom_server.config.limits import Limits
from crossroom_server.listeners.tcp import LineProtocol
from crossroom_server.net.admission import ConnectionLimiter
from crossroom_server.net.throttle import CHUNK_BYTES, ThrottledTransport
from tests.support.server import new_server_state
from tests.support.virtual_time import until


class PausableTransport(asyncio.Transport):
    """A transport that can be paused."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open = True
        self.closed = False

    def pause_reading(self) -> None:
        self.is_open = False

    def resume_reading(self) -> None:
        self.is_open = True

    def is_reading(self) -> bool:
        return self.is_open

    def is_closing(self) -> bool:
        return self.closed


class ForeignTransport(asyncio.Transport):
    """A transport of a loop that is not asyncio's, without a dictionary."""

    __slots__ = ()


class ThrottledReader:
    """What is handed on, and a gate that does it."""

    def __init__(self, **limits: Any) -> None:
        self.pieces: list[bytes] = []
        self.pipe = PausableTransport()
        self.gate = ThrottledTransport(self.pipe, self.pieces.append, Limits(**limits))

    @property
    def read(self) -> bytes:
        return b"".join(self.pieces)


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_a_little_is_handed_on_at_once() -> None:
    reader = ThrottledReader()
    reader.gate.feed(b"abc")
    reader.gate.feed(b"de")
    assert reader.pieces == [b"abc", b"de"]
    assert reader.gate.is_reading()


async def test_much_is_handed_on_piece_by_piece_and_others_run_in_between() -> None:
    reader = ThrottledReader()
    data = bytes(range(256)) * 40
    reader.gate.feed(data)
    assert [len(piece) for piece in reader.pieces] == [CHUNK_BYTES]
    assert not reader.pipe.is_open
    for _ in range(100):
        before = len(reader.pieces)
        await asyncio.sleep(0)
        assert len(reader.pieces) <= before + 1
    await asyncio.sleep(0.02)
    assert reader.read == data
    assert reader.pipe.is_open


async def test_after_a_gulp_it_goes_at_the_pace() -> None:
    reader = ThrottledReader(gulp=2 * CHUNK_BYTES, sip=20 * CHUNK_BYTES)
    started = asyncio.get_running_loop().time()
    reader.gate.feed(b"x" * 6 * CHUNK_BYTES)
    while len(reader.read) < 6 * CHUNK_BYTES:
        assert not reader.pipe.is_open
        await asyncio.sleep(0.001)
    # the first three without a pause, then three pauses of a twentieth of a second
    assert asyncio.get_running_loop().time() - started > 0.14
    await asyncio.sleep(0.06)
    assert reader.pipe.is_open


async def test_nothing_is_handed_on_while_the_protocol_wants_none() -> None:
    reader = ThrottledReader()
    reader.gate.pause_reading()
    reader.gate.feed(b"early")
    assert not reader.gate.is_reading()
    assert reader.pieces == []
    reader.gate.resume_reading()
    await turns(2)
    assert reader.read == b"early"
    assert reader.gate.is_reading()


async def test_a_protocol_may_pause_in_the_middle_and_lose_nothing() -> None:
    reader = ThrottledReader()

    def deliver(piece: bytes) -> None:
        reader.pieces.append(piece)
        reader.gate.pause_reading()

    reader.gate = ThrottledTransport(reader.pipe, deliver, Limits())
    data = b"0123456789" * 500
    reader.gate.feed(data)
    for _ in range(4):
        await asyncio.sleep(0.005)
        count = len(reader.pieces)
        reader.gate.resume_reading()
        reader.gate.resume_reading()
        await asyncio.sleep(0.005)
        assert len(reader.pieces) == count + 1
    assert reader.read == data


async def test_who_is_gone_is_not_heard_any_more() -> None:
    reader = ThrottledReader()
    reader.gate.feed(b"x" * 10 * CHUNK_BYTES)
    reader.pipe.closed = True
    reader.gate.discard()
    await asyncio.sleep(0.01)
    assert len(reader.pieces) == 1


def test_a_door_counts_each_address_and_all() -> None:
    door = ConnectionLimiter(Limits(sockets=2, everybody=4), lambda address: address == "free")
    assert [door.admit("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [door.admit("192.0.2.2"), door.admit("free"), door.admit("free")] == [True, True, False]
    door.release("192.0.2.1")
    assert door.admit("192.0.2.1")
    assert not door.admit("192.0.2.3")


def test_a_door_is_not_knocked_at_without_end() -> None:
    door = ConnectionLimiter(Limits(knocks=5), lambda _: False)
    for _ in range(5):
        assert door.admit("2001:db8::1")
        door.release("2001:db8::1")
    assert not door.admit("2001:db8::2")
    assert door.admit("2001:db8:0:1::1")


async def test_what_was_handed_on_may_cost_more_than_its_bytes() -> None:
    reader = ThrottledReader(gulp=1024, sip=1024)
    reader.gate.feed(bytes(10))
    reader.gate.charge(1024)
    reader.gate.feed(bytes(10))
    assert not reader.pipe.is_open
    reader.gate.feed(bytes(10))
    await turns(20)
    assert len(reader.read) == 20
    await until(lambda: len(reader.read) == 30)
    await until(lambda: reader.pipe.is_open)


class HungUpTransport(PausableTransport):
    """A transport whose peer has hung up, on a system that lets nobody touch its socket then."""

    def is_closing(self) -> bool:
        return True

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 9), "socket": self}.get(name, default)

    def setsockopt(self, *_: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")


async def test_who_has_hung_up_before_they_are_let_in_takes_no_place() -> None:
    server_state = new_server_state(Limits(sockets=1))

    async def serve(*_: object) -> None:
        pass

    for _ in range(3):
        protocol = LineProtocol(asyncio.StreamReader(), serve, server_state)
        protocol.connection_made(HungUpTransport())
        protocol.connection_lost(None)
        await asyncio.sleep(0)
    assert server_state.connection_limiter.admit("192.0.2.1")


async def test_what_comes_after_the_end_is_handed_to_nobody() -> None:
    reader = ThrottledReader()
    reader.gate.discard()
    reader.gate.feed(b"abc")
    assert reader.pieces == []


async def test_any_transport_may_be_lost() -> None:
    other = ForeignTransport()
    assert not hasattr(other, "__dict__")
    ThrottledTransport(other, print, Limits()).discard()
