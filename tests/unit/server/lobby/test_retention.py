"""Which resume codes are forgotten, and which never."""

import asyncio

import pytest

from crossroom_engine.core.units import DAY_MS
from crossroom_server import app
from crossroom_server.identity import names
from crossroom_server.lobby import retention
from crossroom_server.lobby.retention import forget_guests
from crossroom_server.store.contract import Damaged
from tests.support.room_driver import CODE, Moody, Stage, gathered, has
from tests.support.server import Caller, serving

LONG = 90 * DAY_MS


async def a_room_with_guests(store: Moody | None = None) -> Stage:
    """Ann owns it; bob sat once, cat keeps order and never sat, and dan and eve look in."""
    stage = await gathered("ann", store=store)
    await stage.type("ann", "/set players 2")
    await stage.come("bob")
    for name in ("cat", "dan", "eve"):
        await stage.come(name)
    await stage.type("ann", "/role cat")
    await stage.type("bob", "/watch")
    for name in stage.ears:
        await stage.go(name)
    return stage


async def known(stage: Stage) -> list[str]:
    """Whose code leads anywhere."""
    codes = {name: names.digest(ear.code) for name, ear in stage.ears.items()}
    return [name for name, digest in codes.items() if await stage.store.find_code(digest)]


async def test_only_who_never_sat_and_keeps_no_order_is_forgotten() -> None:
    stage = await a_room_with_guests()
    assert await forget_guests(stage.store, stage.now - LONG) == 0
    assert await forget_guests(stage.store, stage.now + 1) == 2
    assert await known(stage) == ["ann", "bob", "cat"]
    assert not await stage.store.guests(stage.now + LONG, 10)


async def test_a_code_that_is_used_is_not_forgotten() -> None:
    stage = await a_room_with_guests()
    stage.now += LONG - DAY_MS
    for name in ("ann", "bob", "dan"):
        back = await stage.come_back(name)
    assert has(back.heard, "you are watching")
    stage.now += DAY_MS + 1
    assert await forget_guests(stage.store, stage.now - LONG) == 1
    assert await known(stage) == ["ann", "bob", "cat", "dan"]


async def test_who_was_let_into_a_locked_room_is_not_forgotten() -> None:
    stage = await a_room_with_guests()
    await stage.come_back("ann")
    await stage.type("ann", "/lock")
    assert await forget_guests(stage.store, stage.now + LONG) == 0
    await stage.type("ann", "/unlock")
    assert await forget_guests(stage.store, stage.now + LONG) == 0
    assert len(await known(stage)) == 5


async def test_what_cannot_be_read_is_kept() -> None:
    store = Moody()
    stage = await a_room_with_guests(store)
    store.reading = Damaged("entry 3 is missing")
    assert await forget_guests(store, stage.now + LONG) == 0
    store.reading = None
    assert len(await known(stage)) == 5


async def test_many_codes_are_looked_at_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "SOME", 2)
    stage = await a_room_with_guests()
    assert await forget_guests(stage.store, stage.now + LONG) == 2
    assert len(await known(stage)) == 3


@pytest.mark.parametrize("days", [0.0, 1e-6])
async def test_a_server_forgets_by_itself_unless_it_is_told_not_to(
    days: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "CLEANUP_INTERVAL_S", 0.05)
    async with serving(guests=days) as server:
        people = [await Caller.dial(server.line_port or 0) for _ in range(3)]
        people[0].say("join kitchen\n/name ann\n/set players 2\n")
        await people[0].hear_until("sets players to 2")
        people[1].say("join kitchen\n/name bob\n")
        await people[1].hear_until("bob takes seat 2")
        people[2].say("join kitchen\n/name cat\n")
        codes = CODE.findall("\n".join(await people[2].hear_until("you are watching")))
        await asyncio.sleep(0.5)
        back = await Caller.dial(server.line_port or 0)
        back.say(f"/resume {codes[0]}\n/quit\n")
        assert has(await back.hear_all(), "! BAD_TOKEN") == (days > 0)
        for one in (*people, back):
            await one.hang_up()
