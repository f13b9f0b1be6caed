"""`crossroom backup`, `restore` and `verify`: beside a server, with damage, with interrupts."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crossroom_clients.cli.main import main
from crossroom_protocol.events.room import LogEntry
from crossroom_server.store.contract import CodeOwner, Damaged, InUse, TooNew, Unavailable
from crossroom_server.store.sqlite import backup as backups
from crossroom_server.store.sqlite import file
from crossroom_server.store.sqlite.backup import back_up, restore
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import chat_entries, restore_old_file, run_sql


def silent(_done: int, _total: int) -> None:
    """Nobody looks at the progress."""


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "data"
    folder.mkdir()
    return folder / "games.db"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "copy.db"


@pytest.fixture
def store(games: Path) -> Iterator[SqliteStore]:
    """A server's, with a room and a code in it."""
    store = SqliteStore(games)
    asyncio.run(store.append("kitchen", 0, chat_entries(1, 2, 3)))
    asyncio.run(store.save_code("1" * 64, CodeOwner("kitchen", "m1", "Ada")))
    yield store
    store.close()


def logs(path: Path) -> dict[str, list[LogEntry]]:
    async def read(store: SqliteStore) -> dict[str, list[LogEntry]]:
        return {room: await store.read(room) for room in await store.rooms()}

    with closing(SqliteStore(path)) as opened:
        return asyncio.run(read(opened))


# There and back.


def test_a_copy_of_a_running_server_brings_everything_back(
    store: SqliteStore, games: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(games.parent)]
    assert main(["backup", str(copy), *data]) == 0
    assert names_in(copy.parent) == {"copy.db", "data"}
    assert copy.stat().st_mode & 0o077 == 0
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))
    asyncio.run(store.append("attic", 0, chat_entries(1)))
    store.close()
    capsys.readouterr()
    assert main(["restore", str(copy), *data]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{games} is now what {copy} was"
    aside = Path(lines[1].removeprefix("what was there before is "))
    again = SqliteStore(games)
    assert asyncio.run(again.read("kitchen")) == chat_entries(1, 2, 3)
    assert asyncio.run(again.rooms()) == ["kitchen"]
    assert asyncio.run(again.find_code("1" * 64)) == CodeOwner("kitchen", "m1", "Ada")
    asyncio.run(again.append("kitchen", 3, chat_entries(4, text="another")))
    again.close()
    assert logs(aside) == {"kitchen": chat_entries(1, 2, 3, 4), "attic": chat_entries(1)}
    assert logs(copy) == {"kitchen": chat_entries(1, 2, 3)}


def test_a_folder_without_games_is_filled(store: SqliteStore, games: Path, copy: Path) -> None:
    back_up(games, copy, silent)
    new = games.parent.parent / "new" / "deep"
    assert main(["restore", str(copy), "--data", str(new)]) == 0
    assert names_in(new) == {"games.db", "games.db-lock"}
    assert logs(new / "games.db") == logs(copy)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files away"
)
def test_who_served_the_games_may_serve_those_that_root_brings_back(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    back_up(games, copy, silent)
    store.close()
    os.chown(games, 1234, 1234)
    os.chown(games.parent, 1234, 1234)
    restore(copy, games, silent)
    new = games.parent.parent / "new"
    new.mkdir()
    os.chown(new, 1234, 1234)
    restore(copy, new / "games.db", silent)
    for path in (games, *new.iterdir()):
        assert path.stat().st_uid == 1234, path
    assert games.stat().st_mode & 0o077 == 0


def test_a_copy_is_of_one_moment_and_ends_though_people_play(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 400), text="x" * 9000)))
    before, written = asyncio.run(store.read("kitchen")), 3

    def play_on(_done: int, _total: int) -> None:
        nonlocal written
        written += 1
        asyncio.run(store.append("kitchen", written - 1, chat_entries(written)))

    back_up(games, copy, play_on)
    assert written > 6
    assert logs(copy)["kitchen"] == before
    assert len(asyncio.run(store.read("kitchen"))) == written


def test_an_older_copy_is_replaced_and_nothing_else_is(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    back_up(games, copy, silent)
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))
    back_up(games, copy, silent)
    assert logs(copy) == {"kitchen": chat_entries(1, 2, 3, 4)}
    copy.with_name("copy.db-lock").unlink()
    copy.write_text("my novel")
    with pytest.raises(Damaged, match=r"copy\.db: this is not a store"):
        back_up(games, copy, silent)
    assert copy.read_text() == "my novel"


