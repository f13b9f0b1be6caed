"""What is remembered of games that are over: what counts, and that it follows from the logs."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crossroom_engine.core.events import Started
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_server.store.rows import FINISHED_VERSION
from crossroom_server.store.sqlite import finished_table
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table import results, table
from crossroom_server.table.page_ids import PAGE_ID_LENGTH, finished_page, page_id
from crossroom_server.table.player_totals import PlayerTotals
from crossroom_server.table.standings import add_games
from crossroom_server.table.state import Person, Table
from tests.support.log_entries import restore_old_file, run_sql
from tests.support.room_driver import open_room
from tests.support.room_driver import start_game as at_table
from tests.support.table_driver import TableDriver, table_after_game, table_in_game


def told(driver: TableDriver) -> list[FinishedGame]:
    """What would be kept of everything that has happened at a table."""
    before = Table(rules=driver.first_rules)
    return list(results.ended_games("kitchen", before, driver.log))


def test_a_game_that_is_over_is_told_with_its_place_in_the_log() -> None:
    driver = table_after_game()
    (game,) = told(driver)
    assert (game.room, game.game, game.first, game.last) == ("kitchen", 1, 5, 7)
    assert (game.why, game.preset, game.lexicon) == ("resigned", "official", "tiny")
    ann, bob = game.players
    assert ann == PlayerResult("ann", 0, won=True, turns=1)
    assert bob == PlayerResult("bob", 0, left=True)
    assert (game.counts, game.rated, game.listed) == (True, False, True)


def test_a_game_that_goes_on_is_not_told() -> None:
    driver = table_in_game()
    driver.type("ann", "/pass")
    assert told(driver) == []
    assert finished_page("kitchen", driver.table) == ""


def test_a_game_that_nobody_moved_in_is_forgotten() -> None:
    driver = table_in_game()
    driver.type("bob", "/resign yes")
    assert told(driver) == []
    assert finished_page("kitchen", driver.table) == ""


def test_a_page_is_found_by_its_players_and_nobody_else() -> None:
    driver = table_after_game()
    (game,) = told(driver)
    page = finished_page("kitchen", driver.table)
    assert page == game.page
    assert len(page) == PAGE_ID_LENGTH
    assert page.isalnum()
    others = {
        page_id("attic", 1, driver.table.record),
        page_id("kitchen", 2, driver.table.record),
        page_id("kitchen", 1, driver.table.record[:-1]),
    }
    assert len(others | {page}) == 4


def test_the_seed_alone_makes_a_page_hard_to_guess() -> None:
    record = table_after_game().table.record
    assert isinstance(record[0], Started)
    started = replace(record[0], seed="5eed" * 16)
    assert page_id("kitchen", 1, (started, *record[1:])) != page_id("kitchen", 1, record)


def seated(*people: Person, preset: str = "official", **rules: Any) -> TableDriver:
    """A table at which these people begin a game, as they are."""
    driver = TableDriver()
    driver.table = replace(driver.table, rules=replace(PRESETS[preset], lexicon="tiny", **rules))
    driver.first_rules = driver.table.rules
    for person in people:
        driver.record(*table.sit(driver.table, person))
    for person in people:
        driver.type(person.name, "/ready")
    return driver


def resigned(driver: TableDriver) -> FinishedGame:
    """The game is over after one pass and a resignation."""
    game = driver.table.game
    assert game is not None
    first = game.players[game.on_turn].name
    driver.type(first, "/pass")
    driver.type(next(p.name for p in game.players if p.name != first), "/resign yes")
    return told(driver)[-1]


ANN, BOB = Person("id-ann", "ann", registered=True), Person("id-bob", "bob", registered=True)


@pytest.mark.parametrize(
    ("rules", "is_rated"),
    [
        ({}, True),
        ({"preset": "race"}, True),
        ({"preset": "tournament"}, True),
        ({"absence": "forfeit", "absence_after": 60}, True),
        ({"absence": "bot"}, False),
        ({"hints": "on"}, False),
        ({"challenge": "five"}, False),
        ({"clock": 60}, False),
    ],
)
def test_games_of_registered_people_under_a_preset_as_it_is_are_rated(
    rules: dict[str, Any], is_rated: bool
) -> None:
    game = resigned(seated(ANN, BOB, **rules))
    assert game.rated == is_rated
    assert game.counts


def test_games_with_a_program_are_not_rated_and_count_for_the_other() -> None:
    driver = TableDriver()
    for person in (ANN, BOB):
        driver.record(*table.sit(driver.table, person))
    driver.type("bob", "/bot me")
    for person in (ANN, BOB):
        driver.type(person.name, "/ready")
    game = resigned(driver)
    assert not game.rated
    assert [player.program for player in game.players] == [False, True]
    totals = dict[str, PlayerTotals]()
    add_games(totals, [(1, game)])
    assert list(totals) == ["ann"]
    assert totals["ann"].profile.with_bots == 1


def test_nobody_saves_a_rating_by_calling_themselves_a_program() -> None:
    driver = seated(ANN, BOB)
    driver.type("bob", "/bot me")
    assert resigned(driver).rated


def test_a_rated_game_is_lost_by_leaving_before_the_first_move() -> None:
    driver = seated(ANN, BOB)
    driver.type("bob", "/resign yes")
    (game,) = told(driver)
    assert (game.rated, game.why) == (True, "resigned")
    assert [player.won for player in game.players] == [True, False]
    driver = seated(ANN, replace(BOB, registered=False))
    driver.type("bob", "/resign yes")
    assert told(driver) == []


def test_games_under_what_a_preset_was_are_still_rated() -> None:
    assert resigned(seated(ANN, BOB, early_exit="cancels")).rated
    assert not resigned(seated(ANN, BOB, early_exit="loses")).rated


def test_who_has_not_registered_makes_a_game_unrated() -> None:
    game = resigned(seated(ANN, replace(BOB, registered=False)))
    assert not game.rated
    assert [player.registered for player in game.players] == [True, False]


def test_a_name_that_is_registered_during_a_game_counts_from_the_next() -> None:
    driver = seated(ANN, replace(BOB, registered=False))
    driver.record(*table.rename(driver.table, 1, BOB))
    assert not resigned(driver).players[1].registered
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    game = resigned(driver)
    assert game.players[1].registered
    assert game.rated
    assert game.game == 2


def test_who_takes_another_name_is_registered_no_more() -> None:
    driver = TableDriver("ann")
    driver.record(*table.rename(driver.table, 0, ANN))
    assert driver.table.seats[0].registered
    driver.record(*table.rename(driver.table, 0, Person("id-ann", "zoe")))
    assert not driver.table.seats[0].registered
    assert table.rename(driver.table, 0, Person("id-ann", "zoe")) == ()


def test_games_with_bots_count_but_are_not_rated() -> None:
    driver = TableDriver(first_player="seat")
    driver.record(*table.sit(driver.table, ANN))
    driver.type("ann", "/ready")
    driver.add_bot("greedy-bot")
    driver.type("ann", "/pass")
    driver.type("ann", "/resign yes")
    (game,) = told(driver)
    assert (game.counts, game.rated) == (True, False)
    assert game.players[1].bot == "greedy"


async def test_a_turn_taken_back_and_a_play_withdrawn_count_nowhere() -> None:
    room_driver = await at_table("ann", "bob")
    game = (await room_driver.table()).game
    assert game is not None
    phony = "".join(game.players[0].rack).replace("?", "a")
    for name, line in (
        ("ann", f"/play 8H {phony}"),
        ("ann", "/undo"),
        ("bob", "/agree"),
        ("ann", f"/play 8D {phony}"),
        ("bob", "/challenge"),
        ("bob", "/resign yes"),
    ):
        await room_driver.type(name, line)
    ((_, kept),) = await room_driver.store.finished()
    assert kept.players[0] == PlayerResult("ann", 0, won=True, turns=1)
    await room_driver.lobby.close()


async def test_what_a_room_keeps_is_what_its_log_says() -> None:
    """Undone, aborted, cancelled, locked and unlocked: the table and the logs agree."""
    room_driver = await open_room("ann", "bob")
    for ending in (["ann /pass", "bob /resign yes"], ["ann /pass", "ann /abort", "bob /agree"]):
        for line in ("ann /ready", "bob /ready", *ending):
            name, text = line.split(" ", 1)
            await room_driver.type(name, text)
    await room_driver.type("ann", "/lock")
    for line in ("ann /ready", "bob /ready", "ann /pass", "bob /pass", "bob /resign yes"):
        name, text = line.split(" ", 1)
        await room_driver.type(name, text)
    kept = [game for _, game in await room_driver.store.finished()]
    log = await room_driver.store.read("kitchen")
    assert kept == list(results.ended_games("kitchen", Table(), log))
    assert [(game.why, game.counts, game.listed) for game in kept] == [
        ("resigned", True, True),
        ("aborted", False, True),
        ("resigned", True, False),
    ]
    await room_driver.lobby.close()


# The file.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rooms.db"
    restore_old_file(path, "finished")
    return path


def rows(path: Path) -> list[tuple[object, ...]]:
    return run_sql(path, "SELECT * FROM finished ORDER BY id")


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    store.close()


async def test_games_that_were_over_before_there_was_the_table_are_in_it(
    store: SqliteStore, path: Path
) -> None:
    games = await store.finished_in("kitchen", 10)
    assert [(game.game, game.why, game.listed) for game in games] == [
        (4, "resigned", False),
        (2, "aborted", True),
        (1, "resigned", True),
    ]
    first = games[-1]
    assert [(p.name, p.score, p.bingos, p.best) for p in first.players] == [
        ("ann", 76, 1, "PETALOID"),
        ("bob", 146, 2, "PALACES"),
    ]
    log = await store.read("kitchen", first.first - 1, first.last - first.first + 1)
    assert [log[0].seq, log[-1].seq] == [first.first, first.last]
    assert not any(player.registered for game in games for player in game.players)


def test_filled_anew_the_table_is_the_same_to_the_byte(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteStore(path).close()
    before = rows(path)
    assert len(before) == 3
    run_sql(
        path,
        "UPDATE finished SET game = '{}'",
        "DELETE FROM finished WHERE id = (SELECT min(id) FROM finished)",
    )
    SqliteStore(path).close()
    assert rows(path) != before, "what another process has spoilt is not looked at"
    monkeypatch.setattr(finished_table, "FINISHED_VERSION", FINISHED_VERSION + 1)
    SqliteStore(path).close()
    assert rows(path) == before


def test_what_a_server_writes_is_what_would_be_derived(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction writes both, so after whatever crash the two agree."""

    async def play() -> None:
        with closing(SqliteStore(path)) as store:
            room_driver = await at_table("cat", "dan", store=store)  # type: ignore[arg-type]
            await room_driver.type("cat", "/pass")
            await room_driver.type("dan", "/resign yes")
            await room_driver.lobby.close()

    run_sql(path, "UPDATE entries SET room = 'attic'")  # a kitchen of their own
    asyncio.run(play())
    written = rows(path)
    assert [room for _, _, room, _ in written] == ["attic", "attic", "attic", "kitchen"]
    monkeypatch.setattr(finished_table, "FINISHED_VERSION", FINISHED_VERSION + 1)
    SqliteStore(path).close()
    assert rows(path) == written


def test_a_damaged_log_keeps_no_server_from_starting(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hurt = tmp_path / "hurt.db"
    shutil.copy(path, hurt)
    run_sql(hurt, "UPDATE entries SET entry = '{}' WHERE seq = 20")
    SqliteStore(hurt).close()
    assert len(rows(hurt)) == 1
    assert "its log is damaged" in caplog.text
