"""A node that alone loses the bus gives its rooms to the others; if all lose it, all stay."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, start_cluster_game, until
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import any_contains


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.shorten_timeouts(monkeypatch)


@pytest.fixture(params=[2, 3])
async def cluster(request: pytest.FixtureRequest) -> AsyncIterator[FakeCluster]:
    """Two or three nodes that know of each other."""
    async with FakeCluster() as made:
        for name in "abc"[: request.param]:
            await made.start(name)
        nodes = [fake_node.node for fake_node in made.nodes.values()]
        await until(lambda: all(len(node._living()) == len(nodes) - 1 for node in nodes))
        yield made


async def test_a_node_that_alone_loses_the_bus_gives_its_rooms_up(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    await ann.type("before")
    await until(lambda: bob.has_heard("ann: before"))
    told: list[bool] = []
    owner = cluster.nodes["a"].node
    owner.noticed_cut = told.append
    cluster.network.cut_off("a")
    assert any_contains(await bob.type("/score"), "ann 0, bob 0")
    assert any_contains(await bob.type("anybody?"), "bob: anybody?")
    assert cluster.database.owners == {"kitchen": "b"}
    assert cluster.nodes["a"].lobby.find("kitchen") is None
    assert told == [True], "its people are sent away"
    back = await ann.reconnect(cluster, "b")
    assert any_contains(await back.type("me"), "ann: me")
    await ann.room.leave(ann.client)
    cluster.network.cut.clear()
    await until(lambda: told == [True, False])
    dan = await ClusterClient(cluster, "a", "dan").join()
    assert any_contains(await dan.type("back again"), "dan: back again")
    assert bob.has_heard("dan: back again")


async def test_nodes_that_all_lose_the_bus_keep_their_rooms(cluster: FakeCluster) -> None:
    ann, _, _ = await start_cluster_game(cluster)
    cluster.network.cut_off(*cluster.nodes)
    await asyncio.sleep(0.5)
    assert not any(fake_node.node.is_cut_off for fake_node in cluster.nodes.values())
    assert any_contains(await ann.type("anybody?"), "ann: anybody?")
    assert cluster.database.owners == {"kitchen": "a"}


async def test_a_node_whose_only_peer_dies_is_not_cut_off(cluster: FakeCluster) -> None:
    await start_cluster_game(cluster)
    for name in list(cluster.nodes)[1:]:
        await cluster.kill(name)
    await asyncio.sleep(0.5)
    assert not cluster.nodes["a"].node.is_cut_off
