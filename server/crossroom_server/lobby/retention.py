"""Deletes unused codes of guests, and rooms that never started a game.

The codes of people who took a seat, who moderate a room, or whose room is locked are kept for good.
A room is deleted with all its codes, even if it is locked or has bans: these are quickly made, and
would let somebody who fills the disk with rooms keep all of them for ever.
"""

from collections.abc import Iterable
from typing import Final

from crossroom_protocol.events.moderation import RoleGiven
from crossroom_protocol.events.room import SeatTaken
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.log_replay import read_log
from crossroom_server.store.contract import Damaged, Store
from crossroom_server.table.permissions import Permissions, apply

CODES_PER_BATCH: Final = 500
"""Codes in one query."""
ROOMS_PER_BATCH: Final = 100
"""Rooms in one query: it takes a few ms, in which nothing else is read."""


async def delete_unused_codes(store: Store, before: int) -> int:
    """Delete the codes of guests not used since *before* (ms since 1970); return how many.

    The log of each of their rooms is read once. Codes to keep are marked, and not found again.

    Raises:
        Unavailable: nothing can be read, or stored.
    """
    deleted = 0
    while codes := await store.expired_codes(before, CODES_PER_BATCH):
        for room in sorted({member.room for member in codes.values()}):
            here = {digest: one.member for digest, one in codes.items() if one.room == room}
            staying = await _members_to_keep(store, room, here.values())
            kept = [digest for digest, member in here.items() if member in staying]
            gone = [digest for digest in here if digest not in kept]
            await store.resolve_expired_codes(kept, gone, before)
            deleted += len(gone)
    return deleted


async def _members_to_keep(store: Store, room: str, members: Iterable[str]) -> set[str]:
    """Return the *members* of a room whose codes must be kept, if in doubt all."""
    permissions, kept = Permissions(), set[str]()
    try:
        async for entry in read_log(store, room):
            permissions = apply(permissions, entry)
            if isinstance(entry.what, SeatTaken | RoleGiven):
                kept.add(entry.what.member)
    except Damaged:
        return {*members}
    return kept if permissions.lock is None else {*members}


async def delete_vacant_rooms(lobby: Lobby, store: Store, before: int) -> int:
    """Delete rooms vacant since *before* (ms since 1970) and open nowhere; return how many.

    Each has a transaction of its own, so that rooms that are played in do not wait long for theirs.

    Raises:
        Unavailable: nothing can be read, or stored.
    """
    deleted, behind = 0, ""
    while found := await store.scan_vacant(behind, ROOMS_PER_BATCH, before):
        for behind, is_vacant in found.items():
            deleted += is_vacant and await lobby.delete_vacant(behind, before)
    return deleted
