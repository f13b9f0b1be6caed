"""Slow talk: no name, code or connection gets around it, and friends are not kept from playing."""

from crossroom_server.table.moderation import SLOWEST
from tests.support.room_driver import RoomDriver, open_room, any_contains, start_game


async def slowed(*names: str) -> RoomDriver:
    """People in a room where Ann, its owner, slows talk down."""
    stage = await open_room("ann", *names)
    await stage.type("ann", "/set slow 60")
    return stage


async def is_heard(stage: RoomDriver, name: str, line: str = "hello") -> bool:
    """Can they say that now?"""
    heard = await stage.type(name, line)
    assert any_contains(heard, ": talk is slow here; wait ") != any_contains(heard, "hello")
    return any_contains(heard, "hello")


async def test_who_comes_again_under_another_name_waits_as_long() -> None:
    stage = await slowed("bob")
    assert await is_heard(stage, "bob")
    await stage.disconnect("bob")
    for number in range(12):
        name = f"bob{number}"
        await stage.join(name)
        assert not await is_heard(stage, name)
        stage.now += 8_000
        assert not await is_heard(stage, name)
        if number < 11:
            await stage.disconnect(name)
    stage.now += 48_000
    assert not await is_heard(stage, "bob11")  # each line takes a second
    assert await is_heard(stage, "bob11")
    assert not await is_heard(stage, "bob11")


async def test_codes_that_were_collected_before_are_no_voices_to_spare() -> None:
    stage = await slowed()
    names = ["bob", "cat", "dan"]
    for name in names:
        await stage.join(name)
        await stage.disconnect(name)
    stage.now += 3_600_000
    for name in names:
        await stage.reconnect(name)
        assert not await is_heard(stage, name)
        await stage.disconnect(name)


async def test_nothing_that_is_done_at_the_door_makes_the_wait_shorter() -> None:
    stage = await slowed()
    for name in ("bob", "cat"):
        await stage.join(name)
    stage.now += 30_000
    await stage.type("bob", "/name robert")
    await stage.disconnect("cat")
    await stage.reconnect("cat")
    assert not await is_heard(stage, "bob")
    stage.now += 30_000
    assert await is_heard(stage, "bob")
    assert not await is_heard(stage, "cat", "/me says hello")
    stage.now += 30_000
    assert await is_heard(stage, "cat")


async def test_a_player_who_was_cut_off_goes_on_talking() -> None:
    stage = await start_game("ann", "bob")
    await stage.type("ann", "/set slow 60")
    await stage.disconnect("bob")
    await stage.reconnect("bob")
    assert await is_heard(stage, "bob")
    await stage.disconnect("bob")
    await stage.reconnect("bob")
    assert not await is_heard(stage, "bob")


async def test_friends_behind_one_address_wait_for_themselves_alone() -> None:
    stage = await slowed("bob")
    assert await is_heard(stage, "bob")
    await stage.join("cat")
    await stage.join("dan")
    stage.now += 60_000
    for name in ("bob", "cat", "dan"):
        assert await is_heard(stage, name)


async def test_newcomers_talk_at_once_where_talk_is_not_slow() -> None:
    stage = await open_room("ann")
    for number in range(3):
        await stage.join(f"bob{number}")
        assert await is_heard(stage, f"bob{number}")


async def test_only_arrivals_that_matter_are_remembered() -> None:
    stage = await slowed()
    for number in range(20):
        await stage.join(f"bob{number}")
        await stage.disconnect(f"bob{number}")
        stage.now += SLOWEST * 100
    assert len((await stage.room())._entrance._came) == 11
