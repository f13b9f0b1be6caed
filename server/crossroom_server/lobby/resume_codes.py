"""The use of resume codes, which keeps them from expiring."""

from dataclasses import replace

from crossroom_engine.core.units import DAY_MS
from crossroom_server.store.contract import CodeOwner, Store


async def record_use(store: Store, digest: str, member: CodeOwner, now: int) -> None:
    """Renew a code that may expire, at most once a day; *now* is in ms since 1970.

    Raises:
        Unavailable: that could not be stored.
    """
    if member.since and now - member.since >= DAY_MS:
        await store.save_code(digest, replace(member, since=now))
