"""A room: who is there, under which name, on which seat, and what they are told."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from tests.support.room_driver import FakeClient, RoomDriver, any_contains, open_room, start_game


async def seats(driver: RoomDriver) -> list[str]:
    return [chair.name for chair in (await driver.table()).seats]


# Names.


async def test_a_name_takes_a_seat_and_gets_a_code_that_nobody_else_hears() -> None:
    driver = await open_room("ann", "bob", "watcher")
    assert await seats(driver) == ["ann", "bob"]
    assert driver.clients["ann"].code != driver.clients["bob"].code != ""
    for client in driver.clients.values():
        assert sum("/resume CODE" in line for line in client.received) == (client.name != "watcher")


@pytest.mark.parametrize("name", ["ann", "ANN", "\N{FULLWIDTH LATIN SMALL LETTER A}nn"])
async def test_one_name_is_for_one_person(name: str) -> None:
    driver = await open_room("ann", "watcher")
    (answer,) = await driver.type("watcher", f"/name {name}")
    assert answer.startswith("! NAME_TAKEN name: somebody here is called")


async def test_a_name_stays_with_its_seat_while_its_owner_is_away() -> None:
    driver = await start_game("ann", "bob", "watcher")
    await driver.disconnect("bob")
    assert any_contains(await driver.type("watcher", "/name bob"), "NAME_TAKEN")


@pytest.mark.parametrize("line", ["/sit", "/ready", "/pass", "hello", "/set bingo 1", "/bot add"])
async def test_who_has_no_name_is_asked_for_one(line: str) -> None:
    driver = await open_room("ann", "watcher")
    (answer,) = await driver.type("watcher", line)
    assert answer.startswith("! NEED_NAME ")


async def test_a_new_name_is_told_to_all_and_kept() -> None:
    driver = await open_room("ann", "bob")
    assert (await driver.type("bob", "/name bea"))[-1] == "- you are bea"
    assert any_contains(driver.clients["ann"].received, "bob is now called bea")
    await driver.type("bob", "hello")
    assert driver.clients["ann"].received[-1].endswith("bea: hello")
    await driver.restart_and_resume()
    assert (await driver.type("bob", "hello"))[-1].endswith("bea: hello")
    assert await seats(driver) == ["ann", "bea"]


async def test_a_watcher_may_take_another_name_at_any_time_a_player_may_not() -> None:
    driver = await start_game("ann", "bob")
    await driver.join("eve")
    assert (await driver.type("eve", "/name zoe"))[-1] == "- you are zoe"
    assert any_contains(await driver.type("bob", "/name bea"), "! GAME_ON name: names cannot")
    assert any_contains(await driver.type("eve", "/who"), "watching: zoe")


async def test_coming_in_twice_changes_nothing() -> None:
    driver = await open_room("ann", "bob")
    before = await driver.table()
    client = driver.clients["ann"]
    client.take_received()
    room = await driver.room()
    await room.enter(client, None)
    assert client.take_received()[0].startswith("- welcome to kitchen")
    assert (room.connection_count, room.table) == (2, before)
    assert any_contains(await driver.type("ann", "/who"), "at the table: ann and bob")


# Coming back.


async def test_a_new_connection_replaces_the_old_one() -> None:
    driver = await open_room("ann", "bob")
    old = driver.clients["ann"]
    old.take_received()
    new = await driver.reconnect("ann", 0)
    assert old.closed == 4001
    assert (await driver.room()).connection_count == 2
    await driver.type("bob", "hello")
    assert (new.received[-1], old.received) == (": #3 bob: hello", [])
    await (await driver.room()).leave(old)
    assert await seats(driver) == ["ann", "bob"]


async def test_the_replaced_connection_can_do_nothing_more() -> None:
    driver = await open_room("ann", "bob")
    old = driver.clients["ann"]
    await driver.reconnect("ann")
    driver.clients["old"] = old
    for line in ("/name zoe", "/watch", "hello", "/who"):
        assert any_contains(await driver.type("old", line), "! NOT_IN_ROOM ")
    assert await seats(driver) == ["ann", "bob"]


async def test_who_comes_back_hears_where_things_stand() -> None:
    driver = await start_game("ann", "bob")
    before = (await driver.type("ann", "/state"))[-1]
    await driver.disconnect("ann")
    assert any_contains(driver.clients["bob"].received, "- ann has disconnected; the seat is kept")
    heard = (await driver.reconnect("ann")).take_received()
    assert heard[0].startswith("- welcome to kitchen")
    seq = (await driver.table()).seq
    rack = before[2:].partition("   ")[0]
    assert heard[-3:] == [
        before,
        f"- you are in kitchen again, up to date (event {seq})",
        f"? your turn, {rack}: /play, /exchange or /pass",
    ]
    assert driver.clients["bob"].received[-1] == "- ann is back"


async def test_who_has_lost_the_seat_between_games_gets_a_free_one() -> None:
    driver = await open_room("ann", "bob", "cat")
    await driver.disconnect("ann")
    assert await seats(driver) == ["bob", "cat"]
    await driver.reconnect("ann")
    assert await seats(driver) == ["bob", "cat", "ann"]


async def test_a_watcher_who_comes_back_into_a_game_watches_on() -> None:
    driver = await start_game("ann", "bob")
    await driver.join("eve")
    await driver.disconnect("eve")
    heard = (await driver.reconnect("eve")).take_received()
    assert heard[-1] == "- you are watching: a game is being played; sit down when it is over"
    assert any_contains(await driver.type("eve", "hello"), "eve: hello")
    assert not any_contains(heard, "rack")


async def test_whose_name_was_taken_meanwhile_must_find_another() -> None:
    driver = await start_game("ann", "bob")
    await driver.join("eve")
    await driver.disconnect("eve")
    watcher = await driver.join("watcher")
    await driver.type("watcher", "/name eve")
    assert any_contains(watcher.received, "you are eve")
    with pytest.raises(Refusal, match="somebody here is called eve; choose another name"):
        await driver.reconnect("eve")
    assert (await driver.room()).connection_count == 3


async def test_a_player_comes_back_under_the_name_at_the_table() -> None:
    driver = await open_room("ann", "bob")
    room = await driver.room()
    _, known = await driver.lobby.find_by_code(driver.clients["ann"].code)
    await driver.type("ann", "/name zoe")
    await driver.disconnect("bob")
    client = FakeClient("late")
    await room.rejoin(client, known, None)
    driver.clients["late"] = client
    assert (await driver.type("late", "hello"))[-1].endswith("zoe: hello")


# Seats.


async def test_leaving_between_games_frees_the_seat() -> None:
    driver = await open_room("ann", "bob")
    await driver.disconnect("bob")
    assert await seats(driver) == ["ann"]
    assert any_contains(driver.clients["ann"].received, "bob leaves seat 2")


async def test_leaving_a_game_keeps_the_seat_until_it_is_over() -> None:
    driver = await start_game("ann", "bob", "cat")
    await driver.disconnect("bob")
    await driver.disconnect("cat")
    assert await seats(driver) == ["ann", "bob", "cat"]
    assert any_contains(await driver.type("ann", "/seats"), "seat 2: bob, away")
    await driver.reconnect("cat")
    await driver.type("ann", "/resign yes")
    await driver.type("cat", "/resign yes")
    assert (await driver.table()).playing is None
    assert await seats(driver) == ["ann", "cat"]


async def test_a_full_table_is_watched() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/set players 2")
    cat = await driver.join("cat")
    assert cat.received[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert driver.clients["ann"].received[-1] == "- cat is watching"
    await driver.disconnect("cat")
    assert driver.clients["ann"].received[-1] == "- cat has left"


async def test_a_watcher_who_returns_is_announced_once() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/set players 2")
    await driver.join("cat")
    await driver.disconnect("cat")
    driver.clients["ann"].take_received()
    cat = await driver.reconnect("cat")
    assert cat.received[-1] == "- you are watching: all 2 seats are taken; you may watch"
    assert driver.clients["ann"].take_received() == ["- cat is back"]


async def test_after_a_restart_talk_takes_no_seat_away() -> None:
    driver = await open_room("ann", "bob", "cat")
    await driver.type("bob", "/ready")
    await driver.restart_server()
    await driver.reconnect("ann")
    await driver.type("ann", "is anybody there?")
    assert await seats(driver) == ["ann", "bob", "cat"]
    await driver.reconnect("bob")
    assert (await driver.table()).seats[1].agreed


async def test_no_game_begins_with_people_who_are_not_there() -> None:
    driver = await open_room("ann", "bob", "cat")
    await driver.type("bob", "/ready")
    await driver.type("cat", "/ready")
    await driver.restart_server()
    await driver.reconnect("ann")
    await driver.type("ann", "/ready")
    assert (await driver.table()).playing is None
    assert await seats(driver) == ["ann"]


async def test_a_newcomer_gets_the_seat_of_somebody_gone_when_there_is_no_other() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/set players 2")
    await driver.restart_server()
    await driver.reconnect("bob")
    await driver.join("cat")
    assert await seats(driver) == ["bob", "cat"]


async def test_when_the_last_unready_one_leaves_the_others_are_told_what_to_do() -> None:
    driver = await open_room("ann", "bob", "cat")
    await driver.type("ann", "/ready")
    await driver.type("bob", "/ready")
    await driver.disconnect("cat")
    assert (
        driver.clients["ann"].received[-1] == "- all who sit here are ready: one more /ready begins"
    )
    assert any_contains(await driver.type("bob", "/ready"), "game 1 begins")


async def test_a_rematch_with_other_seats_gives_everybody_their_own_tiles() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/pass")
    await driver.type("ann", "/resign yes")
    await driver.type("ann", "/watch")
    await driver.join("cat")
    await driver.type("ann", "/sit")
    for name in ("bob", "cat", "ann"):
        await driver.type(name, "/ready")
    table = await driver.table()
    assert (table.games, await seats(driver)) == (2, ["bob", "cat", "ann"])
    assert table.game is not None
    for seat, name in enumerate(("bob", "cat", "ann")):
        rack = " ".join(table.game.players[seat].rack)
        assert any_contains(await driver.type(name, "/rack"), f"= rack {rack} ")


async def test_after_the_game_each_player_still_looks_at_their_own_tiles() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/pass")
    await driver.type("bob", "/resign yes")
    await driver.type("ann", "/watch")
    await driver.join("cat")
    assert await seats(driver) == ["bob", "cat"]
    game = (await driver.table()).game
    assert game is not None
    for name, player in zip(("ann", "bob"), game.players, strict=True):
        assert any_contains(
            await driver.type(name, "/state"), f"= rack {' '.join(player.rack)}   game 1 is"
        )
    assert any_contains(await driver.type("cat", "/state"), "= game 1 is over")


# Moves.


async def test_who_moves_too_late_is_told_what_happened_instead() -> None:
    driver = await start_game("ann", "bob", clock="60", overtime="0")
    await driver.type("ann", "/pass")
    driver.now += 61_000
    heard = await driver.type("bob", "/pass")
    assert any_contains(heard, "bob is out of time and loses")
    assert heard[-1].startswith("! GAME_OVER pass: ")


async def test_a_move_after_a_restart_lets_the_clock_run_again() -> None:
    driver = await start_game("ann", "bob", clock="60")
    await driver.restart_server()
    driver.now += 3_600_000
    await driver.reconnect("ann")
    assert any_contains(await driver.type("ann", "/clock"), "the clock is stopped")
    assert any_contains(await driver.type("ann", "/pass"), "the clock runs again; ann passes")
    game = (await driver.table()).game
    assert game is not None
    assert game.players[0].used < 10_000


async def test_each_reads_an_invitation_with_the_address_that_they_have_reached() -> None:
    driver = await open_room("ann", "bob")
    driver.clients["ann"].base_url = "ws://elsewhere.example"
    driver.clients["bob"].received.clear()
    await driver.type("ann", "!invite")
    told = driver.clients["bob"].received
    assert any_contains(told, "ann shows /invite")
    assert any_contains(told, "crossroom join ws://host:8765/t/kitchen")
    assert not any_contains(told, "elsewhere.example")
    assert any_contains(driver.clients["ann"].received, "ws://elsewhere.example/t/kitchen")


@pytest.mark.parametrize("line", ["!invite", "!recall", "!board"])
async def test_whoever_has_no_name_shows_nothing_to_all(line: str) -> None:
    driver = await open_room("ann", "watcher")
    driver.clients["ann"].received.clear()
    (answer,) = await driver.type("watcher", line)
    assert answer.startswith("! NEED_NAME")
    assert driver.clients["ann"].received == []


@pytest.mark.parametrize(("value", "begin"), [("rotate", "bca"), ("loser", "bbb")])
async def test_who_begins_a_rematch(value: str, begin: str) -> None:
    names = {"a": "ann", "b": "bob", "c": "cat"}
    driver = await start_game(*names.values(), first_player="seat")
    resigning = ["bob", "cat"]
    for expected in begin:
        for name in resigning:
            await driver.type(name, "/resign yes")
        assert (await driver.table()).playing is None
        await driver.type("ann", f"/set first_player {value}")
        for name in names.values():
            await driver.type(name, "/ready")
        game = (await driver.table()).playing
        assert game is not None
        assert game.players[game.first].name == names[expected]


async def test_who_watches_without_a_name_comes_back_and_goes_and_nobody_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    driver = await open_room("ann")
    watcher, room = await driver.join("watcher"), await driver.room()
    driver.clients["ann"].take_received()
    await room.mark_registered(watcher)
    await room.rejoin(watcher, None, None)
    assert room.connection_count == 2
    await room.leave(watcher)
    assert room.connection_count == 1
    assert driver.clients["ann"].take_received() == []
    assert caplog.records == []
