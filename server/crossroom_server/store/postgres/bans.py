"""Bans in a PostgreSQL database."""

from typing import Final

from crossroom_server.store.ban_contract import BanStore
from crossroom_server.store.postgres.queries import RunInStoreLoop, RunQuery

_BAN: Final = """
    INSERT INTO crossroom.banned (network, since)
    VALUES ($1, 1000 * extract(epoch FROM clock_timestamp())) ON CONFLICT DO NOTHING
"""
_LIFT: Final = "DELETE FROM crossroom.banned WHERE network = $1"
_BANS: Final = "SELECT network FROM crossroom.banned ORDER BY network"


class PostgresBans(BanStore):
    """Stores bans for all nodes.

    Args:
        ask: Runs a query.
        run: Runs a coroutine in the loop of the store.
    """

    def __init__(self, ask: RunQuery, run: RunInStoreLoop) -> None:
        self._ask, self._run = ask, run

    async def ban(self, network: str) -> None:
        await self._run(self._ask(_BAN, network))

    async def lift(self, network: str) -> None:
        await self._run(self._ask(_LIFT, network))

    async def bans(self) -> list[str]:
        return [network for (network,) in await self._run(self._ask(_BANS))]
