"""Several nodes and one PostgreSQL database: who has which room, and what befalls the others."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace

import pytest

from crossroom_protocol.finished import Finished
from crossroom_protocol.room_events import Entry, Said
from crossroom_server.store import Claim, Conflict, InUse, Member, Superseded, Unavailable
from crossroom_server.store.leases import LASTING, NodeLine, Taken
from crossroom_server.store.place import Database
from tests.postgres_server import PostgresServer
from tests.proxy import Proxy, proxy

pytest.importorskip("asyncpg")

from crossroom_server.store import postgres_asking, postgres_base, postgres_leases, postgres_writer
from crossroom_server.store.postgres import PostgresStore
from crossroom_server.store.postgres_shelf import postgres_snapshot

SLOW = """
    CREATE FUNCTION crossroom.slow() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON crossroom.entries FOR EACH ROW
    WHEN (NEW.room = 'slow') EXECUTE FUNCTION crossroom.slow()
"""
"""Lets every new entry of one room take half a second."""

Open = Callable[[str], PostgresStore]


@pytest.fixture
def opened(database: Database) -> Iterator[Open]:
    """What opens stores of nodes, by name."""
    with ExitStack() as stack:
        yield lambda node: stack.enter_context(closing(PostgresStore(database, node)))


@pytest.fixture
def ann(opened: Open) -> PostgresStore:
    return opened("ann")


@pytest.fixture
def bob(opened: Open) -> PostgresStore:
    return opened("bob")


@pytest.fixture
async def line(postgres: PostgresServer) -> AsyncIterator[Proxy]:
    """The way of :func:`far` to the database."""
    async with proxy(postgres.port) as line:
        yield line


@pytest.fixture
async def far(
    line: Proxy, postgres: PostgresServer, database: Database
) -> AsyncIterator[PostgresStore]:
    """A node that reaches the database by a way that can fail."""
    there = replace(database, url=database.url.replace(str(postgres.port), str(line.port)))
    store = await asyncio.to_thread(PostgresStore, there, "far")
    yield store
    await asyncio.to_thread(store.close)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for the database."""
    for module in (postgres_asking, postgres_writer):
        monkeypatch.setattr(module, "PATIENCE", 0.3)
        monkeypatch.setattr(module, "ANSWER", 0.5)


@pytest.fixture
def slow(database: Database, postgres: PostgresServer) -> Iterator[None]:
    """Whatever is stored in the room `slow` takes half a second."""
    PostgresStore(database, "first").close()  # makes the tables
    postgres.sql("games", SLOW)
    yield
    postgres.sql("games", "DROP FUNCTION crossroom.slow CASCADE")


def said(*numbers: int, text: str = "hello") -> list[Entry]:
    return [Entry(number, number, Said("Ada", text)) for number in numbers]


def over(room: str, last: int) -> Finished:
    return Finished(f"{room}{last}", room, last, 1, last, 5, 1, "race", "tiny", "out", ())


def silence(postgres: PostgresServer, node: str) -> None:
    """Let nobody have heard of a node for ten seconds."""
    change = f"UPDATE crossroom.nodes SET seen = seen - interval '10 s' WHERE node = '{node}'"
    postgres.sql("games", change)


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.01)
    pytest.fail("it never comes")


def stored(postgres: PostgresServer) -> int:
    return int(postgres.sql("games", "SELECT count(*) FROM crossroom.entries"))


async def refused(store: PostgresStore, room: str, after: int) -> str:
    """The owner, because of whom an append is refused."""
    with pytest.raises(Taken) as taken:
        await store.append(room, after, said(after + 1, text=store.leases.node))
    assert taken.value.room == room
    return taken.value.owner


# Who has a room.


