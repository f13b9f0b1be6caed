"""Rooms that spread over the nodes again, and nobody in them who notices."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_server.cluster.rebalancing import TOLERATED_ROOMS, TOLERATED_SHARE, surplus
from crossroom_server.store.contract import Unavailable
from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, start_cluster_game, until
from tests.support.fake_cluster import FakeCluster, FakeNodeStore


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.shorten_timeouts(monkeypatch)


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    """One node, ``a``."""
    async with FakeCluster() as made:
        await made.start("a")
        yield made


def open_rooms(cluster: FakeCluster) -> dict[str, int]:
    return {name: len(list(node.lobby)) for name, node in cluster.nodes.items()}


@pytest.mark.parametrize(
    ("own", "others", "count"),
    [
        (500, {}, 0),
        (3, {"b": 0}, 0),
        (4, {"b": 0}, 1),
        (100, {"b": 90}, 0),
        (500, {"b": 500, "c": 0}, 5),
        (334, {"b": 333, "c": 333}, 0),
        (0, {"b": 500}, 0),
    ],
)
def test_rooms_above_the_mean_are_handed_over_a_few_at_a_time(
    own: int, others: dict[str, int], count: int
) -> None:
    assert surplus(own, others) == count


@given(st.lists(st.integers(0, 2000), min_size=2, max_size=5))
def test_handing_over_comes_to_an_end_near_the_mean(rooms: list[int]) -> None:
    for _ in range(2000):
        counts = [
            surplus(own, {str(other): rooms[other] for other in range(len(rooms)) if other != node})
            for node, own in enumerate(rooms)
        ]
        if not any(counts):
            break
        fewest = rooms.index(min(rooms))
        for node, count in enumerate(counts):
            rooms[node] -= count
            rooms[fewest] += count
    mean = sum(rooms) / len(rooms)
    assert max(rooms) - mean < max(TOLERATED_ROOMS, TOLERATED_SHARE * mean)


async def test_nodes_that_start_later_get_rooms_and_nobody_misses_a_line(
    cluster: FakeCluster,
) -> None:
    people = [await ClusterClient(cluster, "a", f"p{n}", room=f"room-{n}").join() for n in range(9)]
    await cluster.start("b")
    await cluster.start("c")
    await until(lambda: max(open_rooms(cluster).values()) <= 4)
    await until(lambda: len(cluster.database.owners) == 9)
    for client in people:
        await client.type("still here")
        told = client.client.received
        assert sum("takes seat 1" in line for line in told) == 1
        assert sum("still here" in line for line in told) == 1
        assert not any("moving" in line for line in client.client.received)


async def test_a_room_that_nobody_takes_stays(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossroom_server.cluster.rebalancing.HANDOVER_S", 0.1)
    people = [await ClusterClient(cluster, "a", f"p{n}", room=f"room-{n}").join() for n in range(6)]
    await cluster.start("b")

    async def refuse(_: str) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(cluster.nodes["b"].node, "_take", refuse)
    await asyncio.sleep(0.5)
    for client in people:
        await client.type("still here")
        await until(lambda client=client: client.has_heard("still here"))  # type: ignore[misc]
    assert len(cluster.database.owners) == 6


async def test_a_game_goes_on_where_its_room_went(cluster: FakeCluster) -> None:
    await cluster.start("b")
    ann, bob, _ = await start_cluster_game(cluster)
    room = cluster.nodes["a"].lobby.find("kitchen")
    assert room is not None
    node = cluster.nodes["a"].node
    await node._rebalancer._give([room], "b")
    await until(lambda: cluster.database.owners.get("kitchen") == "b")
    await ann.type("/pass")
    await until(lambda: bob.has_heard("ann passes"))
    await bob.type("/pass")
    await until(lambda: ann.has_heard("bob passes"))


async def test_a_room_that_was_given_is_found_though_the_database_pauses(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cluster.start("b")
    ann, bob, _ = await start_cluster_game(cluster)
    room = cluster.nodes["a"].lobby.find("kitchen")
    assert room is not None
    owner, asked = FakeNodeStore.owner, 0

    async def pausing(store: FakeNodeStore, name: str) -> str | None:
        nonlocal asked
        asked += 1
        if asked < 4:
            raise Unavailable("the database does not answer")
        return await owner(store, name)

    monkeypatch.setattr(FakeNodeStore, "owner", pausing)
    await cluster.nodes["a"].node._rebalancer._give([room], "b")
    await ann.type("hello")
    await until(lambda: bob.has_heard("ann: hello"))
    assert asked >= 4
