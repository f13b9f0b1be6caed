"""What rooms write down because of one address has an end, whatever it does there."""

import pytest

from crossroom_server.config.limits import Limits
from tests.support.room_driver import CODE, any_contains
from tests.support.server import SessionDriver, new_server_state

STOP = "! SLOW_DOWN {}: 6 lines in an hour came from there; wait 3600 s"


@pytest.fixture
async def mal() -> SessionDriver:
    """Somebody at the door, from an address that may have six lines written down."""
    return await SessionDriver(
        new_server_state(Limits(written=6, rooms=100, pace=1000)), address="192.0.2.1"
    ).join()


async def entries(client: SessionDriver) -> int:
    return len(await client._server.lobby._store.read("kitchen"))


async def test_coming_and_going_is_written_down_only_so_often(mal: SessionDriver) -> None:
    await mal.say("/name mal")
    for _ in range(6):
        assert any_contains(await mal.say("/join kitchen", "/leave"), "takes seat 1")
    assert any_contains(await mal.say("/join kitchen"), STOP.format("join"))
    assert await entries(mal) == 12
    assert any_contains(await mal.say("/who"), "! NOT_IN_ROOM")
    await mal.disconnect()
    other = await SessionDriver(mal._server, address="192.0.2.2").join()
    assert any_contains(await other.say("/name zoe", "/join kitchen"), "takes seat 1")
    await other.disconnect()


async def test_coming_back_is_written_down_only_so_often(mal: SessionDriver) -> None:
    heard = await mal.say("/join kitchen", "/name mal")
    (code,) = CODE.findall("\n".join(heard))
    for _ in range(5):
        await mal.say("/leave")
        assert any_contains(await mal.say(f"/resume {code}"), "takes seat 1")
    await mal.say("/leave")
    assert any_contains(await mal.say(f"/resume {code}"), STOP.format("resume"))
    assert await entries(mal) == 12
    await mal.disconnect()


async def test_who_only_watches_comes_and_goes_without_being_counted(mal: SessionDriver) -> None:
    for _ in range(9):
        assert not any_contains(await mal.say("/join kitchen", "/leave"), "SLOW_DOWN")
    assert await entries(mal) == 0
    await mal.disconnect()


async def test_hints_are_counted_too(mal: SessionDriver) -> None:
    await mal.say("/join kitchen", "/name mal", "/hint", "/hint", "/hint", "/hint", "/hint")
    assert any_contains(await mal.say("/hint"), STOP.format("hint"))
    assert not any_contains(await mal.say("/board"), "SLOW_DOWN")
    await mal.disconnect()
