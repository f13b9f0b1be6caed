"""A peer made by hand, which says what no library would let it say."""

import asyncio
import os
import socket
import struct
from dataclasses import dataclass
from typing import Final, Self

from tests.system.attack.victim import LOOPBACK

TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PATIENCE: Final = 90.0
"""Seconds until an attack should have come to its end."""


@dataclass(frozen=True)
class Target:
    """Where to attack, from which address, and for how many seconds where it is about that."""

    port: int
    line_port: int
    source: str
    seconds: float


def frame(payload: bytes = b"", opcode: int = TEXT, *, fin: int = 1, rsv: int = 0) -> bytes:
    """A frame of the websocket protocol, masked with nothing."""
    first = bytes([fin << 7 | rsv << 4 | opcode])
    if len(payload) < 126:
        return first + bytes([0x80 | len(payload)]) + bytes(4) + payload
    return first + b"\xfe" + struct.pack("!H", len(payload)) + bytes(4) + payload


class RawPeer:
    """A TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def dial(cls, port: int, source: str, receives: int | None = None) -> Self:
        own = socket.socket()
        own.setblocking(False)
        if receives is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        own.bind((source, 0))
        try:
            await asyncio.get_running_loop().sock_connect(own, (LOOPBACK, port))
        except BaseException:
            own.close()
            raise
        return cls(*await asyncio.open_connection(sock=own))

    async def say(self, data: bytes) -> bool:
        """Send; False if nobody listens any more."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return not self.writer.is_closing()

    def stop_reading(self) -> None:
        transport = self.writer.transport
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()

    async def upgrade(self, path: str = "/", *fields: str) -> int:
        """Ask for a websocket; returns the status, or 0 if there was no answer."""
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {LOOPBACK}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *fields,
        ]
        await self.say("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        return await self.status()

    async def status(self) -> int:
        """The status of an answer, or 0 if the connection was closed without one."""
        try:
            head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        except TimeoutError:
            raise AssertionError("there is no answer") from None
        except (asyncio.IncompleteReadError, OSError):
            return 0
        return int(head.split()[1])

    async def rest(self) -> bytes:
        """Everything until the server hangs up, which it must."""
        try:
            return await asyncio.wait_for(self.reader.read(-1), PATIENCE)
        except TimeoutError:
            raise AssertionError("the server does not hang up") from None
        except OSError:
            return b""

    async def frames(self) -> list[tuple[int, bytes]]:
        """Opcode and payload of every frame until the server hangs up, which it must."""
        return parse(await self.rest())

    async def close_code(self) -> int:
        """The close code at the end; 0 if there was none."""
        codes = [payload for opcode, payload in await self.frames() if opcode == CLOSE]
        return int.from_bytes(codes[0][:2]) if codes else 0

    async def text(self) -> str:
        """The next text frame."""
        while True:
            first, length = await asyncio.wait_for(self.reader.readexactly(2), PATIENCE)
            if length == 126:
                length = int.from_bytes(await self.reader.readexactly(2))
            elif length == 127:
                length = int.from_bytes(await self.reader.readexactly(8))
            payload = await self.reader.readexactly(length)
            assert first & 15 != CLOSE, f"closed: {payload!r}"
            if first & 15 == TEXT:
                return payload.decode()

    async def hear(self, *wanted: str) -> str:
        """The next text frame in which one of the words occurs."""
        while True:
            text = await self.text()
            if any(word in text for word in wanted):
                return text

    def hang_up(self) -> None:
        self.writer.transport.abort()


def parse(data: bytes) -> list[tuple[int, bytes]]:
    """The frames of a server, which are not masked; half a frame at the end is left out."""
    found, at = [], 0
    while at + 2 <= len(data):
        opcode, length, at = data[at] & 15, data[at + 1], at + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            length, at = int.from_bytes(data[at : at + size]), at + size
        found.append((opcode, data[at : at + length]))
        at += length
    return found


def random_bytes(size: int) -> bytes:
    return os.urandom(size)
