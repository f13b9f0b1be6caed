"""Who keeps order in a room, and whom they send away."""

import json
from collections.abc import Sequence
from functools import reduce
from typing import Any

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.moderation import Banned, Invited, Kicked, Locked
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry, SeatTaken
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table import moderation, permissions
from crossroom_server.table.moderation import role_of
from tests.support.room_driver import FakeClient, any_contains, entry_refusal, open_room, start_game

STYLES = (
    ReaderSettings("plain"),
    ReaderSettings("tags"),
    ReaderSettings("json"),
    ReaderSettings("plain", reader=True),
)


# Roles.


async def test_the_first_person_who_sat_down_owns_the_room() -> None:
    driver = await open_room("watcher", "ann", "bob")
    table = await driver.table()
    roles = [role_of(table, chair.member) for chair in table.seats]
    assert roles == ["owner", "player"]
    assert role_of(table, None) == "watcher"
    await driver.type("ann", "/watch")
    table = await driver.table()
    assert table.permissions.owner is not None
    assert table.permissions.owner.whom == "ann"
    assert role_of(table, table.permissions.owner.member) == "owner"


async def test_a_bot_owns_nothing() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/watch")
    await driver.type("ann", "/bot add novice")
    _, *others = await driver.store.read("kitchen")  # as if nobody had been first
    assert isinstance(others[-1].what, SeatTaken)
    assert reduce(permissions.apply, others, permissions.Permissions()).owner is None


async def test_a_view_tells_roles_by_the_names_of_now() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/role bob moderator")
    await driver.type("ann", "/name anna")
    await driver.type("bob", "/lock")
    room = await driver.room()
    view = room._audience.views.view(room.table, driver.clients["bob"])
    assert (view.role, view.owner, view.moderators) == ("moderator", "anna", ("bob",))
    assert view.door == "invitation"


async def test_who_keeps_order_arranges_the_table_without_a_seat() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/watch")
    assert any_contains(await driver.type("ann", "/set clock 60"), "sets clock to 60")
    cat = await driver.join("cat")
    await driver.type("cat", "/watch")
    cat.take_received()
    assert any_contains(await driver.type("cat", "/set clock 90"), "! NEED_SEAT set")


async def test_roles_bans_mutes_and_locks_survive_a_restart() -> None:
    driver = await open_room("ann", "bob", "cat", "dan")
    for line in ("/role bob", "/ban cat", "/mute dan", "/lock open-sesame", "/set slow 7"):
        await driver.type("ann", line)
    before = (await driver.table()).permissions
    assert len(before.staff) == 2
    assert before.banned
    assert before.muted
    await driver.restart_and_resume()
    assert (await driver.table()).permissions == before
    assert any_contains(driver.clients["cat"].received, "! BANNED")
    assert any_contains(await driver.type("dan", "hello"), "! MUTED say")


async def test_leaving_and_coming_anew_does_not_end_a_mute() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/mute bob")
    await (await driver.room()).leave(driver.clients["bob"])
    await driver.join("Bob")
    assert any_contains(await driver.type("Bob", "hello"), "! MUTED say")
    assert any_contains(await driver.type("Bob", "/name robert"), "! MUTED name")
    await driver.type("ann", "/unmute bob")
    assert any_contains(await driver.type("Bob", "hello"), "hello")


async def test_a_new_name_is_no_way_around_slow_talk() -> None:
    driver = await open_room("ann", "bob", "cat", "dan")
    await driver.type("dan", "/watch")
    await driver.type("ann", "/set slow 60")
    for name in ("bob", "dan", "ann"):  # seated, watching, and the owner, who need not wait
        await driver.type(name, "hello")
        heard = await driver.type(name, f"/name {name}by")
        heard += await driver.type(name, "hello again")
        assert any_contains(heard, "SLOW_DOWN name: talk is slow") == (name != "ann")
        assert any_contains(heard, "hello again") == (name == "ann")
    assert not any_contains(await driver.type("cat", "/name cathy"), "!")
    driver.now += 60_000
    await driver.type("bob", "/name bobby")
    assert any_contains(await driver.type("bob", "hello"), "bobby: hello")


# Sending people away.


async def test_who_is_kicked_is_told_and_hung_up_on_and_may_come_back() -> None:
    driver = await open_room("ann", "bob", "cat")
    bob = driver.clients["bob"]
    await driver.type("ann", "/kick bob")
    assert any_contains(bob.received, "ann sends bob away")
    assert bob.closed == moderation.CLOSE_SENT_AWAY
    assert any_contains(await driver.type("bob", "hello"), "! NOT_IN_ROOM")
    assert [chair.name for chair in (await driver.table()).seats] == ["ann", "cat"]
    assert any_contains((await driver.reconnect("bob")).received, "bob takes seat 3")


