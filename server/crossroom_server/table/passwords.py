"""Hashes and checks the passwords of rooms with argon2id, off the event loop.

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
"""One thread, so that at most 19 MiB are in use, however many try at once."""


async def hash_password(password: str) -> str:
    """Hash a password, with a salt of its own."""
    return await asyncio.get_running_loop().run_in_executor(_WORKER, _HASHER.hash, password)


async def check_key(permissions: Permissions, key: str) -> EntryProof | None:
    """Check a password or a token; return its proof, "" if wrong, None if none is needed."""
    if not key or permissions.lock is None:
        return None
    if (digest := permissions.find_invitation(key)) is not None:
        return digest
    kept = permissions.lock.password
    if kept is None:
        return ""
    fits = await asyncio.get_running_loop().run_in_executor(_WORKER, _verify, kept, key)
    return kept if fits else ""


def _verify(kept: str, password: str) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
