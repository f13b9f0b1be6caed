"""Programs at a table that say what they are."""

from tests.support.room_driver import any_contains, open_room, start_game


async def test_a_program_is_called_so_by_everything_that_lists_people() -> None:
    driver = await open_room("ann", "robo")
    told = await driver.type("robo", "/bot me")
    assert any_contains(told, "robo is a program; games that begin with it are not rated")
    assert any_contains(await driver.type("ann", "/who"), "at the table: ann and robo (a program)")
    assert (await driver.table()).seats[1].program
    assert await driver.type("robo", "/bot me") == []


async def test_who_watches_is_no_program_yet() -> None:
    driver = await open_room("ann", "robo")
    await driver.type("robo", "/watch")
    assert any_contains(await driver.type("robo", "/bot me"), "! NEED_SEAT bot")


async def test_it_is_one_until_it_leaves_its_seat() -> None:
    driver = await start_game("ann", "robo")
    await driver.type("robo", "/bot me")
    await driver.type("ann", "/resign yes")
    assert (await driver.table()).seats[1].program
    await driver.restart_server()
    assert (await driver.table()).seats[1].program
