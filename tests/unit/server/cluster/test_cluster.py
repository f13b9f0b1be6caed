"""Many nodes as one server: who is at which node makes no difference, nor does the end of one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.cluster import routed_room
from tests.support import fake_cluster
from tests.support.cluster_client import Guest, playing, until
from tests.support.fake_cluster import Cluster
from tests.support.room_driver import has


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.hurry(monkeypatch)


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    """Two nodes, ``a`` and ``b``, that know of each other."""
    async with Cluster() as made:
        await made.start("a")
        await made.start("b")
        await until(lambda: made.machines["a"].node._is_heard("b"))
        yield made


def rack(guest: Guest) -> str:
    """The tiles somebody was told last."""
    return next(line for line in reversed(guest.ear.heard) if "rack" in line.lower())


async def test_people_at_two_nodes_play_in_one_room(cluster: Cluster) -> None:
    ann, bob, cat = await playing(cluster)
    assert rack(ann) != rack(bob)
    assert not cat.heard(rack(bob))
    assert not ann.heard(rack(bob))
    assert not bob.heard(rack(ann))
    await bob.type("good luck")
    assert ann.heard("bob: good luck")
    assert has(await bob.type("/pass"), "NOT_YOUR_TURN")
    await ann.type("/pass")
    await until(lambda: bob.heard("ann passes") and cat.heard("ann passes"))
    assert has(await bob.type("/pass"), "bob passes")
    assert has(await bob.type("/tell ann psst"), "you tell ann: psst")
    assert ann.heard("bob tells you: psst")
    assert not cat.heard("psst")


async def test_whoever_leaves_at_another_node_is_gone(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    await bob.room.leave(bob.ear)
    await until(lambda: ann.heard("bob is gone; the seat stays"))


async def test_a_locked_room_opens_to_a_password_from_another_node(cluster: Cluster) -> None:
    ann = await Guest(cluster, "a", "ann").come()
    await ann.type("/lock secret")
    with pytest.raises(Refusal, match="locked"):
        await Guest(cluster, "b", "bob").come()
    with pytest.raises(Refusal, match="does not open"):
        await Guest(cluster, "b", "bob").come("wrong")
    bob = await Guest(cluster, "b", "bob").come("secret")
    assert bob.ear in bob.room
    await ann.type("/kick bob")
    await until(lambda: bob.ear.closed == 4003)


async def test_a_reader_at_another_node_may_change_style(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    bob.ear.style = ReaderSettings(mode="json")
    await bob.room.restyle(bob.ear)
    await ann.type("hello")
    await until(lambda: bob.heard("hello"))
    assert bob.ear.heard[-1].startswith("{")


async def test_a_reader_at_another_node_hears_another_language(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    bob.ear.style = ReaderSettings(language="de")
    await bob.room.restyle(bob.ear)
    await ann.type("/pass")
    await until(lambda: ann.heard("ann passes") and bob.heard("ann passt"))
    assert await bob.type("/sit") == [
        "! BAD_ARGS: du hast einen Platz; /watch gibt ihn ab",
    ]
    assert "- am Tisch: ann und bob" in await bob.type("/who")


async def test_all_nodes_list_all_rooms(cluster: Cluster) -> None:
    await playing(cluster)
    lobby = cluster.machines["b"].lobby
    await until(lambda: any(line.playing for line in lobby.listed()))
    (line,) = lobby.listed()
    assert (line.name, line.people, line.seated) == ("kitchen", 3, 2)
    assert lobby.is_open("kitchen")


async def test_when_the_owner_dies_the_room_goes_on_where_its_people_are(cluster: Cluster) -> None:
    ann, bob, cat = await playing(cluster)
    before = rack(bob).partition("   ")[0]
    await ann.type("/pass")
    await until(lambda: bob.heard("ann passes"))
    seen = len(bob.ear.heard)
    await cluster.kill("a")
    await until(lambda: cluster.database.owners == {"kitchen": "b"})
    back = await ann.come_back(cluster, "b")
    await until(lambda: bob.heard("ann is back"))
    assert not has(bob.ear.heard[seen:], "ann passes")  # that, bob has heard before
    assert rack(bob).startswith(before)
    assert has(await bob.type("/pass"), "bob passes")
    assert back.heard("bob passes")
    assert cat.heard("bob passes")


async def test_a_drained_node_refuses_nobody(cluster: Cluster) -> None:
    ann, bob, cat = await playing(cluster)
    await ann.type("/pass")
    stopping = asyncio.create_task(cluster.stop("a"))
    await asyncio.sleep(0)
    typing = asyncio.create_task(bob.type("one moment, ann"))
    await asyncio.gather(stopping, typing)
    assert has(typing.result(), "bob: one moment, ann")
    assert cat.heard("bob: one moment, ann")
    assert cluster.database.owners == {"kitchen": "b"}
    assert sum("bob: one moment" in line for line in cat.ear.heard) == 1


async def test_what_is_lost_on_the_way_is_told_again(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    lost = cluster.air.lose(b"mind the gap")
    await ann.type("mind the gap")
    await until(lambda: bob.heard("ann: mind the gap"))
    await ann.type("and go on")
    await until(lambda: bob.heard("ann: and go on"))
    assert lost
    assert sum("mind the gap" in line for line in bob.ear.heard) == 1
    assert has(await bob.type("still here"), "bob: still here")


async def test_a_question_whose_answer_is_lost_is_asked_again(cluster: Cluster) -> None:
    _, bob, _ = await playing(cluster)
    lost = cluster.air.lose(b'"answer"')
    assert has(await bob.type("/score"), "ann 0, bob 0")
    assert lost
    lost.clear()
    assert has(await bob.type("hello?"), "MOVED: the machine that had this room is gone")
    assert lost


async def test_a_node_that_was_only_slow_gives_up_what_others_have_taken(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    cluster.database.away.add("a")
    cluster.air.deaf.add("a")
    await until(lambda: cluster.database.owners == {"kitchen": "b"})
    assert has(await bob.type("anybody?"), "bob: anybody?")
    cluster.database.away.clear()
    cluster.air.deaf.clear()
    assert has(await ann.type("yes, me"), "ann: yes, me")
    await until(lambda: bob.heard("ann: yes, me"))
    assert ann.heard("bob: anybody?")
    assert cluster.machines["a"].lobby.find("kitchen") is None


async def test_a_room_that_nobody_can_reach_says_so(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, _ = await playing(cluster)
    monkeypatch.setattr(routed_room, "SOON", 0.3)
    cluster.air.deaf.add("a")  # but the database hears of it
    await until(lambda: bob.heard("the room is on its way"))
    assert has(await bob.type("/pass"), "INTERNAL: the room cannot be reached now")
    cluster.air.deaf.clear()
    assert has(await bob.type("again"), "bob: again")


async def test_a_room_that_went_to_rest_is_found_again_from_any_node(cluster: Cluster) -> None:
    ann, bob, _ = await playing(cluster)
    for guest in (ann, bob, _):
        await guest.room.leave(guest.ear)
    await until(lambda: cluster.machines["a"].lobby.find("kitchen").idle_since is not None)  # type: ignore[union-attr]
    await cluster.machines["a"].lobby.rest(0.0)
    assert cluster.database.owners == {}
    await Guest(cluster, "b", "bob2").come()
    assert cluster.database.owners == {"kitchen": "b"}
