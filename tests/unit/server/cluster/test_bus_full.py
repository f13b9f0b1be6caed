"""A bus that is away or too slow: what cannot be sent is lost, and nothing else is."""

import asyncio

import pytest

pytest.importorskip("nats")

from nats.aio.client import Client

from crossroom_server.cluster import nats_bus


async def test_what_is_lost_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_bus, "MAX_QUEUED_MESSAGES", 3)
    bus = nats_bus.NatsBus(Client())  # never connected: nothing can be sent
    for number in range(10):
        bus.publish("crossroom.all", b"%d" % number)
    async with asyncio.timeout(1):
        await bus._leaving.join()
    for task in bus._working:
        task.cancel()
