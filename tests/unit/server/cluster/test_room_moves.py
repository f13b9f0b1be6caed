"""A room moves between nodes while people come and go, and nothing of them stays behind."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.cluster import node
from crossroom_server.cluster.bus import MAX_MESSAGE_BYTES
from crossroom_server.cluster.link import subject_of
from crossroom_server.cluster.remote_room import OwnerUnreachable
from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, start_cluster_game, until
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import FakeClient, any_contains


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


class HangUpCounter(FakeClient):
    """Counts how often it is hung up on."""

    closings = 0

    def close(self, code: int, reason: str) -> None:
        self.closings += 1
        super().close(code, reason)


async def moved(cluster: FakeCluster, *people: ClusterClient) -> None:
    """The owner dies, and all of these are where the room is then."""
    await cluster.kill("a")
    await until(lambda: "a" not in cluster.database.owners.values())
    for client in people:
        await client.type("/state")


async def test_who_was_sent_away_is_not_brought_along(cluster: FakeCluster) -> None:
    ann, bob, cat = await start_cluster_game(cluster)
    dan = await ClusterClient(cluster, "c", "dan").join()
    await ann.type("/kick dan")
    await until(lambda: dan.client.closed == 4003)  # and the connection is not at its end yet
    await moved(cluster, bob)
    await until(lambda: dan.client not in dan.room)
    assert not cat.has_heard("dan is back")
    assert not any_contains(await bob.type("/who"), "dan")


@pytest.mark.parametrize("line", ["/kick dan", "/ban dan"])
async def test_who_is_sent_away_is_gone_at_every_node_at_once(
    cluster: FakeCluster, line: str
) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    dan = await ClusterClient(cluster, "c", "dan", ReaderSettings("json")).join()
    for client in (ann, bob):
        client.client.style = ReaderSettings("json")
        await client.room.restyle(client.client)
        client.client.take_received()
    await ann.type(line)
    await until(lambda: dan.client.closed == 4003 and bool(bob.client.received))
    last = json.loads(dan.client.received[-1])
    assert last["event"]["whom"] == "dan", "dan hears why"
    for client in (ann, bob):
        (told,) = map(json.loads, client.client.take_received())
        assert told["event"] == last["event"]
        assert told["room"]["watchers"] == []


async def test_who_was_sent_away_at_the_owner_is_not_brought_along(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    dan = await ClusterClient(cluster, "a", "dan").join()
    await ann.type("/kick dan")
    assert dan.client.closed == 4003
    cluster.database.away.add("a")
    cluster.network.deaf.add("a")
    await until(lambda: cluster.database.owners == {"kitchen": "b"})
    assert any_contains(await bob.type("anybody?"), "bob: anybody?")
    cluster.database.away.clear()
    cluster.network.deaf.clear()
    assert any_contains(await ann.type("me"), "ann: me")
    await until(lambda: dan.client not in dan.room)
    assert len(cluster.nodes["b"].lobby.find("kitchen")._audience) == 3  # type: ignore[union-attr]


async def test_the_new_connection_of_somebody_stays_when_the_room_moves(
    cluster: FakeCluster,
) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    back = await bob.reconnect(cluster, "c")
    await until(lambda: bob.client.closed == 4001)  # and its end is not yet noticed
    await moved(cluster, back)
    assert back.client.closed is None
    assert any_contains(await back.type("here I am"), "bob: here I am")
    await until(lambda: bob.client not in bob.room)
    assert back.client.closed is None


async def test_the_old_connection_yields_though_it_was_not_told(cluster: FakeCluster) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    lost = cluster.network.lose(b"hung_up")
    back = await bob.reconnect(cluster, "c")
    await until(lambda: bob.client.closed == 4001)
    assert lost
    assert back.client.closed is None
    assert any_contains(await back.type("here I am"), "bob: here I am")


async def test_who_may_not_come_along_is_told_so_once(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    dan, eve = ClusterClient(cluster, "c", "dan"), ClusterClient(cluster, "c", None)
    eve.client = HangUpCounter("eve")
    for client in (dan, eve):
        client.client.address = "203.0.113.7"
        await client.join()
    assert any_contains(await ann.type("/ban dan address"), "dan")
    await moved(cluster, bob)
    await until(lambda: eve.client.closed == 1013)
    await asyncio.sleep(0.1)
    assert eve.client.closings == 1


async def test_who_comes_in_while_the_room_goes_is_brought_along(cluster: FakeCluster) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    dan = ClusterClient(cluster, "c", "dan")
    owner, gateway = cluster.nodes["a"], cluster.nodes["c"]
    room = owner.lobby.find("kitchen")
    assert room is not None
    late: list[bytes] = []

    def delay(subject: str, message: bytes) -> bool:
        if subject == subject_of("c"):
            late.append(message)
        return subject == subject_of("c")

    arriving = asyncio.create_task(dan.room.enter(dan.client, "dan"))
    cluster.network.drop = delay
    await until(lambda: any_contains([str(message) for message in late], "answer"))
    cluster.database.owners["kitchen"] = "b"  # as if the owner had been away for a while
    await owner.lobby.drop_lost(room)
    await asyncio.sleep(0)
    cluster.network.drop = lambda subject, message: False
    for message in late:
        gateway.node._open(message)
    await arriving
    assert any_contains(await bob.type("who is there?"), "bob: who is there?")
    await until(lambda: dan.has_heard("bob: who is there?"))


async def test_a_line_that_meets_the_room_after_it_was_away_is_said_and_nobody_is_out(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    owner = cluster.nodes["a"]
    room = owner.lobby.find("kitchen")
    assert room is not None
    with monkeypatch.context() as patch:  # the notice that it is gone comes later than the line
        patch.setattr(owner.node, "room_lost", lambda room: None)
        await owner.lobby.drop_lost(room)
    await owner.lobby.room("kitchen")
    told = await bob.type("still here")
    assert not any_contains(told, "NOT_IN_ROOM")
    await until(lambda: bob.has_heard("bob: still here"))
    assert bob.client in bob.room


async def test_who_comes_in_hears_nothing_old_from_a_node_that_was_away(
    cluster: FakeCluster,
) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    assert cluster.database.owners["kitchen"] == "a"
    cluster.database.away.add("a")
    async with asyncio.timeout(30):
        while not bob.has_heard("bob: while you were away"):
            await bob.type("while you were away")
            await asyncio.sleep(0.05)
    del cluster.database.owners["kitchen"]  # and the new owner let it go at once
    cluster.database.away.clear()
    back, known = await cluster.nodes["a"].lobby.find_by_code(ann.client.code)
    client = ClusterClient(cluster, "a", "ann")
    await back.rejoin(client.client, known, 0)
    assert any_contains(client.client.received, "bob: while you were away")


@pytest.mark.parametrize("at", ["a", "c"])
async def test_who_gives_up_while_coming_in_is_not_there_for_ever(
    cluster: FakeCluster, at: str
) -> None:
    ann, _, _ = await start_cluster_game(cluster)
    dan, working = ClusterClient(cluster, at, "dan"), asyncio.Event()
    room = cluster.nodes["a"].lobby.find("kitchen")
    assert room is not None
    busy = asyncio.create_task(room._mail.post(lambda: _wait(working)))
    await until(lambda: room._mail._is_working)
    entering = asyncio.create_task(dan.room.enter(dan.client, "dan"))
    await until(lambda: room.queued_jobs > 0)
    entering.cancel()
    await asyncio.gather(entering, return_exceptions=True)
    leaving = asyncio.create_task(dan.room.leave(dan.client))
    await asyncio.sleep(0)
    working.set()
    await asyncio.gather(busy, leaving)
    await until(lambda: ann.has_heard("dan"))
    await until(lambda: len(room._audience) == 3)
    assert not any_contains(await ann.type("/who"), "dan")


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


async def test_nobody_comes_into_a_room_that_the_gateway_has_forgotten(
    cluster: FakeCluster,
) -> None:
    ann, _, _ = await start_cluster_game(cluster)
    dan, gateway = FakeClient("dan"), cluster.nodes["c"].node
    room = await gateway.find("kitchen")
    await room.check_key(dan, "")  # and then nobody of this node is there
    with pytest.raises(OwnerUnreachable):
        await room.enter(dan, "dan")
    await (await gateway.find("kitchen")).enter(dan, "dan")
    assert ann.has_heard("dan is watching")


@pytest.mark.parametrize("is_busy", [False, True])
async def test_a_room_that_is_another_s_leaves_nothing_behind(
    cluster: FakeCluster, is_busy: bool
) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    owner, working = cluster.nodes["a"], asyncio.Event()
    room, task = owner.lobby._rooms["kitchen"]
    if is_busy:
        busy = asyncio.create_task(room._mail.post(lambda: _wait(working)))
        await until(lambda: room._mail._is_working)
        asking = asyncio.create_task(bob.type("/who"))
        await until(lambda: room.queued_jobs > 0)
    cluster.database.owners["kitchen"] = "b"
    await owner.lobby.drop_lost(room)
    working.set()
    await asyncio.wait([task], timeout=1)
    assert task.done()
    if is_busy:
        await busy
        assert any_contains(await asking, "bob")
    await until(
        lambda: not owner.node._remote_clients._clients and not owner.node._remote_clients._tasks
    )


async def test_nodes_that_are_gone_are_forgotten(cluster: FakeCluster) -> None:
    await start_cluster_game(cluster)
    kept = cluster.nodes["a"].node
    for number in range(5):
        await cluster.start(f"d{number}")
        await until(lambda: len(kept._living()) == 3)
        await ClusterClient(cluster, f"d{number}", f"guest{number}").join()
        await cluster.kill(f"d{number}")
        await until(lambda: len(kept._living()) == 2)
    before = kept.traffic()
    assert before.breaks >= 5
    await until(lambda: set(kept._links) <= {"b", "c"})
    assert kept.traffic().envelopes >= before.envelopes


async def test_a_database_that_is_slow_for_a_while_separates_no_nodes(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    breaks = [fake_node.node.traffic().breaks for fake_node in cluster.nodes.values()]
    cluster.database.patience = 0.5
    cluster.database.away |= set(cluster.nodes)
    await asyncio.sleep(0.4)  # longer than a node may be silent
    cluster.database.away.clear()
    await asyncio.sleep(0.2)
    assert [fake_node.node.traffic().breaks for fake_node in cluster.nodes.values()] == breaks
    assert any_contains(await bob.type("still here"), "bob: still here")
    await until(lambda: ann.has_heard("bob: still here"))


async def test_a_long_answer_reaches_another_node(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "PEER_TIMEOUT_S", 2.5)  # so much to do keeps all of them from beating
    ann, bob, _ = await start_cluster_game(cluster)
    for number in range(700):
        await ann.type(f"{number} " + "x" * 890)
    bob.client.style = ReaderSettings(mode="json")
    await bob.room.restyle(bob.client)
    breaks = cluster.nodes["b"].node.traffic().breaks
    (told,) = await bob.type("/recall 1000")
    assert len(told) > 2 * MAX_MESSAGE_BYTES
    assert cluster.nodes["b"].node.traffic().breaks == breaks


async def test_who_asks_a_node_that_hangs_and_loses_the_room_is_answered_by_another(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    lost = cluster.nodes["a"].lobby.find("kitchen")
    assert lost is not None

    async def hang(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(lost._membership, "keep_reader", hang)
    asking = asyncio.create_task(bob.room.restyle(bob.client))
    await until(lambda: not lost._mail.is_empty)
    cluster.database.owners["kitchen"] = "b"  # as if a had been silent for too long
    await cluster.nodes["a"].lobby.drop_lost(lost)
    with contextlib.suppress(Refusal):  # nobody knows whether it was done
        await asyncio.wait_for(asking, 5)
    assert any_contains(await bob.type("/who"), "at the table: ")
