"""Deletes unused codes of guests, and rooms that never started a game.

Codes are kept for good of people who took a seat, who moderate a room, or whose room is locked.
With a room all its codes go, whatever was set there: a lock or a ban is made in no time, and would
let somebody who fills the disk with rooms keep each of them for ever.
"""

from collections.abc import Iterable
from typing import Final

from crossroom_protocol.events.moderation import RoleGiven
from crossroom_protocol.events.room import SeatTaken
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.event_log import read_log
from crossroom_server.store.contract import Damaged, Store
from crossroom_server.table.permissions import Permissions, apply

CODES_PER_BATCH: Final = 500
"""Codes that are looked at together."""
ROOMS_PER_BATCH: Final = 100
"""Rooms that are looked at together: a few ms, in which nothing else is read."""


async def delete_unused_codes(store: Store, before: int) -> int:
    """Forget the codes of guests that were not used since *before*, in ms since 1970; how many.

    The log of each of their rooms is read, once for all of them. Those that are to be kept are not
    looked at a second time.

    Raises:
        Unavailable: nothing can be read, or stored.
    """
    forgotten = 0
    while codes := await store.expired_codes(before, CODES_PER_BATCH):
        for room in sorted({member.room for member in codes.values()}):
            here = {digest: one.member for digest, one in codes.items() if one.room == room}
            at_home = await _at_home(store, room, here.values())
            kept = [digest for digest, member in here.items() if member in at_home]
            gone = [digest for digest in here if digest not in kept]
            await store.resolve_expired_codes(kept, gone, before)
            forgotten += len(gone)
    return forgotten


async def _at_home(store: Store, room: str, members: Iterable[str]) -> set[str]:
    """Return the *members* of a room whose code is worth something to them, if in doubt all."""
    order, at_home = Permissions(), set[str]()
    try:
        async for entry in read_log(store, room):
            order = apply(order, entry)
            if isinstance(entry.what, SeatTaken | RoleGiven):
                at_home.add(entry.what.member)
    except Damaged:
        return {*members}
    return at_home if order.lock is None else {*members}


async def delete_vacant_rooms(lobby: Lobby, store: Store, before: int) -> int:
    """Forget rooms that are vacant since *before*, in ms since 1970, and open nowhere; how many.

    Each goes in a transaction of its own, as the rooms that are played in are waiting for theirs.

    Raises:
        Unavailable: nothing can be read, or stored.
    """
    forgotten, behind = 0, ""
    while found := await store.scan_vacant(behind, ROOMS_PER_BATCH, before):
        for behind, is_vacant in found.items():
            forgotten += is_vacant and await lobby.delete_vacant(behind, before)
    return forgotten
