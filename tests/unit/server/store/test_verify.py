"""`crossroom verify` of a store: the tiles of finished games follow from their seeds."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from crossroom_protocol.events.room import LogEntry
from crossroom_server.lobby.leaderboard import Leaderboard
from crossroom_server.store.derived_contract import Snapshot
from crossroom_server.store.sqlite.backup import restore
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table.snapshot import encode_table
from tests.contracts.test_derived import game
from tests.support.log_entries import chat_entries, run_sql
from tests.support.room_driver import SHIPPED_LEXICA, FakeClient, RoomDriver
from tests.support.sealed_games import SEED
from tests.support.server import new_lobby
from tests.unit.server.store.sqlite.test_backup import silent, verify


async def an_evening() -> list[LogEntry]:
    """The log of a room with two sealed games that are over, and one that is not."""
    driver = RoomDriver([FakeClient("ann"), FakeClient("bob")], SHIPPED_LEXICA, 1, sealed=SEED)
    await driver.join_all()
    await driver.type("ann", "/set first-player seat")
    for _ in range(3):
        for name in ("ann", "bob"):
            await driver.type(name, "/ready")
        await driver.type("ann", "/exchange *")
        last = await driver.table()
        await driver.type("bob", "/resign yes")
    log = await driver.store.read("kitchen")
    await driver.lobby.close()
    return [entry for entry in log if entry.seq <= last.seq]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    path = tmp_path.resolve() / "copy.db"
    with closing(SqliteStore(path)) as store:
        asyncio.run(store.append("kitchen", 0, asyncio.run(an_evening())))
    return path


def test_every_tile_is_drawn_again(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = verify(capsys, str(copy))
    assert (status, len(lines)) == (0, 1)
    assert lines[0].endswith(" 2 sealed games: all is well")


def test_draws_that_do_not_follow_are_named(
    copy: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = SEED[::-1]
    run_sql(copy, f"UPDATE entries SET entry = replace(entry, '{SEED}', '{other}')")
    status, lines = verify(capsys, str(copy))
    assert status == 1
    assert lines[0].startswith("room kitchen: game 1: event 1: the seed is not")
    assert {line.split(": event")[0] for line in lines[:-1]} == {
        "room kitchen: game 1",
        "room kitchen: game 2",
    }
    assert lines[-1].endswith(f" 2 sealed games: {len(lines) - 1} unfair draws")
    assert restore(copy, tmp_path / "games.db", silent) is None  # nothing is damaged


def test_a_seed_that_was_not_told_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_sql(copy, f"UPDATE entries SET entry = replace(entry, '{SEED}', '')")
    status, lines = verify(capsys, str(copy))
    assert status == 1
    assert lines[0].startswith("room kitchen: game 1: the seed was not revealed")


@pytest.fixture
def summed(copy: Path) -> Path:
    """The copy with sums and a snapshot of the room."""

    async def sum_up(store: SqliteStore) -> None:
        lobby = new_lobby(store)
        table = (await lobby.room("kitchen")).table
        await lobby.close()
        await store.append("room1", 0, chat_entries(1), [game(1, 300, 200)])
        await store.snapshots.save("kitchen", Snapshot(table.seq, encode_table(table)))
        assert await Leaderboard(store).add_games() == 1

    with closing(SqliteStore(copy)) as store:
        asyncio.run(sum_up(store))
    return copy


def test_snapshots_and_sums_are_made_anew(summed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = verify(capsys, str(summed))
    assert (status, len(lines)) == (0, 1), lines


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE snapshots SET state = replace(state, 'bob', 'bib')", "the snapshot of entry"),
        ("UPDATE totals SET totals = replace(totals, 'games', 'turns')", "the sums of the player"),
        ("UPDATE totals SET totals = '{'", "a finished game, or the sums of a player, cannot"),
        ("DELETE FROM totals WHERE key = 'ann'", "the sums of the player ann are not those"),
        ("UPDATE ratings SET rating = rating + 1", "the list of ratings is not that of the games"),
    ],
)
def test_what_was_made_otherwise_is_named(
    summed: Path, capsys: pytest.CaptureFixture[str], change: str, fault: str
) -> None:
    run_sql(summed, change)
    status, lines = verify(capsys, str(summed))
    assert status == 1
    assert any(fault in line for line in lines), lines
