"""The PostgreSQL store where things go wrong: lost answers, restarts, a second server, damage."""

import asyncio
import logging
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from crossroom_protocol.room_events import Entry, Said
from crossroom_server.store import (
    Claim,
    Conflict,
    Damaged,
    InUse,
    Member,
    Superseded,
    TooNew,
    Unavailable,
)
from crossroom_server.store.place import Database
from tests.postgres_server import PostgresServer
from tests.proxy import Proxy, proxy

pytest.importorskip("asyncpg")

from crossroom_server.store import postgres_asking as reading
from crossroom_server.store import postgres_writer as writing
from crossroom_server.store.postgres import PostgresStore

SLOW = """
    CREATE FUNCTION crossroom.slow() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON crossroom.{} FOR EACH ROW
    EXECUTE FUNCTION crossroom.slow()
"""
"""Lets every new row of a table take half a second."""

ANN = Member("kitchen", "m1", "Ann")


@pytest.fixture
def store(database: Database) -> Iterator[PostgresStore]:
    store = PostgresStore(database)
    yield store
    store.close()


@pytest.fixture
async def line(postgres: PostgresServer) -> AsyncIterator[Proxy]:
    """The way of :func:`far` to its database."""
    async with proxy(postgres.port) as line:
        yield line


@pytest.fixture
async def far(
    line: Proxy, postgres: PostgresServer, database: Database
) -> AsyncIterator[PostgresStore]:
    """A store that reaches its database by a way that can fail."""
    there = postgres.database("games", line.port)
    store = await asyncio.to_thread(PostgresStore, there)
    yield store
    await asyncio.to_thread(store.close)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for the database."""
    for module in (reading, writing):
        monkeypatch.setattr(module, "PATIENCE", 0.3)
        monkeypatch.setattr(module, "ANSWER", 0.5)


def said(*numbers: int, text: str = "hello") -> list[Entry]:
    return [Entry(number, number, Said("Ada", text)) for number in numbers]


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.01)
    pytest.fail("it never comes")


def stored(postgres: PostgresServer) -> int:
    return int(postgres.sql("games", "SELECT count(*) FROM crossroom.entries"))


async def test_a_log_survives_reopening(database: Database) -> None:
    first = PostgresStore(database)
    await first.append("kitchen", 0, said(1, 2))
    await first.keep_code("1" * 64, ANN)
    first.close()
    second = PostgresStore(database)
    await second.append("kitchen", 2, said(3))
    assert await second.read("kitchen") == said(1, 2, 3)
    assert await second.find_code("1" * 64) == ANN
    assert await second.rooms() == ["kitchen"]
    second.close()


# Answers that are lost.


async def test_what_was_stored_though_the_answer_was_lost_is_found(
    far: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await far.append("kitchen", 0, said(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, said(2, 3)))
    await until(lambda: stored(postgres) == 3)
    assert not asked.done()
    line.is_mute = False
    line.cut()
    await asked
    await far.append("kitchen", 3, said(4))
    assert await far.read("kitchen") == said(1, 2, 3, 4)


async def test_what_never_arrived_is_sent_again(far: PostgresStore, line: Proxy) -> None:
    await far.append("kitchen", 0, said(1))
    line.is_deaf = True
    asked = [
        asyncio.create_task(far.append("kitchen", 1, said(2))),
        asyncio.create_task(far.keep_code("1" * 64, ANN)),
    ]
    await asyncio.sleep(0.1)
    line.is_deaf = False
    line.cut()
    await asyncio.gather(*asked)
    assert await far.read("kitchen") == said(1, 2)
    assert await far.find_code("1" * 64) == ANN


async def test_anothers_entry_is_not_taken_for_one_whose_answer_was_lost(
    far: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    line.is_deaf = True
    asked = asyncio.create_task(far.append("kitchen", 0, said(1)))
    await asyncio.sleep(0.1)
    entry = "INSERT INTO crossroom.entries (room, seq, entry) VALUES ('kitchen', 1, 'theirs')"
    postgres.sql("games", entry)
    line.is_deaf = False
    line.cut()
    with pytest.raises(Conflict):
        await asked


@pytest.mark.usefixtures("hasty")
async def test_what_was_reported_as_not_done_is_not_done(
    far: PostgresStore, line: Proxy, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    await far.append("kitchen", 0, said(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, said(2, text="first")))
    await until(lambda: stored(postgres) == 2)
    line.is_closed = True
    line.cut()
    with pytest.raises(Unavailable, match=r"^the database does not answer$"):
        await asked
    for call in (far.check(), far.read("kitchen"), far.append("kitchen", 1, said(2))):
        with pytest.raises(Unavailable, match=r"^the database does not answer$"):
            await call
    line.is_closed = line.is_mute = False
    assert await far.read("kitchen") == said(1)
    assert stored(postgres) == 1
    await far.append("kitchen", 1, said(2, text="second"))
    assert await far.read("kitchen") == [*said(1), *said(2, text="second")]
    lines = [record.message for record in caplog.records if record.name == writing.__name__]
    assert lines == [
        "nothing can be stored: the database does not answer",
        "it can be stored again",
    ]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("before", [None, Claim("Zoe", "1" * 64, 1)])
async def test_a_name_whose_claim_was_reported_as_failed_is_whose_it_was(
    far: PostgresStore, line: Proxy, postgres: PostgresServer, before: Claim | None
) -> None:
    if before is not None:
        await far.keep_claim("zoe", before)
    postgres.sql("games", SLOW.format("claims"))
    try:
        asked = asyncio.create_task(far.keep_claim("zoe", Claim("Zoë", "2" * 64, 2), anew=True))
        await asyncio.sleep(0.2)
        line.is_mute = line.is_closed = True
        line.forget()
        with pytest.raises(Unavailable):
            await asked
        claimed = "SELECT count(*) FROM crossroom.claims WHERE name = 'Zoë'"
        await until(lambda: postgres.sql("games", claimed) == "1")
    finally:
        postgres.sql("games", "DROP FUNCTION crossroom.slow CASCADE")
    line.is_mute = line.is_closed = False
    assert await far.find_claim("zoe") == before


async def test_a_name_whose_answer_was_lost_is_ones_own(
    far: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    postgres.sql("games", SLOW.format("claims"))
    try:
        asked = asyncio.create_task(far.keep_claim("zoe", Claim("Zoë", "1" * 64, 1)))
        await asyncio.sleep(0.2)
        line.cut()
        assert await asked is None
    finally:
        postgres.sql("games", "DROP FUNCTION crossroom.slow CASCADE")
    assert await far.keep_claim("zoe", Claim("zoe", "2" * 64, 2)) == Claim("Zoë", "1" * 64, 1)


@pytest.mark.usefixtures("hasty")
async def test_a_network_that_says_nothing_at_all_is_given_up(
    far: PostgresStore, line: Proxy
) -> None:
    await far.append("kitchen", 0, said(1))
    line.is_deaf = line.is_mute = True
    begun = time.monotonic()
    for call in (far.append("kitchen", 1, said(2)), far.read("kitchen")):
        with pytest.raises(Unavailable, match=r"^the database does not answer$"):
            await asyncio.wait_for(call, 10)
    assert time.monotonic() - begun < 8
    line.is_deaf = line.is_mute = False
    line.cut()
    await far.append("kitchen", 1, said(2))
    assert await far.read("kitchen") == said(1, 2)


@pytest.mark.usefixtures("hasty")
async def test_a_read_that_got_lost_is_asked_again_elsewhere(
    far: PostgresStore, line: Proxy
) -> None:
    await far.append("kitchen", 0, said(1))
    assert await far.rooms() == ["kitchen"]
    line.is_deaf = True
    asked = asyncio.create_task(far.rooms())
    await asyncio.sleep(0.1)
    line.is_deaf = False  # what it swallowed nobody will answer
    with pytest.raises(Unavailable):
        await asyncio.wait_for(asked, 5)
    assert await far.rooms() == ["kitchen"]


# A database that restarts.


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_restart_in_the_middle_loses_nothing_and_doubles_nothing(
    store: PostgresStore, postgres: PostgresServer, how: signal.Signals
) -> None:
    kept = {f"room-{number}": 0 for number in range(8)}
    over = False

    async def talk(room: str) -> None:
        while not over:
            try:
                await store.append(room, kept[room], said(kept[room] + 1, text=room))
            except Unavailable:
                await asyncio.sleep(0.05)
            else:
                kept[room] += 1

    talking = asyncio.gather(*map(talk, kept))
    await asyncio.sleep(0.3)
    before = dict(kept)
    await asyncio.to_thread(postgres.stop, how)
    await asyncio.to_thread(postgres.start)
    await until(lambda: all(kept[room] > before[room] + 1 for room in kept))
    over = True
    await talking
    for room, last in kept.items():
        assert await store.read(room) == said(*range(1, last + 1), text=room)


# One server writes.


async def test_a_second_server_is_refused_while_the_first_one_runs(
    store: PostgresStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres_right.PATIENCE", 0.2)
    with pytest.raises(InUse, match=r"/games: a running server keeps its games there; stop it"):
        await asyncio.to_thread(PostgresStore, database)
    await store.append("kitchen", 0, said(1))


async def test_the_lock_is_taken_from_a_connection_that_the_database_thinks_is_alive(
    far: PostgresStore, line: Proxy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres_right.PATIENCE", 0.2)
    await far.append("kitchen", 0, said(1))
    line.forget()
    await far.append("kitchen", 1, said(2))
    line.cut()  # only now the database hears of the first connection
    await far.append("kitchen", 2, said(3))
    with pytest.raises(InUse):
        await asyncio.to_thread(PostgresStore, database)
    assert await far.read("kitchen") == said(1, 2, 3)


@pytest.mark.usefixtures("hasty")
async def test_who_was_away_while_another_took_over_writes_no_more(
    far: PostgresStore, line: Proxy, database: Database
) -> None:
    await far.append("kitchen", 0, said(1))
    line.is_closed = True
    line.cut()
    second = await asyncio.to_thread(PostgresStore, database)
    await second.append("attic", 0, said(1))
    line.is_closed = False
    for room, after in (("kitchen", 1), ("cellar", 0)):
        with pytest.raises(Superseded, match="another server has taken over these games"):
            await far.append(room, after, said(after + 1))
    with pytest.raises(Superseded):
        await far.keep_code("1" * 64, ANN)
    with pytest.raises(Superseded):
        await far.check()
    assert set(await far.rooms()) == {"kitchen", "attic"}
    await second.append("kitchen", 1, said(2))
    await asyncio.to_thread(second.close)


async def test_every_write_looks_at_the_lease_though_the_connection_holds(
    store: PostgresStore, postgres: PostgresServer
) -> None:
    await store.append("kitchen", 0, said(1))
    postgres.sql("games", "UPDATE crossroom.leases SET owner = 'another', epoch = epoch + 1")
    for call in (
        store.append("kitchen", 1, said(2)),
        store.append("attic", 0, []),
        store.keep_code("1" * 64, ANN),
        store.forget("kitchen", 1 << 60),
        store.check(),
    ):
        with pytest.raises(Superseded):
            await call
    assert stored(postgres) == 1
    assert await store.find_code("1" * 64) is None


async def test_a_write_that_is_under_way_is_waited_for_by_the_next_epoch(
    store: PostgresStore, postgres: PostgresServer
) -> None:
    """The lock of the lease lasts as long as the statement."""
    postgres.sql("games", SLOW.format("entries"))
    try:
        asked = asyncio.create_task(store.append("kitchen", 0, said(1)))
        await asyncio.sleep(0.2)
        take = (
            "UPDATE crossroom.leases SET epoch = epoch + 1; SELECT count(*) FROM crossroom.entries"
        )
        assert await asyncio.to_thread(postgres.sql, "games", take) == "1"
        await asked
        with pytest.raises(Superseded):
            await store.append("kitchen", 1, said(2))
    finally:
        postgres.sql("games", "DROP FUNCTION crossroom.slow CASCADE")


async def test_of_two_that_wait_for_the_same_place_one_is_refused(store: PostgresStore) -> None:
    others = [store.append(f"room-{n}", 0, said(1)) for n in range(20)]
    twins = [store.append("kitchen", 0, said(1, text=text)) for text in ("one", "two")]
    outcomes = await asyncio.gather(*others, *twins, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome] == [Conflict]
    assert await store.read("kitchen") == said(1, text="one")


# What is refused, and what is damaged.


async def test_what_the_database_refuses_takes_no_other_with_it(store: PostgresStore) -> None:
    outcomes = await asyncio.gather(
        *(store.append(f"room-{n}", 0, said(1)) for n in range(3)),
        store.append("no\0name", 0, said(1)),
        *(store.append(f"room-{n}", 0, said(1)) for n in range(3, 6)),
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
    await store.append("kitchen", 0, said(1, 2, 3))
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
    monkeypatch.setattr("crossroom_server.store.postgres_line.PATIENCE", 0.2)
    for where, why in (
        (f"127.0.0.1:{postgres.port}/nothing", "there is no database of this name"),
        (f"127.0.0.1:{postgres.port}/games?sslmode=wrong", "this address .* cannot be used"),
        ("127.0.0.1:1/games", "the database does not answer"),
    ):
        with pytest.raises(Unavailable, match=why) as refused:
            PostgresStore(Database(f"postgresql://crossroom:sesame@{where}"))
        assert "sesame" not in f"{refused.value} {refused.value!r}"
        assert str(refused.value).startswith("postgresql://127.0.0.1:")


@pytest.mark.usefixtures("hasty")
async def test_a_database_that_may_only_be_read_says_so(
    store: PostgresStore, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    await store.append("kitchen", 0, said(1))
    caplog.set_level(logging.CRITICAL)
    read_only = "ALTER DATABASE games SET default_transaction_read_only = {}"
    ours = "FROM pg_stat_activity WHERE application_name = 'crossroom'"
    postgres.sql("games", read_only.format("on"), f"SELECT pg_terminate_backend(pid) {ours}")
    try:
        for call in (store.check(), store.append("kitchen", 1, said(2))):
            with pytest.raises(Unavailable, match=r"^the database may be read, but not written$"):
                await call
        assert await store.read("kitchen") == said(1)
    finally:
        postgres.sql("games", "SET default_transaction_read_only = off", read_only.format("off"))
    await store.append("kitchen", 1, said(2))


async def test_what_is_asked_before_the_end_is_done(database: Database) -> None:
    store = PostgresStore(database)
    asked = [asyncio.create_task(store.append(f"room-{n}", 0, said(1))) for n in range(50)]
    await asyncio.sleep(0)
    await asyncio.to_thread(store.close)
    await asyncio.gather(*asked)
    again = PostgresStore(database)
    assert len(await again.rooms()) == 50
    again.close()