def test_the_games_of_a_server_are_not_written_over(store: SqliteStore, games: Path) -> None:
    with pytest.raises(Unavailable, match="a server keeps its games there"):
        back_up(games, games, silent)
    assert asyncio.run(store.read("kitchen")) == chat_entries(1, 2, 3)


def test_what_a_running_server_has_open_is_not_replaced(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    back_up(games, copy, silent)
    before = names_in(games.parent)
    with pytest.raises(InUse, match="stop it"):
        restore(copy, games, silent)
    assert names_in(games.parent) == before
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))


def test_a_file_of_the_first_version_is_copied_and_brought_back(games: Path, copy: Path) -> None:
    restore_old_file(copy, "version1")
    assert restore(copy, games, silent) is None
    assert len(logs(games)["kitchen"]) == 13
    run_sql(copy, "PRAGMA user_version = 999")
    with pytest.raises(TooNew, match="update crossroom"):
        restore(copy, games, silent)


def test_after_a_crash_the_newest_moves_stay_beside_what_replaces_them(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    back_up(games, copy, silent)
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))
    crashed = games.parent.parent / "crashed"
    shutil.copytree(games.parent, crashed)
    aside = restore(copy, crashed / "games.db", silent)
    assert aside is not None
    assert logs(aside) == {"kitchen": chat_entries(1, 2, 3, 4)}
    assert logs(crashed / "games.db") == {"kitchen": chat_entries(1, 2, 3)}


def test_damaged_games_stay_beside_what_replaces_them(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    back_up(games, copy, silent)
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))
    wal = games.with_name("games.db-wal")
    newest = wal.read_bytes()
    store.close()
    games.write_bytes(b"rubbish" * 1000)
    wal.write_bytes(newest)  # as after a crash
    aside = restore(copy, games, silent)
    assert aside is not None
    assert aside.read_bytes() == b"rubbish" * 1000
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == newest
    assert logs(games) == {"kitchen": chat_entries(1, 2, 3)}


# What goes wrong leaves no trace.


@pytest.mark.parametrize("name", ["copy.db", "nowhere/copy.db"])
def test_where_nothing_was_stored_nothing_is_copied(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / name), "--data", str(tmp_path / "no")]) == 1
    assert "crossroom: " in capsys.readouterr().err
    assert names_in(tmp_path) == set()
    assert main(["restore", str(tmp_path / name), "--data", str(tmp_path / "no")]) == 1
    assert "there is no such file" in capsys.readouterr().err
    assert main(["verify", "--data", str(tmp_path / "no")]) == 1
    assert "there is no such file" in capsys.readouterr().err


def test_a_damaged_store_does_not_replace_its_last_good_copy(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 200), text="x" * 3000)))
    back_up(games, copy, silent)
    before = copy.read_bytes()
    store.close()
    damaged = bytearray(games.read_bytes())
    damaged[4096 * 9 : 4096 * 20] = b"\xa5" * 4096 * 11
    games.write_bytes(damaged)
    with pytest.raises(Damaged, match=r"games\.db: "):
        back_up(games, copy, silent)
    assert copy.read_bytes() == before
    assert names_in(copy.parent) == {"copy.db", "data"}


def test_a_damaged_copy_is_not_brought_back(store: SqliteStore, games: Path, copy: Path) -> None:
    back_up(games, copy, silent)
    store.close()
    run_sql(copy, "DELETE FROM entries WHERE seq = 2")
    with pytest.raises(Damaged, match=r"copy\.db: room kitchen: entry 2 is missing; .* verify"):
        restore(copy, games, silent)
    assert logs(games) == {"kitchen": chat_entries(1, 2, 3)}


