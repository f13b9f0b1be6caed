"""What the host's commands do, or refuse, while nodes run on a database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

pytest.importorskip("asyncpg")
pytest.importorskip("nats")

from crossroom_clients.cli.main import main
from crossroom_server.config.store_url import Database
from crossroom_server.store.open import open_store
from tests.support.nats_server import NatsServer
from tests.support.postgres_server import PostgresServer
from tests.support.terminals import run_piped
from tests.system.cluster.node_process import LOOPBACK, NodeProcess


@pytest.fixture(scope="module")
def running(
    postgres: PostgresServer, nats: NatsServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, NodeProcess]]:
    """A node with a game in the room ``kitchen``, and its database."""
    database = postgres.empty_database()
    node = NodeProcess("one", tmp_path_factory.mktemp("node"), database, nats.url)
    try:
        node.start()
        with connect(f"ws://{LOOPBACK}:{node.port}/t/kitchen", max_queue=None) as peer:
            for line in ("/name ann", "/bot add", "/ready", "hello"):
                peer.send(line)
            hear(peer, "ann: hello")
        yield database, node
    finally:
        node.kill()


@pytest.fixture
def database(
    running: tuple[Database, NodeProcess], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Database:
    """That database, which a file names that the environment names."""
    file = tmp_path / "store"
    file.write_text(running[0].url)
    monkeypatch.setenv("CROSSROOM_STORE_FILE", str(file))
    return running[0]


def hear(peer: ClientConnection, wanted: str) -> None:
    while wanted not in str(peer.recv(timeout=60)):
        pass


def test_all_is_verified_while_nodes_run(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{database}: 1 rooms, ")
    assert told.endswith("all is well\n")


def test_copies_are_made_by_the_database(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, way_out in (
        ("backup", "pg_dump copies them while"),
        ("restore", "when none does"),
    ):
        assert main([command, str(tmp_path / "copy.db")]) == 1
        told = capsys.readouterr().err
        assert f"the games are in {database}; " in told
        assert way_out in told


@pytest.mark.usefixtures("database")
def test_nothing_is_moved_while_nodes_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.db"
    assert main(["migrate", "--to", f"sqlite:{target}"]) == 1
    told = capsys.readouterr().err
    assert "nodes that run share these games, 1 of them; stop all, or be one more" in told
    assert not target.exists()
    assert main(["migrate"]) == 1
    assert "--from STORE or --to STORE" in capsys.readouterr().err


@pytest.mark.slow
def test_a_server_alone_is_refused_beside_nodes_and_a_node_beside_it(
    database: Database, postgres: PostgresServer, nats: NatsServer, tmp_path: Path
) -> None:
    serve = ("serve", "--port", "0", "--host", LOOPBACK)
    done = run_piped(*serve, data=tmp_path)
    assert done.returncode == 1
    assert "nodes that run share these games, 1 of them" in done.stderr
    assert str(database) in done.stderr
    own = postgres.empty_database("alone")
    alone = open_store(own)
    try:
        settings = {
            "CROSSROOM_STORE": own.url,
            "CROSSROOM_STORE_FILE": "",
            "CROSSROOM_BUS": nats.url,
        }
        done = run_piped(*serve, data=tmp_path, **settings)
    finally:
        alone.close()
    assert done.returncode == 1
    assert "a running server keeps its games there; stop it, or give it a --bus, too" in done.stderr


def test_a_name_without_a_bus_is_a_mistake(tmp_path: Path) -> None:
    done = run_piped("serve", "--port", "0", "--node", "kitchen", data=tmp_path)
    assert done.returncode == 1
    assert "--node is a name among others, and there are none without --bus" in done.stderr


@pytest.mark.slow
def test_a_dump_that_was_made_while_nodes_run_is_a_backup(
    database: Database, postgres: PostgresServer, nats: NatsServer, tmp_path: Path
) -> None:
    dump = tmp_path / "games.dump"
    postgres.run("pg_dump", "--format=custom", f"--file={dump}", f"--dbname={database.url}")
    copy = postgres.empty_database("copy")
    open_store(copy).close()  # there was something, which must go
    whole = ("--clean", "--if-exists", "--single-transaction")
    postgres.run("pg_restore", *whole, f"--dbname={copy.url}", str(dump))
    again = NodeProcess("two", tmp_path / "node", copy, nats.url, CROSSROOM_STORE_FILE="")
    try:
        again.start()
        with connect(f"ws://{LOOPBACK}:{again.port}/t/kitchen", max_queue=None) as peer:
            peer.send("/recall")
            hear(peer, "ann: hello")
    finally:
        again.drain()
    assert main(["verify", copy.url]) == 0
