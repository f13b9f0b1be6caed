"""Stores in PostgreSQL, near and far."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from crossroom_server.config.store_url import Database
from tests.contracts.postgres.store_access import Open, open_store
from tests.support.postgres_server import PostgresServer
from tests.support.tcp_proxy import TcpProxy, tcp_proxy

if TYPE_CHECKING:  # it needs a driver
    from crossroom_server.store.postgres.store import PostgresStore


@pytest.fixture
def store(database: Database) -> "Iterator[PostgresStore]":
    """That of a server alone."""
    with closing(open_store(database)) as store:
        yield store


@pytest.fixture
async def line(postgres: PostgresServer) -> AsyncIterator[TcpProxy]:
    """The way of :func:`far` to the database."""
    async with tcp_proxy(postgres.port) as line:
        yield line


@pytest.fixture
async def far(
    line: TcpProxy, postgres: PostgresServer, database: Database
) -> "AsyncIterator[PostgresStore]":
    """A store that reaches its database by a way that can fail."""
    there = postgres.database("games", line.port)
    store = await asyncio.to_thread(open_store, there)
    yield store
    await asyncio.to_thread(store.close)


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No node dies because the machine is busy."""
    monkeypatch.setattr("crossroom_server.store.postgres.leases.LEASE_LIFETIME_S", 60.0)


@pytest.fixture
def opened(database: Database) -> Iterator[Open]:
    """What opens stores of nodes, by name."""
    with ExitStack() as stack:
        yield lambda node: stack.enter_context(closing(open_store(database, node)))


@pytest.fixture
def ann(opened: Open) -> "PostgresStore":
    return opened("ann")


@pytest.fixture
def bob(opened: Open) -> "PostgresStore":
    return opened("bob")
