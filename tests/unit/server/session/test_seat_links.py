"""`/link`: a seat goes to another device, once, within ten minutes."""

import json
import re
from contextlib import nullcontext
from typing import Final

import pytest
import segno

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import ReaderSettings
from crossroom_protocol.text.qr_text import qr_lines
from crossroom_server.room.seat_links import SeatLinks
from crossroom_server.session.server_state import ServerState
from crossroom_server.table.state import Person
from tests.support.room_driver import any_contains
from tests.support.server import SessionDriver, new_server_state

TOKEN: Final = re.compile(r"/join kitchen (seat-\S{14})")


async def play(server: ServerState) -> tuple[SessionDriver, SessionDriver]:
    """Ann and bob, guests who play in the kitchen."""
    ann, bob = await SessionDriver(server).join(), await SessionDriver(server).join()
    await ann.say("/join kitchen", "/name ann")
    await bob.say("/join kitchen", "/name bob")
    await bob.say("/ready")
    await ann.say("/ready")
    return ann, bob


async def link_of(person: SessionDriver) -> str:
    (token,) = TOKEN.findall("\n".join(await person.say("/link")))
    return str(token)


async def test_the_seat_of_a_guest_goes_along_in_the_middle_of_a_game() -> None:
    server = new_server_state()
    ann, bob = await play(server)
    (rack, *_) = await ann.say("/rack")
    token = await link_of(ann)
    bob.transport.take_sent()
    phone = await SessionDriver(server).join()
    told = await phone.say(f"/join kitchen {token}")
    assert rack in told
    assert ann.transport.closed == (4001, "replaced by your new connection")
    assert any_contains(bob.transport.take_sent(), "ann is back")
    (code,) = {found for line in told for found in re.findall(r"/resume (\S{14})", line)}
    later = await SessionDriver(server).join()
    assert rack in await later.say(f"/resume {code}")


async def test_a_link_is_good_once() -> None:
    server = new_server_state()
    ann, _ = await play(server)
    token = await link_of(ann)
    phone = await SessionDriver(server).join()
    await phone.say(f"/join kitchen {token}")
    thief = await SessionDriver(server).join()
    told = await thief.say(f"/join kitchen {token}")
    assert any_contains(told, "BAD_TOKEN join: this link was used, or is older than ten minutes")
    assert thief.session.room is None
    assert phone.transport.closed is None


async def test_a_newer_link_replaces_the_one_before() -> None:
    server = new_server_state()
    ann, _ = await play(server)
    first, second = await link_of(ann), await link_of(ann)
    phone = await SessionDriver(server).join()
    assert any_contains(await phone.say(f"/join kitchen {first}"), "BAD_TOKEN")
    assert any_contains(await phone.say(f"/join kitchen {second}"), "= rack")


@pytest.mark.parametrize(("seconds", "is_good"), [(599, True), (600, False)])
def test_a_link_is_good_for_ten_minutes(seconds: int, is_good: bool) -> None:
    links, ann = SeatLinks(), Person("m1", "ann")
    token = links.issue(ann, 1_000_000)
    with nullcontext() if is_good else pytest.raises(Refusal):
        assert links.redeem(token, 1_000_000 + seconds * 1000) == ann


async def test_a_link_opens_no_other_room_and_no_wrong_one_opens_any() -> None:
    server = new_server_state()
    ann, _ = await play(server)
    token = await link_of(ann)
    stranger = await SessionDriver(server).join()
    for line in (
        f"/join attic {token}",
        "/join kitchen seat-",
        "/join kitchen seat-k7qm-4ftz-9w2h",
    ):
        assert any_contains(await stranger.say(line), "BAD_TOKEN"), line
    assert stranger.session.room is None


async def test_guesses_are_counted() -> None:
    server = new_server_state()
    await play(server)
    stranger = await SessionDriver(server, address="203.0.113.7").join()
    told = [
        line for _ in range(40) for line in await stranger.say("/join kitchen seat-k7qm-4ftz-9w2h")
    ]
    assert any_contains(told, "SLOW_DOWN")


async def test_who_plays_elsewhere_leaves_that_and_a_banned_address_gets_nothing() -> None:
    server = new_server_state()
    ann, bob = await play(server)
    token = await link_of(ann)
    carl = await SessionDriver(server).join()
    await carl.say("/join attic", "/name carl", f"/join kitchen {token}")
    assert carl.session.name == "ann"
    attic = server.lobby.find("attic")
    assert attic is not None
    assert carl.session not in attic
    assert bob.transport.closed is None


async def test_a_link_is_for_who_has_a_name_and_for_nobody_else_to_see() -> None:
    server = new_server_state()
    ann, bob = await play(server)
    watcher = await SessionDriver(server).join()
    await watcher.say("/join kitchen")
    assert any_contains(await watcher.say("/link"), "NEED_NAME")
    bob.transport.take_sent()
    assert any_contains(await ann.say("!link"), "BAD_ARGS")
    token = await link_of(ann)
    assert not any_contains(bob.transport.take_sent(), token)
    assert not any_contains(watcher.transport.take_sent(), token)


async def test_a_locked_or_private_place_lets_its_member_in() -> None:
    server = new_server_state()
    ann, _ = await play(server)
    await ann.say("/lock sesame")
    token = await link_of(ann)
    server.is_private = True
    phone = await SessionDriver(server).join()
    assert any_contains(await phone.say("/join kitchen sesame"), "NEED_KEY")
    assert any_contains(await phone.say(f"/join kitchen {token}"), "= rack")


async def test_programs_and_cameras_read_the_address() -> None:
    server = new_server_state()
    await play(server)
    program = await SessionDriver(server, ReaderSettings("json")).join()
    await program.say('{"do": "join", "room": "kitchen"}', '{"do": "name", "name": "eve"}')
    told = [json.loads(text) for text in await program.say('{"do": "link"}')]
    (link,) = [notice for notice in told if notice["tell"] == "seat_link"]
    assert re.fullmatch(r"http://\S+/t/kitchen#seat-\S{14}", link["page"])
    drawn = segno.make(link["page"], error="l", micro=False).matrix
    assert link["squares"] == ["".join(map(str, row)) for row in drawn]
    picture = [f"- {line}" for line in qr_lines(link["squares"])]
    assert link["plain"][-len(picture) :] == picture


async def test_who_listens_hears_no_picture() -> None:
    server = new_server_state()
    ann, _ = await play(server)
    await ann.say("/set reader on")
    assert not any_contains(await ann.say("/link"), "█")
