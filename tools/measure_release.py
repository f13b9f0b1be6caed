"""What closed connections leave to the garbage collector without each step that releases them.

``python -m tools.measure_release`` serves peers of another process that come and go, each in a room
of its own that is unloaded soon, while nothing collects garbage. What one collection then frees is
divided by the visits; a first round has filled every cache. ``nothing`` is the error of that.
"""

import asyncio
import gc
import sys
import tracemalloc
from contextlib import ExitStack, suppress
from typing import Final
from unittest.mock import patch

from crossroom_server.app import App
from crossroom_server.config.settings import Settings
from crossroom_server.net import throttle, weakrefs
from crossroom_server.room import event_log, inactivity, room

VISITS: Final = 100
HOST: Final = "127.0.0.1"
REST_AFTER_S: Final = 1.0
UPGRADE: Final = (
    "GET /t/room{} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
LAST_WORDS: Final = {
    "close": b"\x88\x80\0\0\0\0",
    "no text": b"\x81\x81\0\0\0\0\xff",
    "abort": b"",
    "page": b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "half a request": b"GET / HTTP/1.1\r\n",
}
"""The last bytes that a peer sends; the first three kinds of peers are in a room before."""
STEPS: Final = {
    "nothing": (),
    "weak_callback": ((m, lambda method: method) for m in (room, event_log, inactivity)),
    "close_parser": ((weakrefs, lambda _: None),),
    "clear_tracebacks": ((weakrefs, lambda _: None),),
    "break_transport_cycle": ((weakrefs, lambda _: None), (throttle, lambda _: None)),
}
"""The steps, and what stands in for each where it is looked up."""


async def visit(port: int, end: str, number: int) -> None:
    reader, writer = await asyncio.open_connection(HOST, port)
    if end in ("close", "no text", "abort"):
        writer.write(UPGRADE.format(number).encode())
        await reader.readuntil(b"welcome")
    writer.write(LAST_WORDS[end])
    if end == "abort":
        writer.transport.abort()
        return
    if end == "half a request":
        writer.write_eof()
    with suppress(ConnectionError):
        await reader.read()
    writer.close()


async def visit_all(port: int, end: str) -> None:
    for number in range(VISITS):
        await visit(port, end, number)


async def round_of_visits(app: App, end: str) -> None:
    """Have peers come and go, and wait until their rooms have been unloaded."""
    command = (sys.executable, "-m", "tools.measure_release", str(app.port), end)
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 0
    await asyncio.sleep(3 * REST_AFTER_S)


async def measure(end: str) -> tuple[float, float]:
    """Objects and bytes that a visit leaves to the collector."""
    async with App(Settings(keep=False, host=HOST, port=0, rest_after=REST_AFTER_S)) as app:
        await round_of_visits(app, end)
        gc.collect()
        gc.disable()
        tracemalloc.start()
        await round_of_visits(app, end)
        objects, (size, _) = len(gc.get_objects()), tracemalloc.get_traced_memory()
        gc.collect()
        objects -= len(gc.get_objects())
        size -= tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        gc.enable()
        return objects / VISITS, size / VISITS


def main() -> None:
    if len(sys.argv) > 1:
        asyncio.run(visit_all(int(sys.argv[1]), sys.argv[2]))
        return
    for step, stand_ins in STEPS.items():
        with ExitStack() as stack:
            for module, stand_in in stand_ins:
                stack.enter_context(patch.object(module, step, stand_in))
            for end in LAST_WORDS:
                objects, size = asyncio.run(measure(end))
                print(f"without {step:22} {end:15} {objects:5.1f} objects {size:7.0f} bytes")


if __name__ == "__main__":
    main()
