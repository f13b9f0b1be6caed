"""Signs of life, which are short where nodes are many."""

from collections.abc import AsyncIterator

import pytest

from crossroom_server.cluster.messages import NOTICE, Heartbeat
from crossroom_server.cluster.node import ALL_NODES_SUBJECT
from tests.support import fake_cluster
from tests.support.cluster_client import ClusterClient, until
from tests.support.fake_cluster import FakeCluster

NODES = 16


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    fake_cluster.shorten_timeouts(monkeypatch)


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    async with FakeCluster() as made:
        for number in range(NODES):
            await made.start(f"n{number}")
        yield made


async def test_every_node_knows_all_rooms_though_few_tell_theirs_at_a_time(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(NODES):
        await ClusterClient(cluster, f"n{number}", "ann", room=f"room-{number}").join()
    told: list[Heartbeat] = []
    watched = cluster.nodes["n0"].node

    def note(subject: str, message: bytes) -> bool:
        if subject == ALL_NODES_SUBJECT:
            heard = NOTICE.validate_json(message)
            assert isinstance(heard, Heartbeat)
            told.append(heard)
        return False

    monkeypatch.setattr(cluster.network, "drop", note)
    await until(lambda: len(watched._lobby.listed()) == NODES)
    told.clear()
    await until(lambda: len(told) >= 10 * NODES)
    with_rooms = [beat for beat in told if beat.lists_rooms]
    assert len(with_rooms) < len(told) / 3
    assert all(not beat.rooms for beat in told if not beat.lists_rooms)
