"""What tests of nodes say and ask; their stores are called Ann and Bob, and one is far away."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from crossroom_protocol.finished import Finished
from crossroom_protocol.room_events import Entry, Said
from crossroom_server.store.leases import Taken
from tests.postgres_server import PostgresServer

if TYPE_CHECKING:  # it needs a driver
    from crossroom_server.store.postgres import PostgresStore


def said(*numbers: int, text: str = "hello") -> list[Entry]:
    return [Entry(number, number, Said("Ada", text)) for number in numbers]


def over(room: str, last: int) -> Finished:
    return Finished(f"{room}{last}", room, last, 1, last, 5, 1, "race", "tiny", "out", ())


def silence(postgres: PostgresServer, node: str) -> None:
    """Let nobody have heard of a node for 100 seconds."""
    change = f"UPDATE crossroom.nodes SET seen = seen - interval '100 s' WHERE node = '{node}'"
    postgres.sql("games", change)


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.01)
    pytest.fail("it never comes")


def stored(postgres: PostgresServer) -> int:
    return int(postgres.sql("games", "SELECT count(*) FROM crossroom.entries"))


async def refused(store: "PostgresStore", room: str, after: int) -> str:
    """The owner, because of whom an append is refused."""
    with pytest.raises(Taken) as taken:
        await store.append(room, after, said(after + 1, text=store.leases.node))
    assert taken.value.room == room
    return taken.value.owner
