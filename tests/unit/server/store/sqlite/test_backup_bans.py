"""The addresses that the host has banned are in a copy of the games, and come back with it."""

import asyncio
from pathlib import Path

import pytest

from crossroom_server.identity.banlist import BANS_FILE, BanList
from crossroom_server.store.sqlite.backup import back_up, restore
from crossroom_server.store.sqlite.store import SqliteStore
from tests.support.log_entries import chat_entries, run_sql
from tests.unit.server.store.sqlite.test_backup import silent, verify


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path.resolve() / "data" / "games.db"
    path.parent.mkdir()
    store = SqliteStore(path)
    asyncio.run(store.append("kitchen", 0, chat_entries(1)))
    store.close()
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "copy.db"


def ban(games: Path, *addresses: str) -> None:
    for address in addresses:
        BanList(games.with_name(BANS_FILE)).add(address)


def banned(games: Path) -> list[str]:
    return list(BanList(games.with_name(BANS_FILE)))


def test_those_of_the_copy_are_banned_and_no_others(games: Path, copy: Path) -> None:
    ban(games, "192.0.2.1", "2001:db8::1")
    back_up(games, copy, silent)
    BanList(games.with_name(BANS_FILE)).remove("192.0.2.1")
    ban(games, "192.0.2.7")
    restore(copy, games, silent)
    assert banned(games) == ["192.0.2.1/32", "2001:db8::/64"]
    assert games.with_name(BANS_FILE).stat().st_mode & 0o77 == 0
    assert run_sql(games, "SELECT name FROM sqlite_master WHERE name = 'bans'") == []


def test_on_another_machine_too(games: Path, copy: Path, tmp_path: Path) -> None:
    ban(games, "192.0.2.1")
    back_up(games, copy, silent)
    back_up(games, copy, silent)
    elsewhere = tmp_path.resolve() / "elsewhere" / "games.db"
    elsewhere.parent.mkdir()
    restore(copy, elsewhere, silent)
    assert banned(elsewhere) == ["192.0.2.1/32"]


def test_nobody_was_banned_then(games: Path, copy: Path) -> None:
    back_up(games, copy, silent)
    restore(copy, games, silent)
    assert not games.with_name(BANS_FILE).exists()
    ban(games, "192.0.2.1")
    restore(copy, games, silent)
    assert banned(games) == []


def test_a_copy_from_before_bans_were_in_it_leaves_them(games: Path, copy: Path) -> None:
    ban(games, "192.0.2.1")
    back_up(games, copy, silent)
    run_sql(copy, "DROP TABLE bans")
    restore(copy, games, silent)
    assert banned(games) == ["192.0.2.1/32"]


def test_a_copy_can_be_checked_and_served_as_it_is(
    games: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ban(games, "192.0.2.1")
    back_up(games, copy, silent)
    assert verify(capsys, str(copy))[0] == 0
    store = SqliteStore(copy)
    asyncio.run(store.append("kitchen", 1, chat_entries(2)))
    store.close()
