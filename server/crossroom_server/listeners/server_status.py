"""How a server is, in a few lines for its host."""

import asyncio
from datetime import UTC, datetime

from crossroom_protocol.cli.console import UNLISTED_PROXY
from crossroom_server.monitoring.process_stats import (
    Storage,
    build_info,
    format_size,
    process_stats,
)
from crossroom_server.session.server_state import ServerState
from crossroom_server.web.health import Health


class ServerStatus:
    """Tells how a server is.

    Args:
        server: Its connections and rooms.
        health: Is anything wrong?
        storage: Where it keeps its games.
    """

    def __init__(self, server: ServerState, health: Health, storage: Storage) -> None:
        self._server, self._health, self._storage = server, health, storage

    async def lines(self) -> list[str]:
        """Return the lines, ``what: how`` each."""
        server, stats = self._server, process_stats()
        rooms = list(server.lobby)
        playing = sum(room.table.playing is not None for room in rooms)
        store = await asyncio.to_thread(self._storage.store_bytes)
        free = await asyncio.to_thread(self._storage.free_bytes)
        since = datetime.fromtimestamp(stats.started, UTC)
        return [
            f"version: {dict(build_info())['version']}",
            f"health: {await self._health.problem() or 'ok'}",
            f"running since: {since:%Y-%m-%d %H:%M} UTC",
            f"connections: {len(server.sessions)}",
            f"rooms: {len(rooms)} in memory, games being played: {playing}",
            f"processor: {stats.cpu_s:,.1f} s since the start",
            f"memory: {format_size(stats.resident_bytes)}",
            f"games on disk: {format_size(store)}, {format_size(free)} free",
            *(
                f"{UNLISTED_PROXY}: {peer} (requests: {number})"
                for peer, number in sorted(server.proxies.unlisted.items())
            ),
        ]
