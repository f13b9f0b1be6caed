"""Shares limits, bans and announcements among the nodes of a cluster."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from crossroom_server.cluster import messages as to
from crossroom_server.cluster.node import ClusterNode
from crossroom_server.session.server_state import OtherNodes, ServerState
from crossroom_server.store.ban_contract import BanStore
from crossroom_server.store.contract import Unavailable

log = logging.getLogger(__name__)

BANS_REFRESH_S: Final = 30.0
"""Seconds after which the bans are read again, even without a notice."""


class SharedLimits(OtherNodes):
    """Shares limits, bans and announcements with the other nodes; begin with :meth:`start`.

    Args:
        server: The server of this node.
        node: This node.
        bans: The bans of all nodes.
    """

    def __init__(self, server: ServerState, node: ClusterNode, bans: BanStore) -> None:
        self._server, self._node, self._bans = server, node, bans
        self._changed = asyncio.Event()
        node.heard, node.crowds = self._hear, server.crowded_addresses
        server.other_nodes = self

    async def start(self) -> None:
        """Read the bans, and read them again whenever they change.

        Raises:
            Unavailable: they cannot be read.
        """
        await self._read()
        self._reading = asyncio.create_task(self._follow(), name="bans")

    async def close(self) -> None:
        """Read them no more."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    def count(self, what: str, address: str) -> None:
        self._node.tell_all(to.LimitCounted(self._node.name, what, address))

    def announce(self, text: str) -> None:
        self._node.tell_all(to.HostAnnounced(self._node.name, text))

    async def ban(self, network: str) -> None:
        await self._bans.ban(network)
        self._node.tell_all(to.BansChanged(self._node.name))

    async def lift(self, network: str) -> None:
        await self._bans.lift(network)
        self._node.tell_all(to.BansChanged(self._node.name))

    def _hear(self, notice: to.Notice) -> None:
        match notice:
            case to.LimitCounted(what=what, address=address):
                self._server.record_elsewhere(what, address)
            case to.HostAnnounced(text=text):
                self._server.tell_all(text)
            case to.BansChanged():
                self._changed.set()
            case to.Heartbeat():
                pass

    async def _read(self) -> None:
        self._server.ban_list.replace_all(await self._bans.bans())
        self._server.disconnect_banned()

    async def _follow(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BANS_REFRESH_S):
                    await self._changed.wait()
            self._changed.clear()
            try:
                await self._read()
            except Unavailable as error:
                log.warning("what is banned cannot be read: %s", error)
