"""`crossroom migrate`, and `verify` of a database: from SQLite to PostgreSQL and back."""

import asyncio
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Said
from crossroom_server.config.store_url import (
    STORE_VARIABLE,
    Database,
    StoreUrl,
    read_store_flag,
    read_store_url,
    store_url_in_environment,
)
from crossroom_server.store.contract import Account, CodeOwner, Store
from crossroom_server.store.open import open_dump, open_store
from crossroom_server.store.table_dump import TABLES, Row
from tests.support.log_entries import restore_old_file, run_sql
from tests.support.postgres_server import PostgresServer

pytest.importorskip("asyncpg")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A store of the first version, with a game in it, played on a little."""
    path = tmp_path.resolve() / "games.db"
    restore_old_file(path, "version1")
    with closing(open_store(path)) as store:
        asyncio.run(play_on(store))
    return path


async def play_on(store: Store) -> None:
    for number in range(1, 1200):
        await store.append("küche 🙂", number - 1, [said(number)])
    await store.append("kitchen", 13, [said(14)])
    await store.save_code("1" * 64, CodeOwner("kitchen", "m9", "Zoë", registered=True))
    await store.save_code("2" * 64, CodeOwner("küche 🙂", "m1", "Zoë", since=1_700_000_000_000))
    await store.save_code("1" * 64, CodeOwner("kitchen", "m9", "Zoë", registered=True))
    for name in ("zoe", "ann", "é"):
        await store.save_account(name, Account(name.upper(), "3" * 64, 1_700_000_000_000))
    over = FinishedGame("page", "attic", 2, 1, 2, 5, 1_700_000_000_000, "race", "tiny", "out", ())
    await store.append("attic", 0, [said(1), said(2)], [over])


def said(number: int) -> LogEntry:
    return LogEntry(number, number, Said("Zoë", "日本語 \0 ' \\"))


def tables(place: StoreUrl) -> dict[str, list[Row]]:
    with open_dump(place) as found:
        return {table.name: list(found.rows(table)) for table in TABLES}


def migrate(source: StoreUrl, target: StoreUrl) -> int:
    names = [one.url if isinstance(one, Database) else f"sqlite:{one}" for one in (source, target)]
    return main(["migrate", "--from", names[0], "--to", names[1]])


def test_there_and_back_nothing_changes(
    games: Path, database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert migrate(games, database) == 0
    said = capsys.readouterr().out
    what = "3 rooms, 1,215 entries, 4 resume codes"
    cost, done = said.splitlines()
    assert cost.startswith(f"{games}: 3 rooms, 1,215 entries; to move them takes about 1 s")
    assert done == f"{database} has now what {games} has: {what}, all compared"
    assert all(tables(database).values())
    assert tables(database) == tables(games)
    assert main(["verify", database.url]) == 0
    assert capsys.readouterr().out == f"{database}: {what}, 0 sealed games: all is well\n"
    back = tmp_path / "back.db"
    assert migrate(database, back) == 0
    assert tables(back) == tables(games)
    assert back.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_was_moved_is_played_on(
    games: Path, database: Database, tmp_path: Path, kind: str
) -> None:
    migrate(games, database)
    last: StoreUrl = database
    if kind == "sqlite":
        last = tmp_path / "back.db"
        migrate(database, last)

    async def go_on(store: Store) -> None:
        assert (await store.rooms())[:3] == ["attic", "kitchen", "küche 🙂"]
        assert await store.rooms_of_name("Zoë") == ["kitchen", "küche 🙂"]
        await store.append("küche 🙂", 1199, [said(1200)])
        await store.save_code("2" * 64, CodeOwner("küche 🙂", "m1", "Zoë"))
        assert (await store.rooms())[:2] == ["küche 🙂", "attic"]
        assert await store.rooms_of_name("Zoë") == ["küche 🙂", "kitchen"]

    with closing(open_store(last)) as store:
        asyncio.run(go_on(store))


def test_games_that_are_over_are_found_again_in_the_logs(
    postgres: PostgresServer, database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "over.db"
    restore_old_file(path, "finished")
    migrate(path, database)
    before = tables(path)["finished"]
    assert before
    postgres.sql(
        "games",
        "UPDATE crossroom.finished SET game = '{}'",
        "INSERT INTO crossroom.finished VALUES (0, 'x', 'x', '{}')",
        "UPDATE crossroom.version SET derived = 0",
    )
    open_store(database).close()
    assert tables(database)["finished"] == before


def test_a_store_with_games_is_not_filled(
    games: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    migrate(games, database)
    before = tables(database)
    for source, target in ((games, database), (database, games), (games, games)):
        capsys.readouterr()
        assert migrate(source, target) == 1
        told = capsys.readouterr().err
        assert told == f"crossroom: {target}: there are games in it already; name an empty store\n"
    assert tables(database) == before


def test_a_damaged_store_is_not_moved(
    games: Path, database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    migrate(games, database)
    run_sql(games, "DELETE FROM entries WHERE room = 'kitchen' AND seq = 9")
    other = tmp_path / "other.db"
    assert migrate(games, other) == 1
    assert f"{games}: room kitchen: entry 9 is missing;" in capsys.readouterr().err
    assert not list(tmp_path.glob("other*"))


def test_damage_in_a_database_is_named(
    games: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    database = postgres.empty_database("broken", bare=True)
    migrate(games, database)
    postgres.sql(
        "broken",
        "DELETE FROM crossroom.entries WHERE room = 'kitchen' AND seq = 9",
        "UPDATE crossroom.entries SET entry = '{' WHERE room = 'küche 🙂' AND seq = 1199",
    )
    capsys.readouterr()
    assert main(["verify", database.url]) == 1
    assert capsys.readouterr().out.splitlines()[:-1] == [
        "room kitchen: entry 9 is missing",
        "room küche 🙂: entry 1199 cannot be understood",
    ]
    postgres.sql("broken", "DROP TABLE crossroom.codes")
    assert main(["verify", database.url]) == 1
    assert "the tables of the store are gone" in capsys.readouterr().out


@pytest.mark.parametrize("where", ["source", "target"])
def test_a_store_in_use_is_left_alone(
    games: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    where: str,
) -> None:
    monkeypatch.setattr("crossroom_server.store.postgres.write_fence.RECONNECT_TIMEOUT_S", 0.2)
    used: StoreUrl = games if where == "source" else database
    with closing(open_store(used)):
        assert migrate(games, database) == 1
    assert f"crossroom: {used}: a running server " in capsys.readouterr().err
    assert migrate(games, database) == 0


SLOWLY = """
import sys, time
from crossroom_server.store import migrate
fill = migrate.SqliteDump.fill
def slowly(self, table, rows):
    def slow():
        for row in rows:
            yield row
            print("on", flush=True)
            time.sleep(0.01)
    return fill(self, table, slow())
