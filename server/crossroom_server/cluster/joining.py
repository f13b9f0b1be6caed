"""Making a server one of many: what is composed where there is a bus."""

import contextlib
import re
import secrets
import socket
from collections.abc import AsyncIterator

from crossroom_server.cluster.node import Node
from crossroom_server.cluster.sharing import Sharing
from crossroom_server.config import MOST_OF_A_NAME, Settings
from crossroom_server.house import House
from crossroom_server.store.bans import Bans
from crossroom_server.store.leases import Leases
from crossroom_server.store.place import Database


def name_of(settings: Settings) -> str | None:
    """What this node is called until its end, different each time; None: it is alone.

    Raises:
        OSError: it has a bus, and no database to share.
    """
    if settings.bus is None:
        return None
    if not isinstance(settings.store, Database) or not settings.keep:
        raise OSError("--bus is for nodes that share a database: --store postgresql://...")
    name = settings.node or re.sub("[^A-Za-z0-9-]", "-", socket.gethostname())[:MOST_OF_A_NAME]
    return f"{name or 'node'}-{secrets.token_hex(4)}"


@contextlib.asynccontextmanager
async def joined(url: str, house: House, leases: Leases, bans: Bans) -> AsyncIterator[Node]:
    """This server among the nodes that speak over the bus at *url*.

    Raises:
        OSError: the bus cannot be reached, or its driver is not installed.
        Unavailable: the database cannot be reached.
    """
    try:
        from crossroom_server.bus.nats import NatsBus
    except ImportError:
        raise OSError("nodes need more packages: pip install 'crossroom[cluster]'") from None
    async with contextlib.AsyncExitStack() as begun:
        bus = await NatsBus.connect(url, leases.node)
        begun.push_async_callback(bus.close)
        node = await begun.enter_async_context(Node(house.lobby, leases, bus))
        sharing = Sharing(house, node, bans)
        await sharing.start()
        begun.push_async_callback(sharing.close)
        yield node
