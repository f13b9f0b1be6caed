"""Slow talk: no name, code or connection gets around it, and friends are not kept from playing."""

from crossroom_server.table.moderation import MAX_SLOW_S
from tests.support.room_driver import RoomDriver, any_contains, open_room, start_game


async def slowed(*names: str) -> RoomDriver:
    """People in a room where Ann, its owner, slows talk down."""
    driver = await open_room("ann", *names)
    await driver.type("ann", "/set slow 60")
    return driver


async def is_heard(driver: RoomDriver, name: str, line: str = "hello") -> bool:
    """Can they say that now?"""
    heard = await driver.type(name, line)
    assert any_contains(heard, ": talk is slow here; wait ") != any_contains(heard, "hello")
    return any_contains(heard, "hello")


async def test_who_comes_again_under_another_name_waits_as_long() -> None:
    driver = await slowed("bob")
    assert await is_heard(driver, "bob")
    await driver.disconnect("bob")
    for number in range(12):
        name = f"bob{number}"
        await driver.join(name)
        assert not await is_heard(driver, name)
        driver.now += 8_000
        assert not await is_heard(driver, name)
        if number < 11:
            await driver.disconnect(name)
    driver.now += 48_000
    assert not await is_heard(driver, "bob11")  # each line takes a second
    assert await is_heard(driver, "bob11")
    assert not await is_heard(driver, "bob11")


async def test_codes_that_were_collected_before_are_no_voices_to_spare() -> None:
    driver = await slowed()
    names = ["bob", "cat", "dan"]
    for name in names:
        await driver.join(name)
        await driver.disconnect(name)
    driver.now += 3_600_000
    for name in names:
        await driver.reconnect(name)
        assert not await is_heard(driver, name)
        await driver.disconnect(name)


async def test_nothing_that_is_done_at_the_door_makes_the_wait_shorter() -> None:
    driver = await slowed()
    for name in ("bob", "cat"):
        await driver.join(name)
    driver.now += 30_000
    await driver.type("bob", "/name robert")
    await driver.disconnect("cat")
    await driver.reconnect("cat")
    assert not await is_heard(driver, "bob")
    driver.now += 30_000
    assert await is_heard(driver, "bob")
    assert not await is_heard(driver, "cat", "/me says hello")
    driver.now += 30_000
    assert await is_heard(driver, "cat")


async def test_a_player_who_was_cut_off_goes_on_talking() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/set slow 60")
    await driver.disconnect("bob")
    await driver.reconnect("bob")
    assert await is_heard(driver, "bob")
    await driver.disconnect("bob")
    await driver.reconnect("bob")
    assert not await is_heard(driver, "bob")


async def test_friends_behind_one_address_wait_for_themselves_alone() -> None:
    driver = await slowed("bob")
    assert await is_heard(driver, "bob")
    await driver.join("cat")
    await driver.join("dan")
    driver.now += 60_000
    for name in ("bob", "cat", "dan"):
        assert await is_heard(driver, name)


async def test_newcomers_talk_at_once_where_talk_is_not_slow() -> None:
    driver = await open_room("ann")
    for number in range(3):
        await driver.join(f"bob{number}")
        assert await is_heard(driver, f"bob{number}")


async def test_only_arrivals_that_matter_are_remembered() -> None:
    driver = await slowed()
    for number in range(20):
        await driver.join(f"bob{number}")
        await driver.disconnect(f"bob{number}")
        driver.now += MAX_SLOW_S * 100
    assert len((await driver.room())._membership._joined_at) == 11