async def test_a_room_is_that_of_the_node_which_claimed_it(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    assert await refused(ann, "kitchen", 0) == ""
    assert await ann.leases.owner("kitchen") is None
    assert await ann.leases.claim("kitchen") == "ann"
    assert await bob.leases.claim("kitchen") == "ann"
    assert await bob.leases.owner("kitchen") == "ann"
    assert await refused(bob, "kitchen", 0) == "ann"
    await ann.append("kitchen", 0, said(1))
    assert await bob.read("kitchen") == said(1)
    with pytest.raises(Conflict):
        await ann.append("kitchen", 0, said(1))


async def test_of_two_nodes_that_want_a_room_one_gets_it(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    winners = set()
    for number in range(100):
        room = f"room-{number}"
        one, other = await asyncio.gather(ann.leases.claim(room), bob.leases.claim(room))
        assert one == other
        winners.add(one)
        outcomes = await asyncio.gather(
            ann.append(room, 0, said(1, text="ann")),
            bob.append(room, 0, said(1, text="bob")),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes if outcome] == [Taken]
        assert await ann.read(room) == said(1, text=one)
    assert winners == {"ann", "bob"}, "they never met"


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
    monkeypatch.setattr(postgres_leases, "LASTING", 1.0)
    assert await ann.leases.claim("kitchen") == "ann"
    await ann.leases.beat()
    begun = time.monotonic()
    while await bob.leases.claim("kitchen") == "ann":
        assert time.monotonic() - begun < 1.9
        await bob.leases.beat()
        await asyncio.sleep(0.02)
    assert time.monotonic() - begun > 0.9
    assert await bob.leases.owner("kitchen") == "bob"
    assert [line.node for line in await bob.leases.nodes()] == ["bob"]


async def test_a_node_that_was_only_slow_lives_again_but_what_was_taken_is_taken(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    for room in ("kitchen", "attic"):
        await ann.leases.claim(room)
        await ann.append(room, 0, said(1))
    silence(postgres, "ann")
    assert await bob.leases.owner("kitchen") is None
    assert await bob.leases.claim("kitchen") == "bob"
    assert await ann.leases.claim("attic") == "ann"
    epochs = "SELECT room, epoch FROM crossroom.leases WHERE room <> '' ORDER BY room"
    assert postgres.sql("games", epochs) == "attic|1\nkitchen|2"
    outcomes = await asyncio.gather(
        ann.append("kitchen", 1, said(2, text="late")),
        ann.append("attic", 1, said(2)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Taken, type(None)]
    await bob.append("kitchen", 1, said(2))
    assert await ann.read("kitchen") == said(1, 2)
    await ann.leases.beat()
    assert await bob.leases.claim("attic") == "ann"
    assert await ann.leases.claim("kitchen") == "bob"
    assert await refused(ann, "kitchen", 2) == "bob"


async def test_what_is_let_go_anybody_may_claim(ann: PostgresStore, bob: PostgresStore) -> None:
    for room in ("kitchen", "attic", "cellar"):
        await ann.leases.claim(room)
    await bob.leases.claim("porch")
    await ann.leases.release("kitchen", "attic", "porch", "nowhere")
    assert await ann.leases.owner("kitchen") is None
    assert await refused(ann, "kitchen", 0) == ""
    assert await bob.leases.claim("kitchen") == "bob"
    assert await bob.leases.claim("cellar") == "ann"
    assert await bob.leases.owner("porch") == "bob"
    ann_line, bob_line = await ann.leases.nodes()
    assert (ann_line.node, ann_line.rooms) == ("ann", 1)
    assert (bob_line.node, bob_line.rooms) == ("bob", 2)
    assert 0 <= ann_line.seen < 4


async def test_a_room_that_comes_back_is_written_to_again(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    for number in range(1, 7, 2):
        for store in (ann, bob):
            assert await store.leases.claim("kitchen") == store.leases.node
            await store.append("kitchen", number - (store is ann), said(number + (store is bob)))
            await store.leases.release("kitchen")
    assert await ann.read("kitchen") == said(*range(1, 7))


async def test_a_lease_that_went_and_came_back_is_another_one(
    ann: PostgresStore, postgres: PostgresServer
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, said(1))
    postgres.sql("games", "UPDATE crossroom.leases SET epoch = epoch + 2 WHERE room = 'kitchen'")
    assert await refused(ann, "kitchen", 1) == "ann"
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 1, said(2))


async def test_who_retires_has_nothing_and_writes_no_more(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    await ann.leases.claim("kitchen")
    await ann.append("kitchen", 0, said(1))
    await ann.leases.retire()
    await ann.leases.retire()
    assert await bob.leases.claim("kitchen") == "bob"
    assert [replace(line, seen=0) for line in await bob.leases.nodes()] == [NodeLine("bob", 1, 0)]
    for call in (
        ann.append("kitchen", 1, said(2)),
        ann.keep_code("1" * 64, Member("kitchen", "m1", "Ann")),
        ann.check(),
        ann.leases.beat(),
        ann.leases.claim("kitchen"),
    ):
        with pytest.raises(Superseded):
            await call
    assert await ann.read("kitchen") == said(1)


async def test_a_closed_store_claims_nothing(ann: PostgresStore) -> None:
    await asyncio.to_thread(ann.close)
    for call in (ann.leases.beat(), ann.leases.claim("kitchen"), ann.banned.bans()):
        with pytest.raises(Unavailable, match="the store is closed"):
            await call


async def test_nodes_that_come_and_go_lose_nothing_and_double_nothing(
    opened: Open,
) -> None:
    """Three nodes claim, write and let go at random: what was told as stored is what is stored."""
    stores, rooms = [opened(node) for node in ("ann", "bob", "cat")], ["a", "b", "c", "d"]
    told: dict[str, list[Entry]] = {room: [] for room in rooms}
    taken = 0
    over = asyncio.get_running_loop().time() + 1

    async def wander(store: PostgresStore, seed: int) -> None:
        nonlocal taken
        dice = random.Random(seed)
        while asyncio.get_running_loop().time() < over:
            room = dice.choice(rooms)
            if dice.random() < 0.3:
                await store.leases.release(*dice.sample(rooms, 2))
            elif await store.leases.claim(room) == store.leases.node:
                last = len(await store.read(room))
                entries = said(last + 1, text=f"{store.leases.node} {seed}")
                try:
                    await store.append(room, last, entries)
                except (Taken, Conflict) as error:
                    taken += isinstance(error, Taken)
                else:
                    told[room] += entries

    await asyncio.gather(
        *(wander(store, 10 * place + n) for place, store in enumerate(stores) for n in range(4))
    )
    assert taken, "nobody was ever refused"
    for room in rooms:
        assert await stores[0].read(room) == sorted(told[room], key=lambda entry: entry.seq)


# What is under way.


@pytest.mark.usefixtures("slow")
async def test_a_claim_waits_for_a_write_that_is_under_way(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, said(1)))
    await asyncio.sleep(0.2)
    silence(postgres, "ann")
    assert await bob.leases.claim("slow") == "bob"
    assert await bob.read("slow") == said(1)
    await asked
    assert await refused(ann, "slow", 1) == "bob"


@pytest.mark.usefixtures("slow")
async def test_a_claim_that_nobody_waits_for_any_more_is_carried_out(
    ann: PostgresStore, bob: PostgresStore, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, said(1)))
    await asyncio.sleep(0.1)
    silence(postgres, "ann")
    claims = [asyncio.create_task(bob.leases.claim(room)) for room in ("slow", "attic")]
    await asyncio.sleep(0.1)
    for claim in claims:
        claim.cancel()
    await asked
    assert await bob.leases.claim("kitchen") == "bob"
    await bob.append("slow", 1, said(2))
    await bob.append("attic", 0, said(1))


@pytest.mark.usefixtures("slow")
async def test_letting_go_waits_for_a_write_that_is_under_way(ann: PostgresStore) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, said(1)))
    await asyncio.sleep(0.2)
    await ann.leases.release("slow")
    assert await ann.read("slow") == said(1)
    await asked


@pytest.mark.usefixtures("slow")
async def test_who_writes_slowly_is_heard_of_all_the_same(ann: PostgresStore) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, said(1)))
    await asyncio.sleep(0.1)
    await ann.leases.beat()
    assert await ann.leases.claim("kitchen") == "ann"
    assert not asked.done()
    await asked