migrate.SqliteDump.fill = slowly
from crossroom_server.store.postgres import table_dump
copy = table_dump.PostgresDump.fill
table_dump.PostgresDump.fill = lambda self, table, rows: (
    copy(self, table, rows), print("on", flush=True), time.sleep(10)
)
from crossroom_clients.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_interrupt_leaves_nothing_behind(
    games: Path, database: Database, tmp_path: Path, kind: str
) -> None:
    target: StoreUrl = database if kind == "postgres" else tmp_path / "other.db"
    name = target.url if isinstance(target, Database) else f"sqlite:{target}"
    command = [sys.executable, "-c", SLOWLY, "migrate", "--from", f"sqlite:{games}", "--to", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        while (line := process.stdout.readline()) != b"on\n":
            assert line
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, b"")
    assert not list(tmp_path.glob("other*"))
    assert migrate(games, target) == 0
    assert tables(target) == tables(games)


# Names of stores.


def test_a_store_is_named_by_a_path_or_by_an_address() -> None:
    assert read_store_url("sqlite:/a/b c.db") == Path("/a/b c.db")
    database = read_store_url(
        "postgresql://ann:sesame@db.example:5433/games?sslmode=require&password=x"
    )
    assert isinstance(database, Database)
    assert str(database) == "postgresql://db.example:5433/games"
    assert "sesame" not in repr(database)
    assert read_store_url("games.db") == Path("games.db")
    for text in ("", "sqlite:", "postgresql:", "postgres:sesame", "mysql://a:sesame@b/c"):
        with pytest.raises(ValueError, match="this is no store") as refused:
            read_store_url(text)
        assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("url", ["//ann:sesame@db/games", "///games?password=sesame"])
def test_a_password_is_not_taken_from_a_command_line(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="everybody on this machine can read"):
        read_store_flag(f"postgresql:{url}")
    for line in (["serve", "--store"], ["migrate", "--to"]):
        with pytest.raises(SystemExit):
            main([*line, f"postgres:{url}"])
        assert "sesame" not in capsys.readouterr().err
    monkeypatch.setenv(STORE_VARIABLE, f"postgresql:{url}")
    assert store_url_in_environment() == Database(f"postgresql:{url}")


def test_a_backup_of_a_database_is_left_to_its_own_tools(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv(STORE_VARIABLE, "postgresql://db.example/games")
    for command in ("backup", "restore"):
        assert main([command, str(tmp_path / "copy.db")]) == 1
        told = capsys.readouterr().err
        assert "the games are in postgresql://db.example/games; pg_dump copies them" in told
    monkeypatch.setenv(STORE_VARIABLE, "mysql://db/games")
    assert main(["backup", str(tmp_path / "copy.db")]) == 1
    assert f"{STORE_VARIABLE}: this is no store" in capsys.readouterr().err


def test_without_the_driver_its_package_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if ".store.postgres." in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    lines = (
        ["serve", "--data", str(tmp_path), "--store", "postgresql://db/games"],
        ["verify", "postgresql://db/games"],
    )
    for line in lines:
        assert main(line) == 1
        assert "pip install 'crossroom[postgres]'" in capsys.readouterr().err


def test_nothing_of_postgres_is_imported_without_need(tmp_path: Path) -> None:
    code = (
        "import sys, crossroom_server.cli.serve, crossroom_server.cli.verify; "
        "sys.exit(sorted(n for n in sys.modules if 'asyncpg' in n or 'postgres' in n) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_progress_is_told_of_all_that_is_done(
    games: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crossroom_server.store.migrate import migrate_store

    heard: list[tuple[int, int]] = []
    migrate_store(games, database, lambda *steps: heard.append(steps))
    dones = [done for done, _ in heard]
    assert dones == sorted(dones)
    assert heard[-1][0] == heard[-1][1] > 3 * 1215
