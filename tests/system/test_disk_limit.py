"""What rooms write down because of one address has an end, whatever it does there."""

import pytest

from crossroom_server.config.limits import Limits
from tests.support.room_driver import CODE, has
from tests.support.server import Visitor, new_house

STOP = "! SLOW_DOWN {}: 6 lines in an hour came from there; wait 3600 s"


@pytest.fixture
async def mal() -> Visitor:
    """Somebody at the door, from an address that may have six lines written down."""
    return await Visitor(
        new_house(Limits(written=6, rooms=100, pace=1000)), address="192.0.2.1"
    ).come()


async def entries(visitor: Visitor) -> int:
    return len(await visitor._house.lobby._store.read("kitchen"))


async def test_coming_and_going_is_written_down_only_so_often(mal: Visitor) -> None:
    await mal.say("/name mal")
    for _ in range(6):
        assert has(await mal.say("/join kitchen", "/leave"), "takes seat 1")
    assert has(await mal.say("/join kitchen"), STOP.format("join"))
    assert await entries(mal) == 12
    assert has(await mal.say("/who"), "! NOT_IN_ROOM")
    await mal.go()
    other = await Visitor(mal._house, address="192.0.2.2").come()
    assert has(await other.say("/name zoe", "/join kitchen"), "takes seat 1")
    await other.go()


async def test_coming_back_is_written_down_only_so_often(mal: Visitor) -> None:
    heard = await mal.say("/join kitchen", "/name mal")
    (code,) = CODE.findall("\n".join(heard))
    for _ in range(5):
        await mal.say("/leave")
        assert has(await mal.say(f"/resume {code}"), "takes seat 1")
    await mal.say("/leave")
    assert has(await mal.say(f"/resume {code}"), STOP.format("resume"))
    assert await entries(mal) == 12
    await mal.go()


async def test_who_only_watches_comes_and_goes_without_being_counted(mal: Visitor) -> None:
    for _ in range(9):
        assert not has(await mal.say("/join kitchen", "/leave"), "SLOW_DOWN")
    assert await entries(mal) == 0
    await mal.go()


async def test_hints_are_counted_too(mal: Visitor) -> None:
    await mal.say("/join kitchen", "/name mal", "/hint", "/hint", "/hint", "/hint", "/hint")
    assert has(await mal.say("/hint"), STOP.format("hint"))
    assert not has(await mal.say("/board"), "SLOW_DOWN")
    await mal.go()
