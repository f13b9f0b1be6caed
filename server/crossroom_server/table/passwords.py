"""Passwords of rooms: kept as argon2id hashes, worked out off the event loop.

The cost is the smallest that OWASP's Password Storage Cheat Sheet recommends for argon2id: 19 MiB,
two passes, one lane. Wrong guesses are counted by address before they come here.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from crossroom_server.table.permissions import EntryProof, Permissions

_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_WORKER: Final = ThreadPoolExecutor(1, thread_name_prefix="passwords")
"""One thread, so that 19 MiB are all that is ever taken, however many knock at once."""


async def hash_password(password: str) -> str:
    """The hash of a password, with a salt of its own."""
    return await asyncio.get_running_loop().run_in_executor(_WORKER, _HASHER.hash, password)


async def check_key(order: Permissions, key: str) -> EntryProof | None:
    """Return what *key* proves: the room's password, or an invitation; nothing if it is wrong.

    None if there is no key, or no need for one.
    """
    if not key or order.lock is None:
        return None
    if (digest := order.find_invitation(key)) is not None:
        return digest
    kept = order.lock.password
    if kept is None:
        return ""
    fits = await asyncio.get_running_loop().run_in_executor(_WORKER, _verify, kept, key)
    return kept if fits else ""


def _verify(kept: str, password: str) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
