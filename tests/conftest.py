"""Options and fixtures for all tests."""

import asyncio
import os
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
    parser.addoption(
        "--full",
        action="store_true",
        help="every test; without, the fast ones (see CONTRIBUTING.md)",
    )
    parser.addoption(
        "--examples",
        type=int,
        metavar="PERCENT",
        help="how many of its examples a property test tries (50 with --full, else 20)",
    )


def pytest_configure(config: pytest.Config) -> None:
    # Processes started in the background ignore interrupts, and so would the children of tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: runs with --full, or when its file is named")
    is_full = config.getoption("--full")
    # Nor does hypothesis measure how busy the machine is.
    settings.register_profile(
        "crossroom",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=config.getoption("--examples") or (50 if is_full else 20),
    )
    settings.load_profile("crossroom")
    if is_full and _runs_everything(config):
        config.args = [str(config.rootpath / "tests")]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three for a core, as tests wait more than they compute; what is named runs in here."""
    return 3 * (os.cpu_count() or 1) if _runs_everything(config) else 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--full") or not _runs_everything(config):
        return
    slow = [item for item in items if _is_slow(item)]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not _is_slow(item)]


def _is_slow(item: pytest.Item) -> bool:
    """Whether it says so, or needs a browser."""
    return item.get_closest_marker("slow") is not None or "chromium" in getattr(
        item, "fixturenames", ()
    )


def _runs_everything(config: pytest.Config) -> bool:
    """Whether no file or folder was named on the command line."""
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS


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
