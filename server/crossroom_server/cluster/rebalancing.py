"""Spreads rooms evenly over the nodes again after some were gone: a few rooms at a time move."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from heapq import nsmallest
from typing import Final

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.room import Room

log = logging.getLogger(__name__)

TOLERATED_SHARE: Final = 0.1
TOLERATED_ROOMS: Final = 2
"""A node keeps rooms while it has fewer than so many, and than this share, above the mean."""
SHARE_PER_BEAT: Final = 0.01
"""The share of its rooms, at least one room, that a node hands over between two heartbeats."""
HANDOVER_S: Final = 2.0
"""Seconds for the other node to take a room, before this one may have it back."""


def surplus(own: int, others: Mapping[str, int]) -> int:
    """Return how many rooms a node should hand over now.

    Args:
        own: Its own number of rooms.
        others: Those of the other nodes, by name.
    """
    mean = (own + sum(others.values())) / (1 + len(others))
    if own - mean < max(TOLERATED_ROOMS, TOLERATED_SHARE * mean):
        return 0
    return max(1, int(SHARE_PER_BEAT * own))


class Rebalancer:
    """Hands rooms of this node over to the node with the fewest.

    Args:
        lobby: The rooms of this node.
        offer: Asks a node to take the room of a name, which is free.
        lost: Called with a room that this node has no more.
    """

    def __init__(
        self, lobby: Lobby, offer: Callable[[str, str], None], lost: Callable[[Room], None]
    ) -> None:
        self._lobby, self._offer, self._lost = lobby, offer, lost
        self._given: dict[str, float] = {}
        self._giving: asyncio.Task[None] | None = None

    def is_given(self, name: str) -> bool:
        """Has the room just been handed over, so that the other node should be waited for?"""
        until = self._given.get(name)
        if until is not None and until < _now():
            del self._given[name]
        return name in self._given

    def update(self, others: Mapping[str, int]) -> None:
        """Hand over what is too much, unless that is going on; *others*: see :func:`surplus`."""
        if not others or (self._giving is not None and not self._giving.done()):
            return
        rooms = list(self._lobby)
        if count := surplus(len(rooms), others):
            target = min(others, key=others.__getitem__)
            fewest = nsmallest(count, rooms, key=lambda room: room.connection_count)
            self._giving = asyncio.create_task(self._give(fewest, target), name="handing over")

    async def close(self) -> None:
        """Hand over nothing more."""
        if self._giving is not None:
            self._giving.cancel()
            await asyncio.gather(self._giving, return_exceptions=True)

    async def _give(self, rooms: list[Room], target: str) -> None:
        log.info("%d rooms go to node %s, which has fewer", len(rooms), target)
        for room in rooms:
            self._given[room.name] = _now() + HANDOVER_S
            with contextlib.suppress(Refusal):  # it was unloaded meanwhile
                await self._lobby.close_room(room.name)
            self._offer(target, room.name)
            self._lost(room)


def _now() -> float:
    return asyncio.get_running_loop().time()
