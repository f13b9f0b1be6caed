"""The least that a chat server can do, to measure ours against: no names, no games, no log.

Whoever connects to a path hears everything that is said there, as it was said. The library and its
settings are those of our server.
"""

import asyncio
import json
import os
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module

from websockets.asyncio.server import ServerConnection, broadcast, serve

from crossroom_protocol.cli.flags import LOOPBACK_HOST


async def _serve() -> None:
    rooms: defaultdict[str, set[ServerConnection]] = defaultdict(set)

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None
        room = rooms[connection.request.path]
        room.add(connection)
        try:
            async for message in connection:
                broadcast(room, message)
        finally:
            room.discard(connection)

    async with serve(
        handle, LOOPBACK_HOST, 0, compression=None, max_size=4096, max_queue=16, server_header=None
    ) as server:
        port = server.sockets[0].getsockname()[1]
        print(json.dumps({"listening": {"port": port}}), flush=True)
        await asyncio.to_thread(_until_eof)


def _until_eof() -> None:
    while os.read(0, 4096):
        pass


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop that our server would take, too."""
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ImportError:
        return None
    return factory


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve())
