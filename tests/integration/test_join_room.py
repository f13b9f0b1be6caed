"""Sessions that enter rooms, come back to them, and leave."""

import logging

import pytest

from crossroom_server.config.limits import Limits
from tests.support.server import SessionDriver, new_server_state, take_name


@pytest.mark.parametrize("room", ["", "Küche", "a b", "x" * 65, "-", "../etc"])
async def test_a_room_that_cannot_be_is_refused_and_the_connection_closed(room: str) -> None:
    ann = await SessionDriver(new_server_state()).join(room)
    (answer,) = ann.transport.sent
    assert answer.startswith("! NO_ROOM join: rooms are called by")
    assert ann.transport.closed == (1008, "NO_ROOM")
    assert ann.is_over


async def test_joining_another_room_leaves_the_first() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    await ann.say("/name ann", "/join attic")
    assert [(line.name, line.people) for line in server_state.lobby.rooms()] == [("attic", 1)]
    assert await ann.say("/leave") == [
        "- you have left attic; /resume CODE comes back to your seat, /rooms lists the open rooms"
    ]
    assert server_state.lobby.rooms() == []


async def test_joining_the_room_one_is_in_changes_nothing() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    await ann.say("/name ann")
    assert (await ann.say("/join Kitchen"))[0].startswith("- welcome to kitchen")
    assert [(line.name, line.people, line.seated) for line in server_state.lobby.rooms()] == [
        ("kitchen", 1, 1)
    ]


async def test_a_name_that_is_taken_leaves_one_in_the_room_to_choose_another() -> None:
    server_state = new_server_state()
    ann, bob = (
        await SessionDriver(server_state).join("kitchen"),
        await SessionDriver(server_state).join(),
    )
    await ann.say("/name ann")
    heard = await bob.say("/name ann", "/join kitchen")
    assert heard[-1].startswith("! NAME_TAKEN join:")
    assert any("bob takes seat 2" in line for line in await bob.say("/name bob"))


async def test_resuming_takes_the_seat_over_from_the_old_connection() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    code = await take_name(ann, "ann")
    await ann.say("good evening")
    again = await SessionDriver(server_state).join()
    heard = await again.say(f"/resume {code} 2")
    assert heard[-1].startswith("- you are in kitchen again, up to date (event ")
    assert not [line for line in heard if "takes seat" in line]
    assert ann.transport.closed is not None
    assert ann.transport.closed[0] == 4001
    await ann.disconnect()
    assert [(line.people, line.seated) for line in server_state.lobby.rooms()] == [(1, 1)]


async def test_resuming_elsewhere_leaves_the_room_one_is_in() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    code = await take_name(ann, "ann")
    again = await SessionDriver(server_state).join("attic")
    await take_name(again, "zoe")
    await again.say(f"/resume {code}")
    assert [(line.name, line.people) for line in server_state.lobby.rooms()] == [("kitchen", 1)]


async def test_resuming_as_somebody_else_takes_leave_as_the_one_before() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    code = await take_name(ann, "ann")
    await ann.disconnect()
    zoe, bob = (
        await SessionDriver(server_state).join("kitchen"),
        await SessionDriver(server_state).join("kitchen"),
    )
    await zoe.say("/name zoe", "/watch")
    bob.transport.take_sent()
    await zoe.say(f"/resume {code}")
    assert "- zoe has left" in bob.transport.take_sent()


async def test_opening_room_after_room_is_not_for_strangers() -> None:
    server_state = new_server_state(Limits(burst=100, rooms=2))
    ann = await SessionDriver(server_state, address="192.0.2.1").join()
    answers = [(await ann.say(f"/join room-{n}"))[0] for n in range(3)]
    assert answers[2].startswith("! TOO_MANY join:")
    await (await SessionDriver(server_state).join()).say("/join room-9")
    assert (await ann.say("/join room-9"))[0].startswith("- welcome to room-9")


async def test_who_leaves_is_gone_from_the_room(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    server_state = new_server_state()
    ann, bob = (
        await SessionDriver(server_state).join("kitchen"),
        await SessionDriver(server_state).join("kitchen"),
    )
    await ann.say("/name ann")
    bob.transport.take_sent()
    await ann.disconnect()
    await bob.wait_until_handled()
    assert any("ann" in line for line in bob.transport.take_sent())
    assert list(server_state.sessions) == [bob.session]
    assert not caplog.records