@pytest.mark.usefixtures("slow")
async def test_a_game_whose_number_was_drawn_first_and_is_seen_last_is_not_missed(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    await ann.leases.claim("slow")
    await bob.leases.claim("kitchen")
    told = await bob.finished()
    asked = asyncio.create_task(ann.append("slow", 0, said(1), [over("slow", 1)]))
    await asyncio.sleep(0.2)
    await bob.append("kitchen", 0, said(1), [over("kitchen", 1)])
    assert not asked.done()
    told += await bob.finished()
    await asked
    told += await bob.finished(told[-1][0])
    assert [game.room for _, game in told] == ["slow", "kitchen"]


@pytest.mark.usefixtures("slow")
async def test_who_works_out_the_finished_games_anew_waits_for_one_that_is_written(
    ann: PostgresStore, opened: Open, postgres: PostgresServer
) -> None:
    await ann.leases.claim("slow")
    asked = asyncio.create_task(ann.append("slow", 0, said(1), [over("slow", 1)]))
    await asyncio.sleep(0.1)
    postgres.sql("games", "UPDATE crossroom.version SET derived = 0")
    await asyncio.to_thread(opened, "bob")
    await asyncio.sleep(0.05)
    assert asked.done()
    await asked


async def test_of_two_nodes_that_give_away_a_name_one_does(
    ann: PostgresStore, bob: PostgresStore
) -> None:
    for number in range(50):
        claims = [Claim("Zoë", "1" * 64, number), Claim("Zoe", "2" * 64, number)]
        outcomes = await asyncio.gather(
            ann.keep_claim(f"zoe-{number}", claims[0]), bob.keep_claim(f"zoe-{number}", claims[1])
        )
        (winner,) = (claim for claim, outcome in zip(claims, outcomes, strict=True) if not outcome)
        assert winner in outcomes
        assert await ann.find_claim(f"zoe-{number}") == winner


# Answers that are lost.


async def test_two_nodes_whose_connections_break_lose_nothing_and_double_nothing(
    far: PostgresStore, ann: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    kept = {(store, f"{store.leases.node}-{n}"): 0 for store in (far, ann) for n in range(5)}
    over = False

    async def talk(store: PostgresStore, room: str) -> None:
        assert await store.leases.claim(room) == store.leases.node
        while not over:
            last = kept[store, room]
            await store.append(room, last, said(last + 1, text=room))
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
        await far.leases.beat()
        await all_go_on()
    over = True
    await talking
    for (_, room), last in kept.items():
        assert await ann.read(room) == said(*range(1, last + 1), text=room)


@contextmanager
def cut_off(line: Proxy) -> Iterator[None]:
    """Within it, whoever goes that way reaches nobody."""
    line.is_closed = True
    line.cut()
    yield
    line.is_closed = line.is_mute = line.is_deaf = False


async def unanswered(far: PostgresStore, line: Proxy, postgres: PostgresServer) -> None:
    """Entry 1 of the room is stored; so is entry 2, which was reported as not done."""
    await far.leases.claim("kitchen")
    await far.append("kitchen", 0, said(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, said(2)))
    await until(lambda: stored(postgres) == 2)
    line.is_closed = True
    line.cut()
    with pytest.raises(Unavailable):
        await asked


@pytest.mark.usefixtures("hasty")
async def test_what_was_reported_as_not_done_is_not_done_while_the_room_is_ours(
    far: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    line.is_closed = line.is_mute = False
    assert await far.read("kitchen") == said(1)
    assert stored(postgres) == 1
    await far.append("kitchen", 1, said(2, text="second"))


@pytest.mark.usefixtures("hasty")
async def test_what_the_next_owner_has_read_is_not_taken_back(
    far: PostgresStore, bob: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    with cut_off(line):
        silence(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        assert await bob.read("kitchen") == said(1, 2)
        await bob.append("kitchen", 2, said(3))
    await far.check()
    assert await far.read("kitchen") == said(1, 2, 3)
    assert await refused(far, "kitchen", 3) == "bob"


@pytest.mark.usefixtures("hasty")
async def test_what_an_owner_in_between_has_read_is_not_taken_back_either(
    far: PostgresStore, bob: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await unanswered(far, line, postgres)
    with cut_off(line):
        silence(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 2, said(3))
        await bob.leases.release("kitchen")
    assert await far.leases.claim("kitchen") == "far"
    assert await far.read("kitchen") == said(1, 2, 3)
    await far.append("kitchen", 3, said(4))


async def test_what_was_stored_before_the_room_was_taken_has_happened(
    far: PostgresStore, bob: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await far.leases.claim("kitchen")
    await far.append("kitchen", 0, said(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, said(2)))
    await until(lambda: stored(postgres) == 2)
    with cut_off(line):
        silence(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 2, said(3))
    await asked
    assert await refused(far, "kitchen", 3) == "bob"


async def test_what_never_arrived_before_the_room_was_taken_is_refused(
    far: PostgresStore, bob: PostgresStore, line: Proxy, postgres: PostgresServer
) -> None:
    await far.leases.claim("kitchen")
    line.is_deaf = True
    asked = asyncio.create_task(far.append("kitchen", 0, said(1, text="late")))
    await asyncio.sleep(0.1)
    with cut_off(line):
        silence(postgres, "far")
        assert await bob.leases.claim("kitchen") == "bob"
        await bob.append("kitchen", 0, said(1))
    with pytest.raises(Taken):
        await asked
    assert await far.read("kitchen") == said(1)


async def test_who_lost_a_connection_without_a_word_is_heard_of_again_in_time(
    far: PostgresStore, line: Proxy
) -> None:
    await far.leases.beat()
    line.is_deaf = True
    asked = asyncio.create_task(far.leases.beat())
    await asyncio.sleep(0.2)
    line.is_deaf = False
    begun = time.monotonic()
    await asked
    assert time.monotonic() - begun < LASTING / 2


async def test_a_claim_whose_answer_was_lost_is_ones_own(far: PostgresStore, line: Proxy) -> None:
    line.is_mute = True
    asked = asyncio.create_task(far.leases.claim("kitchen"))
    await asyncio.sleep(0.2)
    line.is_mute = False
    line.cut()
    assert await asked == "far"
    await far.append("kitchen", 0, said(1))


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
    monkeypatch.setattr("crossroom_server.store.postgres_right.PATIENCE", 0.2)
    kinds: dict[str, Callable[[str], AbstractContextManager[object]]] = {
        "node": lambda name: closing(PostgresStore(database, name)),
        "alone": lambda _: closing(PostgresStore(database)),
        "migrate": lambda _: postgres_snapshot(database, alone=True),
        "verify": lambda _: postgres_snapshot(database),
    }
    with ExitStack() as stack:
        stack.enter_context(kinds[first]("ann"))
        if together:
            stack.enter_context(kinds[second]("bob"))
        else:
            with pytest.raises(InUse, match="a running server keeps its games there"):
                stack.enter_context(kinds[second]("bob"))


@pytest.mark.usefixtures("hasty")
async def test_a_node_that_was_away_while_a_server_took_over_alone_writes_no_more(
    far: PostgresStore, line: Proxy, database: Database
) -> None:
    await far.leases.claim("kitchen")
    with cut_off(line):
        alone = await asyncio.to_thread(PostgresStore, database)
        await alone.append("kitchen", 0, said(1))
    for call in (far.append("kitchen", 1, said(2)), far.check(), far.leases.beat()):
        with pytest.raises(Superseded):
            await call
    await alone.append("kitchen", 1, said(2))
    await asyncio.to_thread(alone.close)


@pytest.mark.usefixtures("hasty")
async def test_a_server_alone_that_was_away_while_nodes_took_over_writes_no_more(
    line: Proxy, postgres: PostgresServer, database: Database
) -> None:
    alone = await asyncio.to_thread(PostgresStore, postgres.database("games", line.port))
    await alone.append("kitchen", 0, said(1))
    with cut_off(line):
        node = await asyncio.to_thread(PostgresStore, database, "ann")
    with pytest.raises(Superseded):
        await alone.append("kitchen", 1, said(2))
    assert await node.leases.claim("kitchen") == "ann"
    await node.append("kitchen", 1, said(2))
    await asyncio.to_thread(node.close)
    await asyncio.to_thread(alone.close)


async def test_a_node_holds_the_lock_on_its_next_connection_too(
    far: PostgresStore, line: Proxy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    line.cut()
    await far.check()
    monkeypatch.setattr("crossroom_server.store.postgres_right.PATIENCE", 0.2)
    with pytest.raises(InUse):
        await asyncio.to_thread(PostgresStore, database)


async def test_a_name_that_is_taken_and_a_node_that_was_forgotten(
    ann: PostgresStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InUse, match="there is a node ann already"):
        await asyncio.to_thread(opened, "ann")
    monkeypatch.setattr("crossroom_server.store.postgres_right.FORGOTTEN", 0.0)
    await asyncio.to_thread(opened, "bob")
    with pytest.raises(Superseded):
        await ann.leases.beat()
    with pytest.raises(Superseded):
        await ann.check()


def test_a_server_alone_has_no_leases(database: Database) -> None:
    with closing(PostgresStore(database)) as store:
        for name in ("leases", "banned"):
            with pytest.raises(LookupError, match="a server alone"):
                getattr(store, name)


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
        *postgres_base.MIGRATIONS[0],
        "INSERT INTO crossroom.entries (room, seq, entry) VALUES ('kitchen', 1, 'x')",
    ]
    postgres.sql("fresh", *former)
    store = await asyncio.to_thread(PostgresStore, database, "ann")
    assert await store.rooms() == ["kitchen"]
    assert await store.leases.claim("kitchen") == "ann"
    await store.append("kitchen", 1, said(2))
    await asyncio.to_thread(store.close)


async def test_what_one_node_bans_all_do(ann: PostgresStore, bob: PostgresStore) -> None:
    assert await ann.banned.bans() == []
    await ann.banned.ban("192.0.2.0/24")
    await bob.banned.ban("2001:db8::/64")
    await bob.banned.ban("192.0.2.0/24")
    assert await ann.banned.bans() == await bob.banned.bans() == ["192.0.2.0/24", "2001:db8::/64"]
    await bob.banned.lift("192.0.2.0/24")
    await bob.banned.lift("198.51.100.1/32")
    assert await ann.banned.bans() == ["2001:db8::/64"]