def told_with(lines: Sequence[str], kind: str) -> dict[str, Any]:
    """The room as it was told with the entry of that kind, in JSON."""
    events = (notice for notice in map(json.loads, lines) if notice["tell"] == "event")
    return next(notice["room"] for notice in events if notice["event"]["kind"] == kind)


@pytest.mark.parametrize(("line", "kind"), [("/kick bob", "kicked"), ("/ban bob", "banned")])
async def test_who_is_sent_away_is_gone_from_what_the_others_are_told(line: str, kind: str) -> None:
    driver = await start_game("ann", "bob", "cat")
    cat, dan = driver.clients["cat"], await driver.join("dan", STYLES[2])
    cat.style = STYLES[2]
    cat.take_received()
    await driver.type("ann", line)
    for client in (cat, dan):
        room = told_with(client.received, kind)
        assert [(seat["name"], seat["here"]) for seat in room["seats"]] == [
            ("ann", True),
            ("bob", False),
            ("cat", True),
        ]
        client.take_received()
    await driver.type("ann", line.replace("bob", "dan"))
    assert told_with(cat.received, kind)["watchers"] == []
    assert told_with(dan.received, kind)["name"] == "dan", "they hear why as who they are"
    assert dan.closed == moderation.CLOSE_SENT_AWAY


async def test_who_was_sent_away_unheard_is_gone_when_the_log_is_read_again() -> None:
    driver = await open_room("ann", "bob")
    table, bob = await driver.table(), driver.clients["bob"]
    kick = Kicked("ann", table.seats[1].member, "bob")
    await driver.store.append("kitchen", table.seq, [LogEntry(table.seq + 1, driver.now, kick)])
    await driver.type("ann", "hello")
    assert any_contains(bob.received, "ann sends bob away")
    assert bob.closed == moderation.CLOSE_SENT_AWAY


async def test_who_is_sent_away_is_not_ready_to_go_on() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/adjourn")
    await driver.type("bob", "/agree")
    await driver.type("bob", "/ready")
    assert any_contains(await driver.type("ann", "/kick bob"), "bob is not ready any more")
    await driver.type("ann", "/ready")
    game = (await driver.table()).playing
    assert game is not None
    assert game.adjourned


async def test_who_is_banned_in_a_game_has_resigned() -> None:
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/pass")
    await driver.type("ann", "/ban bob")
    table = await driver.table()
    assert table.playing is None
    assert [chair.name for chair in table.seats] == ["ann"]
    assert any_contains(driver.clients["bob"].received, "game 1 saved"), "it was bob's game"
    assert any_contains(driver.clients["bob"].received[-1:], "ann bans bob")


async def test_who_has_resigned_already_is_banned_all_the_same() -> None:
    driver = await start_game("ann", "bob", "cat")
    await driver.type("bob", "/resign yes")
    await driver.type("ann", "/ban bob")
    assert any_contains(driver.clients["cat"].received, "ann bans bob")


async def test_moderators_do_not_act_on_each_other() -> None:
    driver = await open_room("ann", "bob", "cat")
    await driver.type("ann", "/role bob")
    await driver.type("ann", "/role cat")
    assert any_contains(
        await driver.type("bob", "/ban cat"), "! NEED_ROLE ban: cat is moderator here"
    )
    assert driver.clients["cat"].closed is None


async def test_a_banned_moderator_is_none_any_more() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/role bob")
    await driver.type("ann", "/ban bob")
    await driver.type("ann", "/unban bob")
    bob = await driver.reconnect("bob")
    assert any_contains(await driver.type("bob", "/lock"), "! NEED_ROLE")
    assert bob.closed is None


async def test_an_address_is_banned_for_newcomers_and_told_nobody() -> None:
    driver = await open_room("ann")
    mal = await driver.join("mal", address="198.51.100.7")
    bob = await driver.join("bob", address="198.51.100.7")
    await driver.type("ann", "/ban mal address")
    assert mal.closed == moderation.CLOSE_SENT_AWAY
    assert await entry_refusal(driver, "mel", address="198.51.100.7") == "BANNED"
    await driver.join("dan", address="198.51.100.8")
    assert bob.closed is None
    await driver.reconnect("bob")
    assert any_contains(
        await driver.type("ann", "/bans"), "mal is banned by ann, with their address"
    )
    assert not any_contains(
        [line for client in driver.clients.values() for line in client.received], "198.51"
    )
    await driver.type("ann", "/unban mal")
    await driver.join("mel", address="198.51.100.7")


