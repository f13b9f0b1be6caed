"""Nodes that are cut off from their PostgreSQL database, and servers that share it with nobody."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager

import pytest

from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import InUse, Superseded, Unavailable
from crossroom_server.store.lease_contract import LEASE_LIFETIME_S, LeaseLost
from tests.contracts.postgres.store_access import (
    Open,
    count_entries,
    expire_node,
    owner_refusing,
    short_timeouts,
    until,
)
from tests.support.postgres_server import PostgresServer
from tests.support.tcp_proxy import TcpProxy

pytest.importorskip("asyncpg")

from crossroom_server.store.postgres.store import PostgresStore
from crossroom_server.store.postgres.table_dump import postgres_dump
from tests.support.log_entries import chat_entries

pytestmark = pytest.mark.usefixtures("lasting")


@pytest.fixture
async def far(
    line: TcpProxy, postgres: PostgresServer, database: Database
) -> AsyncIterator[PostgresStore]:
    """A node that reaches the database by a way that can fail."""
    there = postgres.database("games", line.port)
    store = await asyncio.to_thread(PostgresStore, there, "far")
    yield store
    await asyncio.to_thread(store.close)


# Answers that are lost.


async def test_two_nodes_whose_connections_break_lose_nothing_and_double_nothing(
    far: PostgresStore, ann: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    kept = {(store, f"{store.leases.node}-{n}"): 0 for store in (far, ann) for n in range(5)}
    over = False

    async def talk(store: PostgresStore, room: str) -> None:
        assert await store.leases.claim(room) == store.leases.node
        while not over:
            last = kept[store, room]
            await store.append(room, last, chat_entries(last + 1, text=room))
            kept[store, room] += 1

    async def all_go_on() -> None:
        before = dict(kept)
        await until(lambda: all(kept[at] > before[at] for at in kept))

    talking = asyncio.gather(*(talk(*at) for at in kept))
    ours = "FROM pg_stat_activity WHERE application_name = 'crossroom'"
    for number in range(4):
        await asyncio.sleep(0.1)
        line.cut()
        if number % 2:
            end = f"SELECT pg_terminate_backend(pid) {ours}"
            await asyncio.to_thread(postgres.sql, "games", end)
        await far.leases.heartbeat()
        await all_go_on()
    over = True
    await talking
    for (_, room), last in kept.items():
        assert await ann.read(room) == chat_entries(*range(1, last + 1), text=room)


@contextmanager
def cut_off(line: TcpProxy) -> Iterator[None]:
    """Within it, whoever goes that way reaches nobody."""
    line.is_closed = True
    line.cut()
    yield
    line.is_closed = line.is_mute = line.is_deaf = False


async def unanswered(far: PostgresStore, line: TcpProxy, postgres: PostgresServer) -> None:
    """Entry 1 of the room is stored; so is entry 2, which was reported as not done."""
    await far.leases.claim("kitchen")
    await far.append("kitchen", 0, chat_entries(1))
    with short_timeouts():
        line.is_mute = True
        asked = asyncio.create_task(far.append("kitchen", 1, chat_entries(2)))
        await until(lambda: count_entries(postgres) == 2)
        line.is_closed = True
        line.cut()
        with pytest.raises(Unavailable):
            await asked


async def test_what_was_reported_as_not_done_is_not_done_while_the_room_is_ours(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    line.is_closed = line.is_mute = False
    assert await far.read("kitchen") == chat_entries(1)
    assert count_entries(postgres) == 1
    await far.append("kitchen", 1, chat_entries(2, text="second"))


async def test_what_the_next_owner_has_read_is_not_taken_back(
    far: PostgresStore, bob: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    with cut_off(line):
        expire_node(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        assert await bob.read("kitchen") == chat_entries(1, 2)
        await bob.append("kitchen", 2, chat_entries(3))
    await far.check_writable()
    assert await far.read("kitchen") == chat_entries(1, 2, 3)
    assert await owner_refusing(far, "kitchen", 3) == "bob"


async def test_what_an_owner_in_between_has_read_is_not_taken_back_either(
    far: PostgresStore, bob: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    with cut_off(line):
        expire_node(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 2, chat_entries(3))
        await bob.leases.release("kitchen")
    assert await far.leases.claim("kitchen") == "far"
    assert await far.read("kitchen") == chat_entries(1, 2, 3)
    await far.append("kitchen", 3, chat_entries(4))


async def test_what_was_stored_before_the_room_was_taken_has_happened(
    far: PostgresStore, bob: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await far.leases.claim("kitchen")
    await far.append("kitchen", 0, chat_entries(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, chat_entries(2)))
    await until(lambda: count_entries(postgres) == 2)
    with cut_off(line):
        expire_node(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 2, chat_entries(3))
    await asked
    assert await owner_refusing(far, "kitchen", 3) == "bob"


async def test_what_never_arrived_before_the_room_was_taken_is_refused(
    far: PostgresStore, bob: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await far.leases.claim("kitchen")
    line.is_deaf = True
    asked = asyncio.create_task(far.append("kitchen", 0, chat_entries(1, text="late")))
    await until(lambda: line.swallowed > 0)
    with cut_off(line):
        expire_node(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 0, chat_entries(1))
    with pytest.raises(LeaseLost):
        await asked
    assert await far.read("kitchen") == chat_entries(1)


async def test_who_lost_a_connection_without_a_word_is_heard_of_again_in_time(
    far: PostgresStore, line: TcpProxy
) -> None:
    await far.leases.heartbeat()
    line.is_deaf = True
    asked = asyncio.create_task(far.leases.heartbeat())
    await until(lambda: line.swallowed > 0)
    line.is_deaf = False
    begun = time.monotonic()
    await asked
    assert time.monotonic() - begun < LEASE_LIFETIME_S / 2


async def test_who_needs_longer_to_connect_than_for_an_answer_is_heard_of_again(
    far: PostgresStore, line: TcpProxy
) -> None:
    await far.leases.heartbeat()
    line.delay = 1.2
    line.cut()
    await far.leases.heartbeat()
    await far.leases.nodes()


async def test_an_outage_is_logged_once_and_its_end(
    far: PostgresStore, line: TcpProxy, caplog: pytest.LogCaptureFixture
) -> None:
    with short_timeouts(), cut_off(line):
        for _ in range(3):
            with pytest.raises(Unavailable):
                await far.leases.nodes()
    await far.leases.nodes()
    (failed, again) = caplog.messages
    assert failed.startswith("a query failed: the database does not answer, after 0.")
    assert failed.endswith("SELECT node, count(room), extract(epoch FROM clock_timestamp")
    assert again == "queries are answered again"


async def test_a_claim_whose_answer_was_lost_is_ones_own(
    far: PostgresStore, line: TcpProxy
) -> None:
    line.is_mute = True
    asked = asyncio.create_task(far.leases.claim("kitchen"))
    await until(lambda: line.swallowed > 0)
    line.is_mute = False
    line.cut()
    assert await asked == "far"
    await far.append("kitchen", 0, chat_entries(1))


# Nodes, and servers that share with nobody.


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("node", "node", True),
        ("node", "alone", False),
        ("alone", "node", False),
        ("node", "migrate", False),
        ("migrate", "node", False),
        ("node", "verify", True),
        ("verify", "node", True),
    ],
)
def test_who_may_be_there_beside_whom(
    database: Database, monkeypatch: pytest.MonkeyPatch, first: str, second: str, together: bool
) -> None:
    PostgresStore(database).close()
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.RECONNECT_TIMEOUT_S", 0.2)
    kinds: dict[str, Callable[[str], AbstractContextManager[object]]] = {
        "node": lambda name: closing(PostgresStore(database, name)),
        "alone": lambda _: closing(PostgresStore(database)),
        "migrate": lambda _: postgres_dump(database, alone=True),
        "verify": lambda _: postgres_dump(database),
    }
    with ExitStack() as stack:
        stack.enter_context(kinds[first]("ann"))
        if together:
            stack.enter_context(kinds[second]("bob"))
        else:
            with pytest.raises(InUse, match=r"a running server keeps|nodes that run share"):
                stack.enter_context(kinds[second]("bob"))


async def test_a_node_that_was_away_while_a_server_took_over_alone_writes_no_more(
    far: PostgresStore, line: TcpProxy, database: Database
) -> None:
    await far.leases.claim("kitchen")
    with cut_off(line):
        alone = await asyncio.to_thread(PostgresStore, database)
        await alone.append("kitchen", 0, chat_entries(1))
    for call in (
        far.append("kitchen", 1, chat_entries(2)),
        far.check_writable(),
        far.leases.heartbeat(),
    ):
        with pytest.raises(Superseded):
            await call
    await alone.append("kitchen", 1, chat_entries(2))
    await asyncio.to_thread(alone.close)


async def test_a_server_alone_that_was_away_while_nodes_took_over_writes_no_more(
    line: TcpProxy, postgres: PostgresServer, database: Database
) -> None:
    alone = await asyncio.to_thread(PostgresStore, postgres.database("games", line.port))
    await alone.append("kitchen", 0, chat_entries(1))
    with cut_off(line):
        node = await asyncio.to_thread(PostgresStore, database, "ann")
    with pytest.raises(Superseded):
        await alone.append("kitchen", 1, chat_entries(2))
    assert await node.leases.claim("kitchen") == "ann"
    await node.append("kitchen", 1, chat_entries(2))
    await asyncio.to_thread(node.close)
    await asyncio.to_thread(alone.close)


async def test_a_node_holds_the_lock_on_its_next_connection_too(
    far: PostgresStore, line: TcpProxy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.cut()
    await far.check_writable()
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.RECONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(InUse):
        await asyncio.to_thread(PostgresStore, database)


async def test_a_name_that_is_taken_and_a_node_that_was_forgotten(
    ann: PostgresStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InUse, match="there is a node ann already"):
        await asyncio.to_thread(opened, "ann")
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.NODE_EXPIRY_S", 0.0)
    await asyncio.to_thread(opened, "bob")
    with pytest.raises(Superseded):
        await ann.leases.heartbeat()
    with pytest.raises(Superseded):
        await ann.check_writable()


def test_a_server_alone_has_no_leases(database: Database) -> None:
    with closing(PostgresStore(database)) as store:
        for name in ("leases", "bans"):
            with pytest.raises(LookupError, match="a server alone"):
                getattr(store, name)


async def test_a_failure_that_nobody_waits_for_is_no_fault(ann: PostgresStore) -> None:
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))
    await ann.leases.retire()
    for ask in (ann.leases.heartbeat(), ann.leases.claim("kitchen")):
        asking = asyncio.create_task(ask)
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    for ask in (ann.leases.heartbeat(), ann.leases.claim("kitchen")):  # each behind the other
        with pytest.raises(Superseded):
            await ask
    gc.collect()
    await asyncio.sleep(0)
    assert not complaints
