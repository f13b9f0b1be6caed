"""A registered name takes its seat along, from one device to another."""

import re
from typing import Final

from crossroom_server.session.server_state import ServerState
from tests.support.room_driver import any_contains
from tests.support.server import SessionDriver, new_server_state

CODE: Final = re.compile(r"/name ann (\S+)")


class Device(SessionDriver):
    """One that remembers all that it heard."""

    def __init__(self, server: ServerState) -> None:
        super().__init__(server)
        self._past: list[str] = []

    async def say(self, *texts: str) -> list[str]:
        self._past += self.transport.take_sent()
        told = await super().say(*texts)
        self._past += told
        return told

    @property
    def heard(self) -> list[str]:
        return [line for text in (*self._past, *self.transport.sent) for line in text.splitlines()]

    @property
    def closed(self) -> tuple[int, str] | None:
        return self.transport.closed


async def registered_ann(server: ServerState) -> tuple[Device, Device, str]:
    """Ann and bob, who play in the kitchen, and the code of her name."""
    ann, bob = await Device(server).join(), await Device(server).join()
    await ann.say("/join kitchen", "/name ann")
    told = "\n".join(await ann.say("/register"))
    await bob.say("/join kitchen", "/name bob")
    await ann.say("/ready")
    await bob.say("/ready")
    (code,) = CODE.findall(told)
    return ann, bob, code.rstrip(".,;)")


async def test_a_proven_name_takes_over_its_seat_in_the_middle_of_a_game() -> None:
    server = new_server_state()
    ann, bob, code = await registered_ann(server)
    rack = next(line for line in ann.heard if line.startswith("= rack"))
    phone = await Device(server).join()
    await phone.say("/join kitchen")
    told = await phone.say(f"/name ann {code}")
    assert rack in told
    assert ann.closed == (4001, "replaced by your new connection")
    assert any_contains(bob.heard, "ann is back")
    assert not any_contains(told, "watching")
    room = server.lobby.find("kitchen")
    assert room is not None
    seats = room.table.seats
    assert [seat.name for seat in seats] == ["ann", "bob"]


async def test_a_name_proven_at_the_door_does_so_on_entering() -> None:
    server = new_server_state()
    ann, _, code = await registered_ann(server)
    await ann.disconnect()
    phone = await Device(server).join()
    await phone.say(f"/name ann {code}")
    told = await phone.say("/join kitchen")
    assert any_contains(told, "= rack")
    assert not any_contains(told, "watching")


async def test_who_has_not_proven_the_name_gets_nothing() -> None:
    server = new_server_state()
    ann, _, code = await registered_ann(server)
    thief = await Device(server).join()
    await thief.say("/join kitchen")
    assert any_contains(await thief.say("/name ann"), "NAME_PROTECTED")
    assert any_contains(await thief.say(f"/name ann {code[::-1]}"), "BAD_TOKEN")
    assert not any_contains(thief.heard, "= rack")
    assert ann.closed is None


async def test_who_sits_under_another_name_keeps_that() -> None:
    server = new_server_state()
    ann, bob, code = await registered_ann(server)
    assert any_contains(await bob.say(f"/name ann {code}"), "NAME_TAKEN")
    assert ann.closed is None


async def test_both_codes_of_a_seat_come_back_to_it() -> None:
    server = new_server_state()
    ann, _, code = await registered_ann(server)
    phone = await Device(server).join()
    told = await phone.say("/join kitchen", f"/name ann {code}")
    codes = {
        found for line in (*ann.heard, *told) for found in re.findall(r"/resume (\S{14})", line)
    }
    assert len(codes) == 2
    for each in codes:
        back = await Device(server).join()
        assert any_contains(await back.say(f"/resume {each}"), "= rack")


async def test_a_name_from_before_it_was_registered_takes_nothing_over() -> None:
    server = new_server_state()
    guest = await Device(server).join()
    await guest.say("/name ann")
    ann, _, _ = await registered_ann(server)
    assert any_contains(await guest.say("/join kitchen"), "NAME_TAKEN")
    assert not any_contains(guest.heard, "= rack")
    assert ann.closed is None
