"""Which resume codes are forgotten, and which never."""

import asyncio

import pytest

from crossroom_engine.core.units import DAY_MS
from crossroom_server import app
from crossroom_server.identity.codes import code_digest
from crossroom_server.lobby import retention
from crossroom_server.lobby.retention import delete_unused_codes
from crossroom_server.store.contract import Damaged
from tests.support.room_driver import CODE, FlakyStore, RoomDriver, any_contains, open_room
from tests.support.server import RawClient, run_server

LONG = 90 * DAY_MS


async def a_room_with_guests(store: FlakyStore | None = None) -> RoomDriver:
    """Ann owns it; bob sat once, cat keeps order and never sat, and dan and eve look in."""
    driver = await open_room("ann", store=store)
    await driver.type("ann", "/set players 2")
    await driver.join("bob")
    for name in ("cat", "dan", "eve"):
        await driver.join(name)
    await driver.type("ann", "/role cat")
    await driver.type("bob", "/watch")
    for name in driver.clients:
        await driver.disconnect(name)
    return driver


async def known(driver: RoomDriver) -> list[str]:
    """Whose code leads anywhere."""
    codes = {name: code_digest(client.code) for name, client in driver.clients.items()}
    return [name for name, digest in codes.items() if await driver.store.find_code(digest)]


async def test_only_who_never_sat_and_keeps_no_order_is_forgotten() -> None:
    driver = await a_room_with_guests()
    assert await delete_unused_codes(driver.store, driver.now - LONG) == 0
    assert await delete_unused_codes(driver.store, driver.now + 1) == 2
    assert await known(driver) == ["ann", "bob", "cat"]
    assert not await driver.store.expired_codes(driver.now + LONG, 10)


async def test_a_code_that_is_used_is_not_forgotten() -> None:
    driver = await a_room_with_guests()
    driver.now += LONG - DAY_MS
    for name in ("ann", "bob", "dan"):
        back = await driver.reconnect(name)
    assert any_contains(back.received, "you are watching")
    driver.now += DAY_MS + 1
    assert await delete_unused_codes(driver.store, driver.now - LONG) == 1
    assert await known(driver) == ["ann", "bob", "cat", "dan"]


async def test_who_was_let_into_a_locked_room_is_not_forgotten() -> None:
    driver = await a_room_with_guests()
    await driver.reconnect("ann")
    await driver.type("ann", "/lock")
    assert await delete_unused_codes(driver.store, driver.now + LONG) == 0
    await driver.type("ann", "/unlock")
    assert await delete_unused_codes(driver.store, driver.now + LONG) == 0
    assert len(await known(driver)) == 5


async def test_what_cannot_be_read_is_kept() -> None:
    store = FlakyStore()
    driver = await a_room_with_guests(store)
    store.read_error = Damaged("entry 3 is missing")
    assert await delete_unused_codes(store, driver.now + LONG) == 0
    store.read_error = None
    assert len(await known(driver)) == 5


async def test_many_codes_are_looked_at_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "CODES_PER_BATCH", 2)
    driver = await a_room_with_guests()
    assert await delete_unused_codes(driver.store, driver.now + LONG) == 2
    assert len(await known(driver)) == 3


@pytest.mark.parametrize("days", [0.0, 1e-6])
async def test_a_server_forgets_by_itself_unless_it_is_told_not_to(
    days: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "CLEANUP_INTERVAL_S", 0.05)
    async with run_server(guests=days) as server:
        people = [await RawClient.dial(server.line_port or 0) for _ in range(3)]
        people[0].say("join kitchen\n/name ann\n/set players 2\n")
        await people[0].hear_until("sets players to 2")
        people[1].say("join kitchen\n/name bob\n")
        await people[1].hear_until("bob takes seat 2")
        people[2].say("join kitchen\n/name cat\n")
        codes = CODE.findall("\n".join(await people[2].hear_until("you are watching")))
        await asyncio.sleep(0.5)
        back = await RawClient.dial(server.line_port or 0)
        back.say(f"/resume {codes[0]}\n/quit\n")
        assert any_contains(await back.hear_all(), "! BAD_TOKEN") == (days > 0)
        for one in (*people, back):
            await one.hang_up()
