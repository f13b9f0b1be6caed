"""Passwords of rooms: kept as argon2id hashes, worked out off the event loop.

The cost is the smallest that OWASP's Password Storage Cheat Sheet recommends for argon2id: 19 MiB,
two passes, one lane. Wrong guesses are counted by address before they come here.
"""

import asyncio
import threading
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from crossroom_server.order import Order, Proof

_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_ONE_AT_A_TIME: Final = threading.Lock()
"""Each takes 19 MiB; however many knock at once, no more than that is taken."""


async def hashed(password: str) -> str:
    """The hash of a password, with a salt of its own."""
    return await asyncio.to_thread(_hash, password)


async def prove(order: Order, key: str) -> Proof | None:
    """What *key* proves: the room's password, or an invitation; nothing if it is wrong.

    None if there is no key, or no need for one.
    """
    if not key or order.lock is None:
        return None
    if (digest := order.find_invitation(key)) is not None:
        return digest
    kept = order.lock.password
    if kept is None or not await asyncio.to_thread(_verify, kept, key):
        return ""
    return kept


def _hash(password: str) -> str:
    with _ONE_AT_A_TIME:
        return _HASHER.hash(password)


def _verify(kept: str, password: str) -> bool:
    with _ONE_AT_A_TIME:
        try:
            return _HASHER.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False
