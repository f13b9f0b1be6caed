"""What tests of stores in PostgreSQL write there and ask, and how they hold it up."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import pytest

from crossroom_protocol.events.results import FinishedGame
from crossroom_server.config.store_url import Database
from crossroom_server.store.lease_contract import LeaseLost
from tests.support.log_entries import chat_entries
from tests.support.postgres_server import PostgresServer

if TYPE_CHECKING:  # it needs a driver
    from crossroom_server.store.postgres.store import PostgresStore

Open: TypeAlias = "Callable[[str], PostgresStore]"


def open_store(database: Database, node: str | None = None) -> "PostgresStore":
    """The store of a server alone, or of a *node*."""
    from crossroom_server.store.postgres.store import PostgresStore

    return PostgresStore(database, node)


def finished_game(room: str, last: int) -> FinishedGame:
    return FinishedGame(f"{room}{last}", room, last, 1, last, 5, 1, "race", "tiny", "out", ())


def expire_node(postgres: PostgresServer, node: str) -> None:
    """Let nobody have heard of a node for 100 seconds."""
    change = f"UPDATE crossroom.nodes SET seen = seen - interval '100 s' WHERE node = '{node}'"
    postgres.sql("games", change)


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.01)
    pytest.fail("it never comes")


def count_entries(postgres: PostgresServer) -> int:
    return int(postgres.sql("games", "SELECT count(*) FROM crossroom.entries"))


@contextmanager
def short_timeouts() -> Iterator[None]:
    """Within it, nobody waits long for the database."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("queries", "group_commit"):
            patch.setattr(f"crossroom_server.store.postgres.{module}.RECONNECT_TIMEOUT_S", 0.3)
            patch.setattr(f"crossroom_server.store.postgres.{module}.ANSWER_TIMEOUT_S", 0.5)
        yield


async def owner_refusing(store: "PostgresStore", room: str, after: int) -> str:
    """The owner, because of whom an append is refused."""
    with pytest.raises(LeaseLost) as taken:
        await store.append(room, after, chat_entries(after + 1, text=store.leases.node))
    assert taken.value.room == room
    return taken.value.owner
