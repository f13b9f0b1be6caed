"""Options and fixtures for all tests."""

import asyncio
import signal
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from crossroom_server.config.store_url import Database
from crossroom_server.monitoring import loop_monitor
from tests.support.nats_server import NatsServer, nats_server
from tests.support.postgres_server import PostgresServer, postgres_server
from tests.support.virtual_time import BusyTolerantLoop


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the transcripts")


def pytest_configure() -> None:
    """What is started in the background ignores interrupts, and so would all that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Nor does hypothesis measure how busy the machine is.
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("patient", patient)
    settings.load_profile("patient")


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """On a busy machine the loop of a test is not late for anything."""
    return {"steady": BusyTolerantLoop}


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers do not complain that they are late: here that says nothing of them."""
    monkeypatch.setattr(loop_monitor, "LATE_AFTER_S", 60.0)


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
