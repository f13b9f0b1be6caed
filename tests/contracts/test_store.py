"""The contract of the store, for every store there is."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core.events import Drew, Passed, TurnBegan
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.events.room import LogEntry, Moved, RoomEvent, RulesChanged, Said
from crossroom_server.store.contract import (
    MAX_VACANT_ENTRIES,
    Account,
    CodeOwner,
    Conflict,
    Store,
    Unavailable,
)
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.examples import examples

KINDS = ("memory", "sqlite", "postgres", "node")


def make(kind: str, request: pytest.FixtureRequest) -> Callable[[], Store]:
    """What makes new stores of this kind."""
    if kind in ("postgres", "node"):
        pytest.importorskip("asyncpg")
        from crossroom_server.store.postgres.store import PostgresStore
        from tests.support.lease_store import AutoClaimStore

        server = request.getfixturevalue("postgres")
        if kind == "node":
            return lambda: AutoClaimStore(server.empty_database(), "node-1")
        return lambda: PostgresStore(server.empty_database())
    if kind == "sqlite":
        folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        return lambda: SqliteStore(folders.mktemp("store") / "rooms.db")
    return MemoryStore


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    store = make(request.param, request)()
    yield store
    store.close()


def said(*numbers: int, text: str = "hello") -> list[LogEntry]:
    return [LogEntry(number, 1_700_000_000_000 + number, Said("Ada", text)) for number in numbers]


async def test_a_log_begins_empty(store: Store) -> None:
    assert await store.read("kitchen") == []
    assert await store.rooms() == []


async def test_what_was_appended_is_read_in_order(store: Store) -> None:
    events: list[RoomEvent] = [
        RulesChanged("Ada", "preset", "race", PRESETS["race"]),
        Said("Zoë", "日本語 🙂 \u2028 \\ ' \" \0", me=True),
        Moved(1, 0, (Drew(0, ("A", "QU", "?")), TurnBegan(0, 1, 5), Passed(0))),
    ]
    entries = [LogEntry(number, number * 1000, what) for number, what in enumerate(events, 1)]
    await store.append("kitchen", 0, entries[:2])
    await store.append("kitchen", 2, entries[2:])
    assert await store.read("kitchen") == entries


async def test_a_log_is_read_from_behind_any_number(store: Store) -> None:
    entries = said(1, 2, 3, 4)
    await store.append("kitchen", 0, entries)
    for after in range(6):
        assert await store.read("kitchen", after) == entries[after:]
        for limit in range(4):
            assert await store.read("kitchen", after, limit) == entries[after : after + limit]


async def test_what_was_read_is_the_readers_own(store: Store) -> None:
    await store.append("kitchen", 0, said(1))
    (await store.read("kitchen")).clear()
    assert await store.read("kitchen") == said(1)


@pytest.mark.parametrize(("after", "entries"), [(0, said(1)), (1, said(2)), (3, said(4)), (9, [])])
async def test_an_append_that_does_not_follow_the_last_entry_is_a_conflict(
    store: Store, after: int, entries: list[LogEntry]
) -> None:
    await store.append("kitchen", 0, said(1, 2))
    with pytest.raises(Conflict) as conflict:
        await store.append("kitchen", after, entries)
    assert (conflict.value.room, conflict.value.after, conflict.value.end) == ("kitchen", after, 2)
    assert await store.read("kitchen") == said(1, 2)
    await store.append("kitchen", 2, said(3))
    assert await store.read("kitchen") == said(1, 2, 3)


async def test_entries_that_are_not_numbered_in_a_row_are_a_mistake(store: Store) -> None:
    for entries in (said(2), said(1, 3), said(2, 1), said(1, 1)):
        with pytest.raises(ValueError, match="cannot follow"):
            await store.append("kitchen", 0, entries)
    assert await store.read("kitchen") == []


async def test_an_append_of_nothing_leaves_no_trace(store: Store) -> None:
    await store.append("kitchen", 0, [])
    assert await store.rooms() == []


async def test_of_two_writers_with_the_same_idea_one_wins(store: Store) -> None:
    batches = [said(1, 2, 3, text=str(number)) for number in range(8)]
    outcomes = await asyncio.gather(
        *(store.append("kitchen", 0, batch) for batch in batches), return_exceptions=True
    )
    (winner,) = (batch for batch, outcome in zip(batches, outcomes, strict=True) if not outcome)
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 7
    assert await store.read("kitchen") == winner


async def test_many_rooms_are_written_at_once(store: Store) -> None:
    async def write(room: str) -> None:
        for number in range(1, 21):
            await store.append(room, number - 1, said(number, text=room))
            assert (await store.read(room, number - 1)) == said(number, text=room)

    rooms = [f"room-{number}" for number in range(20)]
    await asyncio.gather(*map(write, rooms))
    for room in rooms:
        assert await store.read(room) == said(*range(1, 21), text=room)


async def test_the_room_with_the_newest_entry_is_named_first(store: Store) -> None:
    for room, after in (("a", 0), ("c", 0), ("b", 0), ("küche 🙂", 0), ("c", 1), ("a", 1)):
        await store.append(room, after, said(after + 1))
    assert await store.rooms() == ["a", "c", "küche 🙂", "b"]
    assert await store.rooms(limit=2) == ["a", "c"]


async def test_a_code_leads_to_its_member(store: Store) -> None:
    ada, zoe = CodeOwner("kitchen", "m1", "Ada"), CodeOwner("küche", "m2", "Zoë 🙂")
    await store.save_code("1" * 64, ada)
    await store.save_code("2" * 64, zoe)
    assert await store.find_code("1" * 64) == ada
    assert await store.find_code("2" * 64) == zoe
    assert await store.find_code("3" * 64) is None


async def test_rooms_are_found_by_the_name_of_a_member(store: Store) -> None:
    for number, (room, name) in enumerate((("a", "Ada"), ("b", "Zoë"), ("c", "Ada"), ("c", "Ada"))):
        await store.save_code(str(number) * 64, CodeOwner(room, f"m{number}", name))
    assert await store.rooms_of_name("Ada") == ["c", "a"]
    assert await store.rooms_of_name("Zoë") == ["b"]
    assert await store.rooms_of_name("ada") == []
    assert await store.rooms_of_name("Ada", limit=1) == ["c"]
    await store.save_code("0" * 64, CodeOwner("a", "m0", "Countess"))
    assert await store.rooms_of_name("Ada") == ["c"]


async def test_a_code_kept_again_leads_to_the_new_name(store: Store) -> None:
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ada"))
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Countess"))
    assert await store.find_code("1" * 64) == CodeOwner("kitchen", "m1", "Countess")


async def test_a_code_remembers_whether_the_name_was_proved(store: Store) -> None:
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ada", registered=True))
    assert await store.find_code("1" * 64) == CodeOwner("kitchen", "m1", "Ada", registered=True)
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Zoë"))
    assert await store.find_code("1" * 64) == CodeOwner("kitchen", "m1", "Zoë")
    listening = CodeOwner("kitchen", "m1", "Zoë", reader=True)
    await store.save_code("1" * 64, listening)
    assert await store.find_code("1" * 64) == listening


async def test_codes_that_may_be_forgotten_are_found_by_their_age(store: Store) -> None:
    for number, since in enumerate((0, 10, 20, 30, 40)):
        member = CodeOwner("kitchen", f"m{number}", "Zoë", registered=True, since=since)
        await store.save_code(str(number) * 64, member)
    found = await store.expired_codes(30, 10)
    assert found == {
        str(number) * 64: CodeOwner("kitchen", f"m{number}", "Zoë", registered=True, since=since)
        for number, since in ((1, 10), (2, 20))
    }
    assert len(await store.expired_codes(50, 3)) == 3
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Zoë", since=50))
    assert list(await store.expired_codes(30, 10)) == ["2" * 64]


async def test_codes_are_settled_for_good_or_forgotten(store: Store) -> None:
    for number, since in enumerate((0, 10, 20, 30)):
        await store.save_code(str(number) * 64, CodeOwner("a", f"m{number}", "Ada", since=since))
    await store.save_code("4" * 64, CodeOwner("b", "m4", "Ada", since=10))
    there_is_none = "9" * 64
    gone = [there_is_none, *(str(number) * 64 for number in range(4))]
    await store.resolve_expired_codes([there_is_none, "4" * 64], gone, 30)
    left = [await store.find_code(str(number) * 64) for number in range(5)]
    assert [one.since if one else None for one in left] == [0, None, None, 30, 0]
    assert await store.rooms_of_name("Ada") == ["b", "a"]
    assert list(await store.expired_codes(100, 10)) == ["3" * 64]
    await store.resolve_expired_codes([], [], 100)
    await store.save_code("4" * 64, CodeOwner("b", "m4", "Ada", since=10))
    assert list(await store.expired_codes(30, 10)) == ["4" * 64]


async def test_rooms_without_a_game_and_long_unused_are_vacant(store: Store) -> None:
    long, old = range(1, MAX_VACANT_ENTRIES + 2), Moved(1, 0, (Passed(0),))
    quoting = '"kind":"moved"'
    logs: dict[str, list[RoomEvent]] = {
        "empty": [Said("Ada", quoting)],
        "full": [Said("Ada", "hello") for _ in long[1:]],
        "lively": [Said("Ada", "hello") for _ in long],
        "played": [Said("Ada", "hello"), old, Said("Ada", "bye")],
        "used": [Said("Zoë", "hello")],
    }
    for room, happenings in logs.items():
        entries = [LogEntry(number, number, what) for number, what in enumerate(happenings, 1)]
        await store.append(room, 0, entries)
    await store.save_code("1" * 64, CodeOwner("used", "m1", "Zoë", since=2000))
    await store.save_code("2" * 64, CodeOwner("empty", "m2", "Zoë", since=1999))
    vacant = {"empty": True, "full": True, "lively": False, "played": False, "used": False}
    assert await store.scan_vacant("", 10, 2000) == vacant
    assert await store.scan_vacant("", 10, 2001) == {**vacant, "used": True}
    assert await store.scan_vacant("", 10, 1) == dict.fromkeys(vacant, False)
    assert await store.scan_vacant("", 10, 2) == dict.fromkeys(vacant, False)
    assert list(await store.scan_vacant("", 2, 2000)) == ["empty", "full"]
    assert list(await store.scan_vacant("full", 2, 2000)) == ["lively", "played"]
    assert list(await store.scan_vacant("g", 10, 2000)) == ["lively", "played", "used"]
    assert await store.scan_vacant("used", 10, 2000) == {}
    for room, is_vacant in vacant.items():
        assert await store.delete_vacant(room, 2000) == is_vacant
    assert sorted(await store.rooms()) == ["lively", "played", "used"]


async def test_what_is_forgotten_is_gone_with_its_codes_and_nothing_else_is(store: Store) -> None:
    for room in ("attic", "kitchen"):
        await store.append(room, 0, said(1, 2))
        await store.save_code(room, CodeOwner(room, "m1", "Zoë", since=room == "kitchen"))
    assert not await store.delete_vacant("cellar", 1_800_000_000_000)
    assert not await store.delete_vacant("kitchen", 1_700_000_000_002)
    assert await store.delete_vacant("kitchen", 1_700_000_000_003)
    assert not await store.delete_vacant("kitchen", 1_800_000_000_000)
    assert await store.read("kitchen") == []
    assert await store.rooms() == ["attic"]
    assert await store.find_code("kitchen") is None
    assert await store.find_code("attic") == CodeOwner("attic", "m1", "Zoë")
    assert await store.read("attic") == said(1, 2)
    with pytest.raises(Conflict) as caught:
        await store.append("kitchen", 2, said(3))
    assert (caught.value.after, caught.value.end) == (2, 0)
    await store.append("kitchen", 0, said(1))
    assert await store.read("kitchen") == said(1)
    assert await store.rooms() == ["kitchen", "attic"]


def over(room: str, last: int) -> FinishedGame:
    ann = PlayerResult("Zoë", 412, won=True, registered=True, turns=12, bingos=2, best="QUIz")
    players = (ann, PlayerResult("greedy-bot", -3, bot="greedy"))
    page, ended = f"{room}{last}", 1_700_000_000_000
    return FinishedGame(page, room, last, 1, last, 5, ended, "race", "tiny", "out", players)


async def test_games_that_are_over_come_with_their_entries_and_are_numbered(store: Store) -> None:
    await store.append("kitchen", 0, said(1, 2, 3), [over("kitchen", 3)])
    await store.append("küche", 0, said(1, 2), [over("küche", 1), over("küche", 2)])
    await store.append("kitchen", 3, said(4), [over("kitchen", 4)])
    told = await store.finished()
    games = [over("kitchen", 3), over("küche", 1), over("küche", 2), over("kitchen", 4)]
    numbers = [number for number, _ in told]
    assert [game for _, game in told] == games
    assert numbers == sorted(set(numbers))
    for at, number in enumerate(numbers, 1):
        assert await store.finished(number) == told[at:]
    assert await store.finished_in("kitchen", 9) == [over("kitchen", 4), over("kitchen", 3)]
    assert await store.finished_in("kitchen", 1) == [over("kitchen", 4)]
    assert await store.find_finished("küche2") == over("küche", 2)
    assert await store.find_finished("kitchen2") is None


async def test_what_is_refused_leaves_no_game_behind(store: Store) -> None:
    await store.append("kitchen", 0, said(1))
    with pytest.raises(Conflict):
        await store.append("kitchen", 0, said(1), [over("kitchen", 1)])
    assert await store.finished() == []


async def test_a_name_is_that_of_whoever_was_first(store: Store) -> None:
    first, second = Account("Zoë", "1" * 64, 5), Account("ZOE", "2" * 64, 6)
    assert await store.find_account("zoe") is None
    outcomes = await asyncio.gather(
        store.save_account("zoe", first),
        store.save_account("zoe", second),
        store.save_account("a", second),
    )
    assert list(outcomes) == [None, first, None]
    assert await store.find_account("zoe") == first
    assert await store.save_account("zoe", second, anew=True) is None
    assert await store.find_account("zoe") == second


async def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    store.close()
    for call in (
        store.append("kitchen", 0, said(1)),
        store.read("kitchen"),
        store.rooms(),
        store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ada")),
        store.find_code("1" * 64),
        store.finished(),
        store.finished_in("kitchen", 1),
        store.find_finished("a"),
        store.save_account("a", Account("a", "1" * 64, 0)),
        store.find_account("a"),
    ):
        with pytest.raises(Unavailable, match="the store is closed"):
            await call


EXAMPLES = count()
BATCHES = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 4), st.integers(0, 3)), max_size=12
)


@pytest.fixture(scope="module", params=KINDS)
def lasting(request: pytest.FixtureRequest) -> Iterator[Store]:
    store = make(request.param, request)()
    yield store
    store.close()


@examples(40)
@given(batches=BATCHES)
def test_stores_agree_with_a_plain_list(
    lasting: Store, batches: list[tuple[str, int, int]]
) -> None:
    """Whatever is appended after whichever number: the same logs and the same conflicts."""
    example = next(EXAMPLES)

    async def play() -> None:
        model: dict[str, list[LogEntry]] = {"a": [], "b": []}
        for room, after, length in batches:
            entries = said(*range(after + 1, after + 1 + length))
            if after == len(model[room]):
                await lasting.append(f"{example}-{room}", after, entries)
                model[room] += entries
            else:
                with pytest.raises(Conflict):
                    await lasting.append(f"{example}-{room}", after, entries)
        assert {room: await lasting.read(f"{example}-{room}") for room in model} == model

    asyncio.run(play())
