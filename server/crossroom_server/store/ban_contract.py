"""Networks that the host has banned, where all nodes must know of them: the contract.

A server alone keeps them in a file, see :mod:`crossroom_server.identity.banlist`.
"""

from typing import Protocol


class BanStore(Protocol):
    """Networks as text, as :class:`~crossroom_server.identity.banlist.BanList` writes them.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`.
    """

    async def ban(self, network: str) -> None:
        """Refuse a network from now on; durable when it returns, harmless a second time."""

    async def lift(self, network: str) -> None:
        """Refuse it no longer; harmless if it was not refused."""

    async def bans(self) -> list[str]:
        """All that are refused, in the order of their names."""
