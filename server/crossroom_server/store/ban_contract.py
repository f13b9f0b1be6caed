"""The contract of bans where several nodes share them.

A server alone keeps them in a file, see :mod:`crossroom_server.identity.banlist`.
"""

from typing import Protocol


class BanStore(Protocol):
    """Stores networks as text, as :class:`~crossroom_server.identity.banlist.BanList` writes them.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`.
    """

    async def ban(self, network: str) -> None:
        """Ban a network; durable on return, harmless a second time."""

    async def lift(self, network: str) -> None:
        """Lift a ban; harmless if there is none."""

    async def bans(self) -> list[str]:
        """Return all banned networks, in order."""
