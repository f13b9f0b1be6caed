"""Several nodes and one PostgreSQL database: who has which room, and what befalls the others."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import Account, CodeOwner, Conflict, Superseded, Unavailable
from crossroom_server.store.lease_contract import LeaseLost, NodeStatus
from tests.contracts.postgres.held_statements import HeldStatements, hold_inserts
from tests.contracts.postgres.store_access import Open, expire_node, finished_game, owner_refusing
from tests.support.postgres_server import PostgresServer

pytest.importorskip("asyncpg")

from crossroom_server.store.postgres import leases, schema
from crossroom_server.store.postgres.store import PostgresStore
from tests.support.log_entries import chat_entries

pytestmark = pytest.mark.usefixtures("lasting")


@pytest.fixture
async def held(database: Database, postgres: PostgresServer) -> AsyncIterator[HeldStatements]:
    """Whatever is stored in the room `slow` is under way until it is let go."""
    store = await asyncio.to_thread(PostgresStore, database, "first")  # makes the tables
    await asyncio.to_thread(store.close)
    async with hold_inserts(postgres, "entries", "WHEN (NEW.room = 'slow')") as held:
        yield held


# Who has a room.


async def test_a_room_is_that_of_the_node_which_claimed_it(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    assert await owner_refusing(ann, "kitchen", 0) == ""
    assert await ann.leases.owner("kitchen") is None
    assert await ann.leases.claim("kitchen") == "ann"
    assert await bob.leases.claim("kitchen") == "ann"
    assert await bob.leases.owner("kitchen") == "ann"
    assert await owner_refusing(bob, "kitchen", 0) == "ann"
    await ann.append("kitchen", 0, chat_entries(1))
    assert await bob.read("kitchen") == chat_entries(1)
    with pytest.raises(Conflict):
        await ann.append("kitchen", 0, chat_entries(1))


async def test_of_two_nodes_that_want_a_room_one_gets_it(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    winners = set()
    for number in range(100):
        room = f"room-{number}"
        first, second = (ann, bob) if number % 2 else (bob, ann)
        one, other = await asyncio.gather(first.leases.claim(room), second.leases.claim(room))
        assert one == other
        winners.add(one)
        outcomes = await asyncio.gather(
            ann.append(room, 0, chat_entries(1, text="ann")),
            bob.append(room, 0, chat_entries(1, text="bob")),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes if outcome] == [LeaseLost]
        assert await ann.read(room) == chat_entries(1, text=one)
    assert winners == {"ann", "bob"}


async def test_many_claims_are_one_statement_and_their_order_does_not_matter(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    rooms = [f"room-{number}" for number in range(200)]
    claims = [
        *(ann.leases.claim(room) for room in rooms),
        *(bob.leases.claim(room) for room in reversed(rooms)),
    ]
    owners = await asyncio.gather(*claims)
    assert owners[:200] == owners[:199:-1]
    assert {line.node: line.rooms for line in await ann.leases.nodes()} == {
        node: owners[:200].count(node) for node in ("ann", "bob")
    }


async def test_a_dead_nodes_room_may_be_claimed_after_a_while_and_not_before(
    ann: PostgresStore, bob: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE_LIFETIME_S", 1.0)
    assert await ann.leases.claim("kitchen") == "ann"
    begun = time.monotonic()
    await ann.leases.heartbeat()
    heard = asked = time.monotonic()
    while await bob.leases.claim("kitchen") == "ann":
        assert asked - heard < 1.1
        await bob.leases.heartbeat()
        await asyncio.sleep(0.02)
        asked = time.monotonic()
    assert time.monotonic() - begun > 0.9
    assert await bob.leases.owner("kitchen") == "bob"
    assert [line.node for line in await bob.leases.nodes()] == ["bob"]


async def test_a_node_that_was_only_slow_lives_again_but_what_was_taken_is_taken(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    for room in ("kitchen", "attic"):
        await ann.leases.claim(room)
        await ann.append(room, 0, chat_entries(1))
    expire_node(postgres, "ann")
    assert await bob.leases.owner("kitchen") is None
    assert await bob.leases.claim("kitchen") == "bob"
    assert await ann.leases.claim("attic") == "ann"
    epochs = "SELECT room, epoch FROM crossroom.leases WHERE room <> '' ORDER BY room"
    assert postgres.sql("games", epochs) == "attic|1\nkitchen|2"
    outcomes = await asyncio.gather(
        ann.append("kitchen", 1, chat_entries(2, text="late")),
        ann.append("attic", 1, chat_entries(2)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [LeaseLost, type(None)]
    await bob.append("kitchen", 1, chat_entries(2))
    assert await ann.read("kitchen") == chat_entries(1, 2)
    await ann.leases.heartbeat()
    assert await bob.leases.claim("attic") == "ann"
    assert await ann.leases.claim("kitchen") == "bob"
    assert await owner_refusing(ann, "kitchen", 2) == "bob"


async def test_what_another_had_meanwhile_was_not_kept(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    for room in ("kitchen", "attic"):
        await ann.leases.claim(room)
    expire_node(postgres, "ann")
    await bob.leases.claim("kitchen")
    await bob.leases.release("kitchen")
    await ann.leases.heartbeat()
    assert await ann.leases.kept("kitchen", "attic", "porch") == {"attic"}
    assert await ann.leases.claim("kitchen") == "ann"
    assert await ann.leases.kept("kitchen", "attic") == {"kitchen", "attic"}
    assert await ann.leases.kept() == set()


async def test_what_is_let_go_anybody_may_claim(ann: PostgresStore, bob: PostgresStore) -> None:
    for room in ("kitchen", "attic", "cellar"):
        await ann.leases.claim(room)
    await bob.leases.claim("porch")
    await ann.leases.release("kitchen", "attic", "porch", "nowhere")
    assert await ann.leases.owner("kitchen") is None
    assert await owner_refusing(ann, "kitchen", 0) == ""
    assert await bob.leases.claim("kitchen") == "bob"
    assert await bob.leases.claim("cellar") == "ann"
    assert await bob.leases.owner("porch") == "bob"
    ann_line, bob_line = await ann.leases.nodes()
    assert (ann_line.node, ann_line.rooms) == ("ann", 1)
    assert (bob_line.node, bob_line.rooms) == ("bob", 2)
    assert 0 <= ann_line.seen < 60


async def test_a_room_that_comes_back_is_written_to_again(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    for number in range(1, 7, 2):
        for store in (ann, bob):
            assert await store.leases.claim("kitchen") == store.leases.node
            await store.append(
                "kitchen", number - (store is ann), chat_entries(number + (store is bob))
            )
            await store.leases.release("kitchen")
    assert await ann.read("kitchen") == chat_entries(*range(1, 7))


async def test_a_lease_that_went_and_came_back_is_another_one(
    ann: PostgresStore, postgres: PostgresServer
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, chat_entries(1))
    postgres.sql("games", "UPDATE crossroom.leases SET epoch = epoch + 2 WHERE room = 'kitchen'")
    assert await owner_refusing(ann, "kitchen", 1) == "ann"
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 1, chat_entries(2))


async def test_who_retires_has_nothing_and_writes_no_more(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, chat_entries(1))
    await ann.leases.retire()
    await ann.leases.retire()
    assert await bob.leases.claim("kitchen") == "bob"
    assert [replace(line, seen=0) for line in await bob.leases.nodes()] == [NodeStatus("bob", 1, 0)]
    for call in (
        ann.append("kitchen", 1, chat_entries(2)),
        ann.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ann")),
        ann.check_writable(),
        ann.leases.heartbeat(),
        ann.leases.claim("kitchen"),
    ):
        with pytest.raises(Superseded):
            await call
    assert await ann.read("kitchen") == chat_entries(1)


async def test_a_closed_store_claims_nothing(ann: PostgresStore) -> None:
    await asyncio.to_thread(ann.close)
    for call in (ann.leases.heartbeat(), ann.leases.claim("kitchen"), ann.bans.bans()):
        with pytest.raises(Unavailable, match="the store is closed"):
            await call


async def test_nodes_that_come_and_go_lose_nothing_and_double_nothing(
    opened: Open,
) -> None:
    """Three nodes claim, write and let go at random: what was told as stored is what is stored."""
    stores, rooms = [opened(node) for node in ("ann", "bob", "cat")], ["a", "b", "c", "d"]
    told = {room: chat_entries() for room in rooms}
    taken = 0
    over = asyncio.get_running_loop().time() + 1

    async def wander(store: PostgresStore, seed: int) -> None:
        nonlocal taken
        dice = random.Random(seed)
        while asyncio.get_running_loop().time() < over or not taken:
            room = dice.choice(rooms)
            if dice.random() < 0.3:
                await store.leases.release(*dice.sample(rooms, 2))
            elif await store.leases.claim(room) == store.leases.node:
                last = len(await store.read(room))
                entries = chat_entries(last + 1, text=f"{store.leases.node} {seed}")
                try:
                    await store.append(room, last, entries)
                except (LeaseLost, Conflict) as error:
                    taken += isinstance(error, LeaseLost)
                else:
                    told[room] += entries

    await asyncio.gather(
        *(wander(store, 10 * place + n) for place, store in enumerate(stores) for n in range(4))
    )
    for room in rooms:
        assert await stores[0].read(room) == sorted(told[room], key=lambda entry: entry.seq)


# What is under way.


async def test_a_claim_waits_for_a_write_that_is_under_way(
    ann: PostgresStore, bob: PostgresStore, held: HeldStatements, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1)))
    await held.wait_until_reached()
    expire_node(postgres, "ann")
    claimed = asyncio.create_task(bob.leases.claim("slow"))
    await held.wait_until_blocking()
    await held.release()
    assert await claimed == "bob"
    assert await bob.read("slow") == chat_entries(1)
    await asked
    assert await owner_refusing(ann, "slow", 1) == "bob"


async def test_a_claim_that_nobody_waits_for_any_more_is_carried_out(
    ann: PostgresStore, bob: PostgresStore, held: HeldStatements, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1)))
    await held.wait_until_reached()
    expire_node(postgres, "ann")
    claims = [asyncio.create_task(bob.leases.claim(room)) for room in ("slow", "attic")]
    await held.wait_until_blocking()
    for claim in claims:
        claim.cancel()
    await held.release()
    await asked
    assert await bob.leases.claim("kitchen") == "bob"
    await bob.append("slow", 1, chat_entries(2))
    await bob.append("attic", 0, chat_entries(1))


async def test_letting_go_waits_for_a_write_that_is_under_way(
    ann: PostgresStore, held: HeldStatements
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1)))
    await held.wait_until_reached()
    released = asyncio.create_task(ann.leases.release("slow"))
    await asyncio.sleep(0.1)
    assert not released.done()
    await held.release()
    await released
    assert await ann.read("slow") == chat_entries(1)
    await asked


async def test_who_writes_slowly_is_heard_of_all_the_same(
    ann: PostgresStore, held: HeldStatements
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1)))
    await held.wait_until_reached()
    await ann.leases.heartbeat()
    assert await ann.leases.claim("kitchen") == "ann"
    assert not asked.done()
    await held.release()
    await asked


async def test_a_game_whose_number_was_drawn_first_and_is_seen_last_is_not_missed(
    ann: PostgresStore, bob: PostgresStore, held: HeldStatements
) -> None:
    await ann.leases.claim("slow")
    await bob.leases.claim("kitchen")
    told = await bob.finished()
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1), [finished_game("slow", 1)]))
    await held.wait_until_reached()
    await bob.append("kitchen", 0, chat_entries(1), [finished_game("kitchen", 1)])
    assert not asked.done()
    reading = asyncio.create_task(bob.finished())
    await asyncio.sleep(0.1)
    await held.release()
    told += await reading
    await asked
    told += await bob.finished(told[-1][0])
    assert [game.room for _, game in told] == ["slow", "kitchen"]


async def test_who_works_out_the_finished_games_anew_waits_for_one_that_is_written(
    ann: PostgresStore, held: HeldStatements, opened: Open, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, chat_entries(1), [finished_game("slow", 1)]))
    await held.wait_until_reached()
    postgres.sql("games", "UPDATE crossroom.version SET derived = 0")
    opening = asyncio.create_task(asyncio.to_thread(opened, "bob"))
    await held.wait_until_blocking()
    assert not opening.done()
    await held.release()
    await opening
    await asked


async def test_of_two_nodes_that_give_away_a_name_one_does(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    for number in range(50):
        claims = [Account("Zoë", "1" * 64, number), Account("Zoe", "2" * 64, number)]
        outcomes = await asyncio.gather(
            ann.save_account(f"zoe-{number}", claims[0]),
            bob.save_account(f"zoe-{number}", claims[1]),
        )
        (winner,) = (claim for claim, outcome in zip(claims, outcomes, strict=True) if not outcome)
        assert winner in outcomes
        assert await ann.find_account(f"zoe-{number}") == winner


# Tables.


async def test_nodes_that_start_together_make_the_tables_once(postgres: PostgresServer) -> None:
    for _ in range(2):
        database = postgres.empty_database("fresh", bare=True)
        stores = await asyncio.gather(
            *(asyncio.to_thread(PostgresStore, database, node) for node in ("ann", "bob", "cat"))
        )
        assert len(await stores[0].leases.nodes()) == 3
        for store in stores:
            await asyncio.to_thread(store.close)


async def test_a_database_of_the_first_version_is_brought_forward(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.empty_database("fresh", bare=True)
    former = [
        "CREATE SCHEMA crossroom",
        "CREATE TABLE crossroom.version (version INTEGER NOT NULL)",
        "INSERT INTO crossroom.version VALUES (1)",
        *schema.MIGRATIONS[0],
        "INSERT INTO crossroom.entries (room, seq, entry) VALUES ('kitchen', 1, 'x')",
    ]
    postgres.sql("fresh", *former)
    store = await asyncio.to_thread(PostgresStore, database, "ann")
    assert await store.rooms() == ["kitchen"]
    assert await store.leases.claim("kitchen") == "ann"
    await store.append("kitchen", 1, chat_entries(2))
    await asyncio.to_thread(store.close)


async def test_what_one_node_bans_all_do(ann: PostgresStore, bob: PostgresStore) -> None:
    assert await ann.bans.bans() == []
    await ann.bans.ban("192.0.2.0/24")
    await bob.bans.ban("2001:db8::/64")
    await bob.bans.ban("192.0.2.0/24")
    assert await ann.bans.bans() == await bob.bans.bans() == ["192.0.2.0/24", "2001:db8::/64"]
    await bob.bans.lift("192.0.2.0/24")
    await bob.bans.lift("198.51.100.1/32")
    assert await ann.bans.bans() == ["2001:db8::/64"]
