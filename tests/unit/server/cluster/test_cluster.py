"""Many nodes as one server: who is at which node makes no difference, nor does the end of one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.cluster import routed_room
from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, start_cluster_game, until
from tests.support.fake_cluster import FakeCluster
from tests.support.room_driver import any_contains


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.shorten_timeouts(monkeypatch)


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    """Two nodes, ``a`` and ``b``, that know of each other."""
    async with FakeCluster() as made:
        await made.start("a")
        await made.start("b")
        await until(lambda: made.nodes["a"].node._is_heard("b"))
        yield made


def rack(client: ClusterClient) -> str:
    """The tiles somebody was told last."""
    return next(line for line in reversed(client.client.received) if line.startswith("= rack"))


async def test_people_at_two_nodes_play_in_one_room(cluster: FakeCluster) -> None:
    ann, bob, cat = await start_cluster_game(cluster)
    assert rack(ann) != rack(bob)
    assert not cat.has_heard(rack(bob))
    assert not ann.has_heard(rack(bob))
    assert not bob.has_heard(rack(ann))
    await bob.type("good luck")
    assert ann.has_heard("bob: good luck")
    assert any_contains(await bob.type("/pass"), "NOT_YOUR_TURN")
    await ann.type("/pass")
    await until(lambda: bob.has_heard("ann passes") and cat.has_heard("ann passes"))
    assert any_contains(await bob.type("/pass"), "bob passes")
    assert any_contains(await bob.type("/tell ann psst"), "you tell ann: psst")
    assert ann.has_heard("bob tells you: psst")
    assert not cat.has_heard("psst")


async def test_whoever_leaves_at_another_node_is_gone(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    await bob.room.leave(bob.client)
    await until(lambda: ann.has_heard("bob has disconnected; the seat is kept"))


async def test_a_locked_room_opens_to_a_password_from_another_node(cluster: FakeCluster) -> None:
    ann = await ClusterClient(cluster, "a", "ann").join()
    await ann.type("/lock secret")
    with pytest.raises(Refusal, match="locked"):
        await ClusterClient(cluster, "b", "bob").join()
    with pytest.raises(Refusal, match="does not open"):
        await ClusterClient(cluster, "b", "bob").join("wrong")
    bob = await ClusterClient(cluster, "b", "bob").join("secret")
    assert bob.client in bob.room
    await ann.type("/kick bob")
    await until(lambda: bob.client.closed == 4003)


async def test_a_reader_at_another_node_may_change_style(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    bob.client.style = ReaderSettings(mode="json")
    await bob.room.restyle(bob.client)
    await ann.type("hello")
    await until(lambda: bob.has_heard("hello"))
    assert bob.client.received[-1].startswith("{")


async def test_a_reader_at_another_node_hears_another_language(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    bob.client.style = ReaderSettings(language="de")
    await bob.room.restyle(bob.client)
    await ann.type("/pass")
    await until(lambda: ann.has_heard("ann passes") and bob.has_heard("ann passt"))
    assert await bob.type("/sit") == [
        "! BAD_ARGS: du hast einen Platz; /watch gibt ihn ab",
    ]
    assert "- am Tisch: ann und bob" in await bob.type("/who")


async def test_all_nodes_list_all_rooms(cluster: FakeCluster) -> None:
    await start_cluster_game(cluster)
    lobby = cluster.nodes["b"].lobby
    await until(lambda: any(line.playing for line in lobby.listed()))
    (line,) = lobby.listed()
    assert (line.name, line.people, line.seated) == ("kitchen", 3, 2)
    assert lobby.is_open("kitchen")


async def test_when_the_owner_dies_the_room_goes_on_where_its_people_are(
    cluster: FakeCluster,
) -> None:
    ann, bob, cat = await start_cluster_game(cluster)
    before = rack(bob).partition("   ")[0]
    await ann.type("/pass")
    await until(lambda: bob.has_heard("ann passes"))
    seen = len(bob.client.received)
    await cluster.kill("a")
    await until(lambda: cluster.database.owners == {"kitchen": "b"})
    back = await ann.reconnect(cluster, "b")
    await until(lambda: bob.has_heard("ann is back"))
    assert not any_contains(bob.client.received[seen:], "ann passes")  # that, bob has heard before
    assert rack(bob).startswith(before)
    assert any_contains(await bob.type("/pass"), "bob passes")
    assert back.has_heard("bob passes")
    assert cat.has_heard("bob passes")


async def test_a_drained_node_refuses_nobody(cluster: FakeCluster) -> None:
    ann, bob, cat = await start_cluster_game(cluster)
    await ann.type("/pass")
    stopping = asyncio.create_task(cluster.stop("a"))
    await asyncio.sleep(0)
    typing = asyncio.create_task(bob.type("one moment, ann"))
    await asyncio.gather(stopping, typing)
    assert any_contains(typing.result(), "bob: one moment, ann")
    assert cat.has_heard("bob: one moment, ann")
    assert cluster.database.owners == {"kitchen": "b"}
    assert sum("bob: one moment" in line for line in cat.client.received) == 1


async def test_what_is_lost_on_the_way_is_told_again(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    lost = cluster.network.lose(b"mind the gap")
    await ann.type("mind the gap")
    await until(lambda: bob.has_heard("ann: mind the gap"))
    await ann.type("and go on")
    await until(lambda: bob.has_heard("ann: and go on"))
    assert lost
    assert sum("mind the gap" in line for line in bob.client.received) == 1
    assert any_contains(await bob.type("still here"), "bob: still here")


async def test_a_question_whose_answer_is_lost_is_asked_again(cluster: FakeCluster) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    lost = cluster.network.lose(b'"answer"')
    assert any_contains(await bob.type("/score"), "ann 0, bob 0")
    assert lost
    lost.clear()
    assert any_contains(
        await bob.type("hello?"), "MOVED: the server that has this room did not answer"
    )
    assert lost


async def test_a_node_that_was_only_slow_gives_up_what_others_have_taken(
    cluster: FakeCluster,
) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    cluster.database.away.add("a")
    cluster.network.deaf.add("a")
    await until(lambda: cluster.database.owners == {"kitchen": "b"})
    assert any_contains(await bob.type("anybody?"), "bob: anybody?")
    cluster.database.away.clear()
    cluster.network.deaf.clear()
    assert any_contains(await ann.type("yes, me"), "ann: yes, me")
    await until(lambda: bob.has_heard("ann: yes, me"))
    assert ann.has_heard("bob: anybody?")
    assert cluster.nodes["a"].lobby.find("kitchen") is None


async def test_a_room_that_nobody_can_reach_says_so(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    monkeypatch.setattr(routed_room, "CALL_TIMEOUT_S", 0.3)
    cluster.network.deaf.add("a")  # but the database hears of it
    await until(lambda: bob.has_heard("the room is moving"))
    assert any_contains(await bob.type("/pass"), "INTERNAL: the room cannot be reached now")
    cluster.network.deaf.clear()
    assert any_contains(await bob.type("again"), "bob: again")


async def test_a_room_that_went_to_rest_is_found_again_from_any_node(cluster: FakeCluster) -> None:
    ann, bob, _ = await start_cluster_game(cluster)
    for client in (ann, bob, _):
        await client.room.leave(client.client)
    await until(lambda: cluster.nodes["a"].lobby.find("kitchen").idle_since is not None)  # type: ignore[union-attr]
    await cluster.nodes["a"].lobby.unload_idle_rooms(0.0)
    assert cluster.database.owners == {}
    await ClusterClient(cluster, "b", "bob2").join()
    assert cluster.database.owners == {"kitchen": "b"}


async def test_who_listens_at_another_node_need_not_say_so_again(cluster: FakeCluster) -> None:
    _, bob, _ = await start_cluster_game(cluster)
    bob.client.style = ReaderSettings(reader=True)
    await bob.room.restyle(bob.client)
    _, known = await cluster.nodes["b"].lobby.find_by_code(bob.client.code)
    assert known.reader
