"""Composes the parts that make a server a node of a cluster."""

import contextlib
import re
import secrets
import socket
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from crossroom_server.cluster.node import ClusterNode
from crossroom_server.cluster.shared_limits import SharedLimits
from crossroom_server.config.settings import MAX_NODE_NAME_CHARS, Settings
from crossroom_server.config.store_url import Database
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.open import open_shared

if TYPE_CHECKING:
    from crossroom_server.store.postgres.store import PostgresStore


def open_shared_store(settings: Settings) -> "PostgresStore | None":
    """Open the store that the nodes share, for a new node; return None for a server alone.

    Raises:
        Unavailable: or one of its kinds; the text begins with the place.
        OSError: it has a bus, and no database to share; or a driver is not installed.
    """
    if settings.bus is None:
        if settings.node is not None:
            raise OSError("--node is a name among others, and there are none without --bus")
        return None
    if not isinstance(settings.store, Database) or not settings.keep:
        raise OSError("--bus is for nodes that share a database: --store postgresql://...")
    name = settings.node or re.sub("[^A-Za-z0-9-]", "-", socket.gethostname())[:MAX_NODE_NAME_CHARS]
    return open_shared(settings.store, f"{name or 'node'}-{secrets.token_hex(4)}")


@contextlib.asynccontextmanager
async def join_cluster(
    url: str, server: ServerState, store: "PostgresStore"
) -> AsyncIterator[ClusterNode]:
    """Make this server a node of those that share a *store*, connected by the bus at *url*.

    Raises:
        OSError: the bus cannot be reached, or its driver is not installed.
        Unavailable: the database cannot be reached.
    """
    try:
        from crossroom_server.cluster.nats_bus import NatsBus
    except ImportError:
        raise OSError("nodes need more packages: pip install 'crossroom[cluster]'") from None
    async with contextlib.AsyncExitStack() as begun:
        bus = await NatsBus.connect(url, store.leases.node)
        begun.push_async_callback(bus.close)
        node = await begun.enter_async_context(ClusterNode(server.lobby, store.leases, bus))
        sharing = SharedLimits(server, node, store.bans)
        await sharing.start()
        begun.push_async_callback(sharing.close)
        yield node
