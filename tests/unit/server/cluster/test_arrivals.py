"""Whoever comes in while the room goes to another node is told everything, and nothing twice."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table.state import Person
from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, until
from tests.support.fake_cluster import FakeCluster

JSON = ReaderSettings("json")


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.shorten_timeouts(monkeypatch)


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    """Three nodes that know of each other."""
    async with FakeCluster() as made:
        for name in ("a", "b", "c"):
            await made.start(name)
        nodes = [fake_node.node for fake_node in made.nodes.values()]
        await until(lambda: all(len(node._living()) == 2 for node in nodes))
        yield made


def told(client: ClusterClient, kind: str) -> list[int]:
    """List the numbers in the notices of one kind that somebody was told, in order."""
    notices = map(json.loads, client.client.received)
    return [notice.get("seq", 0) for notice in notices if notice["tell"] == kind]


async def leave_seat(cluster: FakeCluster) -> tuple[ClusterClient, str]:
    """Ann at ``a``, which has the room; Bob had a seat there and has left; return his code, too."""
    ann = await ClusterClient(cluster, "a", "ann").join()
    bob = await ClusterClient(cluster, "b", "bob").join()
    for number in range(5):
        await ann.type(f"line {number}")
    await bob.room.leave(bob.client)
    room = cluster.nodes["a"].lobby.find("kitchen")
    assert room is not None
    await until(lambda: len(room.table.seats) == 1)
    return ann, bob.client.code


def take_room(cluster: FakeCluster) -> None:
    """Let node ``b`` have the room; ``a`` finds out when it next stores something."""
    cluster.database.owners["kitchen"] = "b"


@pytest.mark.parametrize("at", ["a", "b", "c"])
@pytest.mark.parametrize("is_watching", [False, True])
async def test_who_returns_while_the_room_goes_is_told_no_entry_twice(
    cluster: FakeCluster, at: str, is_watching: bool
) -> None:
    ann, code = await leave_seat(cluster)
    back = ClusterClient(cluster, at, None, JSON)
    if is_watching:
        await back.join()
    _, known = await cluster.nodes[at].lobby.find_by_code(code)
    take_room(cluster)
    await back.room.rejoin(back.client, known, 2)
    await ann.type("well?")
    await until(lambda: back.has_heard("well?"), 5)
    heard = told(back, "event")
    assert heard == list(range(3, heard[-1] + 1))
    assert back.has_heard('"seat":1')
    assert told(back, "refused") == []


@pytest.mark.parametrize("at", ["a", "b", "c"])
async def test_who_comes_in_while_the_room_goes_is_named_once(
    cluster: FakeCluster, at: str
) -> None:
    ann, _ = await leave_seat(cluster)
    dan = ClusterClient(cluster, at, "dan", JSON)
    take_room(cluster)
    await dan.join()
    await ann.type("well?")
    await until(lambda: dan.has_heard("well?"), 5)
    assert len(told(dan, "name")) == 1
    heard = told(dan, "event")
    assert heard == list(range(heard[0], heard[-1] + 1))
    assert dan.has_heard('"seat":1')


async def test_a_watcher_who_returns_while_the_owner_dies_is_told_no_entry_twice(
    cluster: FakeCluster,
) -> None:
    ann, code = await leave_seat(cluster)
    cat = await ClusterClient(cluster, "b", "cat").join()
    back = await ClusterClient(cluster, "c", None, JSON).join()
    room, known = await cluster.nodes["c"].lobby.find_by_code(code)
    await ann.type("the last words")
    await until(lambda: back.has_heard("the last words"))
    back.client.take_received()
    lost = cluster.network.lose(b"told")  # the owner has told everything, and nobody heard it
    returning = asyncio.create_task(room.rejoin(back.client, known, 2))
    await until(lambda: bool(lost))
    await cluster.kill("a")
    await until(lambda: "a" not in cluster.database.owners.values())
    await cat.type("well?")
    await returning
    await until(lambda: back.has_heard("well?"), 5)
    heard = told(back, "event")
    assert heard == list(range(3, heard[-1] + 1))


async def test_a_link_is_redeemed_where_the_room_is_from_any_node(cluster: FakeCluster) -> None:
    await ClusterClient(cluster, "a", "ann").join()
    room = cluster.nodes["a"].lobby.find("kitchen")
    assert room is not None
    token = room._membership.new_link(Person("m1", "bob"))
    there = cluster.nodes["c"].node.routed_room("kitchen")
    code = await there.redeem_link(token)
    _, known = await cluster.nodes["c"].lobby.find_by_code(code)
    assert known.person == Person("m1", "bob")
    with pytest.raises(Refusal, match="was used") as refused:
        await there.redeem_link(token)
    assert refused.value.code == "BAD_TOKEN"
