"""The PostgreSQL store of one server: that it is one, what is refused, and what is damaged."""

import asyncio
import logging

import pytest

from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import (
    CodeOwner,
    Conflict,
    Damaged,
    InUse,
    Superseded,
    TooNew,
    Unavailable,
)
from tests.contracts.postgres.held_statements import hold_inserts
from tests.contracts.postgres.store_access import count_entries, short_timeouts
from tests.support.postgres_server import PostgresServer
from tests.support.tcp_proxy import TcpProxy

pytest.importorskip("asyncpg")

from crossroom_server.store.postgres.store import PostgresStore
from tests.support.log_entries import chat_entries

ANN = CodeOwner("kitchen", "m1", "Ann")


async def test_a_log_survives_reopening(database: Database) -> None:
    first = PostgresStore(database)
    await first.append("kitchen", 0, chat_entries(1, 2))
    await first.save_code("1" * 64, ANN)
    first.close()
    second = PostgresStore(database)
    await second.append("kitchen", 2, chat_entries(3))
    assert await second.read("kitchen") == chat_entries(1, 2, 3)
    assert await second.find_code("1" * 64) == ANN
    assert await second.rooms() == ["kitchen"]
    second.close()


# One server writes.


async def test_a_second_server_is_refused_while_the_first_one_runs(
    store: PostgresStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.RECONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(InUse, match=r"/games: a running server keeps its games there; stop it"):
        await asyncio.to_thread(PostgresStore, database)
    await store.append("kitchen", 0, chat_entries(1))


async def test_the_lock_is_taken_from_a_connection_that_the_database_thinks_is_alive(
    far: PostgresStore, line: TcpProxy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.RECONNECT_TIMEOUT_S", 0.2)
    await far.append("kitchen", 0, chat_entries(1))
    line.cut_silently()
    await far.append("kitchen", 1, chat_entries(2))
    line.cut()  # only now the database hears of the first connection
    await far.append("kitchen", 2, chat_entries(3))
    with pytest.raises(InUse):
        await asyncio.to_thread(PostgresStore, database)
    assert await far.read("kitchen") == chat_entries(1, 2, 3)


async def test_who_was_away_while_another_took_over_writes_no_more(
    far: PostgresStore, line: TcpProxy, database: Database
) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    line.is_closed = True
    line.cut()
    second = await asyncio.to_thread(PostgresStore, database)
    await second.append("attic", 0, chat_entries(1))
    line.is_closed = False
    for room, after in (("kitchen", 1), ("cellar", 0)):
        with pytest.raises(Superseded, match="another server has taken over these games"):
            await far.append(room, after, chat_entries(after + 1))
    with pytest.raises(Superseded):
        await far.save_code("1" * 64, ANN)
    with pytest.raises(Superseded):
        await far.check_writable()
    assert set(await far.rooms()) == {"kitchen", "attic"}
    await second.append("kitchen", 1, chat_entries(2))
    await asyncio.to_thread(second.close)


async def test_every_write_looks_at_the_lease_though_the_connection_holds(
    store: PostgresStore, postgres: PostgresServer
) -> None:
    await store.append("kitchen", 0, chat_entries(1))
    postgres.sql("games", "UPDATE crossroom.leases SET owner = 'another', epoch = epoch + 1")
    for call in (
        store.append("kitchen", 1, chat_entries(2)),
        store.append("attic", 0, []),
        store.save_code("1" * 64, ANN),
        store.delete_vacant("kitchen", 1 << 60),
        store.check_writable(),
    ):
        with pytest.raises(Superseded):
            await call
    assert count_entries(postgres) == 1
    assert await store.find_code("1" * 64) is None


async def test_a_write_that_is_under_way_is_waited_for_by_the_next_epoch(
    store: PostgresStore, postgres: PostgresServer
) -> None:
    """The lock of the lease lasts as long as the statement."""
    async with hold_inserts(postgres, "entries") as held:
        asked = asyncio.create_task(store.append("kitchen", 0, chat_entries(1)))
        await held.wait_until_reached()
        take = (
            "UPDATE crossroom.leases SET epoch = epoch + 1; SELECT count(*) FROM crossroom.entries"
        )
        taking = asyncio.create_task(asyncio.to_thread(postgres.sql, "games", take))
        await held.wait_until_blocking()
        await held.release()
        assert await taking == "1"
        await asked
        with pytest.raises(Superseded):
            await store.append("kitchen", 1, chat_entries(2))


async def test_of_two_that_wait_for_the_same_place_one_is_refused(store: PostgresStore) -> None:
    others = [store.append(f"room-{n}", 0, chat_entries(1)) for n in range(20)]
    twins = [store.append("kitchen", 0, chat_entries(1, text=text)) for text in ("one", "two")]
    outcomes = await asyncio.gather(*others, *twins, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome] == [Conflict]
    assert await store.read("kitchen") == chat_entries(1, text="one")


# What is refused, and what is damaged.


async def test_what_the_database_refuses_takes_no_other_with_it(store: PostgresStore) -> None:
    outcomes = await asyncio.gather(
        *(store.append(f"room-{n}", 0, chat_entries(1)) for n in range(3)),
        store.append("no\0name", 0, chat_entries(1)),
        *(store.append(f"room-{n}", 0, chat_entries(1)) for n in range(3, 6)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes if outcome] == [Unavailable]
    assert sorted(await store.rooms()) == [f"room-{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("DELETE FROM crossroom.entries WHERE seq = 2", "entry 2 is missing in the log of room k"),
        ("UPDATE crossroom.entries SET entry = 'x' WHERE seq = 2", "entry 2 .* understood"),
        ("DROP TABLE crossroom.entries", "the tables of the store are gone"),
    ],
)
async def test_damage_is_named(postgres: PostgresServer, change: str, why: str) -> None:
    store = PostgresStore(postgres.empty_database("broken", bare=True))
    await store.append("kitchen", 0, chat_entries(1, 2, 3))
    postgres.sql("broken", change)
    with pytest.raises(Damaged, match=why):
        await store.read("kitchen")
    store.close()


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        ("UPDATE crossroom.version SET version = 99", TooNew, "later crossroom has written this d"),
        ("DROP TABLE crossroom.version", Unavailable, "belongs to another program"),
    ],
)
def test_a_database_of_others_is_left_alone(
    postgres: PostgresServer, change: str, kind: type[Unavailable], why: str
) -> None:
    database = postgres.empty_database("broken", bare=True)
    PostgresStore(database).close()
    postgres.sql("broken", change)
    with pytest.raises(kind, match=rf"^postgresql://127\.0\.0\.1:\d+/broken: .*{why}"):
        PostgresStore(database)


