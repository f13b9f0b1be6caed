"""What tests of stores in PostgreSQL write there and ask, and how they hold it up."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

import pytest

from crossroom_protocol.finished import Finished
from crossroom_server.store.leases import Taken
from crossroom_server.store.place import Database
from tests.postgres_server import PostgresServer
from tests.written import said

if TYPE_CHECKING:  # it needs a driver
    from crossroom_server.store.postgres import PostgresStore

Open: TypeAlias = "Callable[[str], PostgresStore]"

_SLOW: Final = """
    CREATE FUNCTION crossroom.slow() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON crossroom.{table} FOR EACH ROW
    WHEN ({when}) EXECUTE FUNCTION crossroom.slow()
"""


def open_store(database: Database, node: str | None = None) -> "PostgresStore":
    """The store of a server alone, or of a *node*."""
    from crossroom_server.store.postgres import PostgresStore

    return PostgresStore(database, node)


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


@contextmanager
def slowed(postgres: PostgresServer, table: str, when: str = "true") -> Iterator[None]:
    """Within it, every new row of a table takes half a second, or those of which *when* holds."""
    postgres.sql("games", _SLOW.format(table=table, when=when))
    try:
        yield
    finally:
        postgres.sql("games", "DROP FUNCTION crossroom.slow CASCADE")


async def refused(store: "PostgresStore", room: str, after: int) -> str:
    """The owner, because of whom an append is refused."""
    with pytest.raises(Taken) as taken:
        await store.append(room, after, said(after + 1, text=store.leases.node))
    assert taken.value.room == room
    return taken.value.owner