async def test_a_code_lets_nobody_in_from_a_banned_address_but_who_could_lift_the_ban() -> None:
    driver = await open_room("ann", "bob", "watcher")
    for name in ("mal", "mat"):
        await driver.join(name, address="198.51.100.7")
    await driver.type("ann", "/role bob")
    await driver.type("ann", "/ban mal address")
    for name in ("ann", "bob", "mat"):
        await driver.disconnect(name)
    for name in ("ann", "bob"):
        back = await driver.reconnect(name, address="198.51.100.7")
        assert not any_contains(back.received, "!")
    with pytest.raises(Refusal) as caught:
        await driver.reconnect("mat", address="198.51.100.7")
    assert caught.value.code == "BANNED"
    room, nobody = await driver.room(), FakeClient("watcher", address="198.51.100.7")
    with pytest.raises(Refusal):
        await room.rejoin(nobody, None, None)
    assert nobody not in room
    await driver.reconnect("mat", address="198.51.100.8")
    await driver.type("ann", "/unban mal")
    await driver.reconnect("mat", address="198.51.100.7")


async def test_an_address_that_is_not_known_is_not_said_to_be_banned() -> None:
    driver = await open_room("ann", "bob", seed=3)
    assert any_contains(await driver.type("ann", "/ban mal address"), "! NOBODY ban")
    assert not (await driver.table()).permissions.banned
    assert not any_contains(await driver.type("ann", "/ban mal"), "!")


async def test_the_machine_itself_cannot_be_banned() -> None:
    driver = await open_room("ann")
    await driver.join("bob", address="127.0.0.1")
    assert any_contains(await driver.type("ann", "/ban bob address"), "! BAD_ARGS ban")
    await driver.disconnect("bob")
    assert not any_contains(await driver.type("ann", "/ban bob"), "!")


async def test_the_list_of_the_banned_does_not_grow_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moderation, "MAX_BANS", 2)
    driver = await open_room("ann", "bob")
    for line in ("/ban cat", "/ban dan"):
        assert not any_contains(await driver.type("ann", line), "!")
    assert any_contains(await driver.type("ann", "/ban bob"), "! TOO_MANY ban")


async def test_nor_does_that_of_the_muted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "MAX_BANS", 1)
    driver = await open_room("ann", "bob", "cat")
    assert not any_contains(await driver.type("ann", "/mute bob"), "!")
    assert any_contains(await driver.type("ann", "/mute cat"), "! TOO_MANY mute")
    await driver.type("ann", "/unmute bob")
    assert not any_contains(await driver.type("ann", "/mute cat"), "!")


async def test_somebody_who_is_away_has_no_address_to_ban() -> None:
    driver = await start_game("ann", "bob")
    await driver.disconnect("bob")
    told = await driver.type("ann", "/ban bob address")
    assert any_contains(told, "bob is not connected; /ban bob bans the name")
    assert not (await driver.table()).permissions.banned


@pytest.mark.parametrize(("minutes", "left"), [(1, "60 s"), (2, "2 minutes"), (90, "90 minutes")])
async def test_the_muted_are_told_how_long(minutes: int, left: str) -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", f"/mute bob {minutes}")
    driver.now -= 1000  # that typing takes
    assert any_contains(await driver.type("bob", "hello"), left)


async def test_nobody_is_ever_told_a_secret() -> None:
    driver = await open_room("ann", "bob", "watcher")
    for style, client in zip(STYLES, driver.clients.values(), strict=False):
        client.style = style
    await driver.join("dan", address="198.51.100.7", style=STYLES[2])
    await driver.join("eve", style=STYLES[3])
    for line in ("/lock open-sesame", "/invite", "/ban dan address", "/bans"):
        await driver.type("ann", line)
    for name in ("bob", "eve"):
        await driver.reconnect(name, 0)
    log = await driver.store.read("kitchen")
    kinds = {type(entry.what): entry.what for entry in log}
    lock, ban, invited = kinds[Locked], kinds[Banned], kinds[Invited]
    assert isinstance(lock, Locked)
    assert isinstance(ban, Banned)
    assert isinstance(invited, Invited)
    secrets = {lock.password, ban.address, invited.digest, "open-sesame"}
    assert None not in secrets
    heard = [line for client in driver.clients.values() for line in client.received]
    assert any_contains(heard, '"kind":"locked"')
    assert not [line for line in heard for secret in secrets if secret and secret in line]
    assert not [entry for entry in log if b"open-sesame" in LOG_ENTRY.dump_json(entry)]
    assert not [secret for secret in secrets if secret and secret in repr((lock, ban, invited))]
