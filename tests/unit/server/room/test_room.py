"""A room: who is there, under which name, on which seat, and what they are told."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from tests.support.room_driver import FakeClient, RoomDriver, open_room, any_contains, start_game


async def seats(stage: RoomDriver) -> list[str]:
    return [chair.name for chair in (await stage.table()).chairs]


# Names.


async def test_a_name_takes_a_seat_and_gets_a_code_that_nobody_else_hears() -> None:
    stage = await open_room("ann", "bob", "watcher")
    assert await seats(stage) == ["ann", "bob"]
    assert stage.clients["ann"].code != stage.clients["bob"].code != ""
    for client in stage.clients.values():
        assert sum("/resume CODE" in line for line in client.received) == (client.name != "watcher")


@pytest.mark.parametrize("name", ["ann", "ANN", "\N{FULLWIDTH LATIN SMALL LETTER A}nn"])
async def test_one_name_is_for_one_person(name: str) -> None:
    stage = await open_room("ann", "watcher")
    (answer,) = await stage.type("watcher", f"/name {name}")
    assert answer.startswith("! NAME_TAKEN name: somebody here is called")


async def test_a_name_stays_with_its_seat_while_its_owner_is_away() -> None:
    stage = await start_game("ann", "bob", "watcher")
    await stage.disconnect("bob")
    assert any_contains(await stage.type("watcher", "/name bob"), "NAME_TAKEN")


@pytest.mark.parametrize("line", ["/sit", "/ready", "/pass", "hello", "/set bingo 1", "/bot add"])
async def test_who_has_no_name_is_asked_for_one(line: str) -> None:
    stage = await open_room("ann", "watcher")
    (answer,) = await stage.type("watcher", line)
    assert answer.startswith("! NEED_NAME ")


async def test_a_new_name_is_told_to_all_and_kept() -> None:
    stage = await open_room("ann", "bob")
    assert (await stage.type("bob", "/name bea"))[-1] == "- you are bea"
    assert any_contains(stage.clients["ann"].received, "bob is now called bea")
    await stage.type("bob", "hello")
    assert stage.clients["ann"].received[-1].endswith("bea: hello")
    await stage.restart_and_resume()
    assert (await stage.type("bob", "hello"))[-1].endswith("bea: hello")
    assert await seats(stage) == ["ann", "bea"]


async def test_a_watcher_may_take_another_name_at_any_time_a_player_may_not() -> None:
    stage = await start_game("ann", "bob")
    await stage.join("eve")
    assert (await stage.type("eve", "/name zoe"))[-1] == "- you are zoe"
    assert any_contains(await stage.type("bob", "/name bea"), "! GAME_ON name: names stay")
    assert any_contains(await stage.type("eve", "/who"), "watching: zoe")


async def test_coming_in_twice_changes_nothing() -> None:
    stage = await open_room("ann", "bob")
    before = await stage.table()
    client = stage.clients["ann"]
    client.take_received()
    room = await stage.room()
    await room.enter(client, None)
    assert client.take_received()[0].startswith("- welcome to kitchen")
    assert (room.people, room.table) == (2, before)
    assert any_contains(await stage.type("ann", "/who"), "at the table: ann and bob")


# Coming back.


async def test_a_new_connection_replaces_the_old_one() -> None:
    stage = await open_room("ann", "bob")
    old = stage.clients["ann"]
    old.take_received()
    new = await stage.reconnect("ann", 0)
    assert old.closed == 4001
    assert (await stage.room()).people == 2
    await stage.type("bob", "hello")
    assert (new.received[-1], old.received) == (": #3 bob: hello", [])
    await (await stage.room()).leave(old)
    assert await seats(stage) == ["ann", "bob"]


async def test_the_replaced_connection_can_do_nothing_more() -> None:
    stage = await open_room("ann", "bob")
    old = stage.clients["ann"]
    await stage.reconnect("ann")
    stage.clients["old"] = old
    for line in ("/name zoe", "/watch", "hello", "/who"):
        assert any_contains(await stage.type("old", line), "! NOT_IN_ROOM ")
    assert await seats(stage) == ["ann", "bob"]


async def test_who_comes_back_hears_where_things_stand() -> None:
    stage = await start_game("ann", "bob")
    before = (await stage.type("ann", "/state"))[-1]
    await stage.disconnect("ann")
    assert any_contains(stage.clients["bob"].received, "- ann is gone; the seat stays")
    heard = (await stage.reconnect("ann")).take_received()
    assert heard[0].startswith("- welcome to kitchen")
    seq = (await stage.table()).seq
    assert heard[-3:] == [
        before,
        f"- you are live at #{seq}",
        "? your turn 1: /play, /exchange or /pass",
    ]
    assert stage.clients["bob"].received[-1] == "- ann is back"


async def test_who_has_lost_the_seat_between_games_gets_a_free_one() -> None:
    stage = await open_room("ann", "bob", "cat")
    await stage.disconnect("ann")
    assert await seats(stage) == ["bob", "cat"]
    await stage.reconnect("ann")
    assert await seats(stage) == ["bob", "cat", "ann"]


async def test_a_watcher_who_comes_back_into_a_game_watches_on() -> None:
    stage = await start_game("ann", "bob")
    await stage.join("eve")
    await stage.disconnect("eve")
    heard = (await stage.reconnect("eve")).take_received()
    assert heard[-1] == "- you are watching: a game is being played; sit down when it is over"
    assert any_contains(await stage.type("eve", "hello"), "eve: hello")
    assert not any_contains(heard, "rack")


async def test_whose_name_was_taken_meanwhile_must_find_another() -> None:
    stage = await start_game("ann", "bob")
    await stage.join("eve")
    await stage.disconnect("eve")
    watcher = await stage.join("watcher")
    await stage.type("watcher", "/name eve")
    assert any_contains(watcher.received, "you are eve")
    with pytest.raises(Refusal, match="somebody here is called eve; choose another name"):
        await stage.reconnect("eve")
    assert (await stage.room()).people == 3


async def test_a_player_comes_back_under_the_name_at_the_table() -> None:
    stage = await open_room("ann", "bob")
    room = await stage.room()
    _, known = await stage.lobby.resume(stage.clients["ann"].code)
    await stage.type("ann", "/name zoe")
    await stage.disconnect("bob")
    client = FakeClient("late")
    await room.resume(client, known, None)
    stage.clients["late"] = client
    assert (await stage.type("late", "hello"))[-1].endswith("zoe: hello")


# Seats.


async def test_leaving_between_games_frees_the_seat() -> None:
    stage = await open_room("ann", "bob")
    await stage.disconnect("bob")
    assert await seats(stage) == ["ann"]
    assert any_contains(stage.clients["ann"].received, "bob leaves seat 2")


async def test_leaving_a_game_keeps_the_seat_until_it_is_over() -> None:
    stage = await start_game("ann", "bob", "cat")
    await stage.disconnect("bob")
    await stage.disconnect("cat")
    assert await seats(stage) == ["ann", "bob", "cat"]
    assert any_contains(await stage.type("ann", "/seats"), "seat 2: bob, away")
    await stage.reconnect("cat")
    await stage.type("ann", "/resign")
    await stage.type("cat", "/resign")
    assert (await stage.table()).playing is None
    assert await seats(stage) == ["ann", "cat"]


async def test_a_full_table_is_watched() -> None:
    stage = await open_room("ann", "bob")
    await stage.type("ann", "/set players 2")
    cat = await stage.join("cat")
    assert cat.received[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert stage.clients["ann"].received[-1] == "- cat is watching"
    await stage.disconnect("cat")
    assert stage.clients["ann"].received[-1] == "- cat has left"


async def test_a_watcher_who_returns_is_announced_once() -> None:
    stage = await open_room("ann", "bob")
    await stage.type("ann", "/set players 2")
    await stage.join("cat")
    await stage.disconnect("cat")
    stage.clients["ann"].take_received()
    cat = await stage.reconnect("cat")
    assert cat.received[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert stage.clients["ann"].take_received() == ["- cat is back"]


async def test_after_a_restart_talk_takes_no_seat_away() -> None:
    stage = await open_room("ann", "bob", "cat")
    await stage.type("bob", "/ready")
    await stage.restart_server()
    await stage.reconnect("ann")
    await stage.type("ann", "is anybody there?")
    assert await seats(stage) == ["ann", "bob", "cat"]
    await stage.reconnect("bob")
    assert (await stage.table()).chairs[1].agreed


async def test_no_game_begins_with_people_who_are_not_there() -> None:
    stage = await open_room("ann", "bob", "cat")
    await stage.type("bob", "/ready")
    await stage.type("cat", "/ready")
    await stage.restart_server()
    await stage.reconnect("ann")
    await stage.type("ann", "/ready")
    assert (await stage.table()).playing is None
    assert await seats(stage) == ["ann"]


async def test_a_newcomer_gets_the_seat_of_somebody_gone_when_there_is_no_other() -> None:
    stage = await open_room("ann", "bob")
    await stage.type("ann", "/set players 2")
    await stage.restart_server()
    await stage.reconnect("bob")
    await stage.join("cat")
    assert await seats(stage) == ["bob", "cat"]


async def test_when_the_last_unready_one_leaves_the_others_are_told_what_to_do() -> None:
    stage = await open_room("ann", "bob", "cat")
    await stage.type("ann", "/ready")
    await stage.type("bob", "/ready")
    await stage.disconnect("cat")
    assert stage.clients["ann"].received[-1] == "- all who sit here are ready: one more /ready begins"
    assert any_contains(await stage.type("bob", "/ready"), "game 1 begins")


async def test_a_rematch_with_other_seats_gives_everybody_their_own_tiles() -> None:
    stage = await start_game("ann", "bob")
    await stage.type("ann", "/pass")
    await stage.type("ann", "/resign")
    await stage.type("ann", "/watch")
    await stage.join("cat")
    await stage.type("ann", "/sit")
    for name in ("bob", "cat", "ann"):
        await stage.type(name, "/ready")
    table = await stage.table()
    assert (table.games, await seats(stage)) == (2, ["bob", "cat", "ann"])
    assert table.game is not None
    for seat, name in enumerate(("bob", "cat", "ann")):
        rack = " ".join(table.game.players[seat].rack)
        assert any_contains(await stage.type(name, "/rack"), f"= rack {rack} ")


async def test_after_the_game_each_player_still_looks_at_their_own_tiles() -> None:
    stage = await start_game("ann", "bob")
    await stage.type("ann", "/pass")
    await stage.type("bob", "/resign")
    await stage.type("ann", "/watch")
    await stage.join("cat")
    assert await seats(stage) == ["bob", "cat"]
    game = (await stage.table()).game
    assert game is not None
    for name, player in zip(("ann", "bob"), game.players, strict=True):
        assert any_contains(
            await stage.type(name, "/state"), f"= rack {' '.join(player.rack)}   game 1 is"
        )
    assert any_contains(await stage.type("cat", "/state"), "= game 1 is over")


# Moves.


async def test_who_moves_too_late_is_told_what_happened_instead() -> None:
    stage = await start_game("ann", "bob", clock="60", overtime="0")
    await stage.type("ann", "/pass")
    stage.now += 61_000
    heard = await stage.type("bob", "/pass")
    assert any_contains(heard, "bob is out of time and loses")
    assert heard[-1].startswith("! GAME_OVER pass: ")


async def test_a_move_after_a_restart_lets_the_clock_run_again() -> None:
    stage = await start_game("ann", "bob", clock="60")
    await stage.restart_server()
    stage.now += 3_600_000
    await stage.reconnect("ann")
    assert any_contains(await stage.type("ann", "/clock"), "the clock is stopped")
    assert any_contains(await stage.type("ann", "/pass"), "the clock runs again; ann passes")
    game = (await stage.table()).game
    assert game is not None
    assert game.players[0].used < 10_000
