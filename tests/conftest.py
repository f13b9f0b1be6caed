"""Options and fixtures for all tests."""

from collections.abc import Iterator

import pytest

from crossroom_server.store.place import Database
from tests.nats_server import NatsServer, nats_server
from tests.postgres_server import PostgresServer, postgres_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the transcripts")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A database server, for all tests that ask for one."""
    try:
        begun = postgres_server()
        with begun as server:
            yield server
    except LookupError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    """A bus, for all tests that ask for one."""
    try:
        begun = nats_server()
        with begun as server:
            yield server
    except LookupError as error:
        pytest.skip(str(error))


@pytest.fixture
def database(postgres: PostgresServer) -> Database:
    """A database without rooms."""
    return postgres.empty_database()
