"""A room: who is there, under which name, on which seat, and what they are told."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from tests.support.room_driver import Ear, Stage, gathered, has, playing


async def seats(stage: Stage) -> list[str]:
    return [chair.name for chair in (await stage.table()).chairs]


# Names.


async def test_a_name_takes_a_seat_and_gets_a_code_that_nobody_else_hears() -> None:
    stage = await gathered("ann", "bob", "watcher")
    assert await seats(stage) == ["ann", "bob"]
    assert stage.ears["ann"].code != stage.ears["bob"].code != ""
    for ear in stage.ears.values():
        assert sum("/resume CODE" in line for line in ear.heard) == (ear.name != "watcher")


@pytest.mark.parametrize("name", ["ann", "ANN", "\N{FULLWIDTH LATIN SMALL LETTER A}nn"])
async def test_one_name_is_for_one_person(name: str) -> None:
    stage = await gathered("ann", "watcher")
    (answer,) = await stage.type("watcher", f"/name {name}")
    assert answer.startswith("! NAME_TAKEN name: somebody here is called")


async def test_a_name_stays_with_its_seat_while_its_owner_is_away() -> None:
    stage = await playing("ann", "bob", "watcher")
    await stage.go("bob")
    assert has(await stage.type("watcher", "/name bob"), "NAME_TAKEN")


@pytest.mark.parametrize("line", ["/sit", "/ready", "/pass", "hello", "/set bingo 1", "/bot add"])
async def test_who_has_no_name_is_asked_for_one(line: str) -> None:
    stage = await gathered("ann", "watcher")
    (answer,) = await stage.type("watcher", line)
    assert answer.startswith("! NEED_NAME ")


async def test_a_new_name_is_told_to_all_and_kept() -> None:
    stage = await gathered("ann", "bob")
    assert (await stage.type("bob", "/name bea"))[-1] == "- you are bea"
    assert has(stage.ears["ann"].heard, "bob is now called bea")
    await stage.type("bob", "hello")
    assert stage.ears["ann"].heard[-1].endswith("bea: hello")
    await stage.restart()
    assert (await stage.type("bob", "hello"))[-1].endswith("bea: hello")
    assert await seats(stage) == ["ann", "bea"]


async def test_a_watcher_may_take_another_name_at_any_time_a_player_may_not() -> None:
    stage = await playing("ann", "bob")
    await stage.come("eve")
    assert (await stage.type("eve", "/name zoe"))[-1] == "- you are zoe"
    assert has(await stage.type("bob", "/name bea"), "! GAME_ON name: names stay")
    assert has(await stage.type("eve", "/who"), "watching: zoe")


async def test_coming_in_twice_changes_nothing() -> None:
    stage = await gathered("ann", "bob")
    before = await stage.table()
    ear = stage.ears["ann"]
    ear.take()
    room = await stage.room()
    await room.enter(ear, None)
    assert ear.take()[0].startswith("- welcome to kitchen")
    assert (room.people, room.table) == (2, before)
    assert has(await stage.type("ann", "/who"), "at the table: ann and bob")


# Coming back.


async def test_a_new_connection_replaces_the_old_one() -> None:
    stage = await gathered("ann", "bob")
    old = stage.ears["ann"]
    old.take()
    new = await stage.come_back("ann", 0)
    assert old.closed == 4001
    assert (await stage.room()).people == 2
    await stage.type("bob", "hello")
    assert (new.heard[-1], old.heard) == (": #3 bob: hello", [])
    await (await stage.room()).leave(old)
    assert await seats(stage) == ["ann", "bob"]


async def test_the_replaced_connection_can_do_nothing_more() -> None:
    stage = await gathered("ann", "bob")
    old = stage.ears["ann"]
    await stage.come_back("ann")
    stage.ears["old"] = old
    for line in ("/name zoe", "/watch", "hello", "/who"):
        assert has(await stage.type("old", line), "! NOT_IN_ROOM ")
    assert await seats(stage) == ["ann", "bob"]


async def test_who_comes_back_hears_where_things_stand() -> None:
    stage = await playing("ann", "bob")
    before = (await stage.type("ann", "/state"))[-1]
    await stage.go("ann")
    assert has(stage.ears["bob"].heard, "- ann is gone; the seat stays")
    heard = (await stage.come_back("ann")).take()
    assert heard[0].startswith("- welcome to kitchen")
    seq = (await stage.table()).seq
    assert heard[-3:] == [
        before,
        f"- you are live at #{seq}",
        "? your turn 1: /play, /exchange or /pass",
    ]
    assert stage.ears["bob"].heard[-1] == "- ann is back"


async def test_who_has_lost_the_seat_between_games_gets_a_free_one() -> None:
    stage = await gathered("ann", "bob", "cat")
    await stage.go("ann")
    assert await seats(stage) == ["bob", "cat"]
    await stage.come_back("ann")
    assert await seats(stage) == ["bob", "cat", "ann"]


async def test_a_watcher_who_comes_back_into_a_game_watches_on() -> None:
    stage = await playing("ann", "bob")
    await stage.come("eve")
    await stage.go("eve")
    heard = (await stage.come_back("eve")).take()
    assert heard[-1] == "- you are watching: a game is being played; sit down when it is over"
    assert has(await stage.type("eve", "hello"), "eve: hello")
    assert not has(heard, "rack")


async def test_whose_name_was_taken_meanwhile_must_find_another() -> None:
    stage = await playing("ann", "bob")
    await stage.come("eve")
    await stage.go("eve")
    watcher = await stage.come("watcher")
    await stage.type("watcher", "/name eve")
    assert has(watcher.heard, "you are eve")
    with pytest.raises(Refusal, match="somebody here is called eve; choose another name"):
        await stage.come_back("eve")
    assert (await stage.room()).people == 3


async def test_a_player_comes_back_under_the_name_at_the_table() -> None:
    stage = await gathered("ann", "bob")
    room = await stage.room()
    _, known = await stage.lobby.resume(stage.ears["ann"].code)
    await stage.type("ann", "/name zoe")
    await stage.go("bob")
    ear = Ear("late")
    await room.resume(ear, known, None)
    stage.ears["late"] = ear
    assert (await stage.type("late", "hello"))[-1].endswith("zoe: hello")


# Seats.


async def test_leaving_between_games_frees_the_seat() -> None:
    stage = await gathered("ann", "bob")
    await stage.go("bob")
    assert await seats(stage) == ["ann"]
    assert has(stage.ears["ann"].heard, "bob leaves seat 2")


async def test_leaving_a_game_keeps_the_seat_until_it_is_over() -> None:
    stage = await playing("ann", "bob", "cat")
    await stage.go("bob")
    await stage.go("cat")
    assert await seats(stage) == ["ann", "bob", "cat"]
    assert has(await stage.type("ann", "/seats"), "seat 2: bob, away")
    await stage.come_back("cat")
    await stage.type("ann", "/resign")
    await stage.type("cat", "/resign")
    assert (await stage.table()).playing is None
    assert await seats(stage) == ["ann", "cat"]


async def test_a_full_table_is_watched() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/set players 2")
    cat = await stage.come("cat")
    assert cat.heard[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert stage.ears["ann"].heard[-1] == "- cat is watching"
    await stage.go("cat")
    assert stage.ears["ann"].heard[-1] == "- cat has left"


async def test_a_watcher_who_returns_is_announced_once() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/set players 2")
    await stage.come("cat")
    await stage.go("cat")
    stage.ears["ann"].take()
    cat = await stage.come_back("cat")
    assert cat.heard[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert stage.ears["ann"].take() == ["- cat is back"]


async def test_after_a_restart_talk_takes_no_seat_away() -> None:
    stage = await gathered("ann", "bob", "cat")
    await stage.type("bob", "/ready")
    await stage.reopen()
    await stage.come_back("ann")
    await stage.type("ann", "is anybody there?")
    assert await seats(stage) == ["ann", "bob", "cat"]
    await stage.come_back("bob")
    assert (await stage.table()).chairs[1].agreed


async def test_no_game_begins_with_people_who_are_not_there() -> None:
    stage = await gathered("ann", "bob", "cat")
    await stage.type("bob", "/ready")
    await stage.type("cat", "/ready")
    await stage.reopen()
    await stage.come_back("ann")
    await stage.type("ann", "/ready")
    assert (await stage.table()).playing is None
    assert await seats(stage) == ["ann"]


async def test_a_newcomer_gets_the_seat_of_somebody_gone_when_there_is_no_other() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/set players 2")
    await stage.reopen()
    await stage.come_back("bob")
    await stage.come("cat")
    assert await seats(stage) == ["bob", "cat"]


async def test_when_the_last_unready_one_leaves_the_others_are_told_what_to_do() -> None:
    stage = await gathered("ann", "bob", "cat")
    await stage.type("ann", "/ready")
    await stage.type("bob", "/ready")
    await stage.go("cat")
    assert stage.ears["ann"].heard[-1] == "- all who sit here are ready: one more /ready begins"
    assert has(await stage.type("bob", "/ready"), "game 1 begins")


async def test_a_rematch_with_other_seats_gives_everybody_their_own_tiles() -> None:
    stage = await playing("ann", "bob")
    await stage.type("ann", "/pass")
    await stage.type("ann", "/resign")
    await stage.type("ann", "/watch")
    await stage.come("cat")
    await stage.type("ann", "/sit")
    for name in ("bob", "cat", "ann"):
        await stage.type(name, "/ready")
    table = await stage.table()
    assert (table.games, await seats(stage)) == (2, ["bob", "cat", "ann"])
    assert table.game is not None
    for seat, name in enumerate(("bob", "cat", "ann")):
        rack = " ".join(table.game.players[seat].rack)
        assert has(await stage.type(name, "/rack"), f"= rack {rack} ")


async def test_after_the_game_each_player_still_looks_at_their_own_tiles() -> None:
    stage = await playing("ann", "bob")
    await stage.type("ann", "/pass")
    await stage.type("bob", "/resign")
    await stage.type("ann", "/watch")
    await stage.come("cat")
    assert await seats(stage) == ["bob", "cat"]
    game = (await stage.table()).game
    assert game is not None
    for name, player in zip(("ann", "bob"), game.players, strict=True):
        assert has(await stage.type(name, "/state"), f"= rack {' '.join(player.rack)}   game 1 is")
    assert has(await stage.type("cat", "/state"), "= game 1 is over")


# Moves.


async def test_who_moves_too_late_is_told_what_happened_instead() -> None:
    stage = await playing("ann", "bob", clock="60", overtime="0")
    await stage.type("ann", "/pass")
    stage.now += 61_000
    heard = await stage.type("bob", "/pass")
    assert has(heard, "bob is out of time and loses")
    assert heard[-1].startswith("! GAME_OVER pass: ")


async def test_a_move_after_a_restart_lets_the_clock_run_again() -> None:
    stage = await playing("ann", "bob", clock="60")
    await stage.reopen()
    stage.now += 3_600_000
    await stage.come_back("ann")
    assert has(await stage.type("ann", "/clock"), "the clock is stopped")
    assert has(await stage.type("ann", "/pass"), "the clock runs again; ann passes")
    game = (await stage.table()).game
    assert game is not None
    assert game.players[0].used < 10_000