def test_what_cannot_be_opened_says_why_and_tells_no_password(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres.write_connection.RECONNECT_TIMEOUT_S", 0.2)
    for where, why in (
        (f"127.0.0.1:{postgres.port}/nothing", "there is no database of this name"),
        (f"127.0.0.1:{postgres.port}/games?sslmode=wrong", "this address .* cannot be used"),
        ("127.0.0.1:1/games", "the database does not answer"),
    ):
        with pytest.raises(Unavailable, match=why) as refused:
            PostgresStore(Database(f"postgresql://crossroom:sesame@{where}"))
        assert "sesame" not in f"{refused.value} {refused.value!r}"
        assert str(refused.value).startswith("postgresql://127.0.0.1:")


async def test_a_database_that_may_only_be_read_says_so(
    store: PostgresStore, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    await store.append("kitchen", 0, chat_entries(1))
    caplog.set_level(logging.CRITICAL)
    read_only = "ALTER DATABASE games SET default_transaction_read_only = {}"
    ours = "FROM pg_stat_activity WHERE application_name = 'crossroom'"
    postgres.sql("games", read_only.format("on"), f"SELECT pg_terminate_backend(pid) {ours}")
    try:
        with short_timeouts():
            for call in (store.check_writable(), store.append("kitchen", 1, chat_entries(2))):
                with pytest.raises(Unavailable, match=r"^the database may be read, but not w"):
                    await call
        assert await store.read("kitchen") == chat_entries(1)
    finally:
        postgres.sql("games", "SET default_transaction_read_only = off", read_only.format("off"))
    await store.append("kitchen", 1, chat_entries(2))


async def test_what_is_asked_before_the_end_is_done(database: Database) -> None:
    store = PostgresStore(database)
    asked = [asyncio.create_task(store.append(f"room-{n}", 0, chat_entries(1))) for n in range(50)]
    await asyncio.sleep(0)
    await asyncio.to_thread(store.close)
    await asyncio.gather(*asked)
    again = PostgresStore(database)
    assert len(await again.rooms()) == 50
    again.close()
