"""The contract of what a store does for one person, for every store there is."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.store.contract import Account, CodeOwner, Store
from crossroom_server.store.derived_contract import Snapshot
from crossroom_server.table.standings import add_games
from tests.contracts.test_store import make


@pytest.fixture(params=("memory", "sqlite", "postgres"))
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    store = make(request.param, request)()
    yield store
    store.close()


def said(number: int, name: str = "zoe") -> LogEntry:
    return LogEntry(number, number, Said(name, "hello"))


def game(room: str, name: str = "zoe") -> FinishedGame:
    player = PlayerResult(name, 100, True, False, True, None, 3, 0, "AXE", 10)
    return FinishedGame(f"page-{room}", room, 1, 1, 2, 5, 6, "race", "tiny", "out", (player,))


async def fill(store: Store) -> None:
    for room in ("attic", "kitchen"):
        await store.append(room, 0, [said(1), said(2, "bob")], [game(room)])
        await store.snapshots.save(room, Snapshot(2, "{}"))
    await store.save_code("1" * 64, CodeOwner("kitchen", "m1", "zoe", registered=True))
    await store.save_code("2" * 64, CodeOwner("kitchen", "m2", "bob"))
    await store.save_code("3" * 64, CodeOwner("attic", "m3", "zoe", since=7))
    await store.save_account("zoe", Account("zoe", "4" * 64, 1))


async def test_codes_are_found_by_name(store: Store) -> None:
    await fill(store)
    found = await store.people.codes({"zoe", "nobody"})
    assert [tuple(one) for one in found] == [
        ("attic", "m3", "zoe", 7, False),
        ("kitchen", "m1", "zoe", 0, True),
    ]


async def test_one_room_is_rewritten(store: Store) -> None:
    await fill(store)
    changed, over = said(1, "former-player-7"), game("kitchen", "former-player-7")
    await store.people.rewrite("kitchen", [changed], [over], {"zoe"})
    assert await store.read("kitchen") == [changed, said(2, "bob")]
    assert await store.read("attic") == [said(1), said(2, "bob")]
    assert [one for _, one in await store.finished()] == [game("attic"), over]
    assert await store.find_finished("page-kitchen") == over
    assert await store.snapshots.find("kitchen") is None
    assert await store.snapshots.find("attic") is not None
    assert await store.find_code("1" * 64) is None
    assert await store.find_code("2" * 64) is not None
    assert await store.find_code("3" * 64) is not None
    await store.append("kitchen", 2, [said(3)])


async def test_an_account_is_forgotten_and_the_sums_begin_anew(store: Store) -> None:
    await fill(store)
    totals = dict(await store.standings.find(["zoe"]))
    games = await store.finished()
    counted = [(number, replace(one, counts=True)) for number, one in games]
    add_games(totals, counted)
    assert await store.standings.save(0, games[-1][0], totals)
    await store.people.forget_account("bob")  # who has none
    assert await store.standings.find(["zoe"]) == totals
    await store.people.forget_account("zoe")
    assert await store.find_account("zoe") is None
    assert await store.standings.counted() == 0
    assert await store.standings.find(["zoe"]) == {}
