"""Several nodes and one PostgreSQL database: rooms that are forgotten there."""

import asyncio

import pytest

from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import CodeOwner, Conflict
from tests.contracts.postgres.store_access import owner_refusing
from tests.support.log_entries import chat_entries
from tests.support.postgres_server import PostgresServer

pytest.importorskip("asyncpg")

from crossroom_server.store.postgres.schema import Connection, connect
from crossroom_server.store.postgres.store import PostgresStore

pytestmark = pytest.mark.usefixtures("lasting")

LEASES = "SELECT room, owner FROM crossroom.leases WHERE room <> '' ORDER BY room"


async def waiting(db: Connection) -> None:
    """Until somebody waits for what is locked here."""
    waits = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    while not await db.fetchval(waits):  # noqa: ASYNC110 - it is in the database
        await asyncio.sleep(0.01)


async def test_only_the_node_that_has_a_room_can_forget_it(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    for room in ("attic", "kitchen"):
        await ann.leases.claim(room)
        await ann.append(room, 0, chat_entries(1, 2))
    assert await bob.scan_vacant("", 10, 3) == {"attic": True, "kitchen": True}
    assert not await bob.delete_vacant("kitchen", 3)
    await ann.leases.release("kitchen")
    assert not await bob.delete_vacant("kitchen", 3)
    assert await bob.leases.claim("kitchen") == "bob"
    assert not await ann.delete_vacant("kitchen", 3)
    assert await bob.read("kitchen") == chat_entries(1, 2)
    assert await bob.delete_vacant("kitchen", 3)
    assert await ann.read("kitchen") == []
    assert postgres.sql("games", LEASES) == "attic|ann"


async def test_what_was_forgotten_goes_on_nowhere(ann: PostgresStore, bob: PostgresStore) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, chat_entries(1, 2))
    await ann.leases.release("kitchen")
    await bob.leases.claim("kitchen")
    assert await bob.delete_vacant("kitchen", 3)
    assert await owner_refusing(ann, "kitchen", 2) == ""
    assert await owner_refusing(bob, "kitchen", 0) == ""
    assert await ann.leases.claim("kitchen") == "ann"
    with pytest.raises(Conflict):
        await ann.append("kitchen", 2, chat_entries(3))
    await ann.append("kitchen", 0, chat_entries(1))
    assert await owner_refusing(bob, "kitchen", 1) == "ann"
    assert await bob.read("kitchen") == chat_entries(1)


async def test_a_code_that_is_used_in_the_same_moment_is_not_forgotten(
    ann: PostgresStore, database: Database
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, chat_entries(1))
    for digest in ("used", "unused"):
        await ann.save_code(digest, CodeOwner("kitchen", digest, "Ada", since=1))
    other = await connect(database, writing=True)
    using = other.transaction()
    await using.start()
    await other.execute("UPDATE crossroom.codes SET since = 9 WHERE digest = 'used'")
    forgetting = asyncio.create_task(ann.delete_vacant("kitchen", 3))
    await waiting(other)
    await using.commit()
    await other.close()
    assert await forgetting
    assert await ann.find_code("unused") is None
    assert await ann.find_code("used") == CodeOwner("kitchen", "used", "Ada", since=9)


async def test_a_room_that_is_claimed_in_the_same_moment_is_kept(
    ann: PostgresStore, database: Database
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, chat_entries(1))
    other = await connect(database, writing=True)
    claiming = other.transaction()
    await claiming.start()
    claim = "UPDATE crossroom.leases SET owner = 'bob', epoch = 2 WHERE room = 'kitchen'"
    await other.execute(claim)
    forgetting = asyncio.create_task(ann.delete_vacant("kitchen", 3))
    await waiting(other)
    await claiming.commit()
    await other.close()
    assert not await forgetting
    assert await ann.read("kitchen") == chat_entries(1)