@pytest.mark.parametrize("calls", [1, 3])
def test_an_interrupt_leaves_everything_as_it_was(
    store: SqliteStore, games: Path, copy: Path, calls: int
) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 400), text="x" * 9000)))
    back_up(games, copy, silent)
    before, heard = copy.read_bytes(), 0

    def interrupted(_done: int, _total: int) -> None:
        nonlocal heard
        heard += 1
        if heard == calls:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(games, copy, interrupted)
    assert copy.read_bytes() == before
    assert names_in(copy.parent) == {"copy.db", "data"}
    asyncio.run(store.append("kitchen", 3, chat_entries(4)))


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are another thing there")
def test_ctrl_c_is_quiet(store: SqliteStore, games: Path, copy: Path) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 400), text="x" * 9000)))
    command = (
        "import crossroom_server.store.sqlite.backup as b, time, sys\n"
        "b._PAGES = 1\n"
        "from crossroom_server.cli import options\n"
        "def slow(bar, done, note=''):\n"
        "    print('begun', flush=True)\n"
        "    time.sleep(0.1)\n"
        "options.Progress.show = slow\n"
        "from crossroom_clients.cli.main import main\n"
        f"sys.exit(main(['backup', {str(copy)!r}, '--data', {str(games.parent)!r}]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert names_in(copy.parent) == {"data"}


def test_a_full_disk_leaves_the_last_copy(
    store: SqliteStore, games: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 400), text="x" * 9000)))
    back_up(games, copy, silent)
    before, connect = copy.read_bytes(), file.connect

    def small(path: Path) -> sqlite3.Connection:
        db = connect(path)
        db.execute("PRAGMA max_page_count = 20")
        return db

    monkeypatch.setattr(backups, "connect", small)
    with pytest.raises(Unavailable, match="the disk of the server is full"):
        back_up(games, copy, silent)
    assert copy.read_bytes() == before
    assert names_in(copy.parent) == {"copy.db", "data"}


# Damage, named.


def verify(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str]]:
    capsys.readouterr()
    return main(["verify", *args]), capsys.readouterr().out.splitlines()


def test_of_a_sound_store_is_said_what_is_in_it(
    store: SqliteStore, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(store.append("attic", 0, chat_entries(1)))
    expected = [f"{games}: 2 rooms, 4 entries, 1 resume codes, 0 sealed games: all is well"]
    assert verify(capsys, "--data", str(games.parent)) == (0, expected)
    assert verify(capsys, str(games)) == (0, expected)


def test_every_damage_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    restore_old_file(copy, "version1")
    assert verify(capsys, str(copy))[0] == 0
    rows = "SELECT room || 'X', seq, entry FROM entries WHERE room = 'kitchen'"
    run_sql(
        copy,
        *(
            f"INSERT INTO entries (room, seq, entry) {rows.replace('X', f'-{room}')}"
            for room in range(4)
        ),
        "UPDATE entries SET entry = '{' WHERE room = 'kitchen' AND seq = 9",
        "DELETE FROM entries WHERE room = 'kitchen-0' AND seq IN (2, 5, 6)",
        "UPDATE entries SET seq = 14 WHERE room = 'kitchen-1' AND seq = 13",
        'UPDATE entries SET entry = replace(entry, \'["A","D","D"]\', \'["Z"]\') '
        "WHERE room = 'kitchen-2' AND seq = 10",
        "UPDATE entries SET entry = x'ff' WHERE room = 'kitchen-3' AND seq = 1",
    )
    status, lines = verify(capsys, str(copy))
    assert status == 1
    assert lines[:-1] == [
        "room kitchen: entry 9 cannot be understood",
        "room kitchen-0: entry 2 is missing",
        "room kitchen-0: entries 5 to 6 are missing",
        "room kitchen-1: entry 13 is missing",
        "room kitchen-1: entry 14 says that it is entry 13",
        lines[5],
        "room kitchen-3: entry 1 cannot be understood",
    ]
    assert lines[5].startswith("room kitchen-2: entry 10 does not fit what came before: ")
    assert lines[-1].endswith(": 5 rooms, 62 entries, 2 resume codes, 0 sealed games: 7 damages")


def test_pages_that_rot_are_named_and_the_rest_is_read(
    store: SqliteStore, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(store.append("cellar", 0, chat_entries(*range(1, 200), text="x" * 3000)))
    store.close()
    damaged = bytearray(games.read_bytes())
    damaged[4096 * 40 : 4096 * 42] = b"\xa5" * 4096 * 2
    games.write_bytes(damaged)
    status, lines = verify(capsys, str(games))
    assert status == 1
    assert any(line.startswith("the file: ") for line in lines)
    assert any(line.startswith("room cellar: from entry ") for line in lines)
    assert not any(line.startswith("room kitchen") for line in lines)


def test_what_is_no_store_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "novel.txt"
    path.write_text("It was a dark and stormy night. " * 100)
    assert verify(capsys, str(path)) == (1, [])
    path.write_text("")
    assert main(["verify", str(path)]) == 1
    assert "nothing was ever stored in it" in capsys.readouterr().err


def test_many_copies_at_once_are_one_in_the_end(
    store: SqliteStore, games: Path, copy: Path
) -> None:
    threads = [threading.Thread(target=back_up, args=(games, copy, silent)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert logs(copy) == {"kitchen": chat_entries(1, 2, 3)}
    copy.with_name("copy.db-lock").unlink()
    assert names_in(copy.parent) == {"copy.db", "data"}
