"""`crossroom doctor` asks the database and the bus that nodes share."""

from pathlib import Path

import pytest

from crossroom_server.cli.checks.cluster import check_bus, check_database
from crossroom_server.config.settings import Settings
from crossroom_server.config.store_url import Database
from crossroom_server.store.open import open_store
from tests.support.nats_server import NatsServer
from tests.support.ports import free_port
from tests.support.postgres_server import PostgresServer

pytest.importorskip("asyncpg")
pytest.importorskip("nats")
ELSEWHERE = Database("postgresql://somebody@127.0.0.1:1/games")


def test_a_database_that_is_empty_and_then_is_not(postgres: PostgresServer) -> None:
    database = postgres.empty_database("doctored", bare=True)
    (found,) = check_database(Settings(store=database))
    assert (found.level, found.topic) == ("note", "database")
    open_store(database).close()
    (found,) = check_database(Settings(store=database))
    assert found.level == "ok"


def test_a_database_that_is_not_there() -> None:
    (found,) = check_database(Settings(store=ELSEWHERE))
    assert found.level == "problem"
    assert str(ELSEWHERE) in found.said
    assert not list(check_database(Settings(store=Path("games.db"))))


def test_the_bus(nats: NatsServer) -> None:
    (found,) = check_bus(Settings(store=ELSEWHERE, bus=nats.url))
    assert found.level == "ok"
    away = f"nats://127.0.0.1:{free_port()}"
    (found,) = check_bus(Settings(store=ELSEWHERE, bus=away))
    assert found.level == "problem"
    (found,) = check_bus(Settings(bus=away))
    assert "--store postgresql" in found.mend
    assert not list(check_bus(Settings()))
